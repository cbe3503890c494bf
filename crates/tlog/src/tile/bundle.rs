//! Entry bundles: `(u16 length || entry)*`, up to 256 of them.

use genten_primitives::Sha256Digest;

use super::{TILE_WIDTH, TileError};
use crate::merkle::leaf_hash;

/// Longest entry, in bytes.
pub const MAX_ENTRY: usize = 65_535;

/// The entries of a bundle whose leaf hashes nobody has compared, borrowed from its bytes.
///
/// ```
/// use genten_tlog::tile::{EntryBundle, write_bundle};
/// let bytes = write_bundle(&[b"one", b""]).unwrap();
/// assert_eq!(bytes, b"\x00\x03one\x00\x00");
/// assert_eq!(EntryBundle::parse(&bytes, 2).unwrap().entries(), [&b"one"[..], b""]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryBundle<'b> {
    entries: Vec<&'b [u8]>,
}

impl<'b> EntryBundle<'b> {
    /// Reads a bundle of exactly `width` entries, uncompressed.
    ///
    /// # Errors
    /// A width that no bundle has, a length that points beyond the end, bytes after the last entry.
    pub fn parse(bytes: &'b [u8], width: u16) -> Result<Self, TileError> {
        if !(1..=TILE_WIDTH).contains(&width) {
            return Err(TileError::BundleWidth { found: usize::from(width) });
        }
        let (mut rest, mut entries) = (bytes, Vec::with_capacity(usize::from(width)));
        for entry in 0..width {
            let (content, more) =
                take_entry(rest).ok_or(TileError::BundleTruncated { width, entry })?;
            entries.push(content);
            rest = more;
        }
        match rest.len() {
            0 => Ok(Self { entries }),
            remaining => Err(TileError::BundleTrailing { width, remaining }),
        }
    }

    /// The entries, in order.
    pub fn entries(&self) -> &[&'b [u8]] {
        &self.entries
    }

    /// The leaf hash of each entry.
    pub fn leaf_hashes(&self) -> Vec<Sha256Digest> {
        self.entries.iter().map(|entry| leaf_hash(entry)).collect()
    }
}

fn take_entry(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))
}

/// The bytes of a bundle with these entries.
///
/// # Errors
/// No entry, more than 256, one of more than 65,535 bytes.
pub fn write_bundle(entries: &[&[u8]]) -> Result<Vec<u8>, TileError> {
    if !(1..=usize::from(TILE_WIDTH)).contains(&entries.len()) {
        return Err(TileError::BundleWidth { found: entries.len() });
    }
    let mut bytes = Vec::with_capacity(entries.iter().map(|entry| entry.len() + 2).sum());
    for entry in entries {
        let too_long = |_| TileError::EntryTooLong { limit: MAX_ENTRY, found: entry.len() };
        bytes.extend(u16::try_from(entry.len()).map_err(too_long)?.to_be_bytes());
        bytes.extend_from_slice(entry);
    }
    Ok(bytes)
}
