//! Extending a log.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use genten_tlog::rekor::MAX_BODY;
use genten_tlog::tile::{TILE_WIDTH, write_bundle};
use genten_tlog::{BundleId, Checkpoint, LeafIndex, TileId, TreeSize};

use super::edge::Edge;
use super::nodes::{Nodes, TILE_LEVELS};
use super::{Appended, EmbeddedLog, LogError};
use crate::ProcessLock;
use crate::atomic::Group;

/// A log that nobody else extends now: see [`EmbeddedLog::lock`]. Dropped, it lets others write.
#[derive(Debug)]
pub struct LogWriter<'log> {
    log: &'log EmbeddedLog,
    _lock: ProcessLock,
    checkpoint: Checkpoint,
    edge: Edge,
    /// Whether a checkpoint was about to be put in place, so that only the folder can tell which one it has.
    in_doubt: bool,
}

impl<'log> LogWriter<'log> {
    pub(super) fn new(
        log: &'log EmbeddedLog,
        lock: ProcessLock,
        checkpoint: Checkpoint,
        edge: Edge,
    ) -> Self {
        Self { log, _lock: lock, checkpoint, edge, in_doubt: false }
    }

    /// Entries of the log.
    pub fn size(&self) -> TreeSize {
        self.checkpoint.size()
    }

    /// Its newest checkpoint.
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// Adds entries, each of at most 65,535 bytes, in their order. When this returns they are durable and under the signed
    /// checkpoint. Without entries nothing is written.
    ///
    /// # Errors
    /// [`LogError::EntryTooLong`], [`LogError::Full`], [`LogError::Signer`], [`LogError::Store`]. The log is then as it was, and the
    /// writer can go on; except that [`LogError::Store`] leaves open whether the checkpoint was put in place just before.
    /// Ask [`LogFolder::find`](super::LogFolder::find) before the same entries are given again.
    pub fn append(&mut self, entries: &[impl AsRef<[u8]>]) -> Result<Appended, LogError> {
        let entries: Vec<&[u8]> = entries.iter().map(AsRef::as_ref).collect();
        expect_fit(&entries)?;
        self.resolve_doubt()?;
        let full = || LogError::Full { path: self.log.folder().path().to_path_buf() };
        let nodes = self.edge.grow(&entries).ok_or_else(full)?;
        let first = LeafIndex::new(self.size().get()).map_err(|_| full())?;
        if !entries.is_empty() {
            self.extend(&nodes, &entries)?;
        }
        let key = self.log.folder().key().clone();
        Ok(Appended::new(key, first, entries.len(), self.checkpoint.clone(), nodes))
    }

    fn extend(&mut self, nodes: &Nodes, entries: &[&[u8]]) -> Result<(), LogError> {
        nodes.continues(self.checkpoint.root()).map_err(|source| LogError::Forked {
            path: self.log.folder().path().to_path_buf(),
            known: self.size(),
            found: nodes.size(),
            source,
        })?;
        let replaced = self.write(nodes, entries)?;
        let checkpoint = self.log.sign(nodes.size(), nodes.root())?;
        self.in_doubt = true;
        self.log.publish(&checkpoint)?;
        self.in_doubt = false;
        self.edge = self.edge.advance(nodes, entries);
        self.checkpoint = checkpoint;
        for folder in replaced {
            // The full file has all that was in there. What stays if this fails does no harm.
            drop(fs::remove_dir_all(folder));
        }
        Ok(())
    }

    /// Makes bundles and tiles durable. Gives the folders of partial ones that are full now.
    fn write(&self, nodes: &Nodes, entries: &[&[u8]]) -> Result<Vec<PathBuf>, LogError> {
        let root = self.log.folder().path();
        let mut group = Group::new(self.log.state(), self.settled());
        let mut replaced = Vec::new();
        let mut put = |name: String, is_full: bool, bytes: &[u8]| {
            let path = root.join(&name);
            if is_full {
                replaced.push(root.join(name + ".p"));
            }
            group.put(&path, bytes)
        };
        let first = self.size().get() / u64::from(TILE_WIDTH);
        let bundled = self.edge.bundled(entries);
        for (number, entries) in (first..).zip(bundled.chunks(TILE_WIDTH.into())) {
            let bundle = BundleId::at(number, nodes.size()).expect("the tree has these entries");
            let bytes =
                write_bundle(entries).expect("entries were measured, bundles are not empty");
            put(bundle.to_string(), bundle == bundle.full(), &bytes)?;
        }
        for (tile, bytes) in nodes.new_tiles() {
            put(tile.to_string(), tile.is_full(), &bytes)?;
        }
        group.finish()?;
        Ok(replaced)
    }

    /// The folders in which the signed tree has its last files. They were made durable before it was signed.
    fn settled(&self) -> BTreeSet<PathBuf> {
        let (root, size) = (self.log.folder().path(), self.size());
        let last =
            |level: u8| (size.get() >> (8 * level)).saturating_sub(1) / u64::from(TILE_WIDTH);
        let tiles = (0..TILE_LEVELS).filter_map(|level| TileId::at(level, last(level), size));
        let bundle = BundleId::at(last(0), size);
        let names =
            tiles.map(|tile| tile.to_string()).chain(bundle.map(|bundle| bundle.to_string()));
        let mut settled = BTreeSet::from([root.to_path_buf()]);
        for name in names {
            let file = root.join(name);
            let folders = file.ancestors().skip(1).take_while(|folder| *folder != root);
            settled.extend(folders.filter(|folder| folder.is_dir()).map(PathBuf::from));
        }
        settled
    }

    fn resolve_doubt(&mut self) -> Result<(), LogError> {
        if self.in_doubt {
            (self.checkpoint, self.edge) = self.log.load(Some(self.checkpoint.note()))?;
            self.in_doubt = false;
        }
        Ok(())
    }
}

fn expect_fit(entries: &[&[u8]]) -> Result<(), LogError> {
    match entries.iter().position(|entry| entry.len() > MAX_BODY) {
        None => Ok(()),
        Some(position) => {
            let found = entries[position].len();
            Err(LogError::EntryTooLong { position, limit: MAX_BODY, found })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use genten_jws::{Algorithm, CheckpointKey, SecretKey};
    use genten_tlog::NoteKey;

    use super::*;
    use crate::log::CheckpointSigner;

    struct Signer(CheckpointKey, NoteKey);

    impl CheckpointSigner for Signer {
        fn key(&self) -> &NoteKey {
            &self.1
        }

        fn sign(&self, text: &str) -> Vec<u8> {
            self.0.sign(text).as_bytes().to_vec()
        }
    }

    fn log(folder: &Path) -> EmbeddedLog {
        let key = SecretKey::from_bytes(Algorithm::EdDsa, &[1; 32]).unwrap();
        let name = NoteKey::ed25519("log.example", key.public_key()).unwrap();
        let signer = Signer(CheckpointKey::new(key).unwrap(), name);
        EmbeddedLog::open_or_create(folder, Box::new(signer)).unwrap()
    }

    /// Whatever the cause: a root that does not continue the signed one is never signed.
    #[test]
    fn a_tree_that_does_not_continue_the_signed_one_is_not_signed() {
        let folder = tempfile::tempdir().unwrap();
        let [ours, theirs] = ["ours", "theirs"].map(|name| log(&folder.path().join(name)));
        let mut writer = ours.lock(None).unwrap();
        writer.append(&["one", "two"]).unwrap();
        let mut other = theirs.lock(None).unwrap();
        other.append(&["one", "other"]).unwrap();
        std::mem::swap(&mut writer.edge, &mut other.edge);
        let signed = ours.folder().checkpoint().unwrap();
        let error = writer.append(&["three"]).unwrap_err();
        assert!(matches!(error, LogError::Forked { .. }), "{error:?}");
        assert_eq!(ours.folder().checkpoint().unwrap(), signed);
        assert!(!ours.folder().path().join("tile/entries/000.p/3").exists());
    }
}
