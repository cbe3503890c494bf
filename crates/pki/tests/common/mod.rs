//! Published files beside the repository, and certificates made on the spot.
#![allow(dead_code, reason = "each test file uses a part")]

use std::path::{Path, PathBuf};

use genten_pki::Certificate;
use genten_primitives::Timestamp;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, CustomExtension, DistinguishedName,
    DnType, IsCa, KeyPair, KeyUsagePurpose, RsaKeySize, SanType, SignatureAlgorithm, date_time_ymd,
};

/// A file or folder of the shared vectors; says so aloud when it is absent.
pub(crate) fn vectors(path: &str) -> Option<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let found = repository.parent()?.join("shared/vectors").join(path);
    if !found.exists() {
        eprintln!("SKIPPED: no {}", found.display());
        return None;
    }
    Some(found)
}

/// All files below `folder`, in order.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

pub(crate) fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A CA with its key.
pub(crate) struct Ca(CertifiedIssuer<'static, KeyPair>);

pub(crate) type Edit<'e> = &'e dyn Fn(&mut CertificateParams);

/// A self-signed CA for 2020 to 2030 with a P-256 key.
pub(crate) fn root(name: &str, edit: Edit<'_>) -> Ca {
    root_with_key(name, edit, p256())
}

pub(crate) fn root_with_key(name: &str, edit: Edit<'_>, key: KeyPair) -> Ca {
    Ca(CertifiedIssuer::self_signed(ca_params(name, edit), key).unwrap())
}

impl Ca {
    pub(crate) fn certificate(&self) -> Certificate {
        Certificate::from_der(self.0.der()).unwrap()
    }

    /// A CA below this one.
    pub(crate) fn ca(&self, name: &str, edit: Edit<'_>) -> Self {
        self.ca_with_key(name, edit, p256())
    }

    pub(crate) fn ca_with_key(&self, name: &str, edit: Edit<'_>, key: KeyPair) -> Self {
        Self(CertifiedIssuer::signed_by(ca_params(name, edit), key, &self.0).unwrap())
    }

    /// An end-entity certificate for 2024 to 2026.
    pub(crate) fn leaf(&self, edit: Edit<'_>) -> Certificate {
        self.leaf_of(&p256(), edit)
    }

    /// The same for the CA's own key.
    pub(crate) fn leaf_of_own_key(&self, edit: Edit<'_>) -> Certificate {
        self.leaf_of(self.0.key(), edit)
    }

    /// The same for a key of the caller's.
    pub(crate) fn leaf_of(&self, key: &KeyPair, edit: Edit<'_>) -> Certificate {
        let der = leaf_params(edit).signed_by(key, &*self.0).unwrap().der().to_vec();
        Certificate::from_der(&der).unwrap()
    }
}

/// An end-entity certificate that its own key signed.
pub(crate) fn self_signed(edit: Edit<'_>) -> Certificate {
    Certificate::from_der(&self_signed_der(edit)).unwrap()
}

/// The same, where it may be one that is refused.
pub(crate) fn self_signed_der(edit: Edit<'_>) -> Vec<u8> {
    leaf_params(edit).self_signed(&p256()).unwrap().der().to_vec()
}

pub(crate) fn p256() -> KeyPair {
    key(&rcgen::PKCS_ECDSA_P256_SHA256)
}

pub(crate) fn key(algorithm: &'static SignatureAlgorithm) -> KeyPair {
    KeyPair::generate_for(algorithm).unwrap()
}

pub(crate) fn rsa() -> KeyPair {
    KeyPair::generate_rsa_for(&rcgen::PKCS_RSA_SHA256, RsaKeySize::_2048).unwrap()
}

fn ca_params(name: &str, edit: Edit<'_>) -> CertificateParams {
    let mut params = named(name);
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2030, 1, 1);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    edit(&mut params);
    params
}

fn leaf_params(edit: Edit<'_>) -> CertificateParams {
    let mut params = named("leaf");
    params.not_before = date_time_ymd(2024, 1, 1);
    params.not_after = date_time_ymd(2026, 1, 1);
    edit(&mut params);
    params
}

fn named(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

pub(crate) fn uri(text: &str) -> SanType {
    SanType::URI(text.try_into().unwrap())
}

pub(crate) fn dns(text: &str) -> SanType {
    SanType::DnsName(text.try_into().unwrap())
}

/// Name constraints that permit only URIs with the host `host`, which rcgen cannot write.
pub(crate) fn permits_uris_of(host: &str) -> CustomExtension {
    constrains_uris(0xa0, host)
}

/// Name constraints that exclude URIs with the host `host`.
pub(crate) fn excludes_uris_of(host: &str) -> CustomExtension {
    constrains_uris(0xa1, host)
}

fn constrains_uris(subtrees: u8, host: &str) -> CustomExtension {
    let tlv = |tag: u8, content: &[u8]| [&[tag, content.len() as u8], content].concat();
    let subtree = tlv(0x30, &tlv(0x86, host.as_bytes()));
    let mut extension =
        CustomExtension::from_oid_content(&[2, 5, 29, 30], tlv(0x30, &tlv(subtrees, &subtree)));
    extension.set_criticality(true);
    extension
}

/// Replaces each `from` in a certificate's DER. Lengths stay, signatures break.
pub(crate) fn patched(certificate: &Certificate, from: &[u8], to: &[u8]) -> Certificate {
    assert_eq!(from.len(), to.len());
    let mut der = certificate.der().to_vec();
    let mut found = 0;
    for at in 0..der.len() - from.len() {
        if der[at..].starts_with(from) {
            der[at..at + to.len()].copy_from_slice(to);
            found += 1;
        }
    }
    assert!(found > 0);
    Certificate::from_der(&der).unwrap()
}

/// sha256WithRSAEncryption and sha1WithRSAEncryption.
pub(crate) const RSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0b];
pub(crate) const RSA_SHA1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 5];
