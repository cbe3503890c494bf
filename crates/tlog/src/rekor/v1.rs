//! Bodies of entries of Rekor v1, as far as Sigstore bundles hold them. They are compared, not recomputed: their JSON is kept
//! as it was logged.

use genten_primitives::digest::HashAlgorithm;
use genten_primitives::encoding::from_base64;
use genten_primitives::json::{self, Limits, Value};

use super::body::check_kind;
use super::member::{bytes, required, text};
use super::{BodyError, EntryError, EntryKind, LoggedKey};

/// Largest body that is read: in-toto statements can be part of it.
const MAX_BODY: usize = 1 << 20;

/// Most signatures of one envelope.
const MAX_SIGNATURES: usize = 16;

/// What a log of version 1 says that it has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The function behind the digest.
    pub hash: HashAlgorithm,
    /// The digest of the artifact, or of the payload of the envelope.
    pub digest: Vec<u8>,
    /// The signatures, each with its key.
    pub signatures: Vec<(Vec<u8>, LoggedKey)>,
}

impl Body {
    /// Reads the body of an entry of this kind.
    ///
    /// # Errors
    /// The first rule that the body breaks; a kind that is none of version 1.
    pub fn read(body: &[u8], kind: EntryKind) -> Result<Self, BodyError> {
        let document = json::read(body, Limits::bytes(MAX_BODY)).map_err(EntryError::Json)?;
        check_kind(document.root(), &kind)?;
        let spec = required(document.root(), "spec")?;
        match kind {
            EntryKind::HashedRekordV1 => hashedrekord(spec),
            EntryKind::Dsse => dsse(spec),
            EntryKind::Intoto => intoto(spec),
            EntryKind::HashedRekordV2 => Err(EntryError::Type { member: "kindVersion" }.into()),
        }
    }
}

/// `{"data":{"hash":{…}},"signature":{"content":…,"publicKey":{"content":…}}}`
fn hashedrekord(spec: Value<'_>) -> Result<Body, BodyError> {
    let (hash, digest) = digest(required(required(spec, "data")?, "hash")?)?;
    let signature = required(spec, "signature")?;
    let key = key(&bytes(required(signature, "publicKey")?, "content")?)?;
    Ok(Body { hash, digest, signatures: vec![(bytes(signature, "content")?, key)] })
}

/// `{"payloadHash":{…},"signatures":[{"signature":…,"verifier":…}]}`
fn dsse(spec: Value<'_>) -> Result<Body, BodyError> {
    let (hash, digest) = digest(required(spec, "payloadHash")?)?;
    let signatures = signatures(required(spec, "signatures")?, |item| {
        Ok((bytes(item, "signature")?, key(&bytes(item, "verifier")?)?))
    })?;
    Ok(Body { hash, digest, signatures })
}

/// `{"content":{"envelope":{"signatures":[{"publicKey":…,"sig":…}]},"payloadHash":{…}}}`, the signature in base64 once or
/// twice: clients differ.
fn intoto(spec: Value<'_>) -> Result<Body, BodyError> {
    let content = required(spec, "content")?;
    let (hash, digest) = digest(required(content, "payloadHash")?)?;
    let envelope = required(content, "envelope")?;
    let signatures = signatures(required(envelope, "signatures")?, |item| {
        let outer = bytes(item, "sig")?;
        let inner = std::str::from_utf8(&outer).ok().and_then(|text| from_base64(text).ok());
        let signature = inner.unwrap_or(outer);
        Ok((signature, key(&bytes(item, "publicKey")?)?))
    })?;
    Ok(Body { hash, digest, signatures })
}

fn signatures(
    list: Value<'_>,
    read: impl Fn(Value<'_>) -> Result<(Vec<u8>, LoggedKey), BodyError>,
) -> Result<Vec<(Vec<u8>, LoggedKey)>, BodyError> {
    let malformed = EntryError::Type { member: "signatures" };
    let items = list.items().ok_or_else(|| malformed.clone())?;
    if !(1..=MAX_SIGNATURES).contains(&items.len()) {
        return Err(malformed.into());
    }
    items.map(read).collect()
}

/// `{"algorithm":"sha256","value":"<hex>"}`
fn digest(value: Value<'_>) -> Result<(HashAlgorithm, Vec<u8>), BodyError> {
    let name = text(value, "algorithm")?;
    let hash = HashAlgorithm::ALL.into_iter().find(|hash| hash.as_str() == name);
    let hash = hash.ok_or(EntryError::Type { member: "algorithm" })?;
    let hex = text(value, "value")?;
    let digest = match hash {
        HashAlgorithm::Sha256 => genten_primitives::encoding::from_hex::<32>(&hex).map(Vec::from),
        HashAlgorithm::Sha384 => genten_primitives::encoding::from_hex::<48>(&hex).map(Vec::from),
        HashAlgorithm::Sha512 => genten_primitives::encoding::from_hex::<64>(&hex).map(Vec::from),
    };
    let digest = digest.map_err(|_| BodyError::DigestLength { hash, found: hex.len() / 2 })?;
    Ok((hash, digest))
}

/// A key or certificate in PEM. Clients wrap its lines as they like; the base64 in them has one spelling.
fn key(text: &[u8]) -> Result<LoggedKey, BodyError> {
    let block = std::str::from_utf8(text).ok().and_then(block);
    match block {
        Some(("CERTIFICATE", der)) => Ok(LoggedKey::Certificate(der)),
        Some(("PUBLIC KEY", der)) => Ok(LoggedKey::PublicKey(der)),
        _ => Err(EntryError::Type { member: "publicKey" }.into()),
    }
}

fn block(text: &str) -> Option<(&str, Vec<u8>)> {
    let (label, rest) = text.trim_end().strip_prefix("-----BEGIN ")?.split_once("-----")?;
    let body = rest.strip_suffix("-----")?.strip_suffix(label)?.strip_suffix("-----END ")?;
    let base64: String = body.lines().collect();
    Some((label, from_base64(&base64).ok()?))
}
