//! What need not be computed twice: results about keys and evidence that many manifests share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use genten_jws::key_id::{KeyLookupError, contained_key};
use genten_manifest::KeyId;
use genten_pki::{
    Certificate, CertificateError, PreparedTlsChain, TimestampAuthority, TimestampError,
    TimestampToken, TlsChainError, VerifiedTimestamp,
};
use genten_primitives::signature::SignatureError;
use genten_primitives::{PublicKey, Sha256, Sha256Digest};

use crate::check::batch::PreparedBatch;
use crate::entry::{EntryFault, PreparedEntry};
use crate::logs::Logs;
use crate::{Code, Detail};

/// Most results of one kind that are kept; when they are reached, all of the kind are forgotten.
const CAPACITY: usize = 4096;

/// Most bytes that the results of one kind may be about, for the same reason: they grow with their inputs.
const MOST_BYTES: usize = 8 << 20;

/// Longest input in bytes whose result is kept: what many manifests share is small, and what is large may be kept by nobody.
const LARGEST: usize = 64 * 1024;

/// Results keyed by the bytes that they are about, never by the manifest that they were needed for nor by the time:
/// whatever depends on those is decided anew for each manifest.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    certificates: Shared<Result<Arc<Certificate>, CertificateError>>,
    contained_keys: Shared<Option<Result<PublicKey, KeyLookupError>>>,
    tls_chains: Shared<Result<Arc<PreparedTlsChain>, TlsChainError>>,
    entries: Shared<Result<Arc<PreparedEntry>, EntryFault>>,
    batches: Shared<Result<Arc<PreparedBatch>, (Code, Detail)>>,
    timestamps: Shared<Result<Arc<VerifiedTimestamp>, TimestampError>>,
    signatures: Shared<Result<(), SignatureError>>,
}

impl Memory {
    /// A certificate, read once.
    pub(crate) fn certificate(&self, der: &[u8]) -> Result<Arc<Certificate>, CertificateError> {
        let read = || Certificate::from_der(der).map(Arc::new);
        self.certificates.get_or(&[der], read)
    }

    /// The key that an id contains, decoded and prepared once.
    pub(crate) fn contained_key(&self, id: &KeyId) -> Option<Result<PublicKey, KeyLookupError>> {
        self.contained_keys.get_or(&[id.as_str()], || contained_key(id))
    }

    /// A server's chain: read, and its issuer's signature checked, once.
    pub(crate) fn tls_chain(
        &self,
        chain: &[Vec<u8>],
    ) -> Result<Arc<PreparedTlsChain>, TlsChainError> {
        self.tls_chains.get_or(chain, || PreparedTlsChain::new(chain).map(Arc::new))
    }

    /// A log entry: read, and held against the kit's logs, once.
    pub(crate) fn entry(&self, json: &str, logs: &Logs) -> Result<Arc<PreparedEntry>, EntryFault> {
        let read = || PreparedEntry::read(json, logs).map(Arc::new);
        self.entries.get_or(&[json], read)
    }

    /// A statement of a batch: read, and its signature checked under the key, once.
    pub(crate) fn batch(
        &self,
        statement: &str,
        signer: &PublicKey,
    ) -> Result<Arc<PreparedBatch>, (Code, Detail)> {
        let read = || PreparedBatch::read(statement, signer).map(Arc::new);
        let thumbprint = signer.thumbprint();
        self.batches.get_or(&[statement.as_bytes(), thumbprint.as_bytes()], read)
    }

    /// A timestamp over a message: read, and held against the kit's authorities, once.
    pub(crate) fn timestamp(
        &self,
        token: &[u8],
        message: &[u8],
        authorities: &[TimestampAuthority],
    ) -> Result<Arc<VerifiedTimestamp>, TimestampError> {
        let verify = || {
            let token = TimestampToken::from_der(token)?;
            token.verify(message, authorities).map(Arc::new)
        };
        self.timestamps.get_or(&[token, message], verify)
    }

    /// Whether a signature over a message of this digest holds, which the manifests of a batch share.
    pub(crate) fn signature(
        &self,
        key: &PublicKey,
        message: Sha256Digest,
        signature: &[u8],
        check: impl FnOnce() -> Result<(), SignatureError>,
    ) -> Result<(), SignatureError> {
        let thumbprint = key.thumbprint();
        self.signatures.get_or(&[thumbprint.as_bytes(), message.as_bytes(), signature], check)
    }
}

/// One digest for several parts; lengths keep them apart.
fn key(parts: &[impl AsRef<[u8]>]) -> Sha256Digest {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(&(part.as_ref().len() as u64).to_be_bytes());
        hasher.update(part.as_ref());
    }
    hasher.finish()
}

fn length(parts: &[impl AsRef<[u8]>]) -> usize {
    parts.iter().map(|part| part.as_ref().len()).sum()
}

/// A bounded map that several threads share.
#[derive(Debug)]
struct Shared<V>(Mutex<Known<V>>);

#[derive(Debug)]
struct Known<V> {
    /// What was asked for again, and will probably be asked for next: to compare is quicker than to hash.
    last: Option<(Vec<Vec<u8>>, V)>,
    all: HashMap<Sha256Digest, V>,
    /// How many bytes all of them are about.
    bytes: usize,
}

impl<V> Default for Shared<V> {
    fn default() -> Self {
        Self(Mutex::new(Known { last: None, all: HashMap::new(), bytes: 0 }))
    }
}

impl<V: Clone> Shared<V> {
    /// What is known of these bytes, else what `make` finds. Two threads may both find it; they find the same.
    fn get_or(&self, about: &[impl AsRef<[u8]>], make: impl FnOnce() -> V) -> V {
        if length(about) > LARGEST {
            return make();
        }
        if let Some(value) = self.lock().last(about) {
            return value;
        }
        let key = key(about);
        if let Some(value) = self.lock().again(about, key) {
            return value;
        }
        let value = make();
        self.lock().keep(length(about), key, &value);
        value
    }

    fn lock(&self) -> MutexGuard<'_, Known<V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V: Clone> Known<V> {
    fn last(&self, about: &[impl AsRef<[u8]>]) -> Option<V> {
        let (last, value) = self.last.as_ref()?;
        let is_same = last.iter().map(Vec::as_slice).eq(about.iter().map(AsRef::as_ref));
        is_same.then(|| value.clone())
    }

    /// What is asked for a second time may be asked for often.
    fn again(&mut self, about: &[impl AsRef<[u8]>], key: Sha256Digest) -> Option<V> {
        let value = self.all.get(&key)?.clone();
        let parts = about.iter().map(|part| part.as_ref().to_vec());
        self.last = Some((parts.collect(), value.clone()));
        Some(value)
    }

    fn keep(&mut self, length: usize, key: Sha256Digest, value: &V) {
        if self.all.len() == CAPACITY || self.bytes + length > MOST_BYTES {
            self.all.clear();
            self.bytes = 0;
        }
        self.bytes += length;
        self.all.insert(key, value.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn results_are_found_again_and_bounded() {
        let shared = Shared::default();
        let made = Cell::new(0);
        let get = |number: u64| {
            shared.get_or(&[number.to_be_bytes()], || {
                made.set(made.get() + 1);
                number
            })
        };
        assert_eq!((get(1), get(1), made.get()), (1, 1, 1));
        for number in 0..2 * CAPACITY as u64 + 10 {
            assert_eq!(get(number), number);
        }
        assert!(shared.lock().all.len() <= CAPACITY);
        for number in 0..1000_u64 {
            shared.get_or(&[[number as u8; LARGEST - 8].as_slice(), &number.to_be_bytes()], || {
                number
            });
        }
        assert!(shared.lock().all.len() <= MOST_BYTES / LARGEST + 1);
    }

    /// Each question is asked twice, so that the answer to it is the last one when the next comes.
    #[test]
    fn parts_that_join_to_the_same_bytes_are_no_answer() {
        let shared = Shared::default();
        for (answer, about) in [["ab", "c"], ["a", "bc"], ["abc", ""]].iter().enumerate() {
            for _ in 0..3 {
                assert_eq!(shared.get_or(about, || answer), answer);
            }
        }
    }

    #[test]
    fn a_signature_holds_over_its_own_message_only() {
        let memory = Memory::default();
        let key = PublicKey::ed25519_from_bytes(&[
            0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9, 0x64,
            0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68,
            0xf7, 0x07, 0x51, 0x1a,
        ]);
        let key = key.unwrap();
        let (one, other) = (Sha256Digest::of(b"one"), Sha256Digest::of(b"other"));
        for _ in 0..3 {
            assert!(memory.signature(&key, one, b"signature", || Ok(())).is_ok());
        }
        let refuse = || Err(SignatureError::Mismatch);
        assert!(memory.signature(&key, other, b"signature", refuse).is_err());
        assert!(memory.signature(&key, one, b"another", refuse).is_err());
    }

    #[test]
    fn chains_that_join_to_the_same_bytes_are_told_apart() {
        assert_ne!(key(&[b"ab".to_vec(), b"c".to_vec()]), key(&[b"a".to_vec(), b"bc".to_vec()]));
        assert_ne!(key(&[] as &[Vec<u8>]), key(&[Vec::<u8>::new()]));
    }
}
