//! Signers, both ways.

use std::fmt;
use std::sync::Arc;

use genten_jws::key_id::{self, KeyLookupError};
use genten_jws::{Algorithm, Header, HeaderError, SignError, Signature, Signer, Typ};
use genten_manifest::KeyId;
use genten_primitives::PublicKey;
use genten_primitives::key::KeyKind;
use genten_primitives::signature::{Message, Scheme, verify};
use josekit::JoseError;
use josekit::jws::{JwsAlgorithm, JwsSigner};

use crate::algorithm::Named;

/// A josekit signer that signs manifests.
///
/// Its key must sign nothing else, in josekit or elsewhere. Each signature is checked under the public key before it is
/// returned, since josekit does not say which key it signs with.
#[derive(Debug)]
pub struct JosekitSigner {
    signer: Box<dyn JwsSigner>,
    key_id: KeyId,
    public_key: PublicKey,
}

/// Why a josekit signer cannot sign manifests.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JosekitSignerError {
    /// The signer's algorithm is not that of the public key.
    #[error("the signer's algorithm is {signer:?}, the key's {key}")]
    Algorithm {
        /// The signer's algorithm, as josekit names it.
        signer: String,
        /// The algorithm of the key.
        key: Algorithm,
    },
    /// The key id contains another key.
    #[error("key id does not fit the key")]
    KeyId(#[source] KeyLookupError),
    /// The key is neither P-256 nor Ed25519.
    #[error("a {key} key signs no manifests")]
    KeyUnsupported {
        /// The key's kind.
        key: KeyKind,
    },
}

impl JosekitSigner {
    /// A signer known as `key_id`, whose signatures `public_key` checks.
    ///
    /// # Errors
    /// The key signs no manifests, is for another algorithm than the signer, or does not fit the id.
    pub fn new(
        signer: Box<dyn JwsSigner>,
        public_key: PublicKey,
        key_id: KeyId,
    ) -> Result<Self, JosekitSignerError> {
        let algorithm = algorithm_of(&public_key)?;
        let name = signer.algorithm().name();
        if name != algorithm.as_str() {
            let signer = name.to_owned();
            return Err(JosekitSignerError::Algorithm { signer, key: algorithm });
        }
        key_id::expect_contained(&key_id, &public_key).map_err(JosekitSignerError::KeyId)?;
        Ok(Self { signer, key_id, public_key })
    }

    /// A signer known by the did:key of its public key.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn did_key(
        signer: Box<dyn JwsSigner>,
        public_key: PublicKey,
    ) -> Result<Self, JosekitSignerError> {
        let unsupported = JosekitSignerError::KeyUnsupported { key: public_key.kind() };
        let key_id = key_id::did_key(&public_key).ok_or(unsupported)?;
        Self::new(signer, public_key, key_id)
    }

    fn scheme(&self) -> Scheme {
        match self.public_key.kind() {
            KeyKind::Ed25519 => Scheme::Ed25519,
            _ => Scheme::EcdsaSha256Fixed,
        }
    }
}

fn algorithm_of(key: &PublicKey) -> Result<Algorithm, JosekitSignerError> {
    Algorithm::of(key).ok_or(JosekitSignerError::KeyUnsupported { key: key.kind() })
}

/// The signer returned something that is no signature of its algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("josekit returned {found} bytes, where a signature has 64")]
struct WrongLength {
    found: usize,
}

impl Signer for JosekitSigner {
    fn key_id(&self) -> &KeyId {
        &self.key_id
    }

    fn public_key(&self) -> &PublicKey {
        &self.public_key
    }

    fn sign(&self, signing_input: &[u8]) -> Result<Signature, SignError> {
        let bytes = self.signer.sign(signing_input).map_err(|e| SignError::Signer(Box::new(e)))?;
        let bytes = <[u8; 64]>::try_from(bytes.as_slice())
            .map_err(|_| SignError::Signer(Box::new(WrongLength { found: bytes.len() })))?;
        verify(&self.public_key, self.scheme(), Message::Bytes(signing_input), &bytes)
            .map_err(SignError::NotVerified)?;
        Ok(Signature::from_bytes(bytes))
    }
}

/// A signer of Genten for callers of josekit.
///
/// It signs manifests and batch statements whose `kid` is its key id, and nothing else: a key that signs manifests must
/// not sign what others could pass off as one.
///
/// ```
/// use genten_josekit::GentenJwsSigner;
/// use genten_josekit::josekit::jws::{JwsHeader, serialize_compact};
/// use genten_jws::{Algorithm, LocalSigner, SecretKey, Signer as _};
///
/// let signer = LocalSigner::did_key(SecretKey::from_bytes(Algorithm::Es256, &[7; 32]).unwrap());
/// let mut header = JwsHeader::new();
/// header.set_key_id(signer.key_id().as_str());
/// header.set_token_type("provenance-batch+jws");
/// let signer = GentenJwsSigner::new(signer).unwrap();
/// assert!(serialize_compact(b"{}", &header, &signer).is_ok());
///
/// header.set_token_type("JWT");
/// assert!(serialize_compact(b"{}", &header, &signer).is_err());
/// ```
#[derive(Clone)]
pub struct GentenJwsSigner {
    signer: Arc<dyn Signer>,
    algorithm: Named,
}

impl GentenJwsSigner {
    /// A signer for josekit.
    ///
    /// # Errors
    /// The signer's key is neither P-256 nor Ed25519.
    pub fn new(signer: impl Signer + 'static) -> Result<Self, JosekitSignerError> {
        let algorithm = Named(algorithm_of(signer.public_key())?);
        Ok(Self { signer: Arc::new(signer), algorithm })
    }

    fn expect_ours(&self, signing_input: &[u8]) -> Result<(), NotOurs> {
        let text = std::str::from_utf8(signing_input).map_err(|_| NotOurs::NoSigningInput)?;
        let (header, _) = text.split_once('.').ok_or(NotOurs::NoSigningInput)?;
        let header = Header::read(header, Typ::Manifest).or_else(|error| {
            Header::read(header, Typ::Batch).map_err(|_| NotOurs::Header(error))
        })?;
        match header.kid == *self.signer.key_id() {
            true => Ok(()),
            false => Err(NotOurs::Kid { found: header.kid }),
        }
    }
}

/// Why something is not signed: it is neither a manifest nor a batch statement of this signer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotOurs {
    /// The protected header is none of the profile.
    #[error("header of no manifest and no batch statement")]
    Header(#[source] HeaderError),
    /// `kid` is another signer's.
    #[error("kid {found} is not this signer's")]
    Kid {
        /// The value of `kid`.
        found: KeyId,
    },
    /// Not a JWS signing input.
    #[error("no jws signing input")]
    NoSigningInput,
}

impl JwsSigner for GentenJwsSigner {
    fn algorithm(&self) -> &dyn JwsAlgorithm {
        &self.algorithm
    }

    fn key_id(&self) -> Option<&str> {
        Some(self.signer.key_id().as_str())
    }

    fn signature_len(&self) -> usize {
        64
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, JoseError> {
        self.expect_ours(message).map_err(|error| JoseError::InvalidJwsFormat(error.into()))?;
        let signature = self.signer.sign(message);
        let signature = signature.map_err(|error| JoseError::InvalidSignature(error.into()))?;
        Ok(signature.as_bytes().to_vec())
    }

    fn box_clone(&self) -> Box<dyn JwsSigner> {
        Box::new(self.clone())
    }
}

impl fmt::Debug for GentenJwsSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GentenJwsSigner({})", self.signer.key_id())
    }
}
