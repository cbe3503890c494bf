//! The checkpoints of Sigstore's conformance cases, with the keys of their trusted roots.

use genten_primitives::PublicKey;
use genten_primitives::encoding::{base64, from_base64};
use genten_tlog::merkle::leaf_hash;
use genten_tlog::{CheckpointError, InclusionProof, LogIdentity, NoteError, NoteKey, ProofError};

use crate::common::{base64_hash, document, read, strings, text, vectors};
use crate::published::verify;

const CASES: &str = "sigstore-conformance/test/assets/bundle-verify";

/// The log of a trusted root with this host, under this origin.
fn log(trusted_root: &[u8], host: &str, origin: &str) -> LogIdentity {
    let document = document(trusted_root);
    let mut logs = document.root().get("tlogs").unwrap().items().unwrap();
    let log = logs.find(|log| text(*log, "baseUrl").ends_with(host)).unwrap();
    let der = from_base64(&text(log.get("publicKey").unwrap(), "rawBytes")).unwrap();
    let key = NoteKey::for_log(host, &PublicKey::from_spki_der(&der).unwrap()).unwrap();
    let key_id = text(log.get("logId").unwrap(), "keyId");
    assert_eq!(base64(key.full_id().as_bytes()), key_id, "Sigstore's log id is the full key id");
    LogIdentity::new(origin, vec![key]).unwrap()
}

/// The note in the only log entry of a bundle.
fn checkpoint(bundle: &[u8]) -> String {
    let document = document(bundle);
    let material = document.root().get("verificationMaterial").unwrap();
    let entry = material.get("tlogEntries").unwrap().items().unwrap().next().unwrap();
    text(entry.get("inclusionProof").unwrap().get("checkpoint").unwrap(), "envelope")
}

#[test]
fn checkpoints_of_rekor_2() {
    let Some(folder) = vectors(CASES) else { return };
    let host = "log2025-alpha1.rekor.sigstage.dev";
    let error = |name: &str| {
        let folder = folder.join(name);
        let log = log(&read(folder.join("trusted_root.json")), host, host);
        let note = checkpoint(&read(folder.join("bundle.sigstore.json")));
        verify(note.as_bytes(), &log, &[]).map(|found| found.size().get())
    };
    for good in [
        "cosigned",
        "multiple-cosigs",
        "origin-not-first",
        "two-sigs-cosigned",
        "two-sigs-from-origin",
    ] {
        assert_eq!(error(&["rekor2-checkpoint-", good].concat()), Ok(736), "{good}");
    }
    let no_signatures = CheckpointError::Note(NoteError::NoSignatures);
    assert_eq!(error("rekor2-checkpoint-missing-log-signature_fail"), Err(no_signatures));
    let other = |found: &str| {
        Err(CheckpointError::OtherOrigin { expected: host.into(), found: found.into() })
    };
    assert_eq!(error("rekor2-checkpoint-missing-origin_fail"), other("736"));
    let github = "log2025-alpha1.rekor.github.dev";
    assert_eq!(error("rekor2-checkpoint-no-matching-signature_fail"), other(github));
    // Nobody signed these texts, and that comes first.
    for changed in ["missing-root-hash", "missing-size"] {
        let result = error(&["rekor2-checkpoint-", changed, "_fail"].concat());
        assert!(matches!(result, Err(CheckpointError::LogSignature { .. })), "{changed}");
    }
}

#[test]
fn checkpoints_of_rekor_1() {
    let Some(folder) = vectors(CASES) else { return };
    let root = read(vectors("sigstore-root-signing/targets/trusted_root.json").unwrap());
    let error = |name: &str| {
        let note = checkpoint(&read(folder.join(name).join("bundle.sigstore.json")));
        let origin = note.lines().next().unwrap().to_owned();
        let log = log(&root, "rekor.sigstore.dev", &origin);
        verify(note.as_bytes(), &log, &[]).unwrap_err()
    };
    let hint = error("checkpoint-bad-keyhint_fail");
    assert!(matches!(hint, CheckpointError::LogKeyHint { .. }), "{hint}");
    let forged = error("invalid-checkpoint-signature_fail");
    assert!(matches!(forged, CheckpointError::LogSignature { .. }), "{forged}");
}

/// A good checkpoint of a later tree than that of the proof.
#[test]
fn a_checkpoint_of_another_tree_proves_nothing() {
    let Some(folder) = vectors(CASES) else { return };
    let root = read(vectors("sigstore-root-signing/targets/trusted_root.json").unwrap());
    let bundle = read(folder.join("checkpoint-wrong-roothash_fail/bundle.sigstore.json"));
    let note = checkpoint(&bundle);
    let log = log(&root, "rekor.sigstore.dev", note.lines().next().unwrap());
    let checkpoint = verify(note.as_bytes(), &log, &[]).unwrap();
    let document = document(&bundle);
    let material = document.root().get("verificationMaterial").unwrap();
    let entry = material.get("tlogEntries").unwrap().items().unwrap().next().unwrap();
    let leaf = leaf_hash(&from_base64(&text(entry, "canonicalizedBody")).unwrap());
    let given = entry.get("inclusionProof").unwrap();
    let hashes = strings(given.get("hashes"));
    let hashes: Vec<_> = hashes.iter().map(|hash| base64_hash(hash).unwrap()).collect();
    let proof = InclusionProof::new(text(given, "logIndex").parse().unwrap(), hashes).unwrap();
    let error = checkpoint.includes(leaf, &proof).unwrap_err();
    assert!(matches!(error, ProofError::HashCount { found: 10, .. }), "{error}");
    // Under the size and root that the bundle claims without a signature it would hold.
    let size = text(given, "treeSize").parse().unwrap();
    assert_eq!(proof.check(leaf, size, base64_hash(&text(given, "rootHash")).unwrap()), Ok(()));
}
