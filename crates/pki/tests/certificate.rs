//! Published certificates, read by us and by others.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read and write files, and their helpers stand outside of test functions"
)]

mod common;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{files, root, self_signed_der, vectors};
use genten_pki::{Certificate, CertificateError, PemError, certificates_from_pem, issuer_text};
use genten_primitives::key::pem;
use rcgen::{CertificateParams, CustomExtension};
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};

/// All PEM files with certificates that the shared vectors hold.
fn pem_files() -> Vec<PathBuf> {
    let Some(folder) = vectors("") else { return Vec::new() };
    let mut found = files(&folder);
    found.retain(|path| path.extension().is_some_and(|extension| extension == "pem"));
    found
}

fn read(path: &Path) -> Result<Vec<Certificate>, PemError> {
    certificates_from_pem(&String::from_utf8_lossy(&std::fs::read(path).unwrap()))
}

#[test]
fn published_certificates_read_as_x509_parser_reads_them() {
    for path in pem_files() {
        let Ok(certificates) = read(&path) else { continue };
        for certificate in certificates {
            let (rest, other) = X509Certificate::from_der(certificate.der()).unwrap();
            assert!(rest.is_empty());
            agree(&certificate, &other);
        }
    }
}

fn agree(ours: &Certificate, other: &X509Certificate<'_>) {
    assert_eq!(ours.tbs_der(), other.tbs_certificate.as_ref());
    assert_eq!(ours.spki_der(), other.public_key().raw);
    assert_eq!(ours.signature(), other.signature_value.data.as_ref());
    assert_eq!(ours.issuer().der(), other.issuer().as_raw());
    assert_eq!(ours.subject().der(), other.subject().as_raw());
    let seconds = |time: genten_primitives::Timestamp| time.as_millis() / 1000;
    assert_eq!(seconds(ours.validity().not_before), other.validity().not_before.timestamp());
    assert_eq!(seconds(ours.validity().not_after), other.validity().not_after.timestamp());
    assert_eq!(ours.is_ca(), other.is_ca());
    let usage = other.key_usage().unwrap().map(|usage| usage.value);
    assert_eq!(
        ours.key_usage().map(|usage| (usage.digital_signature, usage.key_cert_sign)),
        usage.map(|usage| (usage.digital_signature(), usage.key_cert_sign())),
    );
    let purposes = other.extended_key_usage().unwrap().map(|usage| usage.value.server_auth);
    let server_auth = "1.3.6.1.5.5.7.3.1".parse().unwrap();
    assert_eq!(ours.extended_key_usage().map(|purposes| purposes.contains(&server_auth)), purposes);
    let names = other.subject_alternative_name().unwrap();
    let dns = names.into_iter().flat_map(|names| &names.value.general_names).filter_map(|name| {
        if let GeneralName::DNSName(name) = name { Some((*name).to_owned()) } else { None }
    });
    assert_eq!(ours.subject_alt_names().dns, dns.collect::<Vec<_>>());
}

#[test]
fn every_published_file_is_read_or_refused_for_its_flaw() {
    for path in pem_files() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match (name.as_str(), read(&path)) {
            (
                "mismatching-sig-alg.pem" | "fake-intermediate-with-mismatching-sig-alg.pem",
                read,
            ) => {
                let source = CertificateError::SignatureAlgorithmMismatch;
                assert_eq!(read, Err(PemError::Certificate { index: 0, source }), "{name}");
            }
            (_, Err(PemError::Label { found, .. })) => assert_eq!(found, "PUBLIC KEY", "{name}"),
            // One published .pem file is DER.
            (_, Err(PemError::Empty)) => {
                assert!(Certificate::from_der(&std::fs::read(&path).unwrap()).is_ok())
            }
            (_, read) => assert!(read.is_ok(), "{name}"),
        }
    }
}

/// What `openssl x509` prints about a certificate.
fn openssl(certificate: &Certificate, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("openssl");
    command.args(["x509", "-noout", "-inform", "DER"]).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        eprintln!("SKIPPED: no openssl");
        return None;
    };
    // A certificate fits into the pipe.
    child.stdin.take().unwrap().write_all(certificate.der()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().trim_end().to_owned())
}

#[test]
fn openssl_prints_the_same_fingerprint_and_names() {
    let name_options = ["-issuer", "-nameopt", "RFC2253,utf8,-esc_msb"];
    for path in pem_files() {
        for certificate in read(&path).unwrap_or_default() {
            let Some(fingerprint) = openssl(&certificate, &["-fingerprint", "-sha256"]) else {
                return;
            };
            let (_, digits) = fingerprint.split_once('=').unwrap();
            let digits = digits.replace(':', "").to_lowercase();
            assert_eq!(certificate.sha256().to_string(), digits);
            let issuer = openssl(&certificate, &name_options).unwrap();
            assert_eq!(format!("issuer={}", issuer_text(&certificate)), issuer);
        }
    }
}

#[test]
fn pem_text_may_be_laid_out_as_files_in_use_are() {
    let root = root("root", &|_| {}).certificate();
    let block = pem::encode("CERTIFICATE", root.der());
    let body = block.lines().filter(|line| !line.starts_with('-')).collect::<String>();
    let one_line = format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----");
    let twice =
        format!("0 s:CN = root\n{block}1 s:CN = root\r\n{}---\n", block.replace('\n', "\r\n"));
    assert_eq!(certificates_from_pem(&block).unwrap(), std::slice::from_ref(&root));
    assert_eq!(certificates_from_pem(&one_line).unwrap(), std::slice::from_ref(&root));
    assert_eq!(certificates_from_pem(&twice).unwrap(), [root.clone(), root]);
}

/// x509-parser, for one, passes over bytes between the signature and the end of the certificate.
#[test]
fn one_certificate_and_nothing_inside_it() {
    let leaf = root("root", &|_| {}).leaf(&|_| {});
    let mut der = [leaf.der(), &[5, 0]].concat();
    assert_eq!(der[..2], [0x30, 0x82], "a length of two bytes");
    let content = u16::try_from(der.len() - 4).unwrap();
    der[2..4].copy_from_slice(&content.to_be_bytes());
    assert!(X509Certificate::from_der(&der).is_ok_and(|(rest, _)| rest.is_empty()));
    assert!(matches!(Certificate::from_der(&der), Err(CertificateError::Malformed { .. })));
}

/// The DER with the last `from` replaced.
fn with_last(certificate: &Certificate, from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut der = certificate.der().to_vec();
    let at = (0..der.len() - from.len()).rev().find(|at| der[*at..].starts_with(from)).unwrap();
    der[at..at + to.len()].copy_from_slice(to);
    der
}

#[test]
fn the_signed_algorithm_is_the_one_outside() {
    let root = root("root", &|_| {}).certificate();
    let (sha256, sha384) =
        ([0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2], [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 3]);
    let der = with_last(&root, &sha256, &sha384);
    assert_eq!(Certificate::from_der(&der), Err(CertificateError::SignatureAlgorithmMismatch));
}

#[test]
fn only_version_3_has_extensions() {
    let root = root("root", &|_| {}).certificate();
    let der = with_last(&root, &[0xa0, 3, 2, 1, 2], &[0xa0, 3, 2, 1, 1]);
    assert!(matches!(Certificate::from_der(&der), Err(CertificateError::Malformed { .. })));
}

#[test]
fn no_extension_stands_twice() {
    for oid in [[2, 5, 29, 17], [1, 2, 3, 4]] {
        let names = vec![0x30, 3, 0x82, 1, b'a'];
        let extension = CustomExtension::from_oid_content(&oid, names);
        let twice = |params: &mut CertificateParams| {
            params.custom_extensions = vec![extension.clone(), extension.clone()];
        };
        let der = self_signed_der(&twice);
        let found = Certificate::from_der(&der);
        assert!(matches!(found, Err(CertificateError::DuplicateExtension { .. })), "{found:?}");
    }
}

#[test]
fn one_certificate_and_nothing_after_it() {
    let Some(path) = vectors("azul/crates/sct_validator/tests/cloudflare.pem") else { return };
    let der = read(&path).unwrap()[0].der().to_vec();
    let length = u32::try_from(der.len()).unwrap();
    let trailing = [der.as_slice(), &[0]].concat();
    assert_eq!(
        Certificate::from_der(&trailing),
        Err(CertificateError::Malformed { offset: length })
    );
    for shorter in 0..der.len() {
        assert!(Certificate::from_der(&der[..shorter]).is_err(), "{shorter}");
    }
}

#[test]
fn certificates_are_small() {
    let length = genten_pki::MAX_CERTIFICATE + 1;
    let large = vec![0; length];
    assert_eq!(Certificate::from_der(&large), Err(CertificateError::TooLarge { length }));
    let at_limit = Certificate::from_der(&large[1..]);
    assert!(matches!(at_limit, Err(CertificateError::Malformed { .. })));
}
