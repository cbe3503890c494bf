//! TLS chain evidence: each rule broken once, and a published chain.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read and write files, and their helpers stand outside of test functions"
)]

mod common;

use common::{
    RSA_SHA1, RSA_SHA256, dns, key, patched, root, root_with_key, rsa, self_signed, time, vectors,
};
use genten_pki::{
    Certificate, CertificateError, IssuerSignatureError, LeafIssuer, MAX_CHAIN, SctAlgorithm,
    SctList, SignatureAlgorithm, TlsChainError, TlsChainFacts, TlsClaims, certificates_from_pem,
    check_tls_chain, issuer_text,
};
use genten_primitives::Sha256Digest;
use genten_primitives::signature::{Scheme, SignatureError};
use rcgen::{CertificateParams, CustomExtension, IsCa, KeyUsagePurpose};

const HOST: &str = "www.example.org";
const FETCHED_AT: &str = "2025-06-01T00:00:00Z";

fn plain(_: &mut CertificateParams) {}

fn server(params: &mut CertificateParams) {
    params.subject_alt_names = vec![dns(HOST)];
}

fn claims(leaf: &Certificate) -> TlsClaims<'static> {
    TlsClaims {
        leaf_sha256: leaf.sha256(),
        host: HOST,
        fetched_at: time(FETCHED_AT),
        spki_sha256: Some(leaf.spki_sha256()),
        issuer: None,
    }
}

fn check(chain: &[&Certificate]) -> Result<TlsChainFacts, TlsChainError> {
    let ders: Vec<_> = chain.iter().map(|certificate| certificate.der()).collect();
    check_tls_chain(&ders, &claims(chain[0]))
}

#[test]
fn a_chain_supports_the_manifest() {
    let root = root("root", &plain);
    let ca = root.ca("issuing", &plain);
    let leaf = ca.leaf(&server);
    let ders = [leaf.der(), ca.certificate().der(), root.certificate().der()].map(<[u8]>::to_vec);
    let claims = TlsClaims { issuer: Some("CN=issuing"), ..claims(&leaf) };
    let facts = check_tls_chain(&ders, &claims).unwrap();
    assert_eq!(facts.issuer, LeafIssuer::Certificate(Box::new(ca.certificate())));
    assert_eq!(facts.covering_name, HOST);
    assert_eq!(facts.leaf, leaf);
}

#[test]
fn a_published_chain_with_its_timestamps() {
    let Some(path) = vectors("azul/crates/static_ct_api/tests/cloudflare.pem") else { return };
    let chain = certificates_from_pem(&std::fs::read_to_string(path).unwrap()).unwrap();
    let ders: Vec<_> = chain.iter().map(Certificate::der).collect();
    let claims = TlsClaims {
        host: "cloudflare.com",
        fetched_at: time("2025-10-01T00:00:00Z"),
        issuer: Some("CN=WE1,O=Google Trust Services,C=US"),
        ..claims(&chain[0])
    };
    let facts = check_tls_chain(&ders, &claims).unwrap();
    assert_eq!(facts.issuer, LeafIssuer::Certificate(Box::new(chain[1].clone())));
    let www = TlsClaims { host: "www.cloudflare.com", ..claims };
    let host = www.host.to_owned();
    assert_eq!(check_tls_chain(&ders, &www), Err(TlsChainError::Host { host }));

    let bytes = chain[0].sct_list().unwrap();
    let list = SctList::from_bytes(bytes).unwrap();
    assert_eq!(list.to_bytes(), bytes);
    let shown: Vec<_> = list.v1().map(|sct| (sct.log_id, sct.time().unwrap())).collect();
    let log = |text: &str| text.parse::<Sha256Digest>().unwrap();
    // As `openssl x509 -text` prints them.
    let xenon = log("dddcca3495d7e11605e79532fac79ff83d1c50dfdb003a1412760a2cacbbc82a");
    assert_eq!(shown.len(), 2);
    assert_eq!(shown[0], (xenon, time("2025-09-10T19:11:57.152Z")));
    for sct in list.v1() {
        assert_eq!(sct.algorithm, SctAlgorithm::EcdsaSha256);
        assert_eq!(sct.leaf_index(), Ok(None));
    }
}

#[test]
fn the_digest_is_that_of_the_first_certificate() {
    let root = root("root", &plain);
    let leaf = root.leaf(&server);
    let other = root.leaf(&server);
    let answer = check_tls_chain(&[other.der(), root.certificate().der()], &claims(&leaf));
    let (expected, calculated) = (leaf.sha256(), other.sha256());
    assert_eq!(answer, Err(TlsChainError::LeafDigest { expected, calculated }));
    let none: [&[u8]; 0] = [];
    assert_eq!(check_tls_chain(&none, &claims(&leaf)), Err(TlsChainError::Empty));
}

#[test]
fn a_leaf_must_be_readable() {
    let root = root("root", &plain);
    let junk = b"junk";
    let claims = TlsClaims { leaf_sha256: Sha256Digest::of(junk), ..claims(&root.certificate()) };
    let answer = check_tls_chain(&[junk], &claims);
    assert!(matches!(
        answer,
        Err(TlsChainError::Certificate { index: 0, source: CertificateError::Malformed { .. } })
    ));
}

#[test]
fn any_flipped_bit_of_the_leaf_is_refused() {
    let root = root("root", &plain);
    let good = root.leaf(&server);
    let issuer = root.certificate();
    assert!(check(&[&good, &issuer]).is_ok());
    for at in 0..good.der().len() {
        for bit in 0..8 {
            let mut der = good.der().to_vec();
            der[at] ^= 1 << bit;
            // The digest is the forger's to choose; the issuer's signature is not.
            let claims = TlsClaims {
                leaf_sha256: Sha256Digest::of(&der),
                spki_sha256: None,
                ..claims(&good)
            };
            let answer = check_tls_chain(&[der.as_slice(), issuer.der()], &claims);
            assert!(answer.is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn a_name_must_cover_the_host() {
    let root = root("root", &plain);
    let leaf = root.leaf(&|params| {
        params.subject_alt_names =
            vec![dns("*.example.org"), rcgen::SanType::IpAddress("::1".parse().unwrap())];
        params.distinguished_name.push(rcgen::DnType::CommonName, "cn.test");
    });
    let ask = |host| {
        let claims = TlsClaims { host, ..claims(&leaf) };
        check_tls_chain(&[leaf.der(), root.certificate().der()], &claims)
    };
    assert_eq!(ask("www.example.org").unwrap().covering_name, "*.example.org");
    assert_eq!(ask("[::1]").unwrap().covering_name, "::1");
    for host in ["example.org", "cn.test", "127.0.0.1"] {
        assert_eq!(ask(host), Err(TlsChainError::Host { host: host.to_owned() }));
    }
}

#[test]
fn fetched_within_the_validity() {
    let root = root("root", &plain);
    let leaf = root.leaf(&server);
    let ask = |at: &str| {
        let claims = TlsClaims { fetched_at: time(at), ..claims(&leaf) };
        check_tls_chain(&[leaf.der(), root.certificate().der()], &claims)
    };
    assert!(ask("2024-01-01T00:00:00Z").is_ok());
    assert!(ask("2026-01-01T00:00:00.999Z").is_ok());
    for at in ["2023-12-31T23:59:59.999Z", "2026-01-01T00:00:01Z"] {
        let validity = leaf.validity();
        assert_eq!(ask(at), Err(TlsChainError::Validity { fetched_at: time(at), validity }));
    }
}

#[test]
fn signed_members_must_agree() {
    let root = root("root", &plain);
    let leaf = root.leaf(&server);
    let chain = [leaf.der().to_vec(), root.certificate().der().to_vec()];
    let expected = Sha256Digest::of(b"");
    let answer =
        check_tls_chain(&chain, &TlsClaims { spki_sha256: Some(expected), ..claims(&leaf) });
    let calculated = leaf.spki_sha256();
    assert_eq!(answer, Err(TlsChainError::SpkiDigest { expected, calculated }));
    let answer = check_tls_chain(&chain, &TlsClaims { issuer: Some("CN=Root"), ..claims(&leaf) });
    let (expected, calculated) = ("CN=Root".to_owned(), issuer_text(&leaf));
    assert_eq!(answer, Err(TlsChainError::Issuer { expected, calculated }));
}

#[test]
fn the_issuer_is_found_by_name_wherever_it_stands() {
    let root = root("root", &plain);
    let ca = root.ca("issuing", &plain);
    let namesake = root.ca("issuing", &plain);
    let stranger = root.ca("stranger", &plain);
    let leaf = ca.leaf(&server);
    let (ca, namesake) = (ca.certificate(), namesake.certificate());
    let facts = check(&[&leaf, &stranger.certificate(), &root.certificate(), &namesake, &ca]);
    assert_eq!(facts.unwrap().issuer, LeafIssuer::Certificate(Box::new(ca)));
    let error = check(&[&leaf, &stranger.certificate()]).unwrap_err();
    assert_eq!(error, TlsChainError::IssuerMissing { issuer: "CN=issuing".to_owned() });
    assert!(!error.is_contradiction());
    assert_eq!(check(&[&leaf]), Err(error));
}

#[test]
fn the_issuers_signature_must_hold() {
    let root = root("root", &plain);
    let ca = root.ca("issuing", &plain);
    let namesake = root.ca("issuing", &plain);
    let error = check(&[&ca.leaf(&server), &namesake.certificate()]).unwrap_err();
    let invalid = IssuerSignatureError::Invalid(SignatureError::Mismatch);
    assert_eq!(error, TlsChainError::Signature(invalid));
    assert!(error.is_contradiction());
}

#[test]
fn the_issuer_may_sign_certificates() {
    let root = root("root", &plain);
    let not_ca = root.ca("issuing", &|params| params.is_ca = IsCa::NoCa);
    let no_right = root.ca("issuing", &|params| params.key_usages = vec![KeyUsagePurpose::CrlSign]);
    for issuer in [not_ca, no_right] {
        let sha256 = issuer.certificate().sha256();
        let answer = check(&[&issuer.leaf(&server), &issuer.certificate()]);
        assert_eq!(answer, Err(TlsChainError::IssuerNotCa { sha256 }));
    }
}

#[test]
fn a_self_signed_leaf_vouches_for_itself() {
    let leaf = self_signed(&server);
    assert_eq!(check(&[&leaf]).unwrap().issuer, LeafIssuer::SelfSigned);
    let other = self_signed(&server);
    assert_eq!(check(&[&leaf, &other]).unwrap().issuer, LeafIssuer::SelfSigned);
    let broken = patched(&leaf, b"www.example.org", b"WWW.example.org");
    let invalid = IssuerSignatureError::Invalid(SignatureError::Mismatch);
    assert_eq!(check(&[&broken]), Err(TlsChainError::Signature(invalid)));
}

#[test]
fn a_leaf_that_names_another_issuer_is_not_self_signed_whoever_holds_the_key() {
    let leaf = root("root", &plain).leaf_of_own_key(&server);
    let issuer = "CN=root".to_owned();
    assert_eq!(check(&[&leaf]), Err(TlsChainError::IssuerMissing { issuer }));
}

#[test]
fn a_self_issued_leaf_can_be_signed_by_a_namesake() {
    let ca = root("leaf", &plain);
    let leaf = ca.leaf(&server);
    assert!(leaf.is_self_issued());
    let facts = check(&[&leaf, &ca.certificate()]).unwrap();
    assert_eq!(facts.issuer, LeafIssuer::Certificate(Box::new(ca.certificate())));
}

#[test]
fn a_precertificate_serves_nobody() {
    let root = root("root", &plain);
    let poison = [1, 3, 6, 1, 4, 1, 11129, 2, 4, 3];
    let leaf = root.leaf(&|params| {
        server(params);
        let mut extension = CustomExtension::from_oid_content(&poison, vec![5, 0]);
        extension.set_criticality(true);
        params.custom_extensions = vec![extension];
    });
    assert_eq!(check(&[&leaf, &root.certificate()]), Err(TlsChainError::Precertificate));
}

#[test]
fn rsa_needs_its_backend_and_hides_nothing_else() {
    let root = root_with_key("root", &plain, rsa());
    let leaf = root.leaf(&server);
    let answer = check(&[&leaf, &root.certificate()]);
    if cfg!(feature = "aws-lc") {
        assert!(answer.is_ok(), "{answer:?}");
    } else {
        let algorithm = SignatureAlgorithm::Known(Scheme::RsaPkcs1Sha256);
        let error = TlsChainError::SignatureNotCheckable { algorithm };
        assert!(!error.is_contradiction());
        assert_eq!(answer, Err(error));
    }
    let elsewhere = TlsClaims { host: "b.test", ..claims(&leaf) };
    let answer = check_tls_chain(&[leaf.der(), root.certificate().der()], &elsewhere);
    assert_eq!(answer, Err(TlsChainError::Host { host: "b.test".to_owned() }));
}

#[test]
fn sha1_is_a_failure_and_p521_is_not_checkable() {
    let root = root_with_key("root", &plain, rsa());
    let weak = patched(&root.leaf(&server), RSA_SHA256, RSA_SHA1);
    let algorithm = SignatureAlgorithm::Weak("1.2.840.113549.1.1.5".parse().unwrap());
    let weak_signature = IssuerSignatureError::Weak { algorithm };
    let answer = check(&[&weak, &root.certificate()]);
    assert_eq!(answer, Err(TlsChainError::Signature(weak_signature)));
    for (p521, algorithm) in [
        (&rcgen::PKCS_ECDSA_P521_SHA512, "1.2.840.10045.4.3.4"),
        (&rcgen::PKCS_ECDSA_P521_SHA256, "ECDSA-SHA256 (DER)"),
    ] {
        let root = root_with_key("root", &plain, key(p521));
        let error = check(&[&root.leaf(&server), &root.certificate()]).unwrap_err();
        let TlsChainError::SignatureNotCheckable { algorithm: found } = error else {
            panic!("{error:?}")
        };
        assert_eq!(found.to_string(), algorithm);
    }
}

#[test]
fn chains_are_bounded() {
    let root = root("root", &plain);
    let leaf = root.leaf(&server);
    let issuer = root.certificate();
    let mut chain = vec![&leaf];
    chain.resize(MAX_CHAIN, &issuer);
    assert!(check(&chain).is_ok());
    chain.push(&issuer);
    assert_eq!(check(&chain), Err(TlsChainError::TooManyCertificates { found: MAX_CHAIN + 1 }));
}

#[test]
fn junk_beside_the_issuer_does_not_matter_but_instead_of_it_does() {
    let root = root("root", &plain);
    let leaf = root.leaf(&server);
    let issuer = root.certificate();
    let claims = claims(&leaf);
    assert!(check_tls_chain(&[leaf.der(), b"junk", issuer.der()], &claims).is_ok());
    let answer = check_tls_chain(&[leaf.der(), b"junk"], &claims);
    assert!(matches!(answer, Err(TlsChainError::Certificate { index: 1, .. })));
}
