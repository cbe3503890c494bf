//! Data tiles: each rule broken once.

use genten_pki::{
    CtEntry, DataTile, DataTileError, DataTilePart, LeafIndexError, SctError, check_issuer,
};
use genten_primitives::Sha256Digest;
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert_eq, proptest};

const INDEX: [u8; 8] = [0, 0, 5, 0, 0, 0, 0, 0];

/// One entry, made without the code under test.
fn leaf(entry: &[u8], extensions: &[u8], after: &[u8]) -> Vec<u8> {
    let length = (extensions.len() as u16).to_be_bytes();
    [&[0, 0, 0, 0, 0, 0, 0, 1], entry, &length, extensions, after].concat()
}

fn certificate() -> Vec<u8> {
    leaf(
        &[0, 0, 0, 0, 2, 7, 7],
        &INDEX,
        &[
            0, 32, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1,
        ],
    )
}

fn precertificate() -> Vec<u8> {
    let entry = [&[0, 1][..], &[9; 32], &[0, 0, 1, 5]].concat();
    leaf(&entry, &INDEX, &[0, 0, 1, 6, 0, 0])
}

fn error(bytes: &[u8]) -> DataTileError {
    DataTile::from_bytes(bytes, 0, 1).unwrap_err()
}

#[test]
fn both_types_are_read() {
    let bytes = certificate();
    let tile = DataTile::from_bytes(&bytes, 0, 1).unwrap();
    let [leaf] = tile.leaves() else { panic!() };
    assert_eq!((leaf.timestamp, leaf.entry), (1, CtEntry::Certificate(&[7, 7])));
    assert_eq!(leaf.issuers, [Sha256Digest::from_bytes([1; 32])]);
    assert_eq!((leaf.extensions, leaf.precertificate), (&INDEX[..], None));
    let bytes = precertificate();
    let tile = DataTile::from_bytes(&bytes, 0, 1).unwrap();
    let issuer_key_hash = Sha256Digest::from_bytes([9; 32]);
    let leaf = &tile.leaves()[0];
    assert_eq!(leaf.entry, CtEntry::Precertificate { issuer_key_hash, tbs: &[5] });
    assert_eq!(leaf.precertificate, Some(&[6][..]));
}

#[test]
fn every_byte_is_needed() {
    for good in [certificate(), precertificate()] {
        for length in 0..good.len() {
            let error = error(&good[..length]);
            assert!(matches!(error, DataTileError::Truncated { position: 0, .. }), "{length}");
        }
        let trailing = [&good[..], &[0]].concat();
        assert_eq!(error(&trailing), DataTileError::TrailingBytes { remaining: 1 });
    }
}

#[test]
fn unknown_type_and_empty_certificates() {
    let found = error(&leaf(&[0, 2, 0, 0, 1, 5], &INDEX, &[0, 0]));
    assert_eq!(found, DataTileError::EntryType { position: 0, found: 2 });
    let empty = |part| DataTileError::Empty { position: 0, part };
    assert_eq!(error(&leaf(&[0, 0, 0, 0, 0], &INDEX, &[0, 0])), empty(DataTilePart::Certificate));
    let entry = [&[0, 1][..], &[9; 32], &[0, 0, 1, 5]].concat();
    let found = error(&leaf(&entry, &INDEX, &[0, 0, 0, 0, 0]));
    assert_eq!(found, empty(DataTilePart::Precertificate));
}

#[test]
fn fingerprints_are_whole() {
    let found = error(&leaf(&[0, 0, 0, 0, 1, 7], &INDEX, &[0, 1, 1]));
    assert_eq!(found, DataTileError::IssuersLength { position: 0, found: 1 });
}

#[test]
fn leaf_index_is_the_place() {
    let with = |extensions: &[u8]| error(&leaf(&[0, 0, 0, 0, 1, 7], extensions, &[0, 0]));
    let index = |source| DataTileError::LeafIndex { position: 0, source };
    assert_eq!(with(&[]), index(LeafIndexError::Missing));
    let twice = LeafIndexError::Malformed(SctError::DuplicateExtension { kind: 0 });
    assert_eq!(with(&[INDEX, INDEX].concat()), index(twice));
    let long = LeafIndexError::Malformed(SctError::LeafIndex { found: 6 });
    assert_eq!(with(&[0, 0, 6, 0, 0, 0, 0, 0, 0]), index(long));
    assert_eq!(with(&[0, 0, 5, 0, 0, 0, 0, 1]), DataTileError::Place { expected: 0, found: 1 });
    let second = DataTile::from_bytes(&certificate(), 1, 1).unwrap_err();
    assert_eq!(second, DataTileError::Place { expected: 256, found: 0 });
    let twice = DataTile::from_bytes(&certificate().repeat(2), 0, 2).unwrap_err();
    assert_eq!(twice, DataTileError::Place { expected: 1, found: 0 });
}

#[test]
fn no_such_tile() {
    for (tile, width) in [(0, 0), (0, 257), (1 << 32, 1), (u64::MAX, 256)] {
        let error = DataTile::from_bytes(&certificate(), tile, width).unwrap_err();
        assert_eq!(error, DataTileError::Width { tile, width });
    }
    let last = leaf(&[0, 0, 0, 0, 1, 7], &[0, 0, 5, 255, 255, 255, 255, 0], &[0, 0]);
    assert!(DataTile::from_bytes(&last, (1 << 32) - 1, 1).is_ok());
    let length = (64 << 20) + 1;
    assert_eq!(error(&vec![0; length]), DataTileError::TooLarge { length });
}

#[test]
fn issuer_hashes_to_its_name() {
    let expected = Sha256Digest::of(b"der");
    assert_eq!(check_issuer(expected, b"der"), Ok(()));
    let calculated = Sha256Digest::of(b"DER");
    let error = DataTileError::Issuer { expected, calculated };
    assert_eq!(check_issuer(expected, b"DER"), Err(error));
}

proptest! {
    #[test]
    fn what_is_read_is_written_back(bytes in vec(any::<u8>(), 0..200), at in any::<usize>(), to in any::<u8>()) {
        let mut spoilt = [certificate(), precertificate()][at % 2].clone();
        let at = at % spoilt.len();
        spoilt[at] = to;
        for bytes in [bytes, spoilt] {
            let Ok(tile) = DataTile::from_bytes(&bytes, 0, 1) else { continue };
            let mut out = Vec::new();
            tile.leaves()[0].write(&mut out).unwrap();
            prop_assert_eq!(out, bytes);
        }
    }
}
