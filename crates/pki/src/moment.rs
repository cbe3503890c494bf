//! Moments and windows of time as other people's documents write them (RFC 3339), finer than Genten's own times.

use std::fmt;

use genten_primitives::Timestamp;

/// A moment in UTC with a resolution of nanoseconds.
///
/// Read from RFC 3339 with upper-case `T` and `Z` and no fraction or one of 1 to 9 digits, as protobuf JSON and CT log
/// lists write it. Moments are compared with full precision.
///
/// ```
/// use genten_pki::Moment;
/// let moment = Moment::from_rfc3339("2016-11-30T13:24:18.33Z").unwrap();
/// assert_eq!(moment.to_string(), "2016-11-30T13:24:18.33Z");
/// assert!(moment < Moment::from_rfc3339("2016-11-30T13:24:18.330000001Z").unwrap());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    seconds: i64,
    nanos: u32,
}

/// A closed interval of time: both ends belong to it. It may have no end, but always has a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First moment.
    pub start: Moment,
    /// Last moment; `None` when it is still open.
    pub end: Option<Moment>,
}

impl Moment {
    /// Reads the text form; `None` for anything else.
    pub fn from_rfc3339(text: &str) -> Option<Self> {
        let (seconds, fraction) = text.strip_suffix('Z')?.split_at_checked(19)?;
        let seconds = whole_seconds(seconds)?;
        let nanos = match fraction.strip_prefix('.') {
            Some(digits) => nanos(digits.as_bytes())?,
            None if fraction.is_empty() => 0,
            None => return None,
        };
        Some(Self { seconds, nanos })
    }
}

fn whole_seconds(date_and_time: &str) -> Option<i64> {
    let mut text = [b'Z'; 20];
    text.get_mut(..19)?.copy_from_slice(date_and_time.as_bytes());
    let time: Timestamp = std::str::from_utf8(&text).ok()?.parse().ok()?;
    Some(time.as_millis().div_euclid(1000))
}

fn nanos(digits: &[u8]) -> Option<u32> {
    let one_to_nine = (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    let padded = digits.iter().chain(std::iter::repeat(&b'0')).take(9);
    one_to_nine.then(|| padded.fold(0, |value, digit| value * 10 + u32::from(digit - b'0')))
}

impl Moment {
    /// The millisecond at or below this moment and `more` nanoseconds.
    fn rounded(self, more: u32) -> Timestamp {
        let millis = i64::from((self.nanos + more) / 1_000_000);
        let last =
            Timestamp::from_seconds(self.seconds).expect("moments lie in the years 0001 to 9999");
        last.checked_add_millis(millis).unwrap_or(last)
    }
}

impl From<Timestamp> for Moment {
    fn from(time: Timestamp) -> Self {
        let millis = time.as_millis();
        let nanos = millis.rem_euclid(1000) as u32 * 1_000_000;
        Self { seconds: millis.div_euclid(1000), nanos }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = Timestamp::from_seconds(self.seconds).ok_or(fmt::Error)?.to_string();
        if self.nanos == 0 {
            return f.write_str(&whole);
        }
        let fraction = format!("{:09}", self.nanos);
        write!(f, "{}.{}Z", whole.trim_end_matches('Z'), fraction.trim_end_matches('0'))
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Moment({self})")
    }
}

impl Window {
    /// Whether `at` lies in the window.
    pub fn contains(self, at: Timestamp) -> bool {
        let at = Moment::from(at);
        self.start <= at && self.end.is_none_or(|end| at <= end)
    }
}

impl Window {
    /// First and last millisecond that lie in the window as a whole.
    pub fn millis(self) -> (Timestamp, Option<Timestamp>) {
        let start = self.start.rounded(999_999);
        (start, self.end.map(|end| end.rounded(0)))
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.end {
            Some(end) => write!(f, "{} to {end}", self.start),
            None => write!(f, "{} on", self.start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(text: &str) -> Moment {
        Moment::from_rfc3339(text).unwrap()
    }

    #[test]
    fn fractions_count() {
        for text in
            ["2026-11-30T08:15:00Z", "2026-11-30T08:15:00.000000001Z", "1969-12-31T23:59:59.5Z"]
        {
            assert_eq!(moment(text).to_string(), text);
        }
        assert_eq!(moment("2026-11-30T08:15:00.000Z"), moment("2026-11-30T08:15:00Z"));
        let before_epoch: Timestamp = "1969-12-31T23:59:59.125Z".parse().unwrap();
        assert_eq!(Moment::from(before_epoch), moment("1969-12-31T23:59:59.125000000Z"));
        assert!(moment("2026-11-30T08:15:00.1Z") > moment("2026-11-30T08:15:00.099999999Z"));
    }

    #[test]
    fn windows_in_milliseconds_are_never_wider() {
        let window =
            |start: &str, end: &str| Window { start: moment(start), end: Some(moment(end)) };
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        let narrow =
            window("2026-11-30T08:15:00.0000001Z", "2026-11-30T08:15:01.9999999Z").millis();
        assert_eq!(narrow.0, time("2026-11-30T08:15:00.001Z"));
        assert_eq!(narrow.1, Some(time("2026-11-30T08:15:01.999Z")));
        let exact = window("2026-11-30T08:15:00Z", "2026-11-30T08:15:01.5Z").millis();
        assert_eq!(exact, (time("2026-11-30T08:15:00Z"), Some(time("2026-11-30T08:15:01.500Z"))));
    }

    #[test]
    fn other_spellings_are_refused() {
        for bad in [
            "",
            "Z",
            "2026-11-30T08:15:00",
            "2026-11-30T08:15:00.Z",
            "2026-11-30T08:15:00.0000000001Z",
            "2026-11-30T08:15:00.1 Z",
            "2026-11-30T08:15:00,1Z",
            "2026-11-30T08:15:00+00:00",
            "2026-11-30t08:15:00Z",
            "2026-11-30T08:15:60Z",
            "2026-11-30T08:15:0\u{e9}Z",
            "0000-01-01T00:00:00Z",
        ] {
            assert_eq!(Moment::from_rfc3339(bad), None, "{bad}");
        }
    }

    #[test]
    fn both_ends_belong_to_a_window() {
        let start = moment("2026-01-01T00:00:00.5Z");
        let end = Some(moment("2026-01-02T00:00:00.001Z"));
        let at = |text: &str| Window { start, end }.contains(text.parse().unwrap());
        assert!(at("2026-01-01T00:00:00.500Z") && at("2026-01-02T00:00:00.001Z"));
        assert!(!at("2026-01-01T00:00:00.499Z") && !at("2026-01-02T00:00:00.002Z"));
        assert!(Window { start, end: None }.contains("9999-12-31T23:59:59Z".parse().unwrap()));
    }
}
