//! Published certificates, log lists and tiles.

use std::path::Path;

use genten_pki::{
    Certificate, CtEntry, CtLogList, DataTile, SctList, SctOutcome, SctVerifyError, TileLeaf,
    certificates_from_pem, judge_embedded_scts,
};
use genten_primitives::encoding::from_base64;
use genten_primitives::signature::SignatureError;
use genten_primitives::{PublicKey, Sha256Digest};

use crate::common::{files, time, vectors};

fn certificate(path: &Path) -> Certificate {
    let text = std::fs::read_to_string(path).unwrap();
    let begin = text.find("-----BEGIN").unwrap();
    certificates_from_pem(&text[begin..]).unwrap().remove(0)
}

#[test]
fn cloudflare_has_promises_of_two_operators() {
    let Some(folder) = vectors("azul/crates/sct_validator/tests") else { return };
    let leaf = certificate(&folder.join("cloudflare.pem"));
    let issuer = certificate(&folder.join("google-we1.pem"));
    let golden = std::fs::read(folder.join("golden/cloudflare-tbs-without-sct.der")).unwrap();
    assert_eq!(leaf.tbs_without_scts(), golden);

    let list = std::fs::read(folder.join("log_list.json")).unwrap();
    let list = CtLogList::from_bytes(&list).unwrap();
    let seen_at = time("2026-01-01T00:00:00Z");
    let judge = |issuer| judge_embedded_scts(&leaf, issuer, &list, seen_at, 60_000).unwrap();
    let found = judge(Some(&issuer));
    assert!(found.findings().iter().all(|one| one.outcome == SctOutcome::Verified), "{found:?}");
    let logs: Vec<_> = found.findings().iter().map(|one| &*one.log.unwrap().description).collect();
    assert_eq!(logs, ["Google 'Xenon2025h2' log", "Cloudflare 'Nimbus2025'"]);
    assert_eq!(found.operators(), ["Cloudflare", "Google"]);
    for one in found.findings() {
        assert!(one.log.unwrap().takes_expiry(leaf.validity().not_after));
        assert!(leaf.validity().not_before.millis_since(one.time.unwrap()) < 86_400_000);
    }

    let wrong_issuer = judge(Some(&leaf));
    for one in wrong_issuer.findings() {
        let invalid = SctVerifyError::Invalid(SignatureError::Mismatch);
        assert_eq!(one.outcome, SctOutcome::BadSignature(invalid));
    }
    assert_eq!((wrong_issuer.distinct_operators(), wrong_issuer.has_contradiction()), (0, true));
    let no_issuer = judge(None);
    assert!(no_issuer.findings().iter().all(|one| one.outcome == SctOutcome::IssuerNeeded));
    assert!(!no_issuer.has_contradiction());
}

#[test]
fn embedded_promises_are_not_about_the_full_certificate() {
    let Some(folder) = vectors("azul/crates/sct_validator/tests") else { return };
    let leaf = certificate(&folder.join("cloudflare.pem"));
    let issuer = certificate(&folder.join("google-we1.pem"));
    let list =
        CtLogList::from_bytes(&std::fs::read(folder.join("log_list.json")).unwrap()).unwrap();
    let scts = SctList::from_bytes(leaf.sct_list().unwrap()).unwrap();
    let (tbs, issuer_key_hash) = (leaf.tbs_without_scts(), issuer.spki_sha256());
    for sct in scts.v1() {
        let key = list.find(&sct.log_id).unwrap().key.clone().unwrap();
        let good = CtEntry::Precertificate { issuer_key_hash, tbs: &tbs };
        assert_eq!(sct.verify(&key, &good), Ok(()));
        let with_scts = CtEntry::Precertificate { issuer_key_hash, tbs: leaf.tbs_der() };
        for bad in [with_scts, CtEntry::Certificate(leaf.der()), CtEntry::Certificate(&tbs)] {
            let mismatch = SctVerifyError::Invalid(SignatureError::Mismatch);
            assert_eq!(sct.verify(&key, &bad), Err(mismatch));
        }
        let mut changed = sct.clone();
        changed.extensions = vec![0, 0, 5, 0, 0, 0, 0, 1];
        assert!(changed.verify(&key, &good).is_err(), "extensions are signed");
    }
}

/// A promise about a whole certificate, by the log key of the same test data.
#[test]
fn promise_about_a_whole_certificate() {
    let Some(folder) = vectors("certificate-transparency-go/testdata") else { return };
    let leaf = certificate(&folder.join("test-cert.pem"));
    let proof = std::fs::read(folder.join("test-cert.proof")).unwrap();
    let key = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEmXg8sUUzwBYaWrRb+V0IopzQ6o3UyEJ04r5ZrRXG\
               dpYM8K+hB0pXrGRLI0eeWz+3skXrS0IO83AhA3GpRL6s6w==";
    let key = PublicKey::from_spki_der(&from_base64(key).unwrap()).unwrap();
    let list = SctList::from_bytes(&crate::world::list_bytes(&[proof])).unwrap();
    let sct = list.v1().next().unwrap();
    assert_eq!(sct.log_id, Sha256Digest::of(key.to_spki_der()));
    assert_eq!(sct.verify(&key, &CtEntry::Certificate(leaf.der())), Ok(()));
    assert!(sct.verify(&key, &CtEntry::Certificate(leaf.tbs_der())).is_err());
}

#[test]
fn published_log_lists_are_read() {
    let Some(folder) = vectors("") else { return };
    let read =
        |path: &str| CtLogList::from_bytes(&std::fs::read(folder.join(path)).unwrap()).unwrap();
    let list = read("azul/crates/sct_validator/tests/log_list.json");
    assert_eq!(list.version(), Some("81.14"));
    assert_eq!(list.logs().len(), 75);
    assert!(list.logs().iter().all(|log| log.key.is_ok() && log.state.is_some()));
    assert_eq!(list.logs().iter().filter(|log| log.origin().is_some()).count(), 26);
    for log in list.logs() {
        assert_eq!(list.find(&log.log_id), Some(log));
    }
    let old = read("certificate-transparency-go/testdata/loglist3.json");
    assert_eq!(old.logs().len(), 6);
    let unusable: Vec<_> = old.logs().iter().filter(|log| log.key.is_err()).collect();
    assert_eq!(unusable.len(), 1);
    assert_eq!(unusable[0].description, "Google 'Racketeer' log");
}

#[test]
fn tiles_of_a_real_log() {
    let Some(folder) = vectors("sunlight/testdata/navigli2025h2/tile") else { return };
    let mut entries = 0;
    for (tile, name, width) in
        [(0, "000", 256), (1, "001", 256), (2, "002", 256), (3, "003", 256), (3, "003.p/10", 10)]
    {
        let data = std::fs::read(folder.join("data").join(name)).unwrap();
        let hashes = std::fs::read(folder.join("0").join(name)).unwrap();
        let read = DataTile::from_bytes(&data, tile, width).unwrap();
        let calculated: Vec<u8> =
            read.leaves().iter().flat_map(|leaf| *leaf.leaf_hash().unwrap().as_bytes()).collect();
        assert_eq!(calculated, hashes, "{name}");
        assert_eq!(written(read.leaves()), data);
        entries += if width == 256 { read.leaves().len() } else { 0 };
        assert!(DataTile::from_bytes(&data, tile + 1, width).is_err(), "leaf_index is the place");
        assert!(DataTile::from_bytes(&data, tile, width - 1).is_err(), "trailing bytes");
        assert!(DataTile::from_bytes(&data[..data.len() - 1], tile, width).is_err());
    }
    assert_eq!(entries, 1024);
}

fn written(leaves: &[TileLeaf<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    leaves.iter().for_each(|leaf| leaf.write(&mut out).unwrap());
    out
}

/// Certificates without SCTs keep every byte.
#[test]
fn published_certificates_without_scts() {
    let Some(folder) = vectors("certificate-transparency-go/trillian/testdata") else { return };
    let mut certificates = 0;
    for path in files(&folder) {
        let text = std::fs::read_to_string(path).unwrap();
        let Some(begin) = text.find("-----BEGIN CERTIFICATE") else { continue };
        for certificate in certificates_from_pem(&text[begin..]).unwrap() {
            assert_eq!(certificate.sct_list(), None);
            assert_eq!(certificate.tbs_without_scts(), certificate.tbs_der());
            certificates += 1;
        }
    }
    assert_eq!(certificates, 90);
}
