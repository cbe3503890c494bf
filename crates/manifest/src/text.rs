//! Texts that come from outside and are kept word for word.

use std::fmt;
use std::str::FromStr;

/// The text does not fit its member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// A character that the member cannot hold.
    #[error("a character that cannot stand here")]
    Character,
    /// Nothing: an unknown value is left out instead.
    #[error("empty: leave an unknown member out")]
    Empty,
    /// Longer than the member may be.
    #[error("longer than {limit} bytes")]
    TooLong {
        /// Bytes that the member may have.
        limit: usize,
    },
}

macro_rules! text {
    ($(#[$about:meta])* $name:ident, $limit:expr, $allowed:expr) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = TextError;

            fn from_str(text: &str) -> Result<Self, TextError> {
                check(text, $limit, $allowed).map(|()| Self(text.to_owned()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

fn check(text: &str, limit: usize, allowed: fn(char) -> bool) -> Result<(), TextError> {
    match text {
        "" => Err(TextError::Empty),
        _ if text.len() > limit => Err(TextError::TooLong { limit }),
        _ if !text.chars().all(allowed) => Err(TextError::Character),
        _ => Ok(()),
    }
}

text! {
    /// The value of a header field, word for word; a byte from 0x80 on is the code point of the same number.
    /// (RFC 9110 section 5.5.)
    HeaderText, crate::MAX_MANIFEST_BYTES, |c| matches!(c, '\t' | ' '..='~' | '\u{80}'..='\u{ff}')
}

text! {
    /// The name of a header field (RFC 9110 section 5.1).
    HeaderName, 256, |c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}

text! {
    /// A short text of any characters: a revision mark, a tool's name, a certificate's issuer. At most 4096 bytes.
    ShortText, 4096, |_| true
}

impl HeaderText {
    /// The field value behind raw header bytes, or an error where no header can hold them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TextError> {
        bytes.iter().map(|byte| char::from(*byte)).collect::<String>().parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_bytes_keep_their_numbers() {
        assert_eq!(HeaderText::from_bytes(b"caf\xe9").unwrap().as_str(), "café");
        assert_eq!(HeaderText::from_bytes(b"a\nb"), Err(TextError::Character));
        assert_eq!("\u{100}".parse::<HeaderText>(), Err(TextError::Character));
        assert_eq!("\u{7f}".parse::<HeaderText>(), Err(TextError::Character));
        assert_eq!("".parse::<HeaderText>(), Err(TextError::Empty));
    }

    #[test]
    fn names_are_tokens() {
        assert!("X-Request_ID".parse::<HeaderName>().is_ok());
        assert_eq!("x y".parse::<HeaderName>(), Err(TextError::Character));
        assert_eq!("é".parse::<HeaderName>(), Err(TextError::Character));
        assert!("x".repeat(256).parse::<HeaderName>().is_ok());
        assert_eq!("x".repeat(257).parse::<HeaderName>(), Err(TextError::TooLong { limit: 256 }));
    }
}
