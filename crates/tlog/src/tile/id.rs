//! Which tile or bundle, and its path below the prefix of a log.

use std::fmt;
use std::str::FromStr;

use super::TILE_WIDTH;
use crate::decimal;
use crate::merkle::TreeSize;

/// Deepest level that a path can name; trees of 2^63 leaves need 0 to 7.
const MAX_LEVEL: u8 = 63;

/// Which hashes of a tree.
///
/// Text form: `tile/<L>/<N>`, and for a partial tile `.p/<W>` behind it, where `<N>` is in groups of three digits, all but the
/// last with an `x` before.
///
/// ```
/// use genten_tlog::TileId;
/// let id: TileId = "tile/0/x001/x234/067.p/8".parse().unwrap();
/// assert_eq!((id.level(), id.number(), id.width()), (0, 1_234_067, 8));
/// assert!("tile/0/x000/067".parse::<TileId>().is_err(), "the group of zeros is redundant");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TileId {
    level: u8,
    number: u64,
    width: u16,
}

/// Which entries of a log. Text form: `tile/entries/<N>`, and `.p/<W>` behind it for a partial bundle, as in [`TileId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BundleId {
    number: u64,
    width: u16,
}

/// Not the path of a tile or bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a path such as tile/0/x001/067 or tile/entries/000.p/8")]
pub struct TilePathError;

impl TileId {
    /// The tile of this level and number as a tree of `size` leaves needs it: full, or partial at the right edge. `None` if
    /// the tree has no such tile.
    pub fn at(level: u8, number: u64, size: TreeSize) -> Option<Self> {
        let hashes = size.get().checked_shr(8 * u32::from(level)).unwrap_or(0);
        let width = width(number, hashes)?;
        Some(Self { level, number, width })
    }

    /// The level: 0 holds leaves.
    pub fn level(self) -> u8 {
        self.level
    }

    /// The number among the tiles of its level, from 0.
    pub fn number(self) -> u64 {
        self.number
    }

    /// How many hashes it holds: 1 to 256.
    pub fn width(self) -> u16 {
        self.width
    }

    /// Whether it will never change.
    pub fn is_full(self) -> bool {
        self.width == TILE_WIDTH
    }

    /// Bytes that it must have.
    pub fn bytes(self) -> usize {
        usize::from(self.width) * super::HASH
    }

    /// The full tile in its place: once that exists, the partial one may be gone, and is the beginning of it.
    pub fn full(self) -> Self {
        Self { width: TILE_WIDTH, ..self }
    }
}

impl BundleId {
    /// The bundle of this number as a log of `size` entries needs it. `None` if the log has no such bundle.
    pub fn at(number: u64, size: TreeSize) -> Option<Self> {
        Some(Self { number, width: width(number, size.get())? })
    }

    /// The number, from 0: the bundle begins with entry `number * 256`.
    pub fn number(self) -> u64 {
        self.number
    }

    /// How many entries it holds: 1 to 256.
    pub fn width(self) -> u16 {
        self.width
    }

    /// The full bundle in its place.
    pub fn full(self) -> Self {
        Self { width: TILE_WIDTH, ..self }
    }

    /// The tile that holds its leaf hashes.
    pub fn tile(self) -> TileId {
        TileId { level: 0, number: self.number, width: self.width }
    }
}

/// The width of tile `number` among `hashes` hashes of its level.
fn width(number: u64, hashes: u64) -> Option<u16> {
    let begin = number.checked_mul(u64::from(TILE_WIDTH))?;
    let left = hashes.checked_sub(begin).filter(|left| *left > 0)?;
    Some(left.min(u64::from(TILE_WIDTH)) as u16)
}

impl FromStr for TileId {
    type Err = TilePathError;

    fn from_str(path: &str) -> Result<Self, TilePathError> {
        let rest = path.strip_prefix("tile/").and_then(|rest| rest.split_once('/'));
        let (level, rest) = rest.ok_or(TilePathError)?;
        let level = decimal::read(level).and_then(|level| u8::try_from(level).ok());
        let level = level.filter(|level| *level <= MAX_LEVEL).ok_or(TilePathError)?;
        let (number, width) = number_and_width(rest)?;
        Ok(Self { level, number, width })
    }
}

impl FromStr for BundleId {
    type Err = TilePathError;

    fn from_str(path: &str) -> Result<Self, TilePathError> {
        let rest = path.strip_prefix("tile/entries/").ok_or(TilePathError)?;
        let (number, width) = number_and_width(rest)?;
        Ok(Self { number, width })
    }
}

fn number_and_width(text: &str) -> Result<(u64, u16), TilePathError> {
    match text.split_once(".p/") {
        None => Ok((read_number(text)?, TILE_WIDTH)),
        Some((number, width)) => {
            let width = decimal::read(width).and_then(|width| u16::try_from(width).ok());
            let width = width.filter(|width| (1..TILE_WIDTH).contains(width));
            Ok((read_number(number)?, width.ok_or(TilePathError)?))
        }
    }
}

/// Groups of three digits; all but the last begin with `x`, and the first is not zero unless it is the last.
fn read_number(text: &str) -> Result<u64, TilePathError> {
    let mut number = 0_u64;
    let mut groups = text.split('/').peekable();
    let mut is_first = true;
    while let Some(group) = groups.next() {
        let is_last = groups.peek().is_none();
        let digits = if is_last { group } else { group.strip_prefix('x').ok_or(TilePathError)? };
        let group = three_digits(digits)?;
        if is_first && !is_last && group == 0 {
            return Err(TilePathError);
        }
        let longer = number.checked_mul(1000).and_then(|number| number.checked_add(group));
        number = longer.ok_or(TilePathError)?;
        is_first = false;
    }
    if number <= decimal::MAX { Ok(number) } else { Err(TilePathError) }
}

fn three_digits(text: &str) -> Result<u64, TilePathError> {
    match text.as_bytes() {
        digits @ [_, _, _] if digits.iter().all(u8::is_ascii_digit) => {
            Ok(digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
        }
        _ => Err(TilePathError),
    }
}

impl fmt::Display for TileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tile/{}/", self.level)?;
        write_number(f, self.number, self.width)
    }
}

impl fmt::Display for BundleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tile/entries/")?;
        write_number(f, self.number, self.width)
    }
}

fn write_number(f: &mut fmt::Formatter<'_>, number: u64, width: u16) -> fmt::Result {
    let (mut groups, mut rest) = (vec![number % 1000], number / 1000);
    while rest > 0 {
        groups.push(rest % 1000);
        rest /= 1000;
    }
    for group in groups.iter().skip(1).rev() {
        write!(f, "x{group:03}/")?;
    }
    write!(f, "{:03}", groups[0])?;
    if width < TILE_WIDTH { write!(f, ".p/{width}") } else { Ok(()) }
}
