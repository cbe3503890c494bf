//! The text of a checkpoint: `<origin> LF <size> LF <base64 of the root> LF [<extension line> LF]...`

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::{base64, from_base64};

use super::CheckpointError;
use crate::merkle::{EMPTY_ROOT, TreeSize};

/// Size and root. Read after a signature was checked, or in order to check one over them.
#[derive(Clone, Copy)]
pub(super) struct Body {
    pub(super) size: TreeSize,
    pub(super) root: Sha256Digest,
    pub(super) has_extensions: bool,
}

impl Body {
    pub(super) fn read(text: &str) -> Result<Self, CheckpointError> {
        let mut lines = text.strip_suffix('\n').unwrap_or(text).split('\n').skip(1);
        let size = read_size(lines.next().ok_or(CheckpointError::SizeMissing)?)?;
        let root = lines.next().filter(|line| !line.is_empty());
        let root = read_root(root.ok_or(CheckpointError::RootMissing)?)
            .ok_or(CheckpointError::RootMalformed)?;
        if size.get() == 0 && root != EMPTY_ROOT {
            return Err(CheckpointError::EmptyTreeRoot { found: root });
        }
        let mut has_extensions = false;
        for line in lines {
            if line.is_empty() {
                return Err(CheckpointError::EmptyExtension);
            }
            has_extensions = true;
        }
        Ok(Self { size, root, has_extensions })
    }
}

/// The lines move up when one is left out: a root in the place of the size means that there is no size.
fn read_size(line: &str) -> Result<TreeSize, CheckpointError> {
    match line.parse() {
        Ok(size) => Ok(size),
        Err(_) if line.is_empty() || read_root(line).is_some() => Err(CheckpointError::SizeMissing),
        Err(_) => Err(CheckpointError::SizeMalformed),
    }
}

fn read_root(line: &str) -> Option<Sha256Digest> {
    let bytes = from_base64(line).ok()?;
    bytes.try_into().ok().map(Sha256Digest::from_bytes)
}

/// The text that a log signs: origin, size and root, without extension lines.
///
/// ```
/// use genten_tlog::{TreeSize, checkpoint::checkpoint_text, merkle::EMPTY_ROOT};
/// let text = checkpoint_text("log.example", TreeSize::new(0).unwrap(), EMPTY_ROOT);
/// assert_eq!(text, "log.example\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n");
/// ```
pub fn checkpoint_text(origin: &str, size: TreeSize, root: Sha256Digest) -> String {
    [origin, "\n", &size.to_string(), "\n", &base64(root.as_bytes()), "\n"].concat()
}
