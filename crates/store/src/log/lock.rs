//! One writer at a time, across threads and processes.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::atomic::Mode;
use crate::error::{At, StoreError};
use crate::permissions::restrict;

/// How often to look whether a lock is free.
const PAUSE: Duration = Duration::from_millis(1);

/// The lock of a log. Dropped, or its process dead, it is free.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "held, never used")] File);

/// Takes the lock of the log whose state is in this folder.
pub(super) fn acquire(state: &Path, patience: Duration) -> Result<Lock, StoreError> {
    let start = Instant::now();
    // One waits at the door until the lock is free: a writer that comes back at once does not overtake it.
    let _door = wait_for(&state.join("door"), start, patience)?;
    wait_for(&state.join("lock"), start, patience).map(Lock)
}

fn wait_for(path: &Path, start: Instant, patience: Duration) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    restrict(&mut options, Mode::Private);
    let file = options.open(path).at(path)?;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if start.elapsed() < patience => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Busy { path: path.to_path_buf(), waited: patience });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io(path, error)),
        }
    }
}
