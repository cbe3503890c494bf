//! A CT log with its key, and certificates with its SCTs.
#![allow(dead_code, reason = "each test file uses a part")]

use genten_pki::{Certificate, CtEntry, Sct, SctAlgorithm, SctList};
use genten_primitives::encoding::base64;
use genten_primitives::{PublicKey, Sha256Digest};
use rcgen::{CustomExtension, KeyPair, PublicKeyData as _, SigningKey as _};

use crate::common::{Ca, Edit, p256};

pub(crate) const SCT_LIST: [u64; 10] = [1, 3, 6, 1, 4, 1, 11129, 2, 4, 2];

/// 2025-06-01T00:00:00Z
pub(crate) const JUNE: u64 = 1_748_736_000_000;

pub(crate) struct Log {
    key: KeyPair,
    pub(crate) operator: &'static str,
}

impl Log {
    pub(crate) fn new(operator: &'static str) -> Self {
        Self { key: p256(), operator }
    }

    pub(crate) fn key(&self) -> PublicKey {
        PublicKey::from_spki_der(&self.key.subject_public_key_info()).unwrap()
    }

    pub(crate) fn id(&self) -> Sha256Digest {
        Sha256Digest::of(self.key().to_spki_der())
    }

    pub(crate) fn sct(&self, timestamp: u64, extensions: &[u8], entry: &CtEntry<'_>) -> Sct {
        let mut sct = Sct {
            log_id: self.id(),
            timestamp,
            extensions: extensions.to_vec(),
            algorithm: SctAlgorithm::EcdsaSha256,
            signature: Vec::new(),
        };
        sct.signature = self.key.sign(&sct.signed_bytes(entry).unwrap()).unwrap();
        sct
    }

    /// The log's entry in a list.
    pub(crate) fn listed(&self, state: &str) -> String {
        format!(
            r#"{{"description":"log of {}","log_id":"{}","key":"{}","mmd":86400,"url":"https://ct.example/",
                "state":{state}}}"#,
            self.operator,
            base64(self.id().as_bytes()),
            base64(self.key().to_spki_der())
        )
    }
}

pub(crate) fn list(logs: &[(&Log, &str)]) -> String {
    let operators: Vec<_> = logs
        .iter()
        .map(|(log, state)| {
            format!(r#"{{"name":"{}","logs":[{}]}}"#, log.operator, log.listed(state))
        })
        .collect();
    format!(r#"{{"operators":[{}]}}"#, operators.join(","))
}

pub(crate) const USABLE: &str = r#"{"usable":{"timestamp":"2024-01-01T00:00:00Z"}}"#;

/// The bytes of a list of SCTs, made without the code under test.
pub(crate) fn list_bytes(scts: &[Vec<u8>]) -> Vec<u8> {
    let vector = |content: &[u8]| [&(content.len() as u16).to_be_bytes()[..], content].concat();
    vector(&scts.iter().map(|sct| vector(sct)).collect::<Vec<_>>().concat())
}

pub(crate) fn sct_bytes(sct: &Sct) -> Vec<u8> {
    let vector = |content: &[u8]| [&(content.len() as u16).to_be_bytes()[..], content].concat();
    [
        &[0][..],
        sct.log_id.as_bytes(),
        &sct.timestamp.to_be_bytes(),
        &vector(&sct.extensions),
        &[4, 3],
        &vector(&sct.signature),
    ]
    .concat()
}

pub(crate) fn sct_list(scts: &[Sct]) -> SctList {
    let all: Vec<_> = scts.iter().map(sct_bytes).collect();
    SctList::from_bytes(&list_bytes(&all)).unwrap()
}

/// The extension that holds a list.
pub(crate) fn extension(list: &[u8]) -> CustomExtension {
    let der = match list.len() {
        short @ 0..0x80 => [&[4, short as u8], list].concat(),
        middle @ 0x80..0x100 => [&[4, 0x81, middle as u8], list].concat(),
        long => [&[4, 0x82, (long >> 8) as u8, long as u8], list].concat(),
    };
    CustomExtension::from_oid_content(&SCT_LIST, der)
}

/// A leaf for the same key and with the same fields, with and without the SCTs of `scts`.
pub(crate) fn with_scts(
    ca: &Ca,
    edit: Edit<'_>,
    scts: impl FnOnce(&CtEntry<'_>) -> Vec<Sct>,
) -> Certificate {
    let plain = ca.leaf_of_own_key(edit);
    let issuer_key_hash = ca.certificate().spki_sha256();
    let entry = CtEntry::Precertificate { issuer_key_hash, tbs: plain.tbs_der() };
    let all: Vec<_> = scts(&entry).iter().map(sct_bytes).collect();
    let list = list_bytes(&all);
    let leaf = ca.leaf_of_own_key(&|params| {
        edit(params);
        params.custom_extensions.push(extension(&list));
    });
    assert_eq!(leaf.tbs_without_scts(), plain.tbs_der());
    leaf
}
