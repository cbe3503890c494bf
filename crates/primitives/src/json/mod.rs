//! The one strict JSON reader, and canonical JSON (RFC 8785) in one pass over what was read.
//!
//! Accepted is I-JSON (RFC 7493) without fractions: UTF-8 without byte order mark, no duplicate member names at any depth,
//! no lone surrogates or noncharacters, integers within ±(2^53 - 1), nothing after the value. Every refusal names its
//! rule, the JSON path and the byte offset. Values are spans of the input, so that what was received can be kept,
//! shown and canonicalised as it came; nothing is lost to a typed struct on the way.
//!
//! ```
//! use genten_primitives::json::{self, Limits};
//!
//! let document = json::read(br#"{ "b": 1, "a": "\u0041" }"#, Limits::bytes(1024)).unwrap();
//! let mut canonical = Vec::new();
//! document.root().write_canonical(&mut canonical);
//! assert_eq!(canonical, br#"{"a":"A","b":1}"#);
//!
//! let error = json::read(br#"{"a":[{"x":1,"\u0078":2}]}"#, Limits::bytes(1024)).unwrap_err();
//! assert_eq!(error.to_string(), "duplicate member name at $.a[0].x (byte 13)");
//! ```

mod canonical;
mod error;
mod fields;
mod reader;
mod value;

pub use canonical::{ArrayWriter, ObjectWriter, write_string};
pub use error::{JsonError, JsonRule};
pub use fields::Fields;
pub use value::{Document, Items, Kind, Members, Value};

/// The largest integer that survives every JSON implementation: 2^53 - 1 (RFC 7493 section 2.2).
pub const MAX_INTEGER: i64 = (1 << 53) - 1;

/// What a document may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest input in bytes; at most 4 GiB - 1 is ever read.
    pub bytes: usize,
    /// Deepest nesting of arrays and objects; at most 128.
    pub depth: usize,
}

impl Limits {
    /// The usual depth of 32 and a limit on the size.
    pub const fn bytes(bytes: usize) -> Self {
        Self { bytes, depth: 32 }
    }
}

/// Reads exactly one JSON value.
///
/// # Errors
///
/// The first rule that the input breaks, with path and offset.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Document<'_>, JsonError> {
    reader::read(bytes, limits, Numbers::Ours)
}

/// Reads one value of a document that others define, in which numbers may have fractions and any size. All other rules
/// hold. Such numbers are no `i64`; in canonical form they are the doubles that they are nearest to.
///
/// # Errors
///
/// As [`read`].
///
/// ```
/// use genten_primitives::json::{self, Limits};
/// let document = json::read_foreign(br#"{"score":7.5e-1}"#, Limits::bytes(100)).unwrap();
/// assert_eq!(document.root().get("score").unwrap().as_i64(), None);
/// assert!(json::read_foreign(br#"{"score":7.}"#, Limits::bytes(100)).is_err());
/// ```
pub fn read_foreign(bytes: &[u8], limits: Limits) -> Result<Document<'_>, JsonError> {
    reader::read(bytes, limits, Numbers::Any)
}

/// Which numbers a document may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// All that JSON's grammar knows.
    Any,
    /// Integers within ±(2^53 - 1).
    Ours,
}

#[cfg(test)]
mod tests;
