//! Sigstore's names for kinds of keys together with the way they sign.

use std::fmt;
use std::str::FromStr;

use super::KeyKind;
use crate::PublicKey;
use crate::signature::Scheme;

/// `PublicKeyDetails` of the Sigstore protobuf specification: which key, and how it signs.
///
/// ```
/// use genten_primitives::key::KeyDetails;
/// let details: KeyDetails = "PKIX_ED25519_PH".parse().unwrap();
/// assert_eq!(details.to_string(), "PKIX_ED25519_PH");
/// assert!("PKIX_ED25519_PS".parse::<KeyDetails>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyDetails {
    /// ECDSA on P-256 with SHA-256.
    EcdsaP256Sha256,
    /// ECDSA on P-384 with SHA-384.
    EcdsaP384Sha384,
    /// ECDSA on P-521 with SHA-512: known by name, never checked.
    EcdsaP521Sha512,
    /// Ed25519 over the message itself.
    Ed25519,
    /// Ed25519ph with SHA-512 and an empty context.
    Ed25519ph,
    /// RSA PKCS#1 v1.5 of 2048 bits with SHA-256.
    Rsa2048Sha256,
    /// RSA PKCS#1 v1.5 of 3072 bits with SHA-256.
    Rsa3072Sha256,
    /// RSA PKCS#1 v1.5 of 4096 bits with SHA-256.
    Rsa4096Sha256,
    /// RSA PKCS#1 v1.5 of any length with SHA-256, the key as bare PKCS#1: old certificate transparency logs.
    RsaPkcs1,
}

/// The text names no kind of key that is known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a kind of key such as PKIX_ECDSA_P256_SHA_256")]
pub struct UnknownKeyDetails;

impl KeyDetails {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::EcdsaP256Sha256,
        Self::EcdsaP384Sha384,
        Self::EcdsaP521Sha512,
        Self::Ed25519,
        Self::Ed25519ph,
        Self::Rsa2048Sha256,
        Self::Rsa3072Sha256,
        Self::Rsa4096Sha256,
        Self::RsaPkcs1,
    ];

    /// The name in protobuf JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EcdsaP256Sha256 => "PKIX_ECDSA_P256_SHA_256",
            Self::EcdsaP384Sha384 => "PKIX_ECDSA_P384_SHA_384",
            Self::EcdsaP521Sha512 => "PKIX_ECDSA_P521_SHA_512",
            Self::Ed25519 => "PKIX_ED25519",
            Self::Ed25519ph => "PKIX_ED25519_PH",
            Self::Rsa2048Sha256 => "PKIX_RSA_PKCS1V15_2048_SHA256",
            Self::Rsa3072Sha256 => "PKIX_RSA_PKCS1V15_3072_SHA256",
            Self::Rsa4096Sha256 => "PKIX_RSA_PKCS1V15_4096_SHA256",
            Self::RsaPkcs1 => "PKCS1_RSA_PKCS1V5",
        }
    }

    /// Under which names a key can sign a digest that a Rekor v2 log takes; `None` for keys that no log takes.
    pub fn for_log_entries_by(key: &PublicKey) -> Option<Self> {
        match key.kind() {
            KeyKind::Ed25519 => Some(Self::Ed25519ph),
            KeyKind::P256 => Some(Self::EcdsaP256Sha256),
            KeyKind::P384 => Some(Self::EcdsaP384Sha384),
            KeyKind::Rsa { bits: 2048 } => Some(Self::Rsa2048Sha256),
            KeyKind::Rsa { bits: 3072 } => Some(Self::Rsa3072Sha256),
            KeyKind::Rsa { bits: 4096 } => Some(Self::Rsa4096Sha256),
            KeyKind::Rsa { .. } => None,
        }
    }

    /// How such a key signs, with DER for ECDSA; `None` for P-521, which nothing here can check.
    pub const fn scheme(self) -> Option<Scheme> {
        match self {
            Self::EcdsaP256Sha256 => Some(Scheme::EcdsaSha256Der),
            Self::EcdsaP384Sha384 => Some(Scheme::EcdsaSha384Der),
            Self::EcdsaP521Sha512 => None,
            Self::Ed25519 => Some(Scheme::Ed25519),
            Self::Ed25519ph => Some(Scheme::Ed25519ph),
            Self::Rsa2048Sha256 | Self::Rsa3072Sha256 | Self::Rsa4096Sha256 | Self::RsaPkcs1 => {
                Some(Scheme::RsaPkcs1Sha256)
            }
        }
    }

    /// Whether the name can stand for this key.
    pub fn fits(self, key: &PublicKey) -> bool {
        match (self, key.kind()) {
            (Self::EcdsaP256Sha256, KeyKind::P256)
            | (Self::EcdsaP384Sha384, KeyKind::P384)
            | (Self::Ed25519 | Self::Ed25519ph, KeyKind::Ed25519)
            | (Self::RsaPkcs1, KeyKind::Rsa { .. }) => true,
            (Self::Rsa2048Sha256, KeyKind::Rsa { bits }) => bits == 2048,
            (Self::Rsa3072Sha256, KeyKind::Rsa { bits }) => bits == 3072,
            (Self::Rsa4096Sha256, KeyKind::Rsa { bits }) => bits == 4096,
            _ => false,
        }
    }
}

impl FromStr for KeyDetails {
    type Err = UnknownKeyDetails;

    fn from_str(text: &str) -> Result<Self, UnknownKeyDetails> {
        Self::ALL.into_iter().find(|details| details.as_str() == text).ok_or(UnknownKeyDetails)
    }
}

impl fmt::Display for KeyDetails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::from_hex;

    #[test]
    fn names_are_read_back_and_fit_their_keys() {
        let key = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
        let key = PublicKey::ed25519_from_bytes(&from_hex(key).unwrap()).unwrap();
        for details in KeyDetails::ALL {
            assert_eq!(details.as_str().parse(), Ok(details));
            let is_ed25519 = matches!(details, KeyDetails::Ed25519 | KeyDetails::Ed25519ph);
            assert_eq!(details.fits(&key), is_ed25519, "{details}");
        }
        assert_eq!(KeyDetails::for_log_entries_by(&key), Some(KeyDetails::Ed25519ph));
    }
}
