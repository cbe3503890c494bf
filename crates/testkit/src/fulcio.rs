//! A small certificate authority of the kind that Sigstore runs: short-lived certificates that name whoever logged in, each
//! with the promise of a CT log inside.

use genten_pki::{Certificate, CtEntry, Sct};
use genten_primitives::encoding::base64;
use serde_json::{Value, json};

use crate::ct::{self, CtTestLog};
use crate::der::{oid, seq, tlv};
use crate::log::window;
use crate::{CertificateSpec, Issuer, SeedKey};

const CODE_SIGNING: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 3];

/// A root, an intermediate, and the log that promises to include what they issue.
#[derive(Debug)]
pub struct Fulcio {
    root: Issuer,
    intermediate: Issuer,
    log: CtTestLog,
}

impl Fulcio {
    /// The authority of this name, which its keys are made from.
    pub fn new(name: &str) -> Self {
        let root = Issuer::root(&CertificateSpec::ca(&format!("{name} root")));
        let intermediate = root.below(&CertificateSpec::ca(&format!("{name} intermediate")));
        Self { root, intermediate, log: CtTestLog::new(name, name) }
    }

    /// The log of its certificates.
    pub fn log(&self) -> &CtTestLog {
        &self.log
    }

    /// The root's certificate, DER.
    pub fn root_der(&self) -> &[u8] {
        self.root.der()
    }

    /// What a certificate says that names `uri`, for whom `issuer` vouched, valid for these times.
    ///
    /// # Panics
    /// On texts that are no times.
    pub fn spec(uri: &str, issuer: &str, not_before: &str, not_after: &str) -> CertificateSpec {
        let mut spec = CertificateSpec::leaf("sigstore", not_before, not_after);
        spec.uris.push(uri.to_owned());
        spec.extensions = vec![
            (vec![2, 5, 29, 37], false, seq(&[&oid(CODE_SIGNING)])),
            (vec![1, 3, 6, 1, 4, 1, 57264, 1, 8], false, tlv(0x0c, issuer.as_bytes())),
        ];
        spec
    }

    /// A certificate for a key with the log's promise, made when its validity begins.
    pub fn issue(&self, spec: &CertificateSpec, key: &SeedKey) -> Vec<u8> {
        let millis = spec.not_before.as_millis().unsigned_abs();
        self.issue_with(spec, key, &|entry| vec![self.log.sct(millis, &[], entry)])
    }

    /// The same with these promises.
    ///
    /// # Panics
    /// Never: the certificate was just made.
    pub fn issue_with(
        &self,
        spec: &CertificateSpec,
        key: &SeedKey,
        scts: &dyn Fn(&CtEntry<'_>) -> Vec<Sct>,
    ) -> Vec<u8> {
        embed_scts(&self.intermediate, spec, key, scts)
    }

    /// A certificate without any promise.
    pub fn issue_unlogged(&self, spec: &CertificateSpec, key: &SeedKey) -> Vec<u8> {
        self.intermediate.issue(spec, key)
    }

    /// The authority as trusted roots hold it.
    pub fn in_trusted_root(&self, start: &str, end: Option<&str>) -> Value {
        let chain = [self.intermediate.der(), self.root.der()];
        json!({
            "subject": {"organization": "Example", "commonName": "Example signing"},
            "uri": "https://fulcio.example",
            "certChain": {"certificates": chain.map(|der| json!({"rawBytes": base64(der)}))},
            "validFor": window(start, end),
        })
    }
}

/// A certificate with promises inside, which are about the same certificate without them (RFC 6962 section 3.2).
///
/// # Panics
/// Never: the certificates were just made.
pub fn embed_scts(
    issuer: &Issuer,
    spec: &CertificateSpec,
    key: &SeedKey,
    scts: &dyn Fn(&CtEntry<'_>) -> Vec<Sct>,
) -> Vec<u8> {
    const OWN: &str = "a certificate that was just made";
    let plain = Certificate::from_der(&issuer.issue(spec, key)).expect(OWN);
    let issuer_key_hash = Certificate::from_der(issuer.der()).expect(OWN).spki_sha256();
    let entry = CtEntry::Precertificate { issuer_key_hash, tbs: plain.tbs_der() };
    let mut with_list = spec.clone();
    with_list.extensions.push(ct::extension(&ct::sct_list(&scts(&entry))));
    issuer.issue(&with_list, key)
}
