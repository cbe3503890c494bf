//! One writer at a time, across threads and processes.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::{ProcessLock, StoreError};

/// Takes the lock of the log whose state is in this folder.
pub(super) fn acquire(state: &Path, patience: Duration) -> Result<ProcessLock, StoreError> {
    let start = Instant::now();
    // One waits at the door until the lock is free: a writer that comes back at once does not overtake it.
    let _door = ProcessLock::take_within(&state.join("door"), patience)?;
    let patience = patience.saturating_sub(start.elapsed());
    ProcessLock::take_within(&state.join("lock"), patience)
}
