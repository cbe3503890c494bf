//! Who may read what: the one place that differs between Unix and the rest. Elsewhere a folder in the user's profile is
//! private by what it inherits, and nothing is set here.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::path::Path;

use crate::atomic::Mode;
use crate::error::{At, StoreError};

/// Makes a folder that only its owner can use, and those above it, where they are missing. Two processes may do so at
/// once. A folder that exists keeps its permissions.
pub(crate) fn make_private_folder(path: &Path) -> Result<(), StoreError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        // A file, or a link to nothing.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(StoreError::NotADirectory { path: path.to_path_buf() })
        }
        result => result.at(path),
    }
}

#[cfg(unix)]
mod platform {
    use std::fs::{self, Metadata, Permissions};
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};

    use super::*;

    /// The permissions that a file is created with.
    pub(crate) fn restrict(options: &mut OpenOptions, mode: Mode) {
        options.mode(match mode {
            Mode::Private => 0o600,
            Mode::Shared => 0o666,
        });
    }

    /// Takes an existing file away from everybody but its owner.
    pub(crate) fn make_private(file: &File) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(0o600))
    }

    /// Takes an existing folder away from everybody but its owner.
    pub(crate) fn close_folder(path: &Path) -> io::Result<()> {
        if fs::metadata(path)?.mode() & 0o077 == 0 {
            return Ok(());
        }
        fs::set_permissions(path, Permissions::from_mode(0o700))
    }

    /// Whether the file has a second hard link.
    pub(crate) fn has_other_names(found: &Metadata) -> bool {
        found.nlink() > 1
    }
}

#[cfg(not(unix))]
mod platform {
    use std::fs::Metadata;

    use super::*;

    pub(crate) fn restrict(_options: &mut OpenOptions, _mode: Mode) {}

    pub(crate) fn make_private(_file: &File) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn close_folder(_path: &Path) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn has_other_names(_found: &Metadata) -> bool {
        false
    }
}

pub(crate) use platform::{close_folder, has_other_names, make_private, restrict};
