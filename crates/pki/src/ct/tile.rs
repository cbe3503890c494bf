//! Data tiles of static CT logs: the log's entries in full.
//!
//! ```text
//! TileLeaf: u64 milliseconds | u16 entry type | entry | u16 length || extensions       (the TimestampedEntry)
//!           [entry type 1: u24 length || precertificate]
//!           u16 length || SHA-256 of each certificate above, the issuer's first
//! entry:    type 0: u24 length || certificate
//!           type 1: SHA-256 of the issuer's SubjectPublicKeyInfo | u24 length || TBSCertificate
//! ```
//!
//! What is accepted is written back to the same bytes.

use genten_primitives::Sha256Digest;

use super::entry::{CtEntry, LeafIndexError, SctVerifyError, hash_of_leaf, push_long, push_short};
use crate::sct_list::leaf_index;

/// Largest data tile that is read, in bytes, decompressed.
pub const MAX_DATA_TILE: usize = 64 * 1024 * 1024;

/// Entries of a full tile.
const FULL: u16 = 256;

/// First index that does not fit the five bytes of a leaf_index.
const END: u64 = 1 << 40;

/// The entries of one data tile, in order, borrowed from its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataTile<'t>(Vec<TileLeaf<'t>>);

/// One entry of a data tile.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TileLeaf<'t> {
    /// Milliseconds since 1970.
    pub timestamp: u64,
    /// What was logged.
    pub entry: CtEntry<'t>,
    /// Extensions of the SCT, with the leaf_index among them.
    pub extensions: &'t [u8],
    /// The precertificate as submitted; none for a certificate.
    pub precertificate: Option<&'t [u8]>,
    /// SHA-256 of each certificate above, the issuer's first: their names under `issuer/`.
    pub issuers: Vec<Sha256Digest>,
}

/// Which part of a data tile's entry a length belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataTilePart {
    /// Certificate or TBSCertificate.
    Certificate,
    /// Extensions.
    Extensions,
    /// Time, type of entry, hash of the issuer's key.
    Header,
    /// Fingerprints of issuers.
    Issuers,
    /// The precertificate.
    Precertificate,
}

/// Why some bytes are not the data tile that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DataTileError {
    /// A certificate without a byte.
    #[error("{part:?} of entry {position} is empty")]
    Empty {
        /// The entry's place in the tile.
        position: usize,
        /// Which part.
        part: DataTilePart,
    },
    /// A type of entry other than certificate and precertificate.
    #[error("entry {position} has the unknown type {found}")]
    EntryType {
        /// The entry's place in the tile.
        position: usize,
        /// Its type.
        found: u16,
    },
    /// Bytes that are no certificate of the name under which they are published.
    #[error("issuer has the sha-256 {calculated}, its name is {expected}")]
    Issuer {
        /// The name.
        expected: Sha256Digest,
        /// SHA-256 of the bytes.
        calculated: Sha256Digest,
    },
    /// Fingerprints that are not a multiple of 32 bytes.
    #[error("fingerprints of entry {position} have {found} bytes")]
    IssuersLength {
        /// The entry's place in the tile.
        position: usize,
        /// Their length.
        found: usize,
    },
    /// Extensions that are malformed or hold no leaf_index.
    #[error("entry {position} has no leaf index")]
    LeafIndex {
        /// The entry's place in the tile.
        position: usize,
        /// What is wrong.
        source: LeafIndexError,
    },
    /// A leaf_index that is not the entry's place.
    #[error("entry at {expected} says that it is at {found}")]
    Place {
        /// Its place in the log.
        expected: u64,
        /// Its leaf_index.
        found: u64,
    },
    /// More bytes than [`MAX_DATA_TILE`].
    #[error("data tile of {length} bytes, of at most {MAX_DATA_TILE}")]
    TooLarge {
        /// Its length in bytes.
        length: usize,
    },
    /// Bytes after the last entry.
    #[error("{remaining} bytes after the data tile")]
    TrailingBytes {
        /// How many.
        remaining: usize,
    },
    /// The tile ends inside an entry.
    #[error("{part:?} of entry {position} is cut off")]
    Truncated {
        /// The entry's place in the tile.
        position: usize,
        /// Which part.
        part: DataTilePart,
    },
    /// A number of entries that no tile has, or a tile beyond the end of any log.
    #[error("no data tile {tile} of {width} entries")]
    Width {
        /// Index of the tile.
        tile: u64,
        /// Entries asked for.
        width: u16,
    },
}

/// Checks that `der` is what is published under `issuer/<fingerprint>`.
///
/// # Errors
/// Other bytes.
pub fn check_issuer(expected: Sha256Digest, der: &[u8]) -> Result<(), DataTileError> {
    match Sha256Digest::of(der) {
        calculated if calculated == expected => Ok(()),
        calculated => Err(DataTileError::Issuer { expected, calculated }),
    }
}

impl<'t> DataTile<'t> {
    /// Reads the data tile with the index `tile` of `width` entries (256, or fewer for a partial tile), decompressed.
    ///
    /// # Errors
    /// Bytes that are not exactly `width` entries; an entry without the leaf_index of its place.
    pub fn from_bytes(bytes: &'t [u8], tile: u64, width: u16) -> Result<Self, DataTileError> {
        let first = tile.checked_mul(u64::from(FULL)).filter(|first| *first <= END - 256);
        let (Some(first), 1..=FULL) = (first, width) else {
            return Err(DataTileError::Width { tile, width });
        };
        if bytes.len() > MAX_DATA_TILE {
            return Err(DataTileError::TooLarge { length: bytes.len() });
        }
        let mut rest = bytes;
        let mut leaves = Vec::with_capacity(usize::from(width));
        for position in 0..usize::from(width) {
            let leaf = Reader { rest: &mut rest, position }.leaf()?;
            leaf.check_place(position, first + position as u64)?;
            leaves.push(leaf);
        }
        match rest.len() {
            0 => Ok(Self(leaves)),
            remaining => Err(DataTileError::TrailingBytes { remaining }),
        }
    }

    /// The entries, in order.
    pub fn leaves(&self) -> &[TileLeaf<'t>] {
        &self.0
    }
}

impl TileLeaf<'_> {
    /// The hash of the entry's leaf in the log's Merkle tree.
    ///
    /// # Errors
    /// Parts that do not fit their length fields, which none that was read has.
    pub fn leaf_hash(&self) -> Result<Sha256Digest, SctVerifyError> {
        let mut timestamped = Vec::new();
        self.entry.write_timestamped(self.timestamp, self.extensions, &mut timestamped)?;
        Ok(hash_of_leaf(&timestamped))
    }

    /// Appends the entry as it stands in a data tile.
    ///
    /// # Errors
    /// Parts that do not fit their length fields, which none that was read has.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), SctVerifyError> {
        self.entry.write_timestamped(self.timestamp, self.extensions, out)?;
        if let Some(precertificate) = self.precertificate {
            push_long(precertificate, out)?;
        }
        let issuers: Vec<u8> = self.issuers.iter().flat_map(|one| *one.as_bytes()).collect();
        push_short(&issuers, out)
    }

    fn check_place(&self, position: usize, expected: u64) -> Result<(), DataTileError> {
        let found = leaf_index(self.extensions).map_err(LeafIndexError::from);
        match found.and_then(|index| index.ok_or(LeafIndexError::Missing)) {
            Ok(found) if found == expected => Ok(()),
            Ok(found) => Err(DataTileError::Place { expected, found }),
            Err(source) => Err(DataTileError::LeafIndex { position, source }),
        }
    }
}

/// What is left of the tile, and which entry it is in.
struct Reader<'r, 't> {
    rest: &'r mut &'t [u8],
    position: usize,
}

impl<'t> Reader<'_, 't> {
    fn leaf(&mut self) -> Result<TileLeaf<'t>, DataTileError> {
        let timestamp = u64::from_be_bytes(self.array(DataTilePart::Header)?);
        let entry = self.entry()?;
        let extensions = self.vector::<2>(DataTilePart::Extensions)?;
        let precertificate = match entry {
            CtEntry::Certificate(_) => None,
            CtEntry::Precertificate { .. } => Some(self.certificate(DataTilePart::Precertificate)?),
        };
        let issuers = self.issuers()?;
        Ok(TileLeaf { timestamp, entry, extensions, precertificate, issuers })
    }

    fn entry(&mut self) -> Result<CtEntry<'t>, DataTileError> {
        match u16::from_be_bytes(self.array(DataTilePart::Header)?) {
            0 => self.certificate(DataTilePart::Certificate).map(CtEntry::Certificate),
            1 => Ok(CtEntry::Precertificate {
                issuer_key_hash: Sha256Digest::from_bytes(self.array(DataTilePart::Header)?),
                tbs: self.certificate(DataTilePart::Certificate)?,
            }),
            found => Err(DataTileError::EntryType { position: self.position, found }),
        }
    }

    /// `opaque ASN.1Cert<1..2^24-1>` (RFC 6962 section 3.1)
    fn certificate(&mut self, part: DataTilePart) -> Result<&'t [u8], DataTileError> {
        match self.vector::<3>(part)? {
            [] => Err(DataTileError::Empty { position: self.position, part }),
            der => Ok(der),
        }
    }

    fn issuers(&mut self) -> Result<Vec<Sha256Digest>, DataTileError> {
        let bytes = self.vector::<2>(DataTilePart::Issuers)?;
        let (whole, rest) = bytes.as_chunks::<32>();
        if !rest.is_empty() {
            let (position, found) = (self.position, bytes.len());
            return Err(DataTileError::IssuersLength { position, found });
        }
        Ok(whole.iter().map(|one| Sha256Digest::from_bytes(*one)).collect())
    }

    fn array<const N: usize>(&mut self, part: DataTilePart) -> Result<[u8; N], DataTileError> {
        let cut = DataTileError::Truncated { position: self.position, part };
        let (array, rest) = self.rest.split_first_chunk().ok_or(cut)?;
        *self.rest = rest;
        Ok(*array)
    }

    /// Content after a length of `N` bytes.
    fn vector<const N: usize>(&mut self, part: DataTilePart) -> Result<&'t [u8], DataTileError> {
        let length: [u8; N] = self.array(part)?;
        let length = length.iter().fold(0, |value, byte| value << 8 | usize::from(*byte));
        let cut = DataTileError::Truncated { position: self.position, part };
        let (vector, rest) = self.rest.split_at_checked(length).ok_or(cut)?;
        *self.rest = rest;
        Ok(vector)
    }
}
