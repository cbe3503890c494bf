//! The two algorithms of the profile.

use std::fmt;

use genten_primitives::PublicKey;
use genten_primitives::key::KeyKind;
use genten_primitives::signature::Scheme;

/// `alg` of the profile (RFC 7518 section 3.4, RFC 8037 section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Ed25519, written `EdDSA`.
    EdDsa,
    /// ECDSA on P-256 with SHA-256, written `ES256`.
    Es256,
}

impl Algorithm {
    /// The algorithm of a key; `None` for keys that sign no manifests.
    pub fn of(key: &PublicKey) -> Option<Self> {
        match key.kind() {
            KeyKind::Ed25519 => Some(Self::EdDsa),
            KeyKind::P256 => Some(Self::Es256),
            _ => None,
        }
    }

    /// The name that we write.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EdDsa => "EdDSA",
            Self::Es256 => "ES256",
        }
    }

    /// The algorithm with this name. `Ed25519` (RFC 9864) is another name of `EdDSA` here.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        match name {
            "EdDSA" | "Ed25519" => Some(Self::EdDsa),
            "ES256" => Some(Self::Es256),
            _ => None,
        }
    }

    pub(crate) fn scheme(self) -> Scheme {
        match self {
            Self::EdDsa => Scheme::Ed25519,
            Self::Es256 => Scheme::EcdsaSha256Fixed,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
