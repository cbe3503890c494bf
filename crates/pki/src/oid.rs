//! Object identifiers (X.660), as trust kits and certificates name purposes and algorithms.

use std::fmt;
use std::str::FromStr;

use der::asn1::ObjectIdentifier;

/// An object identifier; its text form is dotted decimal (`1.3.6.1.5.5.7.3.2`) in one spelling.
///
/// ```
/// use genten_pki::Oid;
/// let client_auth: Oid = "1.3.6.1.5.5.7.3.2".parse().unwrap();
/// assert_eq!(client_auth.to_string(), "1.3.6.1.5.5.7.3.2");
/// assert!("1.3.06".parse::<Oid>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Oid(Box<[u8]>);

/// The text is not an object identifier in dotted decimal, or longer than 39 bytes in DER.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an object identifier like 1.3.6.1.5.5.7.3.2")]
pub struct OidError;

impl Oid {
    /// From the content of a DER OBJECT IDENTIFIER. Any bytes are kept: identifiers are only ever compared.
    pub(crate) fn from_content(content: &[u8]) -> Self {
        Self(content.into())
    }

    #[cfg(test)]
    pub(crate) fn content(&self) -> &[u8] {
        &self.0
    }
}

impl FromStr for Oid {
    type Err = OidError;

    fn from_str(text: &str) -> Result<Self, OidError> {
        let oid = ObjectIdentifier::new(text).map_err(|_| OidError)?;
        if oid.to_string() == text { Ok(oid.into()) } else { Err(OidError) }
    }
}

impl From<ObjectIdentifier> for Oid {
    fn from(oid: ObjectIdentifier) -> Self {
        Self::from_content(oid.as_bytes())
    }
}

impl PartialEq<ObjectIdentifier> for Oid {
    fn eq(&self, other: &ObjectIdentifier) -> bool {
        *self.0 == *other.as_bytes()
    }
}

impl fmt::Display for Oid {
    /// Dotted decimal; content that is malformed or longer than 39 bytes prints as `#` and hex.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match ObjectIdentifier::from_bytes(&self.0) {
            Ok(oid) => write!(f, "{oid}"),
            Err(_) => write!(f, "#{}", genten_primitives::encoding::hex(&self.0)),
        }
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Oid({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling() {
        for good in ["2.5.29.37.0", "1.3.6.1.4.1.57264.1.1", "0.9.2342.19200300.100.1.25"] {
            assert_eq!(good.parse::<Oid>().unwrap().to_string(), good);
        }
        for bad in
            ["", "1", "1.", ".1.3", "1.3.06", "1..3", "3.1", "1.40", "1.3 ", "1.3.x", "oid:1.3"]
        {
            assert_eq!(bad.parse::<Oid>(), Err(OidError), "{bad}");
        }
    }

    #[test]
    fn unreadable_content_is_kept_and_shown_as_hex() {
        assert_eq!(Oid::from_content(&[0x2b, 0x86]).to_string(), "#2b86");
        assert_eq!(Oid::from_content(&[0x2b; 40]).to_string().len(), 81);
    }
}
