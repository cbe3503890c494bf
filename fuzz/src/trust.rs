//! What a verifier is told to believe.

use genten_manifest::{Claims, SourceClass};
use genten_primitives::Sha256Digest;
use genten_verify::kit::Status;
use genten_verify::{Policy, Requirement, TrustKit, keys_from_file};

/// A policy asks for signature and signer, whatever the source.
pub(crate) fn policy(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(policy) = Policy::read(text) else { return false };
    assert_eq!(policy.sha256(), Sha256Digest::of(bytes));
    let url = "https://a.example/law".parse().expect("a URL");
    let time = "2026-11-30T08:15:00Z".parse().expect("a time");
    let claims = Claims::builder(url, time, Sha256Digest::of(b"")).finish();
    let mut claims = claims.expect("no contradiction");
    let classes = SourceClass::ALL.iter().map(|class| Some(*class)).chain([None]);
    for class in classes {
        claims.source_class = class;
        let (require, _) = policy.requirements(&claims);
        assert!(require.contains(Requirement::Signature) && require.contains(Requirement::Signer));
    }
    true
}

/// No pair of id and key stands twice, a retired key has an end, a content log key has no other role.
pub(crate) fn kit(bytes: &[u8]) -> bool {
    let kit = match TrustKit::read(bytes) {
        Ok(kit) => kit,
        Err(error) => {
            assert!(error.offset <= bytes.len() && error.path.starts_with('$'));
            return false;
        }
    };
    assert_eq!(kit.sha256(), Some(Sha256Digest::of(bytes)));
    for (position, signer) in kit.signers().iter().enumerate() {
        assert_eq!(signer.thumbprint, signer.public_key.thumbprint());
        assert!(signer.status != Status::Retired || signer.window.until.is_some());
        let same = |other: &genten_verify::kit::Signer| {
            other.key_id == signer.key_id && other.thumbprint == signer.thumbprint
        };
        assert!(!kit.signers()[..position].iter().any(same));
        for key in &signer.content_log_keys {
            assert!(kit.signers().iter().all(|other| other.public_key != *key));
            assert!(kit.signers().iter().all(|other| !other.log_keys.contains(key)));
        }
    }
    true
}

/// Public keys only.
pub(crate) fn key_file(bytes: &[u8]) -> bool {
    match keys_from_file(bytes) {
        Ok(keys) => {
            assert!(!keys.is_empty());
            assert!(!String::from_utf8_lossy(bytes).contains("PRIVATE KEY-----"));
            true
        }
        Err(error) => {
            assert!(error.code().starts_with("key."));
            false
        }
    }
}
