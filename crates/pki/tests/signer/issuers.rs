//! Rules about issuers and the way up to the root.

use std::collections::BTreeSet;
use std::process::Command;

use genten_pki::{AuthorityError, AuthorityParts, Certificate, ChainError, SignerAuthority};
use genten_primitives::Sha256Digest;
use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, ExtendedKeyUsagePurpose, GeneralSubtree, IsCa,
    KeyUsagePurpose, NameConstraints, SanType, date_time_ymd,
};

use crate::common::{dns, excludes_uris_of, p256, permits_uris_of, root, root_with_key, time, uri};
use crate::{KEY_ID, authority, below, parts, plain, signer, verify};

#[test]
fn a_path_holds_from_the_signer_to_the_root() {
    let root = root("root", &plain);
    let upper = root.ca("upper", &|params| params.not_after = date_time_ymd(2025, 9, 1));
    let lower = upper.ca("lower", &|params| params.not_before = date_time_ymd(2025, 3, 1));
    let stranger = root.ca("stranger", &plain);
    let leaf = lower.leaf(&signer);
    let path = verify(&leaf, &[&stranger, &upper, &lower], &authority(&root)).unwrap();
    let digests = [&leaf, &lower.certificate(), &upper.certificate(), &root.certificate()];
    assert_eq!(path.certificates, digests.map(Certificate::sha256));
    assert_eq!(path.validity.not_before, time("2025-03-01T00:00:00Z"));
    assert_eq!(path.validity.not_after, time("2025-09-01T00:00:00Z"));
}

#[test]
fn openssl_accepts_the_same_path() {
    let root = root("root", &plain);
    let ca = root.ca("intermediate", &plain);
    let leaf = ca.leaf(&signer);
    assert!(verify(&leaf, &[&ca], &authority(&root)).is_ok());
    let folder = std::env::temp_dir().join(format!("genten-pki-{}", leaf.sha256()));
    std::fs::create_dir(&folder).unwrap();
    let files = [("root", &root.certificate()), ("ca", &ca.certificate()), ("leaf", &leaf)];
    for (name, certificate) in files {
        let text = genten_primitives::key::pem::encode("CERTIFICATE", certificate.der());
        std::fs::write(folder.join(name), text).unwrap();
    }
    let mut command = Command::new("openssl");
    command.current_dir(&folder).args(["verify", "-attime", "1748736000"]);
    let output = command.args(["-CAfile", "root", "-untrusted", "ca", "leaf"]).output();
    std::fs::remove_dir_all(&folder).unwrap();
    match output {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said}");
        }
        Err(_) => eprintln!("SKIPPED: no openssl"),
    }
}

#[test]
fn an_expired_root_is_still_the_root() {
    let root = root("root", &|params| params.not_after = date_time_ymd(2021, 1, 1));
    assert!(verify(&root.leaf(&signer), &[], &authority(&root)).is_ok());
}

#[test]
fn an_issuer_is_a_ca_and_may_sign_certificates() {
    assert_eq!(below(&|params| params.is_ca = IsCa::NoCa, &plain), Err(ChainError::IssuerNotCa));
    let explicit = below(&|params| params.is_ca = IsCa::ExplicitNoCa, &plain);
    assert_eq!(explicit, Err(ChainError::IssuerNotCa));
    let no_usage = below(&|params| params.key_usages = Vec::new(), &plain);
    assert!(no_usage.is_ok());
    let other = below(&|params| params.key_usages = vec![KeyUsagePurpose::CrlSign], &plain);
    assert!(matches!(other, Err(ChainError::IssuerKeyUsage { .. })));
}

#[test]
fn purposes_of_an_issuer_bind_what_is_below() {
    use ExtendedKeyUsagePurpose as P;
    let answer = |issuer: &[P], leaf: &[P]| {
        below(&|params| params.extended_key_usages = issuer.to_vec(), &|params| {
            params.extended_key_usages = leaf.to_vec()
        })
    };
    assert!(answer(&[P::ClientAuth], &[P::ClientAuth, P::ServerAuth]).is_ok());
    assert!(answer(&[P::Any], &[P::CodeSigning]).is_ok());
    assert!(answer(&[P::CodeSigning], &[]).is_ok());
    for (issuer, leaf) in [
        (&[P::ServerAuth][..], &[P::ClientAuth][..]),
        (&[P::ServerAuth], &[]),
        (&[P::CodeSigning], &[P::ClientAuth]),
    ] {
        let answer = answer(issuer, leaf);
        assert!(matches!(answer, Err(ChainError::ExtendedKeyUsage { .. })), "{issuer:?} {leaf:?}");
    }
}

#[test]
fn path_length_is_kept() {
    let root = root("root", &plain);
    let upper =
        root.ca("upper", &|params| params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0)));
    let lower = upper.ca("lower", &plain);
    assert!(verify(&upper.leaf(&signer), &[&upper], &authority(&root)).is_ok());
    let answer = verify(&lower.leaf(&signer), &[&upper, &lower], &authority(&root));
    assert_eq!(answer, Err(ChainError::PathLength));
}

#[test]
fn name_constraints_are_kept() {
    let constrained = |permitted: &str, name: &str| {
        below(
            &|params| {
                params.name_constraints = Some(NameConstraints {
                    permitted_subtrees: vec![GeneralSubtree::DnsName(permitted.to_owned())],
                    excluded_subtrees: Vec::new(),
                });
            },
            &|params| params.subject_alt_names.push(dns(name)),
        )
    };
    assert!(constrained("example.org", "a.example.org").is_ok());
    assert_eq!(constrained("example.org", "b.test"), Err(ChainError::NameConstraints));
}

#[test]
fn constraints_of_uris_are_told_apart() {
    for extension in [permits_uris_of("mcp.example.org"), excludes_uris_of("b.test")] {
        let edit = |params: &mut CertificateParams| {
            params.custom_extensions = vec![extension.clone()];
        };
        assert_eq!(below(&edit, &plain), Err(ChainError::UriConstraintsUnsupported));
        let root = root("root", &edit);
        assert!(root.certificate().constrains_uris());
        let answer = verify(&root.leaf(&signer), &[], &authority(&root));
        assert_eq!(answer, Err(ChainError::UriConstraintsUnsupported));
    }
}

#[test]
fn a_stranger_that_constrains_uris_changes_nothing() {
    let root = root("root", &plain);
    let stranger = root.ca("stranger", &|params| {
        params.custom_extensions = vec![permits_uris_of("b.test")];
    });
    let ca = root.ca("intermediate", &|params| {
        params.name_constraints = Some(NameConstraints {
            permitted_subtrees: vec![GeneralSubtree::DnsName("example.org".to_owned())],
            excluded_subtrees: Vec::new(),
        });
    });
    let leaf = ca.leaf(&|params| params.subject_alt_names = vec![uri(KEY_ID), dns("b.test")]);
    let answer = verify(&leaf, &[&stranger, &ca], &authority(&root));
    assert_eq!(answer, Err(ChainError::NameConstraints));
}

#[test]
fn unreadable_constraints_are_malformed() {
    let sparse = CidrSubnet::V4([10, 0, 0, 0], [255, 0, 255, 0]);
    let answer = below(
        &|params| {
            params.name_constraints = Some(NameConstraints {
                permitted_subtrees: vec![GeneralSubtree::IpAddress(sparse)],
                excluded_subtrees: Vec::new(),
            });
        },
        &|params| params.subject_alt_names.push(SanType::IpAddress("10.0.0.1".parse().unwrap())),
    );
    assert_eq!(answer, Err(ChainError::Malformed));
}

#[test]
fn revoked_certificates_end_a_path() {
    let root = root("root", &plain);
    let ca = root.ca("intermediate", &plain);
    let leaf = ca.leaf(&signer);
    for revoked in [leaf.sha256(), ca.certificate().sha256(), root.certificate().sha256()] {
        let parts = AuthorityParts { revoked: BTreeSet::from([revoked]), ..parts(&root) };
        let authority = SignerAuthority::new(parts).unwrap();
        let answer = verify(&leaf, &[&ca], &authority);
        assert_eq!(answer, Err(ChainError::Revoked { sha256: revoked }));
    }
    let other = AuthorityParts { revoked: BTreeSet::from([Sha256Digest::of(b"")]), ..parts(&root) };
    assert!(verify(&leaf, &[&ca], &SignerAuthority::new(other).unwrap()).is_ok());
}

#[test]
fn a_second_certificate_of_the_same_issuer_still_leads_to_the_root() {
    let root = root("root", &plain);
    let key = p256();
    let again = rcgen::KeyPair::from_pkcs8_der_and_sign_algo(
        &key.serialize_der().into(),
        &rcgen::PKCS_ECDSA_P256_SHA256,
    );
    let first = root.ca_with_key("intermediate", &plain, key);
    let second = root.ca_with_key("intermediate", &plain, again.unwrap());
    let leaf = first.leaf(&signer);
    let revoked = first.certificate().sha256();
    let parts = AuthorityParts { revoked: BTreeSet::from([revoked]), ..parts(&root) };
    let authority = SignerAuthority::new(parts).unwrap();
    let path = verify(&leaf, &[&first, &second], &authority).unwrap();
    assert_eq!(path.certificates[1], second.certificate().sha256());
    let answer = verify(&leaf, &[&first], &authority);
    assert_eq!(answer, Err(ChainError::Revoked { sha256: revoked }));
}

#[test]
fn a_renewed_root_stands_for_its_revoked_predecessor() {
    let key = p256();
    let again = rcgen::KeyPair::from_pkcs8_der_and_sign_algo(
        &key.serialize_der().into(),
        &rcgen::PKCS_ECDSA_P256_SHA256,
    );
    let old = root_with_key("root", &plain, key);
    let renewed = root_with_key("root", &plain, again.unwrap());
    let revoked = BTreeSet::from([old.certificate().sha256()]);
    let roots = vec![old.certificate(), renewed.certificate()];
    let parts = AuthorityParts { roots, revoked, ..parts(&old) };
    let path = verify(&old.leaf(&signer), &[], &SignerAuthority::new(parts).unwrap()).unwrap();
    assert_eq!(path.certificates[1], renewed.certificate().sha256());
}

#[test]
fn chains_are_bounded() {
    let root = root("root", &plain);
    let mut chain = vec![root.ca("ca", &plain)];
    for level in 1..10 {
        chain.push(chain[level - 1].ca(&format!("ca {level}"), &plain));
    }
    let answer = |depth: usize| {
        let used: Vec<_> = chain[..depth].iter().collect();
        verify(&chain[depth - 1].leaf(&signer), &used, &authority(&root))
    };
    assert!(answer(6).is_ok());
    assert_eq!(answer(7), Err(ChainError::Depth));
    assert_eq!(answer(9), Err(ChainError::Depth));
    assert_eq!(answer(10), Err(ChainError::TooManyCertificates { found: 11 }));
}

#[test]
fn a_maze_of_equal_names_ends() {
    let maze: Vec<_> = (0..9).map(|_| root("same", &plain)).collect();
    let trusted = root("same", &plain);
    let all: Vec<_> = maze.iter().collect();
    let answer = verify(&maze[0].leaf(&signer), &all, &authority(&trusted));
    assert_eq!(answer, Err(ChainError::TooComplex));
}

#[test]
fn an_authority_must_be_able_to_authorise() {
    let root = root("root", &plain);
    let error = |parts: AuthorityParts| SignerAuthority::new(parts).unwrap_err();
    let good = || parts(&root);
    assert_eq!(error(AuthorityParts { roots: Vec::new(), ..good() }), AuthorityError::NoRoots);
    assert_eq!(error(AuthorityParts { san_uri: Vec::new(), ..good() }), AuthorityError::NoPatterns);
    assert_eq!(
        error(AuthorityParts { eku: Some(Vec::new()), ..good() }),
        AuthorityError::NoPurposes
    );
    let leaf = root.leaf(&signer);
    let sha256 = leaf.sha256();
    let roots = vec![root.certificate(), leaf];
    assert_eq!(error(AuthorityParts { roots, ..good() }), AuthorityError::RootNotCa { sha256 });
}
