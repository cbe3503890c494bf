//! Finds an entry again in a log that has it already: after 409, or when nobody knows what became of a submission.
//!
//! The log gives no proof then. It is made from the tiles, put into the form in which the log would have sent it, and
//! verified like that.

mod error;

use futures_util::{StreamExt as _, stream};
use genten_tlog::rekor::{HashedRekord, write_entry};
use genten_tlog::{BundleId, Checkpoint, EntryBundle, LeafIndex};

pub use error::{CHECKPOINT_INTERVAL, RecoverError};

use crate::accept::{Submitted, Verdict, accept};
use crate::reader::{LogFile, PARALLEL};
use crate::{LogReader, ReadError, RekorClient};

/// Where an entry is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At this index, as the log said.
    At(LeafIndex),
    /// Among the newest entries ([`MAX_SEARCH`]), not before this index: the size that the log had before the entry was
    /// first sent, or 0.
    NotBefore(u64),
}

/// Most entries that are looked at in a search, the newest first.
pub const MAX_SEARCH: u64 = 1 << 16;

/// Entries of a bundle.
const WIDTH: u64 = 256;

impl RekorClient {
    /// Gets the proof of an entry that the log has already.
    ///
    /// # Errors
    /// The log cannot be read, does not have the entry there, or not yet. [`RecoverError::next`] says what to do.
    pub async fn recover(
        &self,
        rekord: &HashedRekord,
        place: Place,
    ) -> Result<Submitted, RecoverError> {
        let reader = self.reader().ok_or(RecoverError::NoReadUrl)?;
        let checkpoint = checkpoint(reader).await?;
        let index = match place {
            Place::At(index) => index,
            Place::NotBefore(first) => search(reader, &checkpoint, rekord, first).await?,
        };
        let entry = assemble(reader, &checkpoint, rekord, index).await?;
        match accept(self.endpoint(), rekord, &entry) {
            Verdict::Accepted(submitted) => Ok(submitted),
            Verdict::NoQuorum(short, _) => Err(RecoverError::NoQuorum(short)),
            Verdict::Wrong(wrong) => Err(RecoverError::Wrong(wrong)),
        }
    }
}

async fn checkpoint(reader: &LogReader) -> Result<Checkpoint, RecoverError> {
    reader.checkpoint().await.map_err(|error| match error {
        ReadError::Quorum(short) => RecoverError::NoQuorum(short),
        error => RecoverError::Read(error),
    })
}

/// The entry in the form in which the log sends it. Its leaf hash is compared with the tree's, so that the bundle need not
/// be read.
async fn assemble(
    reader: &LogReader,
    checkpoint: &Checkpoint,
    rekord: &HashedRekord,
    index: LeafIndex,
) -> Result<Vec<u8>, RecoverError> {
    let size = checkpoint.size();
    if index.get() >= size.get() {
        return Err(RecoverError::NotYet { index, size });
    }
    let proof = reader.prove_inclusion(checkpoint, index, rekord.leaf_hash()).await;
    let proof = proof.map_err(|error| match error {
        source @ ReadError::OtherLeaf { .. } => RecoverError::OtherEntry { index, source },
        error => RecoverError::Read(error),
    })?;
    Ok(write_entry(&checkpoint.signers()[0], &rekord.to_body(), &proof, checkpoint))
}

/// The newest entry with our body. What is found is proven afterwards, so that nothing need be authenticated here.
async fn search(
    reader: &LogReader,
    checkpoint: &Checkpoint,
    rekord: &HashedRekord,
    first: u64,
) -> Result<LeafIndex, RecoverError> {
    let (size, body) = (checkpoint.size(), rekord.to_body());
    let first = first.max(size.get().saturating_sub(MAX_SEARCH));
    let bundles = (first / WIDTH..size.get().div_ceil(WIDTH)).rev();
    let bundles = bundles.filter_map(|number| BundleId::at(number, size));
    let fetches = bundles.map(|bundle| async move {
        let bytes = reader.fetch(LogFile::Bundle(bundle)).await?;
        Ok((bundle, bytes))
    });
    let mut fetched = stream::iter(fetches).buffered(PARALLEL);
    while let Some(next) = fetched.next().await {
        let (bundle, bytes) = next.map_err(RecoverError::Read)?;
        let found = position(bundle, &bytes, &body).map_err(RecoverError::Read)?;
        if let Some(index) = found {
            return Ok(index);
        }
    }
    Err(RecoverError::NotFound { searched: size.get().saturating_sub(first) })
}

fn position(bundle: BundleId, bytes: &[u8], body: &[u8]) -> Result<Option<LeafIndex>, ReadError> {
    let entries = EntryBundle::parse(bytes, bundle.width())?;
    let position = entries.entries().iter().rposition(|entry| *entry == body);
    let index = position.map(|position| bundle.number() * WIDTH + position as u64);
    Ok(index.and_then(|index| LeafIndex::new(index).ok()))
}
