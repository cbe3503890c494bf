//! Certificates that are the same on every run: their keys have names and sign without randomness.

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use genten_primitives::key::KeyKind;
use genten_primitives::signature::ecdsa_twin;
use genten_testkit::SeedKey;
use rcgen::{
    BasicConstraints, Certificate, CertificateParams, CustomExtension, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, GeneralSubtree, IsCa, Issuer, KeyUsagePurpose, NameConstraints,
    SanType, date_time_ymd,
};
use serde_json::{Value, json};

use super::keys::{Key, es256};

/// Their short names.
pub(crate) type Params = CertificateParams;
pub(crate) type Basic = BasicConstraints;

pub(crate) type Edit<'e> = &'e dyn Fn(&mut CertificateParams);

/// A certificate authority.
pub(crate) struct Ca {
    issuer: Issuer<'static, SeedKey>,
    pub(crate) der: Vec<u8>,
}

impl Ca {
    /// A root of this name, for 2024 to 2034.
    pub(crate) fn root(name: &str, edit: Edit<'_>) -> Self {
        let (params, key) = (ca_params(name, edit), es256(name).seed().clone());
        let der = der(params.self_signed(&key));
        Self { issuer: Issuer::new(params, key), der }
    }

    /// A root of this name whose key is another one's.
    pub(crate) fn named_like(name: &str, key: &str) -> Self {
        let (params, key) = (ca_params(name, &no_edit), es256(key).seed().clone());
        let der = der(params.self_signed(&key));
        Self { issuer: Issuer::new(params, key), der }
    }

    /// An authority below this one.
    pub(crate) fn below(&self, name: &str, edit: Edit<'_>) -> Self {
        let (params, key) = (ca_params(name, edit), es256(name).seed().clone());
        let der = der(params.signed_by(&key, &self.issuer));
        Self { issuer: Issuer::new(params, key), der }
    }

    /// A certificate for `key`, for October 2026 to March 2027.
    pub(crate) fn leaf(&self, key: &Key, edit: Edit<'_>) -> Vec<u8> {
        der(leaf_params(edit).signed_by(key.seed(), &self.issuer))
    }
}

/// A certificate that its own key signed.
pub(crate) fn self_signed(key: &Key, edit: Edit<'_>) -> Vec<u8> {
    der(leaf_params(edit).self_signed(key.seed()))
}

fn der(certificate: Result<Certificate, rcgen::Error>) -> Vec<u8> {
    certificate.unwrap().der().to_vec()
}

fn ca_params(name: &str, edit: Edit<'_>) -> CertificateParams {
    let mut params = named(name);
    params.not_before = date_time_ymd(2024, 1, 1);
    params.not_after = date_time_ymd(2034, 1, 1);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    edit(&mut params);
    params
}

fn leaf_params(edit: Edit<'_>) -> CertificateParams {
    let mut params = named("leaf");
    valid(&mut params, (2026, 10, 1), (2027, 3, 1));
    edit(&mut params);
    params
}

fn named(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

pub(crate) fn valid(params: &mut CertificateParams, from: (i32, u8, u8), until: (i32, u8, u8)) {
    params.not_before = date_time_ymd(from.0, from.1, from.2);
    params.not_after = date_time_ymd(until.0, until.1, until.2);
}

pub(crate) fn no_edit(_: &mut CertificateParams) {}

/// An edit that gives a signer's certificate this URI.
pub(crate) fn uri(text: &'static str) -> impl Fn(&mut CertificateParams) {
    move |params| params.subject_alt_names.push(SanType::URI(text.try_into().unwrap()))
}

/// An edit that gives a server's certificate this host.
pub(crate) fn host(text: &'static str) -> impl Fn(&mut CertificateParams) {
    move |params| {
        params.subject_alt_names.push(SanType::DnsName(text.try_into().unwrap()));
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    }
}

/// Both edits.
pub(crate) fn both<'e>(
    first: impl Fn(&mut CertificateParams) + 'e,
    second: impl Fn(&mut CertificateParams) + 'e,
) -> impl Fn(&mut CertificateParams) + 'e {
    move |params| {
        first(params);
        second(params);
    }
}

/// Only DNS names below this one are permitted.
pub(crate) fn permits_dns(params: &mut CertificateParams, below: &str) {
    let permitted_subtrees = vec![GeneralSubtree::DnsName(below.to_owned())];
    params.name_constraints =
        Some(NameConstraints { permitted_subtrees, excluded_subtrees: vec![] });
}

/// Name constraints that permit only URIs with the host `host`, which the certificate library cannot write.
pub(crate) fn permits_uris_of(host: &str) -> CustomExtension {
    let tlv =
        |tag: u8, content: &[u8]| [&[tag, u8::try_from(content.len()).unwrap()], content].concat();
    let subtree = tlv(0x30, &tlv(0x86, host.as_bytes()));
    let mut extension =
        CustomExtension::from_oid_content(&[2, 5, 29, 30], tlv(0x30, &tlv(0xa0, &subtree)));
    extension.set_criticality(true);
    extension
}

/// The certificate with the other S in its ECDSA signature.
pub(crate) fn twin(der: &[u8]) -> Vec<u8> {
    let read = genten_pki::Certificate::from_der(der).unwrap();
    let signature = ecdsa_twin(read.signature(), KeyKind::P256).unwrap();
    let tbs_end =
        der.windows(read.tbs_der().len()).position(|part| part == read.tbs_der()).unwrap()
            + read.tbs_der().len();
    let algorithm = &der[tbs_end..tbs_end + 2 + usize::from(der[tbs_end + 1])];
    let bits = [&[3, u8::try_from(signature.len() + 1).unwrap(), 0], signature.as_slice()].concat();
    let content = [read.tbs_der(), algorithm, &bits].concat();
    let length = u16::try_from(content.len()).unwrap().to_be_bytes();
    [&[0x30, 0x82], length.as_slice(), &content].concat()
}

/// Evidence of type `x509-chain`.
pub(crate) fn x509_chain(certificates: &[&[u8]]) -> Value {
    let certificates: Vec<_> = certificates.iter().map(|der| base64(der)).collect();
    json!({"type": "x509-chain", "certificates": certificates})
}

/// Evidence of type `tls-chain`.
pub(crate) fn tls_chain(certificates: &[&[u8]]) -> Value {
    let mut evidence = x509_chain(certificates);
    evidence["type"] = "tls-chain".into();
    evidence
}

/// PEM of one certificate.
pub(crate) fn pem(der: &[u8]) -> Vec<u8> {
    genten_primitives::key::pem::encode("CERTIFICATE", der).into_bytes()
}

/// SHA-256 of the SubjectPublicKeyInfo.
pub(crate) fn spki_sha256(key: &Key) -> String {
    Sha256Digest::of(key.public().to_spki_der()).to_string()
}
