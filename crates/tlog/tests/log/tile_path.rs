//! Paths of tiles and bundles, and which tiles a tree has.

use std::collections::BTreeSet;

use genten_tlog::tile::{all_tiles, edge_tiles, tiles_for_consistency, tiles_for_inclusion};
use genten_tlog::{BundleId, ProofError, TileId, TilePathError};
use proptest::prelude::*;

use crate::common::{document, index, read, size, vectors};

fn parts(tile: TileId) -> [u64; 3] {
    [tile.level().into(), tile.number(), tile.width().into()]
}

#[test]
fn paths_have_one_spelling() {
    for (path, expected) in [
        ("tile/0/000", [0, 0, 256]),
        ("tile/0/000.p/255", [0, 0, 255]),
        ("tile/7/999", [7, 999, 256]),
        ("tile/1/x001/000", [1, 1000, 256]),
        ("tile/0/x001/x234/067.p/8", [0, 1_234_067, 8]),
        ("tile/63/000.p/1", [63, 0, 1]),
        ("tile/0/x009/x223/x372/x036/x854/x775/807", [0, i64::MAX as u64, 256]),
    ] {
        let tile: TileId = path.parse().unwrap();
        assert_eq!(parts(tile), expected);
        assert_eq!(tile.to_string(), path);
        let bundle =
            path.replacen(&["tile/", &expected[0].to_string()].concat(), "tile/entries", 1);
        let read: BundleId = bundle.parse().unwrap();
        assert_eq!([read.number(), read.width().into()], expected[1..]);
        assert_eq!(read.to_string(), bundle);
    }
}

#[test]
fn other_spellings_are_refused() {
    for path in [
        "",
        "tile",
        "tile/0",
        "tile/0/",
        "tile/64/000",
        "tile/256/000",
        "tile/00/000",
        "tile/-1/000",
        "tile/x/000",
        "tile/0/0",
        "tile/0/00",
        "tile/0/0000",
        "tile/0/1000",
        "tile/0/x000/067",
        "tile/0/x000/x001/067",
        "tile/0/x001/234/067",
        "tile/0/001/x234/067",
        "tile/0/x001/x234",
        "tile/0/x01/067",
        "tile/0/X001/067",
        "tile/0/000.p",
        "tile/0/000.p/",
        "tile/0/000.p/0",
        "tile/0/000.p/01",
        "tile/0/000.p/256",
        "tile/0/000.p/257",
        "tile/0/000.p/1/",
        "tile/0/000/",
        "tile/0/000.p/8.p/8",
        "tile/0/x001.p/8/067",
        "tile/0//000",
        "/tile/0/000",
        "tile/0/../000",
        "tile/0/..",
        "tile/0/+00",
        "tile/ 0/000",
        "tile/0/٠٠٠",
        "tile/0/000 ",
        "tile/0/000\n",
        "tile/0/x009/x223/x372/x036/x854/x775/808",
        "tile/0/x999/x999/x999/x999/x999/x999/x999/x999/999",
        "tile/0/x018/x446/x744/x073/x709/x551/999",
    ] {
        assert_eq!(path.parse::<TileId>(), Err(TilePathError), "{path}");
        let bundle = path.replacen("tile/0/", "tile/entries/", 1);
        assert_eq!(bundle.parse::<BundleId>(), Err(TilePathError), "{bundle}");
    }
    assert!("tile/entries/000".parse::<TileId>().is_err());
    assert!("tile/0/000".parse::<BundleId>().is_err());
}

#[test]
fn published_paths_and_required_tiles() {
    let Some(file) = vectors("derived/tile-path-vectors.json") else { return };
    let bytes = read(file);
    let document = document(&bytes);
    let root = document.root();
    let mut counts = [0; 3];
    for case in root.get("valid").unwrap().items().unwrap() {
        let fields: Vec<_> = case.items().unwrap().collect();
        let path = fields[0].as_str().unwrap();
        let expected = [1, 2, 3].map(|at| fields[at].as_i64().unwrap() as u64);
        let tile: TileId = path.parse().unwrap();
        assert_eq!((parts(tile), tile.to_string()), (expected, path.into_owned()));
        counts[0] += 1;
    }
    for path in root.get("invalid").unwrap().items().unwrap() {
        let path = path.as_str().unwrap();
        // Listed by mistake: by the rule, and as 1000 is `x001/000`, it is tile 1234.
        let is_good = path == "tile/0/x001/234";
        assert_eq!(path.parse::<TileId>().is_ok(), is_good, "{path}");
        counts[1] += 1;
    }
    for (leaves, tiles) in root.get("required_tiles").unwrap().members().unwrap() {
        let expected: Vec<[u64; 3]> = tiles.items().unwrap().map(numbers).collect();
        let all = all_tiles(size(leaves.parse().unwrap()));
        assert_eq!(all.map(parts).collect::<Vec<_>>(), expected, "{leaves}");
        counts[2] += 1;
    }
    assert_eq!(counts[..2], [8, 25]);
    assert!(counts[2] > 7);
}

fn numbers(tile: genten_primitives::json::Value<'_>) -> [u64; 3] {
    let numbers: Vec<_> = tile.items().unwrap().map(|part| part.as_i64().unwrap() as u64).collect();
    numbers.try_into().unwrap()
}

#[test]
fn tiles_of_seventy_thousand_leaves() {
    let edge: Vec<_> = edge_tiles(size(70_000)).iter().map(ToString::to_string).collect();
    assert_eq!(edge, ["tile/0/273.p/112", "tile/1/001.p/17", "tile/2/000.p/1"]);
    let edge: Vec<_> = edge_tiles(size(256)).iter().map(ToString::to_string).collect();
    assert_eq!(edge, ["tile/1/000.p/1"]);
    assert_eq!(edge_tiles(size(0)), []);
    assert_eq!(edge_tiles(size(1 << 62)).len(), 1);
    let Some(file) = vectors("derived/tree-70000.json") else { return };
    let bytes = read(file);
    let document = document(&bytes);
    let expected = document.root().get("tiles_for_inclusion_12345_in_70000").unwrap();
    let expected: Vec<_> = expected.items().unwrap().map(numbers).collect();
    let tiles = tiles_for_inclusion(index(12_345), size(70_000)).unwrap();
    assert_eq!(tiles.into_iter().map(parts).collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_no_tile_of_a_tree() {
    assert_eq!(TileId::at(0, 274, size(70_000)), None);
    assert_eq!(TileId::at(3, 0, size(70_000)), None);
    assert_eq!(TileId::at(8, 0, size(i64::MAX as u64)), None);
    assert_eq!(TileId::at(255, 0, size(i64::MAX as u64)), None);
    assert_eq!(TileId::at(0, u64::MAX, size(i64::MAX as u64)), None);
    assert_eq!(TileId::at(0, 0, size(0)), None);
    assert_eq!(BundleId::at(1, size(256)), None);
    let last = TileId::at(0, 273, size(70_000)).unwrap();
    assert_eq!((last.width(), last.bytes(), last.is_full()), (112, 3584, false));
    assert_eq!(last.full(), "tile/0/273".parse().unwrap());
    let bundle = BundleId::at(273, size(70_000)).unwrap();
    assert_eq!((bundle.tile(), bundle.full().width()), (last, 256));
}

#[test]
fn leaves_and_trees_that_do_not_fit() {
    let error = ProofError::IndexBeyondSize { index: index(5), size: size(5) };
    assert_eq!(tiles_for_inclusion(index(5), size(5)), Err(error));
    let error = ProofError::Shrunk { old: size(6), new: size(5) };
    assert_eq!(tiles_for_consistency(size(6), size(5)), Err(error));
}

proptest! {
    #[test]
    fn required_tiles_are_tiles_of_the_tree(n in 1_u64..200_000, a in any::<u64>()) {
        let all: BTreeSet<_> = all_tiles(size(n)).collect();
        let inclusion = tiles_for_inclusion(index(a % n), size(n)).unwrap();
        prop_assert!(inclusion.iter().all(|tile| all.contains(tile)));
        prop_assert!(edge_tiles(size(n)).iter().all(|tile| all.contains(tile)));
        let consistency = tiles_for_consistency(size(a % n), size(n)).unwrap();
        prop_assert!(consistency.iter().all(|tile| all.contains(tile)));
        for tile in all {
            prop_assert_eq!(tile.to_string().parse(), Ok(tile));
        }
    }

    #[test]
    fn huge_trees_do_not_overflow(n in 1..=i64::MAX as u64, a in any::<u64>()) {
        for tile in tiles_for_inclusion(index(a % n), size(n)).unwrap() {
            prop_assert_eq!(TileId::at(tile.level(), tile.number(), size(n)), Some(tile));
        }
        prop_assert!(tiles_for_consistency(size(a % n), size(n)).is_ok());
        prop_assert!(edge_tiles(size(n)).len() <= 8);
    }
}
