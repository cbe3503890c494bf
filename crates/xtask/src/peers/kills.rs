//! Processes that are killed at moments that nobody chose.

use std::error::Error;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant, SystemTime};

use crate::Outcome;

/// Kills a process (SIGKILL) after a part of this time, unless it ends before.
pub(super) fn kill_within(child: &mut Child, millis: u64) -> Outcome {
    let (begin, time) = (Instant::now(), Duration::from_micros(random(millis * 1000)));
    wait_until(child, || Ok(begin.elapsed() >= time))?;
    child.kill()?;
    child.wait()?;
    Ok(())
}

/// A number below `end`, from the randomness that hash maps have.
fn random(end: u64) -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish() % end.max(1)
}

/// Waits until something is so, or the process has ended.
pub(super) fn wait_until(
    child: &mut Child,
    mut is_so: impl FnMut() -> Result<bool, Box<dyn Error>>,
) -> Outcome {
    while !is_so()? && child.try_wait()?.is_none() {
        std::thread::sleep(Duration::from_micros(500));
    }
    Ok(())
}

/// A file or folder that somebody will write to.
pub(super) struct Watched {
    path: PathBuf,
    written: Option<SystemTime>,
}

impl Watched {
    pub(super) fn new(path: PathBuf) -> Self {
        let written = Self::written(&path);
        Self { path, written }
    }

    /// Whether it has been written to since.
    pub(super) fn has_changed(&self) -> bool {
        Self::written(&self.path) != self.written
    }

    fn written(path: &PathBuf) -> Option<SystemTime> {
        std::fs::metadata(path).and_then(|found| found.modified()).ok()
    }
}
