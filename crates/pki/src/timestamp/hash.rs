//! Hash algorithms of a timestamp, and the values that stand in it.

use std::fmt;

use der::asn1::ObjectIdentifier;
use der::{Reader as _, SliceReader, Tag};
use genten_primitives::signature::Scheme;
use genten_primitives::{Sha256Digest, Sha384Digest, Sha512Digest, encoding};

use super::{TimestampError, TimestampPart};
use crate::Oid;
use crate::asn1::{content, oid, read_all};

/// Hash algorithms that a timestamp may use (RFC 5754 section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HashAlgorithm {
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

/// A hash as it stands in a timestamp or was calculated for it, of any algorithm; its text form is lower-case hexadecimal.
#[derive(Clone, PartialEq, Eq)]
pub struct HashValue(Box<[u8]>);

/// What an AlgorithmIdentifier in the place of a hash algorithm names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NamedHash {
    Known(HashAlgorithm),
    Other(Oid),
    Weak(Oid),
}

/// The longest hash that is read, in bytes.
const MAX_HASH: usize = 64;

const KNOWN: [(ObjectIdentifier, HashAlgorithm); 3] = [
    (ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1"), HashAlgorithm::Sha256),
    (ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.2"), HashAlgorithm::Sha384),
    (ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.3"), HashAlgorithm::Sha512),
];

const WEAK: [ObjectIdentifier; 4] = [
    ObjectIdentifier::new_unwrap("1.2.840.113549.2.2"), // MD2
    ObjectIdentifier::new_unwrap("1.2.840.113549.2.4"), // MD4
    ObjectIdentifier::new_unwrap("1.2.840.113549.2.5"), // MD5
    ObjectIdentifier::new_unwrap("1.3.14.3.2.26"),      // SHA-1
];

const NULL: &[u8] = &[5, 0];

impl HashAlgorithm {
    /// The hash of `bytes`.
    pub(super) fn hash(self, bytes: &[u8]) -> HashValue {
        match self {
            Self::Sha256 => HashValue::new(Sha256Digest::of(bytes).as_bytes()),
            Self::Sha384 => HashValue::new(Sha384Digest::of(bytes).as_bytes()),
            Self::Sha512 => HashValue::new(Sha512Digest::of(bytes).as_bytes()),
        }
    }

    /// The algorithm that belongs to a signature scheme. Ed25519 goes with SHA-512 (RFC 8419 section 3.1).
    pub(super) fn of_scheme(scheme: Scheme) -> Option<Self> {
        match scheme {
            Scheme::EcdsaSha256Der | Scheme::RsaPkcs1Sha256 => Some(Self::Sha256),
            Scheme::EcdsaSha384Der | Scheme::RsaPkcs1Sha384 => Some(Self::Sha384),
            Scheme::Ed25519 | Scheme::RsaPkcs1Sha512 => Some(Self::Sha512),
            _ => None,
        }
    }

    /// How RSA PKCS#1 signs with this algorithm.
    pub(super) fn rsa_scheme(self) -> Scheme {
        match self {
            Self::Sha256 => Scheme::RsaPkcs1Sha256,
            Self::Sha384 => Scheme::RsaPkcs1Sha384,
            Self::Sha512 => Scheme::RsaPkcs1Sha512,
        }
    }
}

impl HashValue {
    pub(super) fn new(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// An OCTET STRING that is short enough for a hash.
    pub(super) fn read(reader: &mut SliceReader<'_>) -> Result<Self, der::Error> {
        match content(reader, Tag::OctetString)? {
            bytes if bytes.len() <= MAX_HASH => Ok(Self::new(bytes)),
            _ => Err(Tag::OctetString.length_error().into()),
        }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl NamedHash {
    /// Reads an AlgorithmIdentifier. Parameters are absent or NULL (RFC 5754 section 2); others make another algorithm.
    pub(super) fn read(reader: &mut SliceReader<'_>) -> Result<Self, der::Error> {
        read_all(content(reader, Tag::Sequence)?, |fields| {
            let oid = oid(fields)?;
            let parameters = if fields.is_finished() { NULL } else { fields.tlv_bytes()? };
            Ok(Self::named(oid, parameters))
        })
    }

    fn named(oid: Oid, parameters: &[u8]) -> Self {
        let known = KNOWN.iter().find(|(known, _)| oid == *known);
        match known {
            Some((_, algorithm)) if parameters == NULL => Self::Known(*algorithm),
            _ if WEAK.iter().any(|weak| oid == *weak) => Self::Weak(oid),
            _ => Self::Other(oid),
        }
    }

    /// The algorithm, where it is one to rely on.
    pub(super) fn usable(&self, part: TimestampPart) -> Result<HashAlgorithm, TimestampError> {
        match self {
            Self::Known(algorithm) => Ok(*algorithm),
            Self::Weak(oid) => Err(TimestampError::HashWeak { part, algorithm: oid.clone() }),
            Self::Other(oid) => {
                Err(TimestampError::HashNotCheckable { part, algorithm: oid.clone() })
            }
        }
    }
}

impl fmt::Display for HashAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sha256 => "SHA-256",
            Self::Sha384 => "SHA-384",
            Self::Sha512 => "SHA-512",
        })
    }
}

impl fmt::Display for HashValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encoding::hex(&self.0))
    }
}

impl fmt::Debug for HashValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HashValue({self})")
    }
}
