//! A certificate in words. For display only: whatever is judged is read by `genten-pki`.

use std::net::{Ipv4Addr, Ipv6Addr};

use genten_pki::Certificate;
use genten_primitives::encoding::hex;
use genten_primitives::{PublicKey, Timestamp};
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::{ExtendedKeyUsage, GeneralName, ParsedExtension, X509Extension};
use x509_parser::objects::{oid_registry, oid2description, oid2sn};
use x509_parser::oid_registry::asn1_rs::Oid;
use x509_parser::time::ASN1Time;

/// What a certificate says.
pub(super) struct Readable {
    pub(super) subject: String,
    pub(super) issuer: String,
    pub(super) serial: String,
    pub(super) not_before: String,
    pub(super) not_after: String,
    /// The kind of the key.
    pub(super) key: String,
    /// RFC 7638 thumbprint of a key that Genten reads.
    pub(super) thumbprint: Option<String>,
    pub(super) alternative_names: Vec<String>,
    pub(super) key_usage: Option<String>,
    pub(super) purposes: Vec<String>,
    pub(super) is_ca: bool,
    pub(super) extensions: Vec<String>,
}

impl Readable {
    /// Reads the DER of exactly one certificate.
    pub(super) fn of(der: &[u8]) -> Option<Self> {
        let (rest, certificate) = x509_parser::parse_x509_certificate(der).ok()?;
        if !rest.is_empty() {
            return None;
        }
        let mut readable = Self::without_extensions(&certificate);
        readable.use_our_names(der);
        for extension in certificate.extensions() {
            readable.extensions.push(extension_words(extension));
            readable.read(extension.parsed_extension());
        }
        Some(readable)
    }

    fn without_extensions(certificate: &X509Certificate<'_>) -> Self {
        let validity = certificate.validity();
        let key = PublicKey::from_spki_der(certificate.public_key().raw).ok();
        Self {
            subject: certificate.subject().to_string(),
            issuer: certificate.issuer().to_string(),
            serial: hex(certificate.raw_serial()),
            not_before: time(validity.not_before),
            not_after: time(validity.not_after),
            key: key
                .as_ref()
                .map_or_else(|| foreign_key(certificate), |key| key.kind().to_string()),
            thumbprint: key.map(|key| key.thumbprint().to_string()),
            alternative_names: Vec::new(),
            key_usage: None,
            purposes: Vec::new(),
            is_ca: certificate.is_ca(),
            extensions: Vec::new(),
        }
    }

    /// Names in the one spelling that manifests and kits have too.
    fn use_our_names(&mut self, der: &[u8]) {
        if let Ok(certificate) = Certificate::from_der(der) {
            self.subject = certificate.subject().to_string();
            self.issuer = certificate.issuer().to_string();
        }
    }

    fn read(&mut self, extension: &ParsedExtension<'_>) {
        match extension {
            ParsedExtension::SubjectAlternativeName(names) => {
                self.alternative_names.extend(names.general_names.iter().map(name_words));
            }
            ParsedExtension::KeyUsage(usage) => self.key_usage = Some(usage.to_string()),
            ParsedExtension::ExtendedKeyUsage(usage) => self.purposes = purposes(usage),
            _ => {}
        }
    }
}

fn time(time: ASN1Time) -> String {
    Timestamp::from_seconds(time.timestamp())
        .map_or_else(|| time.to_string(), |time| time.to_string())
}

fn foreign_key(certificate: &X509Certificate<'_>) -> String {
    let algorithm = &certificate.public_key().algorithm.algorithm;
    format!("{}, which Genten does not read", oid_words(algorithm))
}

fn name_words(name: &GeneralName<'_>) -> String {
    match name {
        GeneralName::DNSName(name) => format!("DNS {name}"),
        GeneralName::URI(uri) => format!("URI {uri}"),
        GeneralName::RFC822Name(address) => format!("email {address}"),
        GeneralName::IPAddress(bytes) => format!("IP {}", address_words(bytes)),
        GeneralName::DirectoryName(name) => format!("directory {name}"),
        GeneralName::RegisteredID(oid) => format!("id {oid}"),
        GeneralName::OtherName(oid, _) => format!("other name of type {oid}"),
        _ => "a name that cannot be shown".to_owned(),
    }
}

fn address_words(bytes: &[u8]) -> String {
    if let Ok(four) = <[u8; 4]>::try_from(bytes) {
        return Ipv4Addr::from(four).to_string();
    }
    match <[u8; 16]>::try_from(bytes) {
        Ok(sixteen) => Ipv6Addr::from(sixteen).to_string(),
        Err(_) => hex(bytes),
    }
}

fn purposes(usage: &ExtendedKeyUsage<'_>) -> Vec<String> {
    let known = [
        (usage.any, "any"),
        (usage.server_auth, "server authentication"),
        (usage.client_auth, "client authentication"),
        (usage.code_signing, "code signing"),
        (usage.email_protection, "e-mail protection"),
        (usage.time_stamping, "time stamping"),
        (usage.ocsp_signing, "OCSP signing"),
    ];
    let stated = known.into_iter().filter(|(stated, _)| *stated);
    let others = usage.other.iter().map(oid_words);
    stated.map(|(_, words)| words.to_owned()).chain(others).collect()
}

fn extension_words(extension: &X509Extension<'_>) -> String {
    let mut words = oid_words(&extension.oid);
    if extension.critical {
        words.push_str(" (critical)");
    }
    if extension.parsed_extension().error().is_some() {
        words.push_str(" (malformed)");
    }
    words
}

/// The usual name of an identifier, or its digits.
fn oid_words(oid: &Oid<'_>) -> String {
    let name = oid2sn(oid, oid_registry()).or_else(|_| oid2description(oid, oid_registry()));
    name.map_or_else(|_| oid.to_id_string(), ToOwned::to_owned)
}
