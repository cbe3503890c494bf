//! A log folder, as an independent program reads it.

use std::path::Path;

use genten_tlog::NoteKey;

use super::install::Programs;
use crate::Outcome;
use crate::repository::output;

/// Whether every tile and entry of the folder at `log` is what its checkpoint says, by Tessera's fsck. The key is written
/// beside the folder.
pub(super) fn check(programs: &Programs, log: &Path, key: &NoteKey) -> Outcome {
    let vkey = log.with_extension("vkey");
    std::fs::write(&vkey, key.to_vkey())?;
    let mut fsck = programs.command("fsck");
    fsck.arg(format!("--storage_url=file://{}/", log.display()))
        .arg(format!("--public_key={}", vkey.display()))
        .arg(format!("--origin={}", key.name()))
        .arg("--ui=false");
    output(&mut fsck).map(drop)
}
