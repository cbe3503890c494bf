//! The protected header (RFC 7515 section 4): `alg`, `kid`, `typ`, and `x5c` or `x5t#S256`. Nothing else.
//!
//! `typ` is looked at first: a later version may have rules of its own, and is then no fault of the message.

use std::borrow::Cow;
use std::fmt;

use genten_manifest::KeyId;
use genten_primitives::Sha256Digest;
use genten_primitives::encoding::{from_base64, from_base64url};
use genten_primitives::json::{self, JsonRule, Limits, Value};

use crate::{Algorithm, HeaderError};

/// Largest protected header, in characters of base64url: room for `x5c` with a chain.
pub const MAX_HEADER_BYTES: usize = 24 << 10;

/// Most certificates in `x5c`.
const MAX_CERTIFICATES: usize = 10;

/// What kind of message is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Typ {
    /// The statement that heads a Merkle batch of manifests.
    Batch,
    /// A ProvenanceManifest.
    Manifest,
}

impl Typ {
    /// The value of `typ`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Batch => "provenance-batch+jws",
            Self::Manifest => "provenance-manifest+jws",
        }
    }

    /// Whether `found` is `…-vN+jws` of this kind, N decimal from 2.
    fn is_later_version(self, found: &str) -> bool {
        let version = || {
            let base = self.as_str().strip_suffix("+jws")?;
            found.strip_prefix(base)?.strip_prefix("-v")?.strip_suffix("+jws")
        };
        version().is_some_and(|digits| {
            digits.bytes().all(|byte| byte.is_ascii_digit())
                && !digits.is_empty()
                && !digits.starts_with('0')
                && digits != "1"
        })
    }
}

impl fmt::Display for Typ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A protected header that kept all rules. Nothing about it is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The algorithm that the header names. The one that counts is the key's.
    pub alg: Algorithm,
    /// The signer's name.
    pub kid: KeyId,
    /// The kind of message.
    pub typ: Typ,
    /// Certificates (DER), leaf first; untrusted. Empty when absent.
    pub x5c: Vec<Vec<u8>>,
    /// Digest of the signer's certificate (DER).
    pub x5t_s256: Option<Sha256Digest>,
}

impl Header {
    /// Reads the first part of a compact JWS.
    ///
    /// # Errors
    /// The first rule that the header breaks.
    pub fn read(base64url: &str, typ: Typ) -> Result<Self, HeaderError> {
        let (limit, found) = (MAX_HEADER_BYTES, base64url.len());
        if found > limit {
            return Err(HeaderError::TooLong { limit, found });
        }
        let text = from_base64url(base64url).map_err(|_| HeaderError::Encoding)?;
        let limits = Limits { bytes: MAX_HEADER_BYTES, depth: 8 };
        let document = json::read(&text, limits).map_err(|error| match error.rule {
            JsonRule::DuplicateMember => HeaderError::DuplicateMember(error),
            _ => HeaderError::Json(error),
        })?;
        read(document.root(), typ)
    }
}

/// The members of a header, and the first that it must not have.
#[derive(Default)]
struct Members<'d> {
    alg: Option<Value<'d>>,
    kid: Option<Value<'d>>,
    typ: Option<Value<'d>>,
    x5c: Option<Value<'d>>,
    x5t_s256: Option<Value<'d>>,
    refused: Option<HeaderError>,
}

impl<'d> Members<'d> {
    fn of(header: Value<'d>) -> Result<Self, HeaderError> {
        let mut members = Self::default();
        for (name, value) in header.members().ok_or(HeaderError::NotObject)? {
            match name.as_ref() {
                "alg" => members.alg = Some(value),
                "kid" => members.kid = Some(value),
                "typ" => members.typ = Some(value),
                "x5c" => members.x5c = Some(value),
                "x5t#S256" => members.x5t_s256 = Some(value),
                _ => members.refused = members.refused.or_else(|| Some(refusal(name))),
            }
        }
        Ok(members)
    }
}

fn refusal(name: Cow<'_, str>) -> HeaderError {
    match name.as_ref() {
        "b64" => HeaderError::B64,
        "crit" => HeaderError::Crit,
        "jku" => HeaderError::KeyReference { member: "jku" },
        "jwk" => HeaderError::KeyReference { member: "jwk" },
        "x5u" => HeaderError::KeyReference { member: "x5u" },
        _ => HeaderError::UnknownMember { member: name.into_owned() },
    }
}

fn read(header: Value<'_>, typ: Typ) -> Result<Header, HeaderError> {
    let members = Members::of(header)?;
    check_typ(members.typ, typ)?;
    if let Some(refusal) = members.refused {
        return Err(refusal);
    }
    let (alg, kid) = (read_alg(members.alg)?, read_kid(members.kid)?);
    let (x5c, x5t_s256) = (read_x5c(members.x5c)?, read_x5t(members.x5t_s256)?);
    match (x5c.first(), x5t_s256) {
        (Some(leaf), Some(digest)) if Sha256Digest::of(leaf) != digest => {
            Err(HeaderError::X5tMismatch)
        }
        _ => Ok(Header { alg, kid, typ, x5c, x5t_s256 }),
    }
}

fn check_typ(value: Option<Value<'_>>, known: Typ) -> Result<(), HeaderError> {
    let found = text(value, "typ")?.ok_or(HeaderError::TypMissing)?;
    if found == known.as_str() {
        return Ok(());
    }
    let found = found.into_owned();
    Err(match known.is_later_version(&found) {
        true => HeaderError::UnsupportedVersion { known, found },
        false => HeaderError::TypOther { expected: known, found },
    })
}

fn read_alg(value: Option<Value<'_>>) -> Result<Algorithm, HeaderError> {
    let name = text(value, "alg")?.ok_or(HeaderError::AlgMissing)?;
    match Algorithm::from_name(&name) {
        Some(algorithm) => Ok(algorithm),
        None if name.eq_ignore_ascii_case("none") => Err(HeaderError::AlgNone),
        None => Err(HeaderError::AlgUnsupported { found: name.into_owned() }),
    }
}

fn read_kid(value: Option<Value<'_>>) -> Result<KeyId, HeaderError> {
    let name = text(value, "kid")?.ok_or(HeaderError::KidMissing)?;
    name.parse().map_err(HeaderError::Kid)
}

fn read_x5c(value: Option<Value<'_>>) -> Result<Vec<Vec<u8>>, HeaderError> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let items = value.items().ok_or(HeaderError::WrongType { member: "x5c" })?;
    if !(1..=MAX_CERTIFICATES).contains(&items.len()) {
        return Err(HeaderError::X5c);
    }
    let certificate = |item: Value<'_>| from_base64(&item.as_str()?).ok();
    items.map(certificate).collect::<Option<_>>().ok_or(HeaderError::X5c)
}

fn read_x5t(value: Option<Value<'_>>) -> Result<Option<Sha256Digest>, HeaderError> {
    let Some(value) = text(value, "x5t#S256")? else { return Ok(None) };
    let bytes = from_base64url(&value).map_err(|_| HeaderError::X5t)?;
    let bytes = bytes.try_into().map_err(|_| HeaderError::X5t)?;
    Ok(Some(Sha256Digest::from_bytes(bytes)))
}

fn text<'d>(
    value: Option<Value<'d>>,
    member: &'static str,
) -> Result<Option<Cow<'d, str>>, HeaderError> {
    let Some(value) = value else { return Ok(None) };
    value.as_str().map(Some).ok_or(HeaderError::WrongType { member })
}
