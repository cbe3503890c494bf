//! What goes wrong when a log is read.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use genten_tlog::{BundleId, TileId};

use super::answers;
use super::ledger::Ledger;
use crate::faults::with_body;
use crate::{Answer, Faults, NetFault};

/// What goes wrong with a request for the checkpoint, a tile or a bundle.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum ReadFault {
    /// Nothing.
    #[default]
    Honest,
    /// What every server can have.
    Net(NetFault),
    /// 404.
    Missing,
    /// One bit in the middle is another one.
    FlippedBit,
    /// 404 for partial tiles and bundles whose full ones are there.
    FullOnly,
    /// The checkpoint that was published before the latest one: what a cache keeps.
    Earlier,
    /// All is of another tree of the same size under the same key, which differs in its first leaf. An empty log has none.
    SplitView,
}

/// The faults of all files of a log.
#[derive(Debug, Default)]
pub(super) struct ReadFaults {
    pub(super) checkpoints: Faults<ReadFault>,
    pub(super) tiles: Faults<ReadFault>,
    pub(super) bundles: Faults<ReadFault>,
    paths: Mutex<HashMap<String, Faults<ReadFault>>>,
}

impl ReadFaults {
    /// The faults of one file.
    pub(super) fn at(&self, path: &str) -> Faults<ReadFault> {
        self.paths().entry(path.to_owned()).or_default().clone()
    }

    /// The fault of the file itself, or else of its kind.
    pub(super) fn take(&self, path: &str) -> ReadFault {
        let of_file = self.paths().get(path).map(Faults::take).unwrap_or_default();
        match of_file {
            ReadFault::Honest if path == "checkpoint" => self.checkpoints.take(),
            ReadFault::Honest if path.parse::<BundleId>().is_ok() => self.bundles.take(),
            ReadFault::Honest => self.tiles.take(),
            fault => fault,
        }
    }

    fn paths(&self) -> MutexGuard<'_, HashMap<String, Faults<ReadFault>>> {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file of the log, with the fault.
pub(super) fn answer(fault: &ReadFault, ledger: &Ledger, path: &str) -> Answer {
    match fault {
        ReadFault::Missing => answers::no_file(),
        ReadFault::FlippedBit => with_body(honest(ledger, path), |body| flip_a_bit(body)),
        ReadFault::FullOnly if is_superseded(ledger, path) => answers::no_file(),
        ReadFault::Earlier if path == "checkpoint" => answers::checkpoint(&ledger.earlier()),
        ReadFault::SplitView => honest(&ledger.split_view(0), path),
        _ => honest(ledger, path),
    }
}

fn honest(ledger: &Ledger, path: &str) -> Answer {
    match path {
        "checkpoint" => answers::checkpoint(ledger.checkpoint()),
        _ => ledger.file(path).map_or_else(answers::no_file, answers::file),
    }
}

fn flip_a_bit(body: &mut [u8]) {
    let middle = body.len() / 2;
    if let Some(byte) = body.get_mut(middle) {
        *byte ^= 1;
    }
}

/// Whether a partial tile or bundle has become a full one.
fn is_superseded(ledger: &Ledger, path: &str) -> bool {
    let full = match path.parse::<BundleId>() {
        Ok(bundle) => bundle.full().to_string(),
        Err(_) => {
            path.parse::<TileId>().map_or_else(|_| String::new(), |tile| tile.full().to_string())
        }
    };
    full != path && ledger.file(&full).is_some()
}
