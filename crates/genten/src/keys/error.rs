//! What can go wrong with keys.

use genten_jws::{SecretKeyError, SignError};
use genten_manifest::KeyIdError;
use genten_pki::PemError;
use genten_store::StoreError;

/// Why a key could not be read or made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// A certificate chain that cannot be read.
    #[error("the certificate chain of key {name} cannot be read")]
    Chain {
        /// The key's name.
        name: String,
        /// The cause.
        #[source]
        source: PemError,
    },
    /// A certificate that is not for this key and id.
    #[error("the certificate chain of key {name} does not fit the key and its id")]
    Certificate {
        /// The key's name.
        name: String,
        /// The cause.
        #[source]
        source: genten_jws::key_id::KeyLookupError,
    },
    /// The key id file holds no key id.
    #[error("the key id of key {name} is none")]
    KeyId {
        /// The key's name.
        name: String,
        /// The cause.
        #[source]
        source: KeyIdError,
    },
    /// No key of this name.
    #[error("no key named {name}")]
    Missing {
        /// The name.
        name: String,
    },
    /// The operating system gave no random numbers.
    #[error("no random numbers from the operating system")]
    Random,
    /// The file holds no private key of ours.
    #[error("private key {name} cannot be read")]
    Secret {
        /// The key's name.
        name: String,
        /// The cause.
        #[source]
        source: SecretKeyError,
    },
    /// The key does not fit its id, or is of another kind than its file needs.
    #[error("key {name} does not fit its id or its use")]
    Sign {
        /// The key's name.
        name: String,
        /// The cause.
        #[source]
        source: SignError,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl KeyError {
    pub(super) fn sign(name: &str, source: SignError) -> Self {
        Self::Sign { name: name.to_owned(), source }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Chain { .. } | Self::Certificate { .. } => "key.certificate",
            Self::KeyId { .. } => "key.id",
            Self::Missing { .. } => "key.missing",
            Self::Random => "key.random",
            Self::Secret { .. } | Self::Sign { .. } => "key.malformed",
            Self::Store(error) => error.code(),
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Chain { .. } | Self::Certificate { .. } => {
                "Give the certificates in PEM, the signer's first; it must name the key's id as URI."
            }
            Self::KeyId { .. } => "The file NAME.id must hold a DID URL with fragment, or a URI.",
            Self::Missing { .. } => "List the keys of this home, or make one.",
            Self::Random => "Try again when the system has started up.",
            Self::Secret { .. } | Self::Sign { .. } => {
                "The file must hold one P-256 or Ed25519 key in PKCS#8 PEM. Restore it from a backup."
            }
            Self::Store(error) => error.hint(),
        }
    }
}
