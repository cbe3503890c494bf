//! Certificates that are the same on every run.

use std::time::Duration;

use genten_primitives::Timestamp;
use rcgen::{
    BasicConstraints, CertificateParams, CustomExtension, DistinguishedName, DnType, IsCa,
    KeyUsagePurpose, SanType,
};

use crate::SeedKey;

/// What a certificate says.
#[derive(Clone, Debug)]
pub struct CertificateSpec {
    /// The common name.
    pub name: String,
    /// First moment of its validity.
    pub not_before: Timestamp,
    /// Last moment of its validity.
    pub not_after: Timestamp,
    /// Whether it may sign certificates.
    pub is_ca: bool,
    /// URIs in its subjectAltName.
    pub uris: Vec<String>,
    /// E-mail addresses there.
    pub emails: Vec<String>,
    /// More extensions: object identifier, whether it is critical, content in DER.
    pub extensions: Vec<(Vec<u64>, bool, Vec<u8>)>,
}

impl CertificateSpec {
    /// An authority for 2024 to 2033.
    pub fn ca(name: &str) -> Self {
        let is_ca = true;
        Self { is_ca, ..Self::leaf(name, "2024-01-01T00:00:00Z", "2033-12-31T23:59:59Z") }
    }

    /// A certificate that signs something else than certificates.
    ///
    /// # Panics
    /// On texts that are no times.
    pub fn leaf(name: &str, not_before: &str, not_after: &str) -> Self {
        let time = |text: &str| text.parse().expect("a time as manifests write it");
        Self {
            name: name.to_owned(),
            not_before: time(not_before),
            not_after: time(not_after),
            is_ca: false,
            uris: Vec::new(),
            emails: Vec::new(),
            extensions: Vec::new(),
        }
    }

    fn params(&self) -> CertificateParams {
        let mut params = CertificateParams::default();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, &self.name);
        let epoch = rcgen::date_time_ymd(1970, 1, 1);
        let since = |time: Timestamp| Duration::from_millis(time.as_millis().unsigned_abs());
        params.not_before = epoch + since(self.not_before);
        params.not_after = epoch + since(self.not_after);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        if self.is_ca {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        }
        let ascii = |text: &String| text.as_str().try_into().expect("names are ASCII");
        let uris = self.uris.iter().map(|uri| SanType::URI(ascii(uri)));
        let emails = self.emails.iter().map(|email| SanType::Rfc822Name(ascii(email)));
        params.subject_alt_names = uris.chain(emails).collect();
        for (oid, is_critical, content) in &self.extensions {
            let mut extension = CustomExtension::from_oid_content(oid, content.clone());
            extension.set_criticality(*is_critical);
            params.custom_extensions.push(extension);
        }
        params
    }
}

/// A certificate authority whose key is made from its name.
pub struct Issuer {
    issuer: rcgen::Issuer<'static, SeedKey>,
    der: Vec<u8>,
}

const MADE: &str = "the certificate library writes what it is told";

impl Issuer {
    /// A root.
    ///
    /// # Panics
    /// On names that are not ASCII.
    pub fn root(spec: &CertificateSpec) -> Self {
        let (params, key) = (spec.params(), SeedKey::es256(&spec.name));
        let der = params.self_signed(&key).expect(MADE).der().to_vec();
        Self { issuer: rcgen::Issuer::new(params, key), der }
    }

    /// An authority below this one.
    ///
    /// # Panics
    /// On names that are not ASCII.
    pub fn below(&self, spec: &CertificateSpec) -> Self {
        let key = SeedKey::es256(&spec.name);
        let der = self.issue(spec, &key);
        Self { issuer: rcgen::Issuer::new(spec.params(), key), der }
    }

    /// A certificate for a key, DER.
    ///
    /// # Panics
    /// On names that are not ASCII.
    pub fn issue(&self, spec: &CertificateSpec, key: &SeedKey) -> Vec<u8> {
        spec.params().signed_by(key, &self.issuer).expect(MADE).der().to_vec()
    }

    /// The authority's own certificate, DER.
    pub fn der(&self) -> &[u8] {
        &self.der
    }
}

impl std::fmt::Debug for Issuer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Issuer")
    }
}
