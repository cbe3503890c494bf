//! Keys and ids that a caller gives by hand: the smallest trust.

use genten_jws::key_id::{KeyLookupError, contained_key};
use genten_manifest::{KeyId, KeyIdError};
use genten_pki::certificates_from_pem;
use genten_primitives::PublicKey;
use genten_primitives::json::{self, JsonError, Limits};
use genten_primitives::key::KeyError;

/// Largest key file in bytes.
pub const MAX_KEY_BYTES: usize = 1 << 20;

/// An id that contains its key, trusted by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedSigner {
    id: KeyId,
    key: PublicKey,
}

impl TrustedSigner {
    /// Trusts a `did:key:…` or `did:jwk:…`; a missing fragment is filled in.
    ///
    /// # Errors
    ///
    /// The id contains no key.
    pub fn new(text: &str) -> Result<Self, TrustedSignerError> {
        let id: KeyId = with_fragment(text).parse().map_err(TrustedSignerError::KeyId)?;
        match contained_key(&id) {
            Some(Ok(key)) => Ok(Self { id, key }),
            Some(Err(error)) => Err(TrustedSignerError::Key(error)),
            None => Err(TrustedSignerError::NoKeyInId),
        }
    }

    /// The id.
    pub fn id(&self) -> &KeyId {
        &self.id
    }

    /// The key that it contains.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }
}

/// A did:key or did:jwk has one key only, so that its fragment goes without saying.
fn with_fragment(text: &str) -> String {
    match (text.contains('#'), text.strip_prefix("did:key:")) {
        (false, Some(key)) => format!("{text}#{key}"),
        (false, None) if text.starts_with("did:jwk:") => format!("{text}#0"),
        _ => text.to_owned(),
    }
}

/// Why an id cannot be trusted by name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrustedSignerError {
    /// The key in it cannot be read.
    #[error("the id contains no usable key")]
    Key(#[source] KeyLookupError),
    /// No key id at all.
    #[error("not a key id")]
    KeyId(#[source] KeyIdError),
    /// A did:web or a URI: the key stands elsewhere.
    #[error("the id contains no key: only did:key and did:jwk do")]
    NoKeyInId,
}

/// Why a file gives no key to trust.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrustKeyError {
    /// A certificate that cannot be read.
    #[error("this certificate cannot be read")]
    Certificate(#[source] genten_pki::PemError),
    /// A certificate of an authority, whose key signs certificates and no manifests.
    #[error(
        "a certificate of an authority signs no manifests: add it to a trust kit as signer authority"
    )]
    CertificateAuthority,
    /// A JWK Set without keys.
    #[error("a JWK Set without keys")]
    Empty,
    /// Neither PEM nor JSON.
    #[error("neither PEM nor a JWK")]
    Format,
    /// Not JSON as Genten accepts it.
    #[error("not strict JSON")]
    Json(#[source] JsonError),
    /// A key that cannot be read.
    #[error("this public key cannot be read")]
    Key(#[source] KeyError),
    /// A private key, which nobody but its owner should hold.
    #[error("this is a private key: keep it private, and give the public one")]
    PrivateKey,
    /// Larger than 1 MiB.
    #[error("larger than any key file")]
    TooLarge,
}

impl TrustKeyError {
    /// The codes of all of them.
    pub const CODES: &'static [&'static str] = &[
        "key.certificate",
        "key.certificate-authority",
        "key.empty",
        "key.format",
        "key.json",
        "key.malformed",
        "key.private",
        "key.too-large",
    ];

    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Certificate(_) => "key.certificate",
            Self::CertificateAuthority => "key.certificate-authority",
            Self::Empty => "key.empty",
            Self::Format => "key.format",
            Self::Json(_) => "key.json",
            Self::Key(_) => "key.malformed",
            Self::PrivateKey => "key.private",
            Self::TooLarge => "key.too-large",
        }
    }
}

/// Reads the keys of a file: SPKI PEM, a certificate in PEM, a JWK or a JWK Set.
///
/// # Errors
///
/// Anything else, and above all a private key or an authority's certificate.
pub fn keys_from_file(bytes: &[u8]) -> Result<Vec<PublicKey>, TrustKeyError> {
    if bytes.len() > MAX_KEY_BYTES {
        return Err(TrustKeyError::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| TrustKeyError::Format)?;
    match text.trim_start() {
        text if text.contains("PRIVATE KEY-----") => Err(TrustKeyError::PrivateKey),
        text if text.starts_with('{') => keys_from_json(text.as_bytes()),
        text if text.contains("-----BEGIN CERTIFICATE-----") => key_from_certificate(text),
        text if text.contains("-----BEGIN") => {
            PublicKey::from_spki_pem(text).map(|key| vec![key]).map_err(key_error)
        }
        _ => Err(TrustKeyError::Format),
    }
}

fn keys_from_json(bytes: &[u8]) -> Result<Vec<PublicKey>, TrustKeyError> {
    let document = json::read(bytes, Limits::bytes(MAX_KEY_BYTES)).map_err(TrustKeyError::Json)?;
    let root = document.root();
    let Some(set) = root.get("keys") else {
        return PublicKey::from_jwk(root).map(|key| vec![key]).map_err(key_error);
    };
    let items = set.items().ok_or(TrustKeyError::Format)?;
    let keys: Vec<_> =
        items.map(PublicKey::from_jwk).collect::<Result<_, _>>().map_err(key_error)?;
    if keys.is_empty() { Err(TrustKeyError::Empty) } else { Ok(keys) }
}

fn key_error(error: KeyError) -> TrustKeyError {
    match error {
        KeyError::PrivateKeyPem | KeyError::JwkPrivate { .. } => TrustKeyError::PrivateKey,
        other => TrustKeyError::Key(other),
    }
}

/// The key of the first certificate of the file, which is the signer's; those after it are its issuers.
fn key_from_certificate(text: &str) -> Result<Vec<PublicKey>, TrustKeyError> {
    let certificates = certificates_from_pem(text).map_err(TrustKeyError::Certificate)?;
    let leaf = certificates.first().ok_or(TrustKeyError::Format)?;
    if leaf.is_ca() || leaf.key_usage().is_some_and(|usage| usage.key_cert_sign) {
        return Err(TrustKeyError::CertificateAuthority);
    }
    leaf.public_key().map(|key| vec![key]).map_err(key_error)
}
