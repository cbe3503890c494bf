//! Which call this fetch answers: member `request`.

use std::str::FromStr;

use genten_primitives::Sha256Digest;

use crate::ShortText;

/// The call, and the place of this fetch among those of its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestBinding {
    /// The call itself.
    pub bound: Bound,
    /// The place among the result's manifests.
    pub fetch: Option<FetchPosition>,
    /// The caller's nonce.
    pub nonce: Option<Nonce>,
}

/// What was called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A tool, with the digest of its canonical arguments.
    Tool {
        /// The tool's name.
        name: ShortText,
        /// SHA-256 over the canonical JSON of the arguments; absent arguments count as `{}`.
        arguments_sha256: Sha256Digest,
    },
    /// A resource, by URI.
    Resource(ShortText),
}

/// Place `index` among `of` manifests of one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchPosition {
    index: u32,
    of: u32,
}

impl FetchPosition {
    /// The place, or `None` unless `index < of`.
    pub fn new(index: u32, of: u32) -> Option<Self> {
        (index < of).then_some(Self { index, of })
    }

    /// From 0 to `of - 1`.
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many manifests the result has.
    pub fn of(self) -> u32 {
        self.of
    }
}

/// The caller's nonce: 1 to 128 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nonce(String);

impl Nonce {
    /// The nonce as the caller set it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text is no nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not 1 to 128 visible ASCII characters")]
pub struct NonceError;

impl FromStr for Nonce {
    type Err = NonceError;

    fn from_str(text: &str) -> Result<Self, NonceError> {
        let fits =
            (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(text.to_owned())) } else { Err(NonceError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonces_have_1_to_128_visible_characters() {
        for nonce in ["x", "!~", &"n".repeat(128)] {
            assert_eq!(nonce.parse::<Nonce>().unwrap().as_str(), nonce);
        }
        for text in ["", " ", "a b", "a\n", "é", &"n".repeat(129)] {
            assert_eq!(text.parse::<Nonce>(), Err(NonceError), "{text:?}");
        }
    }
}
