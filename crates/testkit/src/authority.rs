//! Certificate authorities and the identities they issue.

mod precertificate;

use std::ops::{Add, Sub};
use std::time::Duration;

use genten_primitives::Timestamp;
use rcgen::{
    BasicConstraints, CertificateParams, CustomExtension, DistinguishedName, DnType,
    ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose, RsaKeySize,
};

pub use precertificate::Precertificate;

use crate::TestkitError;

/// A certificate authority with an ECDSA P-256 key: a root, or an intermediate below one.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    /// DER of the certificates that a server sends besides its leaf: this authority's, and those up to the root's child.
    below_root: Vec<Vec<u8>>,
    root: Vec<u8>,
    root_pem: String,
}

impl Authority {
    /// A root, with this common name.
    ///
    /// # Errors
    ///
    /// When no key or certificate can be made.
    pub fn new(name: &str) -> Result<Self, TestkitError> {
        let (params, key) = (authority_params(name), key(KeyKind::EcdsaP256)?);
        let certificate = params.self_signed(&key).map_err(no_certificate)?;
        Ok(Self {
            root: certificate.der().to_vec(),
            root_pem: certificate.pem(),
            issuer: Issuer::new(params, key),
            below_root: Vec::new(),
        })
    }

    /// An authority below this one, with this common name.
    ///
    /// # Errors
    ///
    /// When no key or certificate can be made.
    pub fn intermediate(&self, name: &str) -> Result<Self, TestkitError> {
        let (params, key) = (authority_params(name), key(KeyKind::EcdsaP256)?);
        let certificate = params.signed_by(&key, &self.issuer).map_err(no_certificate)?;
        let mut below_root = vec![certificate.der().to_vec()];
        below_root.extend(self.below_root.iter().cloned());
        Ok(Self {
            root: self.root.clone(),
            root_pem: self.root_pem.clone(),
            issuer: Issuer::new(params, key),
            below_root,
        })
    }

    /// The root's certificate in PEM.
    pub fn root_pem(&self) -> &str {
        &self.root_pem
    }

    /// The root's certificate in DER.
    pub fn root_der(&self) -> &[u8] {
        &self.root
    }

    /// A server identity for one host, with default settings.
    ///
    /// # Errors
    ///
    /// As [`issue`](Self::issue).
    pub fn issue_for(&self, host: &str) -> Result<Identity, TestkitError> {
        self.issue(&Leaf::new([host]))
    }

    /// A server identity.
    ///
    /// # Errors
    ///
    /// When a name is not one, or no key can be made.
    pub fn issue(&self, leaf: &Leaf) -> Result<Identity, TestkitError> {
        self.certify(leaf, &key(leaf.key)?)
    }

    fn certify(&self, leaf: &Leaf, key: &KeyPair) -> Result<Identity, TestkitError> {
        let certificate = leaf.params()?.signed_by(key, &self.issuer).map_err(no_certificate)?;
        let mut chain = vec![certificate.der().to_vec()];
        chain.extend(self.below_root.iter().cloned());
        Ok(Identity {
            chain,
            leaf_pem: certificate.pem(),
            key_pkcs8: key.serialize_der(),
            key_pem: key.serialize_pem(),
            ocsp: leaf.ocsp.clone(),
        })
    }
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Authority")
    }
}

fn authority_params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = common_name(name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn common_name(name: &str) -> DistinguishedName {
    let mut distinguished = DistinguishedName::new();
    distinguished.push(DnType::CommonName, name);
    distinguished
}

fn key(kind: KeyKind) -> Result<KeyPair, TestkitError> {
    match kind {
        KeyKind::EcdsaP256 => KeyPair::generate_for(&rcgen::PKCS_ECDSA_P256_SHA256),
        KeyKind::Rsa2048 => KeyPair::generate_rsa_for(&rcgen::PKCS_RSA_SHA256, RsaKeySize::_2048),
    }
    .map_err(no_certificate)
}

fn no_certificate(error: rcgen::Error) -> TestkitError {
    TestkitError::Certificate(error.into())
}

/// What a leaf certificate says.
#[derive(Clone, Debug)]
pub struct Leaf {
    names: Vec<String>,
    key: KeyKind,
    not_before: Option<Timestamp>,
    not_after: Option<Timestamp>,
    sct_list: Option<Vec<u8>>,
    ocsp: Option<Vec<u8>>,
    is_authority: bool,
    is_poisoned: bool,
}

/// The key of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyKind {
    /// ECDSA on P-256.
    EcdsaP256,
    /// RSA with 2048 bits.
    Rsa2048,
}

impl Leaf {
    /// For these hosts (DNS names or IP addresses), P-256, valid from 1975 to 4096.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self {
            names: names.into_iter().map(Into::into).collect(),
            key: KeyKind::EcdsaP256,
            not_before: None,
            not_after: None,
            sct_list: None,
            ocsp: None,
            is_authority: false,
            is_poisoned: false,
        }
    }

    /// With the mark of an authority, which no server's certificate may have.
    pub fn as_authority(mut self) -> Self {
        self.is_authority = true;
        self
    }

    /// With this kind of key.
    pub fn key(mut self, kind: KeyKind) -> Self {
        self.key = kind;
        self
    }

    /// Valid between these moments, both included.
    pub fn valid(mut self, not_before: Timestamp, not_after: Timestamp) -> Self {
        self.not_before = Some(not_before);
        self.not_after = Some(not_after);
        self
    }

    /// With these bytes as embedded SignedCertificateTimestampList (RFC 6962 section 3.3), TLS-encoded.
    pub fn sct_list(mut self, list: impl Into<Vec<u8>>) -> Self {
        self.sct_list = Some(list.into());
        self
    }

    /// The server staples these bytes as OCSP answer. They are not part of the certificate.
    pub fn ocsp(mut self, answer: impl Into<Vec<u8>>) -> Self {
        self.ocsp = Some(answer.into());
        self
    }

    fn params(&self) -> Result<CertificateParams, TestkitError> {
        let mut params = CertificateParams::new(self.names.clone()).map_err(no_certificate)?;
        params.distinguished_name = common_name(self.names.first().map_or("", String::as_str));
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        if self.is_authority {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        }
        let epoch = rcgen::date_time_ymd(1970, 1, 1);
        if let Some(time) = self.not_before {
            params.not_before = moment(epoch, time);
        }
        if let Some(time) = self.not_after {
            params.not_after = moment(epoch, time);
        }
        if self.is_poisoned {
            params.custom_extensions.push(precertificate::poison());
        }
        if let Some(list) = &self.sct_list {
            params.custom_extensions.push(sct_extension(list));
        }
        Ok(params)
    }
}

/// `time` as a point of the certificate library's own kind, counted from its point for 1970.
fn moment<T>(epoch: T, time: Timestamp) -> T
where
    T: Add<Duration, Output = T> + Sub<Duration, Output = T>,
{
    let distance = Duration::from_millis(time.as_millis().unsigned_abs());
    if time.as_millis() >= 0 { epoch + distance } else { epoch - distance }
}

/// The extension's value is an OCTET STRING in DER around the TLS structure.
fn sct_extension(list: &[u8]) -> CustomExtension {
    const OID: [u64; 10] = [1, 3, 6, 1, 4, 1, 11129, 2, 4, 2];
    let mut value = vec![0x04];
    match u8::try_from(list.len()) {
        Ok(length @ 0..=0x7f) => value.push(length),
        _ => {
            let bytes = (list.len() as u32).to_be_bytes();
            // DER wants the shortest form of the length.
            let length = &bytes[(list.len() as u32).leading_zeros() as usize / 8..];
            value.push(0x80 | length.len() as u8);
            value.extend(length);
        }
    }
    value.extend(list);
    CustomExtension::from_oid_content(&OID, value)
}

/// A server's certificates and key.
#[derive(Clone)]
pub struct Identity {
    pub(crate) chain: Vec<Vec<u8>>,
    pub(crate) key_pkcs8: Vec<u8>,
    pub(crate) ocsp: Option<Vec<u8>>,
    leaf_pem: String,
    key_pem: String,
}

impl Identity {
    /// The certificates as the server sends them, DER, leaf first, without the root.
    pub fn chain(&self) -> &[Vec<u8>] {
        &self.chain
    }

    /// The leaf in DER.
    pub fn leaf_der(&self) -> &[u8] {
        &self.chain[0]
    }

    /// The leaf in PEM, for servers of other makers.
    pub fn leaf_pem(&self) -> &str {
        &self.leaf_pem
    }

    /// The private key in PEM, for servers of other makers.
    pub fn key_pem(&self) -> &str {
        &self.key_pem
    }
}

impl std::fmt::Debug for Identity {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Identity").field("certificates", &self.chain.len()).finish_non_exhaustive()
    }
}
