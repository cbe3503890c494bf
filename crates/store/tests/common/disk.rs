//! A file system of its own, so small that it gets full. It needs root on Linux.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::skip;

/// One test at a time: a process that another test starts holds this one's files for a moment, and so their space.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A mounted file system of two megabytes.
pub(crate) struct SmallDisk {
    folder: tempfile::TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl SmallDisk {
    pub(crate) fn mount() -> Option<Self> {
        let alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m,mode=0700", "genten-test"]).arg(folder.path());
        let mounted = mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        if !mounted {
            skip("no file system could be mounted (root is needed)");
        }
        mounted.then_some(Self { folder, _alone: alone })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Takes the right to write away.
    pub(crate) fn make_read_only(&self) {
        let mut remount = Command::new("mount");
        let remounted = remount.args(["-o", "remount,ro"]).arg(self.path()).status().unwrap();
        assert!(remounted.success());
    }

    /// Leaves no space at all.
    pub(crate) fn fill(&self) -> PathBuf {
        let filler = self.path().join("filler");
        fs::write(&filler, vec![1; 4 << 20]).unwrap_err();
        filler
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("--lazy").arg(self.path()).status());
    }
}
