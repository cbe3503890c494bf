//! Certificates on their way to hold promises of logs.

use genten_pki::{Certificate, CtEntry};
use genten_primitives::Sha256Digest;
use rcgen::{CustomExtension, KeyPair, PublicKeyData as _};

use super::{Authority, Identity, Leaf, key};
use crate::TestkitError;

/// A certificate before logs have promised anything about it (RFC 6962 section 3.1).
pub struct Precertificate<'a> {
    authority: &'a Authority,
    leaf: Leaf,
    key: KeyPair,
    chain: Vec<Vec<u8>>,
    tbs: Vec<u8>,
}

impl Authority {
    /// A server's certificate that is to hold promises of logs.
    ///
    /// # Errors
    ///
    /// As [`issue`](Self::issue).
    pub fn precertify(&self, leaf: &Leaf) -> Result<Precertificate<'_>, TestkitError> {
        let key = key(leaf.key)?;
        let poisoned = self.certify(&Leaf { is_poisoned: true, ..leaf.clone() }, &key)?;
        let plain = self.certify(leaf, &key)?;
        let plain = Certificate::from_der(plain.leaf_der())
            .map_err(|error| TestkitError::Certificate(error.into()))?;
        let tbs = plain.tbs_der().to_vec();
        Ok(Precertificate { authority: self, leaf: leaf.clone(), key, chain: poisoned.chain, tbs })
    }
}

impl Precertificate<'_> {
    /// What logs keep of it.
    pub fn entry(&self) -> CtEntry<'_> {
        let issuer = self.authority.issuer.key().subject_public_key_info();
        CtEntry::Precertificate { issuer_key_hash: Sha256Digest::of(&issuer), tbs: &self.tbs }
    }

    /// The certificates as logs want them, DER: itself, which no client accepts, and those of a server's chain.
    pub fn chain(&self) -> &[Vec<u8>] {
        &self.chain
    }

    /// The server identity whose certificate holds this SignedCertificateTimestampList.
    ///
    /// # Errors
    ///
    /// As [`issue`](Authority::issue).
    pub fn certify(self, list: impl Into<Vec<u8>>) -> Result<Identity, TestkitError> {
        self.authority.certify(&self.leaf.clone().sct_list(list), &self.key)
    }
}

impl std::fmt::Debug for Precertificate<'_> {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Precertificate").field("leaf", &self.leaf).finish_non_exhaustive()
    }
}

/// The critical extension that keeps clients from accepting it.
pub(super) fn poison() -> CustomExtension {
    const OID: [u64; 10] = [1, 3, 6, 1, 4, 1, 11129, 2, 4, 3];
    let mut poison = CustomExtension::from_oid_content(&OID, vec![5, 0]);
    poison.set_criticality(true);
    poison
}
