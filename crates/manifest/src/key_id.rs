//! Who signed, as a name: `mcp_key_id`.

use std::fmt;
use std::str::FromStr;

/// Longest key id in bytes.
const LIMIT: usize = 2048;

/// A DID URL with fragment (`did:key`, `did:jwk`, `did:web`), or a URI that stands in the subjectAltName of the
/// signer's certificate.
///
/// ```
/// use genten_manifest::{KeyId, KeyIdKind};
/// let id: KeyId = "did:web:mcp.example.org#key-1".parse().unwrap();
/// assert_eq!((id.kind(), id.did(), id.fragment()), (KeyIdKind::DidWeb, "did:web:mcp.example.org", "key-1"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(String);

/// The characters of DID URLs and URIs, by their byte: a table, since ids are read twice for every signature.
const ALLOWED: [bool; 256] = {
    let mut allowed = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        allowed[byte as usize] =
            !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}');
        byte += 1;
    }
    allowed
};

/// Where the key behind an id is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyIdKind {
    /// The id contains the key (multicodec and base58btc).
    DidKey,
    /// The id contains the key (a JWK).
    DidJwk,
    /// The key stands in a DID document.
    DidWeb,
    /// The key stands in a certificate with this URI.
    CertificateUri,
}

/// Why a text is no key id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyIdError {
    /// A character that neither a DID nor a URI holds.
    #[error("a character that no DID URL and no URI holds")]
    Character,
    /// A DID URL that does not say which of its keys is meant.
    #[error("a DID without the fragment that names its key")]
    NoFragment,
    /// Neither a DID URL nor an absolute URI.
    #[error("neither a DID URL nor an absolute URI")]
    NotAbsolute,
    /// Longer than 2 KiB.
    #[error("longer than 2048 bytes")]
    TooLong,
    /// A DID method other than key, jwk and web.
    #[error("a DID method other than key, jwk and web")]
    UnknownMethod,
}

impl KeyId {
    /// The id as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where the key is found.
    pub fn kind(&self) -> KeyIdKind {
        kind(&self.0).unwrap_or(KeyIdKind::CertificateUri)
    }

    /// The id without its fragment.
    pub fn did(&self) -> &str {
        self.0.split('#').next().unwrap_or_default()
    }

    /// What follows the `#`; empty for a certificate's URI without one.
    pub fn fragment(&self) -> &str {
        self.0.split_once('#').map_or("", |(_, fragment)| fragment)
    }

    /// Whether the id itself contains the key.
    pub fn contains_key(&self) -> bool {
        matches!(self.kind(), KeyIdKind::DidKey | KeyIdKind::DidJwk)
    }
}

/// The kind of a DID, `None` for another URI.
fn kind(text: &str) -> Option<KeyIdKind> {
    let method = text.strip_prefix("did:")?.split(':').next()?;
    match method {
        "key" => Some(KeyIdKind::DidKey),
        "jwk" => Some(KeyIdKind::DidJwk),
        "web" => Some(KeyIdKind::DidWeb),
        _ => None,
    }
}

impl FromStr for KeyId {
    type Err = KeyIdError;

    fn from_str(text: &str) -> Result<Self, KeyIdError> {
        if text.len() > LIMIT {
            return Err(KeyIdError::TooLong);
        }
        if !text.bytes().all(|byte| ALLOWED[usize::from(byte)]) || text.matches('#').count() > 1 {
            return Err(KeyIdError::Character);
        }
        let (scheme, rest) = text.split_once(':').ok_or(KeyIdError::NotAbsolute)?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.bytes().all(plain) {
            return Err(KeyIdError::NotAbsolute);
        }
        if rest.is_empty() || rest.starts_with('#') {
            return Err(KeyIdError::NotAbsolute);
        }
        if scheme.eq_ignore_ascii_case("did") {
            check_did(text)?;
        }
        Ok(Self(text.to_owned()))
    }
}

fn check_did(text: &str) -> Result<(), KeyIdError> {
    kind(text).ok_or(KeyIdError::UnknownMethod)?;
    let (did, fragment) = text.split_once('#').ok_or(KeyIdError::NoFragment)?;
    // A path or query would make another DID URL of the same DID, past what is known of it (DID Core section 3.1).
    if did.starts_with("did:web:") && did.contains(['/', '?', ';']) {
        return Err(KeyIdError::Character);
    }
    let method_specific = did.splitn(3, ':').nth(2).unwrap_or_default();
    if fragment.is_empty() || method_specific.is_empty() {
        return Err(KeyIdError::NoFragment);
    }
    Ok(())
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart() {
        for (text, kind) in [
            ("did:key:zDnaeX#zDnaeX", KeyIdKind::DidKey),
            ("did:jwk:eyJ9#0", KeyIdKind::DidJwk),
            ("did:web:example.org:team#k", KeyIdKind::DidWeb),
            ("https://mcp.example.org/server", KeyIdKind::CertificateUri),
            ("spiffe://example.org/mcp", KeyIdKind::CertificateUri),
            ("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", KeyIdKind::CertificateUri),
        ] {
            assert_eq!(text.parse::<KeyId>().unwrap().kind(), kind, "{text}");
        }
    }

    #[test]
    fn each_fault_has_its_name() {
        use KeyIdError as E;
        let longest = format!("{:x<LIMIT$}", "urn:");
        assert!(longest.parse::<KeyId>().is_ok());
        let long = longest + "x";
        for (text, want) in [
            ("did:key:zDn aeX#k", E::Character),
            ("did:web:a#b#c", E::Character),
            ("https://a.example/\n", E::Character),
            ("https://bücher.example/", E::Character),
            ("did:key:zDnaeX", E::NoFragment),
            ("did:key:zDnaeX#", E::NoFragment),
            ("did:web:#k", E::NoFragment),
            ("key-1", E::NotAbsolute),
            ("", E::NotAbsolute),
            (":x", E::NotAbsolute),
            ("urn:", E::NotAbsolute),
            ("did:example:1#k", E::UnknownMethod),
            ("DID:key:z#z", E::UnknownMethod),
            (&long, E::TooLong),
        ] {
            assert_eq!(text.parse::<KeyId>(), Err(want), "{text:?}");
        }
    }
}
