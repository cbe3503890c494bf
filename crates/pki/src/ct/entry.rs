//! What a log promises to include: the bytes that an SCT signs, and the leaf that the log makes of them.

use genten_primitives::key::KeyKind;
use genten_primitives::signature::{Message, Scheme, SignatureError, verify};
use genten_primitives::{PublicKey, Sha256, Sha256Digest};

use crate::{Sct, SctAlgorithm, SctError};

/// The entry of a log (RFC 6962 section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CtEntry<'e> {
    /// x509_entry: the DER of the whole certificate, for SCTs that came by TLS or OCSP.
    Certificate(&'e [u8]),
    /// precert_entry, for embedded SCTs.
    Precertificate {
        /// SHA-256 of the SubjectPublicKeyInfo of the issuer, the next certificate in the chain.
        issuer_key_hash: Sha256Digest,
        /// The TBSCertificate [without the SCTs](crate::Certificate::tbs_without_scts).
        tbs: &'e [u8],
    },
}

/// Why an SCT is not accepted as its log's promise about an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SctVerifyError {
    /// The SCT names an algorithm that is not the key's, or none that a log may use (RFC 6962 section 2.1.4).
    #[error("sct is signed by {algorithm:?} and the log has a {key} key")]
    Algorithm {
        /// The SCT's word.
        algorithm: SctAlgorithm,
        /// The log's key.
        key: KeyKind,
    },
    /// Another key made the signature, or it covers other bytes.
    #[error("signature of the sct does not verify")]
    Invalid(#[source] SignatureError),
    /// This build has no way to check it: nothing is known about the signature.
    #[error("no check for signatures by a {key} key")]
    NotCheckable {
        /// The log's key.
        key: KeyKind,
    },
    /// A certificate or extensions that do not fit their length field.
    #[error("entry of {length} bytes, of at most {limit}")]
    TooLong {
        /// Its length in bytes.
        length: usize,
        /// Largest length that can be written.
        limit: usize,
    },
}

/// Why an SCT does not tell its place in a static CT log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LeafIndexError {
    /// The place lies outside of the tree.
    #[error("leaf index {index} is not below the tree size {tree_size}")]
    BeyondTree {
        /// The place.
        index: u64,
        /// The size of the tree.
        tree_size: u64,
    },
    /// The extensions are no list of extensions.
    #[error("extensions of the sct are malformed")]
    Malformed(#[from] SctError),
    /// No extension leaf_index.
    #[error("sct has no leaf index")]
    Missing,
}

impl Sct {
    /// Checks that the log with this key made the promise about `entry` (RFC 6962 section 3.2).
    ///
    /// # Errors
    /// An algorithm that is not the key's, a signature that does not verify or cannot be checked.
    pub fn verify(&self, key: &PublicKey, entry: &CtEntry<'_>) -> Result<(), SctVerifyError> {
        let scheme = self.scheme(key.kind())?;
        let signed = self.signed_bytes(entry)?;
        let verified = verify(key, scheme, Message::Bytes(&signed), &self.signature);
        verified.map_err(|error| match error.is_not_checkable() {
            true => SctVerifyError::NotCheckable { key: key.kind() },
            false => SctVerifyError::Invalid(error),
        })
    }

    fn scheme(&self, key: KeyKind) -> Result<Scheme, SctVerifyError> {
        match (self.algorithm, key) {
            (SctAlgorithm::EcdsaSha256, KeyKind::P256) => Ok(Scheme::EcdsaSha256Der),
            (SctAlgorithm::RsaSha256, KeyKind::Rsa { .. }) => Ok(Scheme::RsaPkcs1Sha256),
            (algorithm, key) => Err(SctVerifyError::Algorithm { algorithm, key }),
        }
    }

    /// The bytes that the log signs (RFC 6962 section 3.2), as logs of test worlds need them too.
    ///
    /// # Errors
    /// A certificate of 16 MiB or more, extensions of 64 KiB or more.
    pub fn signed_bytes(&self, entry: &CtEntry<'_>) -> Result<Vec<u8>, SctVerifyError> {
        let mut bytes = vec![0, 0]; // v1, certificate_timestamp
        entry.write_timestamped(self.timestamp, &self.extensions, &mut bytes)?;
        Ok(bytes)
    }

    /// The hash of the leaf that the log makes of the entry (RFC 6962 sections 2.1 and 3.4). Nothing is verified.
    ///
    /// # Errors
    /// A certificate of 16 MiB or more, extensions of 64 KiB or more.
    pub fn leaf_hash(&self, entry: &CtEntry<'_>) -> Result<Sha256Digest, SctVerifyError> {
        let mut timestamped = Vec::new();
        entry.write_timestamped(self.timestamp, &self.extensions, &mut timestamped)?;
        Ok(hash_of_leaf(&timestamped))
    }

    /// The place in a static CT log of the given size.
    ///
    /// # Errors
    /// Malformed extensions, no leaf_index among them, a place beyond the end.
    pub fn leaf_index_below(&self, tree_size: u64) -> Result<u64, LeafIndexError> {
        match self.leaf_index()?.ok_or(LeafIndexError::Missing)? {
            index if index < tree_size => Ok(index),
            index => Err(LeafIndexError::BeyondTree { index, tree_size }),
        }
    }
}

/// Hash of the leaf around a TimestampedEntry: the tree's leaf prefix, version v1, leaf type timestamped_entry.
pub(super) fn hash_of_leaf(timestamped_entry: &[u8]) -> Sha256Digest {
    let mut hasher = Sha256::new();
    hasher.update(&[0, 0, 0]);
    hasher.update(timestamped_entry);
    hasher.finish()
}

impl CtEntry<'_> {
    /// Appends the TimestampedEntry (RFC 6962 section 3.4). Between the time and the end it is what SCTs sign, too.
    pub(super) fn write_timestamped(
        &self,
        timestamp: u64,
        extensions: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), SctVerifyError> {
        out.extend(timestamp.to_be_bytes());
        match self {
            Self::Certificate(der) => {
                out.extend([0, 0]);
                push_long(der, out)?;
            }
            Self::Precertificate { issuer_key_hash, tbs } => {
                out.extend([0, 1]);
                out.extend(issuer_key_hash.as_bytes());
                push_long(tbs, out)?;
            }
        }
        push_short(extensions, out)
    }
}

/// Appends `u24 length || content`.
pub(super) fn push_long(content: &[u8], out: &mut Vec<u8>) -> Result<(), SctVerifyError> {
    push_vector::<3>(content, out)
}

/// Appends `u16 length || content`.
pub(super) fn push_short(content: &[u8], out: &mut Vec<u8>) -> Result<(), SctVerifyError> {
    push_vector::<2>(content, out)
}

fn push_vector<const N: usize>(content: &[u8], out: &mut Vec<u8>) -> Result<(), SctVerifyError> {
    let (length, limit) = (content.len(), (1 << (8 * N)) - 1);
    if length > limit {
        return Err(SctVerifyError::TooLong { length, limit });
    }
    let wide = (length as u64).to_be_bytes();
    out.extend(&wide[wide.len() - N..]);
    out.extend(content);
    Ok(())
}
