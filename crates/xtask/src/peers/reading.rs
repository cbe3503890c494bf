//! What stands in the folder of a log.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;

use genten_primitives::Sha256Digest;
use genten_store::log::LogFolder;
use genten_tlog::tile::TILE_WIDTH;
use genten_tlog::{BundleId, NoteKey};

/// How many entries the newest checkpoint covers.
pub(super) fn size(tiles: &Path, key: &NoteKey) -> Result<u64, Box<dyn Error>> {
    Ok(LogFolder::new(tiles, key.clone())?.checkpoint()?.size().get())
}

/// All entries in their order, each compared with the signed root.
pub(super) fn entries(tiles: &Path, key: &NoteKey) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let folder = LogFolder::new(tiles, key.clone())?;
    let checkpoint = folder.checkpoint()?;
    if checkpoint.size().get() == 0 {
        return Ok(Vec::new());
    }
    let (mut hashes, mut buffer) = (folder.tiles(&checkpoint)?, Vec::new());
    let mut entries = Vec::new();
    for number in 0..checkpoint.size().get().div_ceil(u64::from(TILE_WIDTH)) {
        let id = BundleId::at(number, checkpoint.size()).ok_or("no such bundle")?;
        let bundle = folder.bundle(&mut hashes, id, &mut buffer)?;
        entries.extend(bundle.entries().iter().map(|entry| entry.to_vec()));
    }
    Ok(entries)
}

/// The places of every entry that stands in the log more than once.
pub(super) fn repeated(entries: &[Vec<u8>]) -> Vec<Vec<usize>> {
    let mut places: HashMap<Sha256Digest, Vec<usize>> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        places.entry(Sha256Digest::of(entry)).or_default().push(index);
    }
    let mut repeated: Vec<_> = places.into_values().filter(|places| places.len() > 1).collect();
    repeated.sort();
    repeated
}
