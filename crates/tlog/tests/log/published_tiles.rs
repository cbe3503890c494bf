//! Tiles and bundles of real logs and of the test logs of others, and a policy that a real log met.

use std::path::Path;

use genten_tlog::merkle::leaf_hash;
use genten_tlog::tile::{all_tiles, edge_tiles};
use genten_tlog::{
    AuthenticatedTiles, BundleId, Checkpoint, EntryBundle, NoteKey, TileId, UnverifiedCheckpoint,
    WitnessPolicy, merkle,
};

use crate::common::{ORIGIN, Party, files, index, note, read, size, vectors};
use crate::published::{key, rekor_live, tessera, verify};

/// Adds all tiles of the log in this folder, from the top.
fn all(checkpoint: &Checkpoint, folder: &Path) -> AuthenticatedTiles {
    let fetch = |tile: TileId| read(folder.join(tile.to_string()));
    let edge: Vec<_> = edge_tiles(checkpoint.size()).into_iter().map(fetch).collect();
    let mut tiles = AuthenticatedTiles::new(checkpoint, &edge).unwrap();
    let mut ids: Vec<_> = all_tiles(checkpoint.size()).collect();
    ids.reverse();
    for id in ids {
        tiles.add(id, &fetch(id)).unwrap();
    }
    tiles
}

/// Proves every entry of every bundle; how many.
fn prove_all(checkpoint: &Checkpoint, tiles: &AuthenticatedTiles, folder: &Path) -> u64 {
    let mut proven = 0;
    for bundle in (0..).map_while(|number| BundleId::at(number, checkpoint.size())) {
        let bytes = read(folder.join(bundle.to_string()));
        for entry in tiles.bundle(bundle, &bytes).unwrap().entries() {
            let proof = tiles.inclusion_proof(index(proven)).unwrap();
            assert!(checkpoint.includes(leaf_hash(entry), &proof).is_ok());
            proven += 1;
        }
    }
    proven
}

#[test]
fn fifteen_sizes_of_tessera() {
    let Some(folder) = vectors("tessera/testdata/log") else { return };
    let checkpoint = |count: u64| {
        verify(&read(folder.join(format!("checkpoint.{count}"))), &tessera(), &[]).unwrap()
    };
    for count in 0..16 {
        let tiles = all(&checkpoint(count), &folder);
        assert_eq!(prove_all(&checkpoint(count), &tiles, &folder), count);
        for old in 0..=count {
            let proof = tiles.consistency_proof(size(old)).unwrap();
            assert_eq!(checkpoint(old).is_extended_by(&checkpoint(count), &proof), Ok(()));
        }
    }
}

#[test]
fn every_entry_of_a_live_rekor() {
    let Some((log, witnesses)) = rekor_live() else { return };
    let folder = vectors("rekor-live/log").unwrap();
    let checkpoint = verify(&read(folder.join("checkpoint")), &log, &witnesses).unwrap();
    let tiles = all(&checkpoint, &folder);
    assert_eq!(prove_all(&checkpoint, &tiles, &folder), 710);
    // The partial tiles and bundles of earlier sizes are beginnings of the last ones.
    let last = read(folder.join("tile/0/002.p/198"));
    for path in files(&folder.join("tile/0/002.p")) {
        assert!(last.starts_with(&read(path)));
    }
    for path in files(&folder.join("tile/entries/002.p")) {
        let width: u16 = path.file_name().unwrap().to_str().unwrap().parse().unwrap();
        let bytes = read(path);
        let hashes = EntryBundle::parse(&bytes, width).unwrap().leaf_hashes();
        let tile: Vec<_> =
            last.chunks(32).map(|hash| merkle::hash_from_bytes(hash).unwrap()).collect();
        assert_eq!(hashes, tile[..usize::from(width)]);
    }
}

#[test]
fn the_policy_that_a_live_rekor_met() {
    let Some((log, _)) = rekor_live() else { return };
    let folder = vectors("rekor-live").unwrap();
    let text = String::from_utf8(read(folder.join("witness-policy.txt"))).unwrap();
    let policy = WitnessPolicy::parse(&text).unwrap();
    assert_eq!(policy.to_string(), text);
    assert!(policy.warnings().is_empty());
    let note = read(folder.join("log/checkpoint"));
    let evaluate = |policy: &WitnessPolicy| {
        let checkpoint = verify(&note, &log, &policy.witness_keys()).unwrap();
        policy.evaluate(&checkpoint)
    };
    let found = evaluate(&policy);
    assert!(found.met);
    assert_eq!(
        (found.time, found.witnesses),
        (Some(1_795_997_421), vec!["w1".into(), "w2".into()])
    );

    let third = Party::witness("w3.example", 33).key.to_vkey();
    let third = text.replace("group q 2 w1 w2", &format!("witness w3 {third}\ngroup q 3 w1 w2 w3"));
    let found = evaluate(&WitnessPolicy::parse(&third).unwrap());
    assert_eq!((found.met, found.time, found.witnesses.len()), (false, None, 2));

    let own = key(&String::from_utf8(read(folder.join("w1.example.vkey"))).unwrap()).to_vkey();
    let wrong = NoteKey::cosignature("w1.example", Party::witness("w", 34).key.key()).unwrap();
    let wrong = text.replace(&own, &wrong.to_vkey());
    let found = evaluate(&WitnessPolicy::parse(&wrong).unwrap());
    assert_eq!((found.met, found.time, found.witnesses), (false, None, vec!["w2".into()]));
}

#[test]
fn the_policy_of_rekor_tiles() {
    let Some(file) = vectors("rekor-tiles/tests/testdata/witness/policy.yaml") else { return };
    let policy = WitnessPolicy::parse(&String::from_utf8(read(file)).unwrap()).unwrap();
    assert_eq!((policy.witnesses().len(), policy.warnings().len()), (1, 1));
    assert_eq!(policy.witnesses()[0].url(), Some("http://witness:8100"));
}

/// The mirror's checkpoint has no signature of the log, so the tiles are checked under one of our own over the same root.
#[test]
fn tiles_of_a_mirror() {
    let rome = "000de184301123b9278c086a7d9f68c9577e83872224c197058fd90784ea9706";
    let Some(folder) = vectors("sunlight/cmd/skylight/testdata/witness/mirror") else { return };
    let folder = folder.join(rome);
    let bytes = read(folder.join("checkpoint"));
    let mirror = key("mirror.example.org+3fb148ef+BAAjjch9GyYz0sJsJx7ALhbdAtz2ov0unbzSl1vMp94O");
    let mirrored = UnverifiedCheckpoint::parse(&bytes).unwrap();
    let mirrored = mirrored.verify_cosigned("rome2026h1.example.org", &[mirror]).unwrap();
    let root = genten_primitives::encoding::base64(mirrored.root().as_bytes());
    let text = [ORIGIN, "\n300\n", &root, "\n"].concat();
    let whole = note(&text, &[crate::common::log().line(&text)]);
    let log = crate::common::identity(&[&crate::common::log()]);
    let checkpoint = verify(whole.as_bytes(), &log, &[]).unwrap();
    let tiles = all(&checkpoint, &folder);
    assert!((0..300).all(|leaf| tiles.inclusion_proof(index(leaf)).is_ok()));
    let placeholder = BundleId::at(0, size(300)).unwrap();
    assert!(tiles.bundle(placeholder, &read(folder.join(placeholder.to_string()))).is_err());
}
