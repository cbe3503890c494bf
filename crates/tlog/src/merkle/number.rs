//! Numbers of leaves and positions of leaves.

use std::fmt;
use std::str::FromStr;

use crate::decimal;

/// How many leaves a tree has: 0 to 2^63 - 1.
///
/// Text form: ASCII decimal without sign, spaces or leading zeros.
///
/// ```
/// use genten_tlog::TreeSize;
/// assert_eq!("70000".parse::<TreeSize>().unwrap().get(), 70_000);
/// assert!("070000".parse::<TreeSize>().is_err());
/// assert!(TreeSize::new(1 << 63).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreeSize(u64);

/// Which leaf of a tree, counted from 0; at most 2^63 - 1. The text form is that of [`TreeSize`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LeafIndex(u64);

/// Not a number of leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a number from 0 to 2^63 - 1 in decimal digits without leading zeros")]
pub struct NumberError;

impl TreeSize {
    /// A tree of so many leaves.
    ///
    /// # Errors
    /// More than 2^63 - 1.
    pub fn new(leaves: u64) -> Result<Self, NumberError> {
        if leaves <= decimal::MAX { Ok(Self(leaves)) } else { Err(NumberError) }
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl LeafIndex {
    /// The leaf at this position.
    ///
    /// # Errors
    /// More than 2^63 - 1.
    pub fn new(position: u64) -> Result<Self, NumberError> {
        if position <= decimal::MAX { Ok(Self(position)) } else { Err(NumberError) }
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl FromStr for TreeSize {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        decimal::read(text).map(Self).ok_or(NumberError)
    }
}

impl FromStr for LeafIndex {
    type Err = NumberError;

    fn from_str(text: &str) -> Result<Self, NumberError> {
        decimal::read(text).map(Self).ok_or(NumberError)
    }
}

impl fmt::Display for TreeSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for LeafIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for TreeSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TreeSize({})", self.0)
    }
}

impl fmt::Debug for LeafIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LeafIndex({})", self.0)
    }
}
