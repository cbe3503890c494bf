//! Whom a signing certificate names, and on whose word.

use std::fmt;

use der::asn1::{AnyRef, ObjectIdentifier, Utf8StringRef};
use der::{Reader as _, Tag, Tagged as _};
use genten_primitives::Printable;

use super::FulcioError;
use crate::Certificate;
use crate::asn1::{context_number, each, oid, optional, read_all};
use crate::extensions::SUBJECT_ALT_NAME;

/// Whom Fulcio identified.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SigningIdentity {
    /// A mail address.
    Email(String),
    /// A URI: of a workflow, a workload or a person.
    Uri(String),
    /// A user name (otherName 1.3.6.1.4.1.57264.1.7).
    UserName(String),
}

/// The otherName of user names.
const USER_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.57264.1.7");
/// The token's issuer as bare text.
const OLD_ISSUER: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.57264.1.1");
/// The token's issuer as DER UTF8String.
const NEW_ISSUER: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.57264.1.8");

impl SigningIdentity {
    /// The name without its kind.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Email(text) | Self::Uri(text) | Self::UserName(text) => text,
        }
    }
}

impl fmt::Display for SigningIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Printable(self.as_str()))
    }
}

pub(super) fn identities(leaf: &Certificate) -> Result<Vec<SigningIdentity>, FulcioError> {
    let names = leaf.extension(SUBJECT_ALT_NAME).ok_or(FulcioError::IdentityMissing)?;
    let mut found = Vec::new();
    read_all(names, |reader| {
        each(reader, |name| {
            found.extend(identity(name.decode()?)?);
            Ok(())
        })
    })
    .map_err(|_| FulcioError::IdentityMalformed)?;
    if found.is_empty() { Err(FulcioError::IdentityMissing) } else { Ok(found) }
}

/// `GeneralName` (RFC 5280 section 4.2.1.6); `None` for kinds that Fulcio does not use.
fn identity(name: AnyRef<'_>) -> Result<Option<SigningIdentity>, der::Error> {
    Ok(match context_number(name.tag()) {
        Some(0) => read_user_name(name.value())?.map(SigningIdentity::UserName),
        Some(1) => Some(SigningIdentity::Email(ascii(name.value())?)),
        Some(6) => Some(SigningIdentity::Uri(ascii(name.value())?)),
        _ => None,
    })
}

/// `OtherName ::= SEQUENCE { type-id OBJECT IDENTIFIER, value [0] EXPLICIT ANY }`, its header replaced by the tag
fn read_user_name(content: &[u8]) -> Result<Option<String>, der::Error> {
    read_all(content, |reader| {
        let kind = oid(reader)?;
        let value = optional(reader, 0)?.ok_or_else(malformed)?;
        if kind != USER_NAME {
            return Ok(None);
        }
        utf8_string(value.value()).map(Some)
    })
}

/// IA5String
fn ascii(bytes: &[u8]) -> Result<String, der::Error> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.is_ascii() && !text.is_empty());
    text.map(str::to_owned).ok_or_else(malformed)
}

fn utf8_string(der: &[u8]) -> Result<String, der::Error> {
    let text: Utf8StringRef<'_> = read_all(der, |reader| reader.decode())?;
    Some(text.as_str().to_owned()).filter(|text| !text.is_empty()).ok_or_else(malformed)
}

fn malformed() -> der::Error {
    Tag::Utf8String.value_error().to_error()
}

/// The issuer of the identity token, in either extension; both must agree.
pub(super) fn issuer(leaf: &Certificate) -> Result<Option<String>, FulcioError> {
    let wrong = |oid: ObjectIdentifier| FulcioError::IssuerMalformed { oid: oid.into() };
    let new = leaf.extension(NEW_ISSUER).map(utf8_string).transpose();
    let new = new.map_err(|_| wrong(NEW_ISSUER))?;
    let old = leaf.extension(OLD_ISSUER).map(bare_text).transpose();
    match (old.map_err(|_| wrong(OLD_ISSUER))?, new) {
        (Some(old), Some(new)) if old != new => Err(FulcioError::IssuersDiffer { old, new }),
        (old, new) => Ok(new.or(old)),
    }
}

fn bare_text(bytes: &[u8]) -> Result<String, der::Error> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.is_empty());
    text.map(str::to_owned).ok_or_else(malformed)
}
