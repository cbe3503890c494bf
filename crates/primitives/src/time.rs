//! Points in time in the one spelling of RFC 3339 that Genten writes and accepts.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment in UTC with a resolution of milliseconds.
///
/// Text form: RFC 3339 with upper-case `T` and `Z`, and no fraction or exactly three digits
/// (`2026-11-30T08:15:00Z`, `2026-11-30T08:15:00.125Z`). Years 0001 to 9999; a leap second (`:60`) is refused. The
/// spelling is kept: what was read prints back as it was.
///
/// ```
/// use genten_primitives::Timestamp;
/// let time: Timestamp = "2026-11-30T08:15:00.125Z".parse().unwrap();
/// assert_eq!(time.to_string(), "2026-11-30T08:15:00.125Z");
/// assert_eq!(time.as_millis(), 1_796_026_500_125);
/// assert!("2026-11-30T08:15:00+00:00".parse::<Timestamp>().is_err());
/// ```
#[derive(Clone, Copy)]
pub struct Timestamp {
    millis: i64,
    fraction: bool,
}

/// The text is not a time in the accepted spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a time like 2026-11-30T08:15:00Z (RFC 3339, UTC, no fraction or three digits)")]
pub struct TimestampError;

const FIRST: i64 = -62_135_596_800_000; // 0001-01-01T00:00:00Z
const LAST: i64 = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z

impl Timestamp {
    /// The moment `millis` milliseconds after 1970-01-01T00:00:00Z, or `None` outside the years 0001 to 9999.
    /// Printed with three digits of a second.
    pub fn from_millis(millis: i64) -> Option<Self> {
        (FIRST..=LAST).contains(&millis).then_some(Self { millis, fraction: true })
    }

    /// The moment `seconds` after 1970-01-01T00:00:00Z, or `None` outside the years 0001 to 9999. Printed without a fraction.
    pub fn from_seconds(seconds: i64) -> Option<Self> {
        let moment = Self::from_millis(seconds.checked_mul(1000)?)?;
        Some(Self { fraction: false, ..moment })
    }

    /// The moment that a clock shows, or `None` outside the years 0001 to 9999. No clock is read here.
    pub fn from_system_time(moment: SystemTime) -> Option<Self> {
        let millis = match moment.duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).ok(),
            Err(before) => i64::try_from(before.duration().as_millis()).ok().map(|millis| -millis),
        };
        millis.and_then(Self::from_millis)
    }

    /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
    pub const fn as_millis(self) -> i64 {
        self.millis
    }

    /// How many milliseconds this moment lies after `earlier`; negative when it lies before.
    pub const fn millis_since(self, earlier: Self) -> i64 {
        self.millis - earlier.millis
    }

    /// This moment moved by `millis`, or `None` outside the years 0001 to 9999.
    pub fn checked_add_millis(self, millis: i64) -> Option<Self> {
        let moved = Self::from_millis(self.millis.checked_add(millis)?)?;
        Some(Self { fraction: self.fraction || millis % 1000 != 0, ..moved })
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        let bytes = text.as_bytes();
        let fraction = match bytes.len() {
            20 => false,
            24 if bytes[19] == b'.' => true,
            _ => return Err(TimestampError),
        };
        let shape = b"dddd-dd-ddTdd:dd:dd";
        let fits = bytes.iter().zip(shape).all(|(byte, want)| match want {
            b'd' => byte.is_ascii_digit(),
            _ => byte == want,
        });
        if !fits || bytes[bytes.len() - 1] != b'Z' {
            return Err(TimestampError);
        }
        let part = |from: usize, to: usize| decimal(&bytes[from..to]);
        let date = jiff::civil::Date::new(
            i16::try_from(part(0, 4)?).map_err(|_| TimestampError)?,
            i8::try_from(part(5, 7)?).map_err(|_| TimestampError)?,
            i8::try_from(part(8, 10)?).map_err(|_| TimestampError)?,
        )
        .map_err(|_| TimestampError)?;
        let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
        if date.year() < 1 || hour > 23 || minute > 59 || second > 59 {
            return Err(TimestampError);
        }
        let midnight = date.duration_since(EPOCH).as_secs();
        let seconds = midnight + hour * 3600 + minute * 60 + second;
        let millis = seconds * 1000 + if fraction { part(20, 23)? } else { 0 };
        Ok(Self { millis, fraction })
    }
}

fn decimal(digits: &[u8]) -> Result<i64, TimestampError> {
    digits.iter().try_fold(0_i64, |value, digit| match digit {
        b'0'..=b'9' => Ok(value * 10 + i64::from(digit - b'0')),
        _ => Err(TimestampError),
    })
}

const EPOCH: jiff::civil::Date = jiff::civil::date(1970, 1, 1);

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let since_epoch = jiff::SignedDuration::from_millis(self.millis);
        let moment = EPOCH.at(0, 0, 0, 0).checked_add(since_epoch).map_err(|_| fmt::Error)?;
        if self.fraction { write!(f, "{moment:.3}Z") } else { write!(f, "{moment:.0}Z") }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timestamp({self})")
    }
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.millis == other.millis
    }
}

impl Eq for Timestamp {}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.millis.cmp(&other.millis)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn spelling_is_kept() {
        for text in [
            "2026-11-30T08:15:00Z",
            "2026-11-30T08:15:00.000Z",
            "1969-12-31T23:59:59.999Z",
            "0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999Z",
            "2024-02-29T00:00:00Z",
        ] {
            assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "",
            "2026-11-30",
            "2026-11-30t08:15:00Z",
            "2026-11-30T08:15:00z",
            "2026-11-30 08:15:00Z",
            "2026-11-30T08:15:00+00:00",
            "2026-11-30T08:15:00.1Z",
            "2026-11-30T08:15:00.1234Z",
            "2026-11-30T08:15:00,123Z",
            "2026-11-30T08:15:60Z",
            "2026-11-30T08:60:00Z",
            "2026-11-30T24:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-10T00:00:00Z",
            "0000-01-01T00:00:00Z",
            "+026-11-30T08:15:00Z",
            "2026-11-30T08:15:00.12zZ",
            "２026-11-30T08:15:0",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(TimestampError), "{text:?}");
        }
    }

    #[test]
    fn clocks_show_moments_before_and_after_1970() {
        let of = |moment| Timestamp::from_system_time(moment).map(|moment| moment.to_string());
        let seconds = Duration::from_secs;
        assert_eq!(of(UNIX_EPOCH).unwrap(), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            of(UNIX_EPOCH + Duration::from_micros(1_500)).unwrap(),
            "1970-01-01T00:00:00.001Z"
        );
        assert_eq!(of(UNIX_EPOCH - seconds(1)).unwrap(), "1969-12-31T23:59:59.000Z");
        assert_eq!(of(UNIX_EPOCH + seconds(1 << 40)), None);
        assert_eq!(Timestamp::from_seconds(-1).unwrap().to_string(), "1969-12-31T23:59:59Z");
        assert_eq!(Timestamp::from_seconds(i64::MAX), None);
    }

    #[test]
    fn limits_hold() {
        assert_eq!("0001-01-01T00:00:00Z".parse::<Timestamp>().unwrap().as_millis(), FIRST);
        assert_eq!("9999-12-31T23:59:59.999Z".parse::<Timestamp>().unwrap().as_millis(), LAST);
        assert!(Timestamp::from_millis(FIRST - 1).is_none());
        assert!(Timestamp::from_millis(LAST + 1).is_none());
    }
}
