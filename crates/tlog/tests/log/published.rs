//! Checkpoints of real logs and of the test logs of others.

use std::collections::BTreeSet;

use genten_primitives::PublicKey;
use genten_primitives::encoding::from_base64;
use genten_tlog::{
    Checkpoint, CheckpointError, Fork, LogIdentity, Note, NoteKey, UnverifiedCheckpoint, merkle,
};

use crate::common::{document, read, size, text, vectors};

pub(crate) fn key(text: &str) -> NoteKey {
    text.trim().parse().unwrap()
}

pub(crate) fn tessera() -> LogIdentity {
    let key = key("example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx");
    LogIdentity::new("example.com/log/testdata", vec![key]).unwrap()
}

pub(crate) fn verify(
    note: &[u8],
    log: &LogIdentity,
    witnesses: &[NoteKey],
) -> Result<Checkpoint, CheckpointError> {
    UnverifiedCheckpoint::parse(note)?.verify(log, witnesses)
}

#[test]
fn sixteen_checkpoints_of_tessera() {
    let Some(folder) = vectors("tessera/testdata/log") else { return };
    let read = |name: &str| read(folder.join(name));
    for count in 0..16 {
        let checkpoint = verify(&read(&format!("checkpoint.{count}")), &tessera(), &[]).unwrap();
        let tile = match count {
            0 => Vec::new(),
            _ => read(&format!("tile/0/000.p/{count}")),
        };
        let leaves: Vec<_> =
            tile.chunks(32).map(|hash| merkle::hash_from_bytes(hash).unwrap()).collect();
        assert_eq!(checkpoint.size(), size(count));
        assert_eq!(checkpoint.root(), merkle::root(&leaves));
    }
    assert_eq!(verify(&read("checkpoint"), &tessera(), &[]).unwrap().size(), size(15));
}

/// The log of certificates of Sunlight's tests: origin, key name and key.
pub(crate) fn rome() -> Option<LogIdentity> {
    let file = vectors("sunlight/cmd/skylight/testdata/tree/log.v3.json")?;
    let bytes = read(file);
    let der = from_base64(&text(document(&bytes).root(), "key")).unwrap();
    let origin = "rome2026h1.example.org";
    let key = NoteKey::rfc6962(origin, &PublicKey::from_spki_der(&der).unwrap()).unwrap();
    Some(LogIdentity::new(origin, vec![key]).unwrap())
}

const ROME: &str = "000de184301123b9278c086a7d9f68c9577e83872224c197058fd90784ea9706";

#[test]
fn tree_heads_witness_and_mirror_of_sunlight() {
    let Some(log) = rome() else { return };
    let folder = vectors("sunlight/cmd/skylight/testdata").unwrap();
    let own = verify(&read(folder.join("tree/checkpoint")), &log, &[]).unwrap();
    assert_eq!((own.size(), own.tree_head_millis()), (size(300), Some(1_767_139_200_000)));
    let witness = key("witness.example.org+b8a2cf20+BFLN3yikSfFkVAJtrnh/CiY3Zozkoy7clp+P7XB28qUN");
    let seen = read(folder.join("witness").join(ROME).join("checkpoint"));
    let seen = verify(&seen, &log, &[witness]).unwrap();
    assert_eq!(seen.cosignatures().len(), 1);
    assert_eq!(seen.cosignatures()[0].seconds(), 1_767_139_200);
    assert_eq!(Fork::between(own.head(), seen.head()), None);

    let mirror = key("mirror.example.org+3fb148ef+BAAjjch9GyYz0sJsJx7ALhbdAtz2ov0unbzSl1vMp94O");
    let note = read(folder.join("witness/mirror").join(ROME).join("checkpoint"));
    let mirrored = UnverifiedCheckpoint::parse(&note).unwrap();
    let keys = std::slice::from_ref(&mirror);
    assert_eq!(mirrored.verify(&log, keys), Err(CheckpointError::NoLogSignature));
    let mirrored = mirrored.verify_cosigned(log.origin(), keys).unwrap();
    let fork = Fork::between(seen.head(), &mirrored).unwrap();
    assert_eq!((fork.size(), fork.convicts_log()), (size(300), false));

    let milan = "88ad7a28caeb0b2aa890fdf0304c2fcaf59fca2ee140134ff8c1300bac493482";
    let note = read(folder.join("witness2").join(milan).join("checkpoint"));
    let second = key("witness2.example.org+2e55b896+BIZ7fpceQWd60IfqQeS9IAnmNOCZjMDne8lZuguz/bi9");
    let milan = UnverifiedCheckpoint::parse(&note).unwrap();
    let milan = milan.verify_cosigned("milan2026h1.example.org", &[second]).unwrap();
    assert_eq!(Fork::between(own.head(), &milan), None);
}

pub(crate) fn rekor_live() -> Option<(LogIdentity, Vec<NoteKey>)> {
    let folder = vectors("rekor-live")?;
    let read = |name: &str| key(&String::from_utf8(read(folder.join(name))).unwrap());
    let log = LogIdentity::new("rekor-local", vec![read("log.vkey")]).unwrap();
    Some((log, vec![read("w1.example.vkey"), read("w2.example.vkey")]))
}

#[test]
fn a_live_rekor_with_two_witnesses() {
    let Some((log, witnesses)) = rekor_live() else { return };
    let note = read(vectors("rekor-live/log/checkpoint").unwrap());
    let checkpoint = verify(&note, &log, &witnesses).unwrap();
    let names: BTreeSet<_> =
        checkpoint.cosignatures().iter().map(|one| one.key().name().to_owned()).collect();
    assert_eq!(names, BTreeSet::from(["w1.example".into(), "w2.example".into()]));
    assert_eq!(checkpoint.size(), size(710));
    // Somebody else's key of the same name is not the witness that signed: its id differs.
    let other = NoteKey::cosignature("w1.example", witnesses[1].key()).unwrap();
    let checkpoint = verify(&note, &log, &[other, witnesses[1].clone()]).unwrap();
    assert_eq!(checkpoint.cosignatures().len(), 1);
}

#[test]
fn a_real_cosignature_of_staging() {
    let Some(file) = vectors("derived/signed-note-vectors.json") else { return };
    let bytes = read(file);
    let document = document(&bytes);
    let cases: Vec<_> = document.root().get("cosignatures").unwrap().items().unwrap().collect();
    let (note, witness) = (text(cases[2], "note"), key(&text(cases[2], "witness_vkey")));
    let origin = "log2025-alpha3.rekor.sigstage.dev";
    let unverified = UnverifiedCheckpoint::parse(note.as_bytes()).unwrap();
    let head = unverified.verify_cosigned(origin, &[witness]).unwrap();
    assert_eq!(head.cosignatures()[0].seconds(), 1_778_700_214);
    assert_eq!(head.size(), size(4_026_479));
}

/// The value behind `name` of a line of the witness' lists, which are YAML.
fn values(file: &str, name: &str) -> Vec<String> {
    let lines = file.lines().map(|line| line.trim_start_matches([' ', '-']));
    let values = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    values.map(|value| value.trim().trim_matches('"').to_owned()).collect()
}

#[test]
fn origins_and_keys_of_the_omniwitness() {
    let Some(folder) = vectors("witness/omniwitness") else { return };
    let mut counts = [0, 0];
    for file in ["logs.yaml", "logs_test.yaml"] {
        let text = String::from_utf8(read(folder.join(file))).unwrap();
        let origins = values(&text, "Origin");
        let keys = values(&text, "PublicKey");
        assert_eq!(origins.len(), keys.len());
        for (origin, key) in origins.iter().zip(&keys) {
            let key: NoteKey = key.parse().unwrap();
            counts[usize::from(key.name() == origin)] += 1;
            LogIdentity::new(origin, vec![key]).unwrap();
        }
    }
    assert_eq!(counts, [9, 7], "names that are not the origin, and names that are");
}

#[test]
fn requests_to_a_witness_of_torchwood() {
    let Some(file) = vectors("torchwood/add-checkpoint.hurl") else { return };
    let text = String::from_utf8(read(file)).unwrap();
    let mut counts = [0, 0];
    for request in text.split("```\n").filter(|part| part.starts_with("old ")) {
        // After the old size and the proof, and a blank line.
        let (_, note) = request.split_once("\n\n").unwrap();
        counts[usize::from(Note::parse(note.as_bytes()).is_ok())] += 1;
    }
    // One signature lost a character of its base64, as a forgery.
    assert_eq!(counts, [1, 8], "refused, and read");
}
