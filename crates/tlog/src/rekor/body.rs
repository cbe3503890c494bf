//! The body of an entry of kind `hashedrekord` 0.0.2: what a Rekor v2 log keeps of a signature.
//!
//! ```json
//! {"apiVersion":"0.0.2","kind":"hashedrekord","spec":{"hashedRekordV002":{
//!   "data":{"algorithm":"SHA2_256","digest":"…"},
//!   "signature":{"content":"…","verifier":{"keyDetails":"PKIX_ECDSA_P256_SHA_256","publicKey":{"rawBytes":"…"}}}}}}
//! ```
//!
//! without white space: RFC 8785, whose bytes are the leaf of the log's tree.

use genten_primitives::encoding::base64;
use genten_primitives::json::{self, Limits, ObjectWriter, Value};
use genten_primitives::key::KeyDetails;
use genten_primitives::signature::{Message, verify};
use genten_primitives::{HashAlgorithm, PublicKey, Sha256Digest};

use super::member::{bytes, optional, required, text};
use super::{BodyError, EntryError, EntryKind};
use crate::merkle::leaf_hash;

/// Most bytes of a body: what a tile of entries can hold (C2SP tlog-tiles).
pub const MAX_BODY: usize = 65_535;

/// A body of version 2 is six objects deep.
const LIMITS: Limits = Limits { bytes: MAX_BODY, depth: 8 };

/// What a log keeps: a digest, a signature over it, and under which key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashedRekord {
    /// By which function the digest was made.
    pub hash: HashAlgorithm,
    /// The digest.
    pub digest: Vec<u8>,
    /// The signature: DER for ECDSA, 64 bytes for Ed25519ph.
    pub signature: Vec<u8>,
    /// Which kind of key, and how it signs.
    pub details: KeyDetails,
    /// The key.
    pub key: LoggedKey,
}

/// The key as it stands in an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoggedKey {
    /// A certificate, DER.
    Certificate(Vec<u8>),
    /// A SubjectPublicKeyInfo, DER.
    PublicKey(Vec<u8>),
}

impl LoggedKey {
    /// The key itself.
    ///
    /// # Errors
    /// A key or certificate that cannot be read.
    pub fn public_key(&self) -> Result<PublicKey, BodyError> {
        let read = match self {
            Self::Certificate(der) => PublicKey::from_certificate_der(der),
            Self::PublicKey(der) => PublicKey::from_spki_der(der),
        };
        read.map_err(BodyError::Key)
    }
}

impl HashedRekord {
    /// The body of a signature that a log takes; `None` for a key that no log takes.
    pub fn new(digest: &[u8], signature: &[u8], key: &PublicKey) -> Option<Self> {
        let details = KeyDetails::for_log_entries_by(key)?;
        Some(Self {
            hash: details.scheme()?.hash(),
            digest: digest.to_vec(),
            signature: signature.to_vec(),
            details,
            key: LoggedKey::PublicKey(key.to_spki_der().to_vec()),
        })
    }

    /// Reads a body: the one spelling of its values.
    ///
    /// # Errors
    /// The first rule that the body breaks. A body that says the same in other bytes is another leaf.
    pub fn read(body: &[u8]) -> Result<Self, BodyError> {
        let (limit, found) = (MAX_BODY, body.len());
        if found > limit {
            return Err(BodyError::TooLarge { limit, found });
        }
        let document = json::read(body, LIMITS).map_err(EntryError::Json)?;
        check_kind(document.root(), &EntryKind::HashedRekordV2)?;
        let rekord = Self::from_spec(document.root())?;
        match rekord.to_body() == body {
            true => Ok(rekord),
            false => Err(BodyError::NotCanonical),
        }
    }

    fn from_spec(root: Value<'_>) -> Result<Self, BodyError> {
        let spec = required(required(root, "spec")?, "hashedRekordV002")?;
        let (data, signed) = (required(spec, "data")?, required(spec, "signature")?);
        let verifier = required(signed, "verifier")?;
        let hash = HashAlgorithm::from_sigstore_name(&text(data, "algorithm")?)
            .ok_or(EntryError::Type { member: "algorithm" })?;
        let digest = bytes(data, "digest")?;
        if digest.len() != hash.len() {
            return Err(BodyError::DigestLength { hash, found: digest.len() });
        }
        let name = text(verifier, "keyDetails")?;
        let unknown = || BodyError::KeyDetails { details: name.clone().into_owned() };
        Ok(Self {
            hash,
            digest,
            signature: bytes(signed, "content")?,
            details: name.parse().map_err(|_| unknown())?,
            key: key(verifier)?,
        })
    }

    /// The bytes that a log keeps (RFC 8785).
    pub fn to_body(&self) -> Vec<u8> {
        let data = ObjectWriter::new()
            .string("algorithm", self.hash.sigstore_name())
            .string("digest", &base64(&self.digest))
            .finish();
        let rekord =
            ObjectWriter::new().raw("data", &data).raw("signature", &self.signed()).finish();
        let spec = ObjectWriter::new().raw("hashedRekordV002", &rekord).finish();
        ObjectWriter::new()
            .string("apiVersion", "0.0.2")
            .string("kind", "hashedrekord")
            .raw("spec", &spec)
            .finish()
    }

    /// The request that makes a log of version 2 keep the body: `POST <log>/api/v2/log/entries`.
    pub fn to_request(&self) -> Vec<u8> {
        let request = ObjectWriter::new()
            .string("digest", &base64(&self.digest))
            .raw("signature", &self.signed())
            .finish();
        ObjectWriter::new().raw("hashedRekordRequestV002", &request).finish()
    }

    /// Signature and key.
    fn signed(&self) -> Vec<u8> {
        let (member, der) = match &self.key {
            LoggedKey::Certificate(der) => ("x509Certificate", der),
            LoggedKey::PublicKey(der) => ("publicKey", der),
        };
        let raw = ObjectWriter::new().string("rawBytes", &base64(der)).finish();
        let verifier = ObjectWriter::new()
            .string("keyDetails", self.details.as_str())
            .raw(member, &raw)
            .finish();
        ObjectWriter::new()
            .string("content", &base64(&self.signature))
            .raw("verifier", &verifier)
            .finish()
    }

    /// The leaf of the log's tree.
    pub fn leaf_hash(&self) -> Sha256Digest {
        leaf_hash(&self.to_body())
    }

    /// The key, if it is of the kind that the body says and signs digests of the body's hash function.
    ///
    /// # Errors
    /// A key that cannot be read, or of another kind.
    pub fn public_key(&self) -> Result<PublicKey, BodyError> {
        let key = self.key.public_key()?;
        let hash_fits = self.details.scheme().is_some_and(|scheme| scheme.hash() == self.hash);
        match KeyDetails::for_log_entries_by(&key) == Some(self.details) && hash_fits {
            true => Ok(key),
            false => Err(BodyError::KeyDetails { details: self.details.to_string() }),
        }
    }

    /// Checks the signature over the digest under the body's own key.
    ///
    /// # Errors
    /// As [`public_key`](Self::public_key), and a signature that does not hold.
    pub fn check_signature(&self) -> Result<PublicKey, BodyError> {
        let key = self.public_key()?;
        let details = || BodyError::KeyDetails { details: self.details.to_string() };
        let scheme = self.details.scheme().ok_or_else(details)?;
        verify(&key, scheme, Message::Prehash(&self.digest), &self.signature)
            .map_err(BodyError::Signature)?;
        Ok(key)
    }
}

fn key(verifier: Value<'_>) -> Result<LoggedKey, BodyError> {
    let raw = |member| optional(verifier, member).map(|value| bytes(value, "rawBytes")).transpose();
    match (raw("publicKey")?, raw("x509Certificate")?) {
        (Some(spki), None) => Ok(LoggedKey::PublicKey(spki)),
        (None, Some(certificate)) => Ok(LoggedKey::Certificate(certificate)),
        (Some(_), Some(_)) => Err(EntryError::Type { member: "verifier" }.into()),
        (None, None) => Err(EntryError::Missing { member: "publicKey" }.into()),
    }
}

/// A body must be of the kind that its entry is said to be.
pub(super) fn check_kind(root: Value<'_>, expected: &EntryKind) -> Result<(), BodyError> {
    let (kind, version) = (text(root, "kind")?, text(root, "apiVersion")?);
    match EntryKind::find(&kind, &version) {
        Some(found) if found == *expected => Ok(()),
        _ => Err(BodyError::Kind {
            expected: expected.to_string(),
            found: [kind.as_ref(), version.as_ref()].join(" "),
        }),
    }
}

impl From<EntryError> for BodyError {
    fn from(error: EntryError) -> Self {
        Self::Malformed(error)
    }
}
