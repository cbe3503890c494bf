//! Rules about the signer's own certificate.

use genten_pki::{Certificate, ChainError, verify_signer_path};
use rcgen::{
    BasicConstraints, CustomExtension, ExtendedKeyUsagePurpose, IsCa, KeyUsagePurpose,
    date_time_ymd,
};

use crate::common::{dns, root, time, uri};
use crate::{AT, authority, authority_with_eku, direct, plain, signer, verify, verify_at};

#[test]
fn any_flipped_bit_of_the_leaf_is_refused() {
    let root = root("root", &plain);
    let authority = authority(&root);
    let good = root.leaf(&signer);
    assert!(verify(&good, &[], &authority).is_ok());
    let mut read = 0;
    for at in 0..good.der().len() {
        for bit in 0..8 {
            let mut der = good.der().to_vec();
            der[at] ^= 1 << bit;
            let Ok(leaf) = Certificate::from_der(&der) else { continue };
            read += 1;
            assert!(verify(&leaf, &[], &authority).is_err(), "bit {bit} of byte {at}");
        }
    }
    assert!(read > 1000, "most flips leave a readable certificate, {read} did");
}

#[test]
fn the_key_id_stands_in_the_certificate_and_in_the_patterns() {
    let root = root("root", &plain);
    let leaf = root.leaf(&|params| {
        params.subject_alt_names =
            vec![dns("mcp.example.org"), uri("https://mcp.example.org/a"), uri("https://b.test/")];
    });
    let ask = |key_id| verify_signer_path(&leaf, &[], &authority(&root), key_id, time(AT));
    let missing = |key_id: &str| ChainError::KeyIdNotInCertificate { key_id: key_id.to_owned() };
    let uncovered = |key_id: &str| ChainError::KeyIdNotCovered { key_id: key_id.to_owned() };
    assert!(ask("https://mcp.example.org/a").is_ok());
    for key_id in [
        "https://mcp.example.org/A",
        "https://mcp.example.org/a/",
        "https://mcp.example.org/",
        "https://mcp.example.org/%61",
    ] {
        assert_eq!(ask(key_id), Err(missing(key_id)));
    }
    for key_id in ["https://b.test/", "https://mcp.example.org/x/../a", "mcp.example.org", ""] {
        assert_eq!(ask(key_id), Err(uncovered(key_id)));
    }
}

#[test]
fn validity_counts_whole_seconds_and_both_ends() {
    let root = root("root", &plain);
    let ca = root.ca("intermediate", &|params| {
        params.not_before = date_time_ymd(2024, 6, 1);
        params.not_after = date_time_ymd(2025, 6, 1);
    });
    let leaf = ca.leaf(&signer);
    let ask = |at: &str| verify_at(&leaf, &[&ca], &authority(&root), time(at));
    let expired = |at: &str, not_after: &str| {
        Err(ChainError::Expired { at: time(at), not_after: time(not_after) })
    };
    let early = |at: &str, not_before: &str| {
        Err(ChainError::NotYetValid { at: time(at), not_before: time(not_before) })
    };
    assert!(ask("2024-06-01T00:00:00Z").is_ok());
    assert!(ask("2025-06-01T00:00:00.999Z").is_ok());
    assert_eq!(
        ask("2025-06-01T00:00:01Z"),
        expired("2025-06-01T00:00:01Z", "2025-06-01T00:00:00Z")
    );
    let just_before = "2024-05-31T23:59:59.999Z";
    assert_eq!(ask(just_before), early(just_before, "2024-06-01T00:00:00Z"));
    let before_leaf = "2023-12-31T23:59:59Z";
    assert_eq!(ask(before_leaf), early(before_leaf, "2024-01-01T00:00:00Z"));
    let after_leaf = "2026-01-01T00:00:01Z";
    assert_eq!(ask(after_leaf), expired(after_leaf, "2026-01-01T00:00:00Z"));
    let long_ago = "0001-01-01T00:00:00Z";
    assert_eq!(ask(long_ago), early(long_ago, "2024-01-01T00:00:00Z"));
    let far = "9999-12-31T23:59:59Z";
    assert_eq!(ask(far), expired(far, "2026-01-01T00:00:00Z"));
}

#[test]
fn a_signer_is_no_ca_and_may_sign() {
    let ca = direct(&|params| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained));
    assert_eq!(ca, Err(ChainError::CaAsLeaf));
    let usage = |usages: &[KeyUsagePurpose]| direct(&|params| params.key_usages = usages.to_vec());
    assert!(usage(&[KeyUsagePurpose::DigitalSignature]).is_ok());
    assert_eq!(usage(&[KeyUsagePurpose::KeyEncipherment]), Err(ChainError::KeyUsage));
    assert_eq!(usage(&[KeyUsagePurpose::ContentCommitment]), Err(ChainError::KeyUsage));
}

#[test]
fn purposes_without_a_stated_list() {
    use ExtendedKeyUsagePurpose as P;
    let leaf = |purposes: &[P]| direct(&|params| params.extended_key_usages = purposes.to_vec());
    for good in [P::ClientAuth, P::CodeSigning, P::EmailProtection, P::Any] {
        assert!(leaf(&[P::ServerAuth, good.clone()]).is_ok(), "{good:?}");
    }
    for bad in [P::ServerAuth, P::TimeStamping, P::OcspSigning, P::Other(vec![1, 2, 3])] {
        let answer = leaf(&[bad]);
        assert!(matches!(answer, Err(ChainError::ExtendedKeyUsage { .. })), "{answer:?}");
    }
}

#[test]
fn purposes_with_a_stated_list() {
    use ExtendedKeyUsagePurpose as P;
    let root = root("root", &plain);
    let authority = authority_with_eku(&root, &["1.2.3", "1.3.6.1.5.5.7.3.3"]);
    let leaf = |purposes: &[P]| {
        let leaf = root.leaf(&|params| {
            signer(params);
            params.extended_key_usages = purposes.to_vec();
        });
        verify(&leaf, &[], &authority)
    };
    assert!(leaf(&[P::Other(vec![1, 2, 3])]).is_ok());
    assert!(leaf(&[P::ServerAuth, P::CodeSigning]).is_ok());
    for bad in [&[][..], &[P::Any], &[P::ClientAuth], &[P::Other(vec![1, 2, 3, 4])]] {
        assert!(matches!(leaf(bad), Err(ChainError::ExtendedKeyUsage { .. })), "{bad:?}");
    }
}

#[test]
fn critical_extensions_must_be_understood() {
    let answer = direct(&|params| {
        let mut unknown = CustomExtension::from_oid_content(&[1, 2, 3, 4], vec![5, 0]);
        unknown.set_criticality(true);
        params.custom_extensions = vec![unknown];
    });
    assert_eq!(answer, Err(ChainError::CriticalExtension));
}
