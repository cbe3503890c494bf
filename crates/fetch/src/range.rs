//! Parts of documents: what is asked for (`Range`) and what is answered (`Content-Range`), RFC 9110 section 14.

use std::fmt;
use std::ops::RangeInclusive;

/// A part of a document in bytes (RFC 9110 section 14.1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteRange {
    /// From this offset to the end.
    From(u64),
    /// The last so many bytes.
    Last(u64),
    /// From the first to the last offset, both included.
    Within(u64, u64),
}

impl From<RangeInclusive<u64>> for ByteRange {
    fn from(range: RangeInclusive<u64>) -> Self {
        Self::Within(*range.start(), *range.end())
    }
}

impl ByteRange {
    /// Whether it names a part at all (RFC 9110 section 14.1.1).
    pub(crate) fn is_valid(self) -> bool {
        match self {
            Self::From(_) => true,
            Self::Last(count) => count > 0,
            Self::Within(first, last) => first <= last,
        }
    }

    /// The value of the `Range` field.
    pub(crate) fn to_field(self) -> String {
        match self {
            Self::From(first) => format!("bytes={first}-"),
            Self::Last(count) => format!("bytes=-{count}"),
            Self::Within(first, last) => format!("bytes={first}-{last}"),
        }
    }
}

/// The part that an answer holds, `bytes FIRST-LAST/TOTAL` (RFC 9110 section 14.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContentRange {
    first: u64,
    last: u64,
    total: Option<u64>,
}

impl ContentRange {
    pub(crate) fn parse(field: &str) -> Option<Self> {
        let (positions, total) = field.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = positions.split_once('-')?;
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        let total = if total == "*" { None } else { Some(total.parse().ok()?) };
        last.checked_sub(first)?.checked_add(1)?;
        Some(Self { first, last, total })
    }

    /// The beginning of a document; `None` for nothing of it.
    pub(crate) fn beginning(bytes: u64, total: Option<u64>) -> Option<Self> {
        // A total that is not larger is no length of the document: the framing was contradictory.
        let total = total.filter(|total| *total > bytes);
        bytes.checked_sub(1).map(|last| Self { first: 0, last, total })
    }

    /// How many bytes it announces.
    pub(crate) fn bytes(self) -> u64 {
        self.last - self.first + 1
    }

    /// The same part cut after `bytes`; `None` for nothing of it.
    pub(crate) fn cut(self, bytes: u64) -> Option<Self> {
        let last = self.first.checked_add(bytes.checked_sub(1)?)?;
        Some(Self { last: last.min(self.last), ..self })
    }
}

impl fmt::Display for ContentRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes {}-{}/", self.first, self.last)?;
        match self.total {
            Some(total) => write!(f, "{total}"),
            None => f.write_str("*"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asked_for() {
        assert_eq!(ByteRange::from(0..=1023).to_field(), "bytes=0-1023");
        assert_eq!(ByteRange::From(5).to_field(), "bytes=5-");
        assert_eq!(ByteRange::Last(5).to_field(), "bytes=-5");
        assert!(ByteRange::from(5..=5).is_valid());
        assert!(!ByteRange::Within(5, 4).is_valid());
        assert!(!ByteRange::Last(0).is_valid());
    }

    #[test]
    fn answered() {
        for (text, bytes) in [("bytes 0-1023/2048", 1024), ("bytes 5-5/*", 1)] {
            let range = ContentRange::parse(text).unwrap();
            assert_eq!((range.bytes(), range.to_string().as_str()), (bytes, text));
        }
        for bad in ["bytes 5-4/9", "bytes */9", "items 0-1/2", "bytes 0-18446744073709551615/*", ""]
        {
            assert_eq!(ContentRange::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn cut_short() {
        let text = |range: Option<ContentRange>| range.map(|range| range.to_string());
        assert_eq!(text(ContentRange::beginning(5, Some(9))).as_deref(), Some("bytes 0-4/9"));
        assert_eq!(text(ContentRange::beginning(5, None)).as_deref(), Some("bytes 0-4/*"));
        assert_eq!(text(ContentRange::beginning(9, Some(5))).as_deref(), Some("bytes 0-8/*"));
        assert_eq!(text(ContentRange::beginning(0, Some(9))), None);
        let part = ContentRange::parse("bytes 10-19/100").unwrap();
        assert_eq!(text(part.cut(4)).as_deref(), Some("bytes 10-13/100"));
        assert_eq!(text(part.cut(0)), None);
    }
}
