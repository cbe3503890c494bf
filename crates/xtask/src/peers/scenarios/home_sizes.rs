//! The log of a home, as Tessera's fsck reads it, at sizes around those of tiles.

use genten::home_log;
use genten_primitives::Sha256Digest;
use genten_store::Home;

use crate::Outcome;
use crate::peers::fsck;
use crate::peers::stage::Stage;

/// A tile has 256 hashes: none, one, almost one tile, one, one more, a full one of the second level, and into the next.
const SIZES: [u64; 7] = [0, 1, 255, 256, 257, 65_536, 70_000];

/// Entries of one append.
const STEP: u64 = 20_000;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let user = stage.user("user")?;
    user.genten("log init")?;
    let log = home_log(&Home::open(user.path("home"))?)?;
    let folder = log.folder();
    for size in SIZES {
        let mut writer = log.lock(None)?;
        while writer.size().get() < size {
            let first = writer.size().get();
            let entries: Vec<_> = (first..size.min(first + STEP)).map(entry).collect();
            writer.append(&entries)?;
        }
        drop(writer);
        fsck::check(stage.peers, folder.path(), folder.key())?;
        user.genten("log check")?;
        eprintln!("{size} entries: fsck and `genten log check` agree");
    }
    Ok(())
}

/// The length varies as the number does; no two are the same.
fn entry(number: u64) -> Vec<u8> {
    let digest = Sha256Digest::of(&number.to_be_bytes()).to_string();
    digest.repeat(1 + usize::from(number.to_be_bytes()[7] % 8)).into_bytes()
}
