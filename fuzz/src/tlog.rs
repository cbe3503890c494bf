//! Notes, checkpoints, keys, policies, tiles and proofs of transparency logs.

use genten_jws::{Algorithm, LocalSigner, SecretKey, Signer as _};
use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use genten_tlog::merkle::{leaf_hash, root};
use genten_tlog::note::signature_line;
use genten_tlog::tile::write_bundle;
use genten_tlog::{
    BundleId, ConsistencyProof, EntryBundle, InclusionProof, LeafIndex, LogIdentity, Note, NoteKey,
    TileId, TlogProof, TreeSize, UnverifiedCheckpoint, WitnessPolicy,
};

/// Its parts, put together again, are the note.
pub(crate) fn note(bytes: &[u8]) -> bool {
    let Ok(note) = Note::parse(bytes) else { return false };
    let mut again = [note.unverified_text(), "\n"].concat();
    for line in note.signatures() {
        let blob = [&line.key_id()[..], line.blob()].concat();
        again += &["\u{2014} ", line.name(), " ", &base64(&blob), "\n"].concat();
    }
    assert_eq!((again.as_bytes(), note.as_bytes()), (bytes, bytes));
    true
}

/// The input is a text that its log signs here, so that what is behind the signature is reached.
pub(crate) fn checkpoint(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let secret = SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32]).expect("an Ed25519 key");
    let signer = LocalSigner::did_key(secret);
    let key = NoteKey::ed25519("fuzz", signer.public_key()).expect("a key with a good name");
    let signature = signer.sign(bytes).expect("local keys sign");
    let note = [text, "\n", &signature_line(&key, signature.as_bytes())].concat();
    let Ok(unverified) = UnverifiedCheckpoint::parse(note.as_bytes()) else { return false };
    let Ok(log) = LogIdentity::new(unverified.unverified_origin(), vec![key]) else { return false };
    let Ok(checkpoint) = unverified.verify(&log, &[]) else { return false };
    let (size, root) = (checkpoint.size().to_string(), base64(checkpoint.root().as_bytes()));
    let begin = [checkpoint.origin(), "\n", &size, "\n", &root, "\n"].concat();
    let extensions = text.strip_prefix(&begin).expect("printed as it was read");
    assert!(!extensions.starts_with('\n') && !extensions.contains("\n\n"));
    assert_eq!(checkpoint.note(), note.as_bytes());
    let nobody = LogIdentity::new(checkpoint.origin(), vec![other_key()]).expect("an identity");
    assert!(unverified.verify(&nobody, &[]).is_err());
    true
}

fn other_key() -> NoteKey {
    let secret = SecretKey::from_bytes(Algorithm::EdDsa, &[8; 32]).expect("an Ed25519 key");
    NoteKey::ed25519("fuzz", secret.public_key()).expect("a key with a good name")
}

/// Prints back as it was read.
pub(crate) fn vkey(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(key) = text.parse::<NoteKey>() else { return false };
    assert_eq!(key.to_vkey(), text);
    assert_eq!(key.full_id().as_bytes()[..4], key.id());
    true
}

/// What is written reads back the same, and is written so again.
pub(crate) fn policy(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(policy) = WitnessPolicy::parse(text) else { return false };
    let written = policy.to_string();
    let again = WitnessPolicy::parse(&written).expect("written by us");
    assert_eq!(again.to_string(), written);
    assert_eq!(again.witness_keys(), policy.witness_keys());
    assert!(policy.logs().iter().all(|log| again.log(log.origin()).is_some()));
    assert_eq!(again.is_none(), policy.is_none());
    true
}

/// A path is that of a tile or of a bundle, never of both, and prints back.
pub(crate) fn tile_path(bytes: &[u8]) -> bool {
    let Ok(path) = std::str::from_utf8(bytes) else { return false };
    match (path.parse::<TileId>(), path.parse::<BundleId>()) {
        (Ok(tile), Err(_)) => assert_eq!(tile.to_string(), path),
        (Err(_), Ok(bundle)) => assert_eq!(bundle.to_string(), path),
        (Err(_), Err(_)) => return false,
        (Ok(_), Ok(_)) => panic!("{path:?} is a tile and a bundle"),
    }
    true
}

/// The number of entries, less one, and the bundle: written back to the same bytes.
pub(crate) fn entry_bundle(bytes: &[u8]) -> bool {
    let Some((width, bytes)) = bytes.split_first() else { return false };
    let width = u16::from(*width) + 1;
    let Ok(bundle) = EntryBundle::parse(bytes, width) else { return false };
    assert_eq!(bundle.entries().len(), usize::from(width));
    assert_eq!(write_bundle(bundle.entries()).as_deref(), Ok(bytes));
    true
}

/// Written back to the same bytes.
pub(crate) fn proof_file(bytes: &[u8]) -> bool {
    let Ok(file) = TlogProof::parse(bytes) else { return false };
    assert_eq!(file.to_bytes(), bytes);
    assert!(!file.unverified_checkpoint().unverified_origin().is_empty());
    true
}

/// Leaves, a leaf, an old size, a byte of a hash and how it changes: a proof holds exactly as it was made. What follows are
/// hashes for proofs that nobody made.
pub(crate) fn merkle_proof(bytes: &[u8]) -> bool {
    let [count, leaf, old, place, change, hashes @ ..] = bytes else { return false };
    let leaves: Vec<_> = (0..*count).map(|leaf| leaf_hash(&[leaf])).collect();
    let (Ok(size), Ok(leaf)) = (TreeSize::new((*count).into()), LeafIndex::new((*leaf).into()))
    else {
        return false;
    };
    let Ok(made) = InclusionProof::from_leaves(leaf, &leaves) else { return false };
    let (hash, top) = (leaves[leaf.get() as usize], root(&leaves));
    let changed =
        InclusionProof::new(leaf, changed(made.hashes(), *place, *change)).expect("short");
    let is_good = changed.check(hash, size, top).is_ok();
    assert_eq!(is_good, changed == made);
    let hashes: Vec<_> =
        hashes.as_chunks().0.iter().copied().map(Sha256Digest::from_bytes).collect();
    if let Ok(given) = InclusionProof::new(leaf, hashes.clone()) {
        assert_eq!(given.check(hash, size, top).is_ok(), given == made);
    }
    let Ok(old) = TreeSize::new((*old).into()) else { return is_good };
    grown(&leaves, old, size, (*place, *change), hashes);
    is_good
}

fn grown(
    leaves: &[Sha256Digest],
    old: TreeSize,
    new: TreeSize,
    (place, change): (u8, u8),
    hashes: Vec<Sha256Digest>,
) {
    let Ok(made) = ConsistencyProof::from_leaves(old, leaves) else { return };
    let (old, new) = ((old, root(&leaves[..old.get() as usize])), (new, root(leaves)));
    let changed = changed(made.hashes(), place, change);
    for hashes in [changed, hashes] {
        if let Ok(given) = ConsistencyProof::new(hashes) {
            assert_eq!(given.check(old, new).is_ok(), given == made);
        }
    }
}

fn changed(hashes: &[Sha256Digest], place: u8, change: u8) -> Vec<Sha256Digest> {
    let mut hashes = hashes.to_vec();
    if let Some(hash) = hashes.get_mut(usize::from(place / 32)) {
        let mut bytes = *hash.as_bytes();
        bytes[usize::from(place % 32)] ^= change;
        *hash = Sha256Digest::from_bytes(bytes);
    }
    hashes
}
