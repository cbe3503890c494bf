//! The log of a server: what was taken, and what was published of it.

use std::collections::{BTreeSet, HashMap};

use genten_primitives::Sha256Digest;
use genten_tlog::merkle::leaf_hash;
use genten_tlog::tile::TILE_WIDTH;
use genten_tlog::{BundleId, TileId};
use serde_json::Value;

use crate::Clock;
use crate::log::{Handing, TestLog};
use crate::witness::Witness;

/// Who cosigns, and when.
#[derive(Clone, Debug)]
pub(super) struct Cosigners {
    pub(super) witnesses: Vec<Witness>,
    pub(super) clock: Clock,
}

/// Where an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is new.
    Now(usize),
    /// It was there, and the log remembers it.
    Before(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Ledger {
    pub(super) log: TestLog,
    cosigners: Option<Cosigners>,
    /// How many of the latest entries are recognised when they come again.
    memory: usize,
    /// The latest place of each leaf hash, of so many leaves.
    places: HashMap<Sha256Digest, usize>,
    placed: usize,
    /// All sizes with a checkpoint.
    published: BTreeSet<usize>,
    checkpoint: String,
}

impl Ledger {
    pub(super) fn new(log: TestLog, cosigners: Option<Cosigners>, memory: usize) -> Self {
        let mut ledger = Self {
            log,
            cosigners,
            memory,
            places: HashMap::new(),
            placed: 0,
            published: BTreeSet::new(),
            checkpoint: String::new(),
        };
        ledger.publish();
        ledger
    }

    pub(super) fn replace(&mut self, log: TestLog) {
        *self = Self::new(log, self.cosigners.take(), self.memory);
    }

    /// Signs the tree as it is now, with all that was appended to it.
    pub(super) fn publish(&mut self) {
        while let Some(leaf) = self.log.leaf(self.placed) {
            self.places.insert(leaf_hash(leaf), self.placed);
            self.placed += 1;
        }
        self.published.insert(self.log.len());
        self.checkpoint = self.signed(None);
    }

    /// Lets the log have so many entries at least.
    pub(super) fn grow_to(&mut self, entries: usize) {
        while self.log.len() < entries {
            self.log.append(format!("entry {} of others", self.log.len()));
        }
        self.publish();
    }

    pub(super) fn take(&mut self, body: &[u8]) -> Taken {
        let known = self.places.get(&leaf_hash(body)).copied();
        match known.filter(|index| self.log.len() - index <= self.memory) {
            Some(index) => Taken::Before(index),
            None => {
                let index = self.log.append(body);
                self.publish();
                Taken::Now(index)
            }
        }
    }

    /// Where the entry stands, now or before.
    pub(super) fn place(&mut self, body: &[u8]) -> usize {
        match self.take(body) {
            Taken::Now(index) | Taken::Before(index) => index,
        }
    }

    /// The entry of this index under the latest checkpoint.
    pub(super) fn entry(&self, index: usize) -> Value {
        self.log.entry_under(index, self.log.len(), &self.checkpoint)
    }

    pub(super) fn checkpoint(&self) -> &str {
        &self.checkpoint
    }

    /// The checkpoint of the size that was published before the latest one, with cosignatures of now.
    pub(super) fn earlier(&self) -> String {
        let size = self.published.range(..self.log.len()).next_back().copied();
        self.signed(size)
    }

    fn signed(&self, size: Option<usize>) -> String {
        let handing = Handing { size, ..Handing::default() };
        let Some(Cosigners { witnesses, clock }) = &self.cosigners else {
            return self.log.checkpoint(&handing);
        };
        let seconds = u64::try_from(clock.now().as_millis() / 1000).unwrap_or(0);
        let witnesses: Vec<_> = witnesses.iter().map(|witness| (witness, seconds)).collect();
        self.log.checkpoint(&Handing { witnesses: &witnesses, ..handing })
    }

    /// The same log under the same key as it was when it had so many entries.
    pub(super) fn truncated(&self, size: usize) -> Self {
        Self::new(self.log.truncated(size), self.cosigners.clone(), self.memory)
    }

    /// What the log shows to others: the same size under the same key, but this leaf, if there is one, is another.
    pub(super) fn split_view(&self, leaf: usize) -> Self {
        let mut view = self.clone();
        if leaf < view.log.len() {
            view.log = view.log.with_leaf(leaf, "entry of another view");
            view.checkpoint = view.signed(None);
        }
        view
    }

    /// The tile or bundle of this path, if it is one of a size that was published.
    pub(super) fn file(&self, path: &str) -> Option<Vec<u8>> {
        let (tile, bytes) = match path.parse::<BundleId>() {
            Ok(bundle) => (bundle.tile(), self.log.bundle(bundle)?),
            Err(_) => {
                let tile = path.parse().ok()?;
                (tile, self.log.tile(tile)?)
            }
        };
        self.is_published(tile).then_some(bytes)
    }

    /// A partial tile is written with a tree that ends in it, a full one with any that contains it.
    fn is_published(&self, tile: TileId) -> bool {
        let hashes = tile.number() as usize * usize::from(TILE_WIDTH) + usize::from(tile.width());
        let first = hashes << (8 * tile.level());
        let after = if tile.is_full() { usize::MAX } else { (hashes + 1) << (8 * tile.level()) };
        self.published.range(first..after).next().is_some()
    }
}
