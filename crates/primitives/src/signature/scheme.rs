//! Names of signature schemes and what they sign.

use std::fmt;

use crate::digest::HashAlgorithm;

/// How a signature was made and is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// ECDSA with SHA-256 as ASN.1 DER (RFC 3279 section 2.2.3), on P-256 or P-384.
    EcdsaSha256Der,
    /// ECDSA with SHA-256 as R and S of fixed length (RFC 7518 section 3.4), on P-256 or P-384.
    EcdsaSha256Fixed,
    /// ECDSA with SHA-384 as ASN.1 DER, on P-256 or P-384.
    EcdsaSha384Der,
    /// ECDSA with SHA-384 as R and S of fixed length, on P-256 or P-384.
    EcdsaSha384Fixed,
    /// Ed25519 over the message itself (RFC 8032 section 5.1).
    Ed25519,
    /// Ed25519ph over the SHA-512 of the message, empty context (RFC 8032 section 5.1).
    Ed25519ph,
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 section 8.2).
    RsaPkcs1Sha256,
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    RsaPkcs1Sha384,
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    RsaPkcs1Sha512,
}

/// What was signed.
#[derive(Clone, Copy, Debug)]
pub enum Message<'m> {
    /// The message.
    Bytes(&'m [u8]),
    /// The message's digest by the hash function of the scheme. Not possible for Ed25519.
    Prehash(&'m [u8]),
}

pub(super) enum Family {
    Ecdsa(Form),
    Ed25519,
    Ed25519ph,
    Rsa,
}

#[derive(Clone, Copy)]
pub(super) enum Form {
    Der,
    Fixed,
}

impl Scheme {
    pub(super) fn family(self) -> Family {
        match self {
            Self::EcdsaSha256Der | Self::EcdsaSha384Der => Family::Ecdsa(Form::Der),
            Self::EcdsaSha256Fixed | Self::EcdsaSha384Fixed => Family::Ecdsa(Form::Fixed),
            Self::Ed25519 => Family::Ed25519,
            Self::Ed25519ph => Family::Ed25519ph,
            Self::RsaPkcs1Sha256 | Self::RsaPkcs1Sha384 | Self::RsaPkcs1Sha512 => Family::Rsa,
        }
    }

    /// The hash function that is part of the scheme.
    pub const fn hash(self) -> HashAlgorithm {
        match self {
            Self::EcdsaSha256Der | Self::EcdsaSha256Fixed | Self::RsaPkcs1Sha256 => {
                HashAlgorithm::Sha256
            }
            Self::EcdsaSha384Der | Self::EcdsaSha384Fixed | Self::RsaPkcs1Sha384 => {
                HashAlgorithm::Sha384
            }
            Self::Ed25519 | Self::Ed25519ph | Self::RsaPkcs1Sha512 => HashAlgorithm::Sha512,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EcdsaSha256Der => "ECDSA-SHA256 (DER)",
            Self::EcdsaSha256Fixed => "ECDSA-SHA256 (R and S)",
            Self::EcdsaSha384Der => "ECDSA-SHA384 (DER)",
            Self::EcdsaSha384Fixed => "ECDSA-SHA384 (R and S)",
            Self::Ed25519 => "Ed25519",
            Self::Ed25519ph => "Ed25519ph",
            Self::RsaPkcs1Sha256 => "RSA-PKCS1-SHA256",
            Self::RsaPkcs1Sha384 => "RSA-PKCS1-SHA384",
            Self::RsaPkcs1Sha512 => "RSA-PKCS1-SHA512",
        })
    }
}
