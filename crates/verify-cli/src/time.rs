//! A time given on the command line.

use std::str::FromStr;

use genten_primitives::Timestamp;

/// A point in time in any spelling of RFC 3339.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointInTime(pub Timestamp);

/// The text is no time.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("not a time such as 2026-11-30T08:15:00Z or 2026-11-30T17:15:00+09:00")]
pub(crate) struct PointInTimeError;

impl FromStr for PointInTime {
    type Err = PointInTimeError;

    fn from_str(text: &str) -> Result<Self, PointInTimeError> {
        let other_spelling = || {
            let time: jiff::Timestamp = text.parse().ok()?;
            Timestamp::from_millis(time.as_millisecond())
        };
        text.parse().ok().or_else(other_spelling).map(Self).ok_or(PointInTimeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_gives_the_same_moment() {
        let millis = |text: &str| text.parse().map(|PointInTime(time)| time.as_millis()).ok();
        let expected = millis("2026-11-30T08:15:00Z");
        assert!(expected.is_some());
        for text in ["2026-11-30T17:15:00+09:00", "2026-11-30t08:15:00.000000z"] {
            assert_eq!(millis(text), expected, "{text}");
        }
        for text in
            ["", "now", "2026-11-30", "2026-11-30T08:15:00", "1796026500", "2026-02-30T00:00:00Z"]
        {
            assert_eq!(millis(text), None, "{text}");
        }
    }
}
