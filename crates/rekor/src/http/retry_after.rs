//! How long a server wants to be left alone.

use std::time::Duration;

use genten_primitives::Timestamp;

/// The wait that a `Retry-After` asks for at a time: seconds, or the date until which to wait (RFC 9110 section 10.2.3), in
/// the one form of dates that is still written. `None` for anything else; a date that is over is no wait.
///
/// ```
/// use std::time::Duration;
/// use genten_rekor::retry_after;
/// let now = "2026-11-30T08:15:00Z".parse().unwrap();
/// assert_eq!(retry_after("120", now), Some(Duration::from_secs(120)));
/// let date = "Mon, 30 Nov 2026 08:15:30 GMT";
/// assert_eq!(retry_after(date, now), Some(Duration::from_secs(30)));
/// ```
pub fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    if value.bytes().all(|byte| byte.is_ascii_digit()) {
        return value.parse().ok().map(Duration::from_secs);
    }
    let millis = http_date(value)?.millis_since(now);
    Some(Duration::from_millis(u64::try_from(millis).unwrap_or(0)))
}

/// IMF-fixdate: `Mon, 30 Nov 2026 08:15:30 GMT` (RFC 9110 section 5.6.7). The day of the week is passed over.
pub(super) fn http_date(text: &str) -> Option<Timestamp> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (_, date) = text.split_once(", ")?;
    let [day, month, year, time, "GMT"] = date.split(' ').collect::<Vec<_>>()[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    format!("{year}-{month:02}-{day}T{time}Z").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(value: &str) -> Option<Duration> {
        retry_after(value, "2026-11-30T08:15:00Z".parse().unwrap())
    }

    #[test]
    fn seconds_and_dates_are_waits() {
        assert_eq!(wait("0"), Some(Duration::ZERO));
        assert_eq!(wait("3600"), Some(Duration::from_secs(3600)));
        assert_eq!(wait("18446744073709551615"), Some(Duration::from_secs(u64::MAX)));
        assert_eq!(wait("Tue, 01 Dec 2026 08:15:00 GMT"), Some(Duration::from_secs(86_400)));
        assert_eq!(wait("Mon, 30 Nov 2026 08:14:59 GMT"), Some(Duration::ZERO), "it is over");
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
    }

    #[test]
    fn anything_else_is_no_wait() {
        for value in [
            "",
            "-1",
            "1.5",
            "18446744073709551616",
            "soon",
            "Mon, 30 Nov 2026 08:15:30 CET",
            "Mon, 30 Nov 2026 08:15:30",
            "Mon, 31 Nov 2026 08:15:30 GMT",
            "Mon, 30 nov 2026 08:15:30 GMT",
            "Monday, 30-Nov-26 08:15:30 GMT",
            "Mon Nov 30 08:15:30 2026",
            "2026-11-30T08:15:30Z",
        ] {
            assert_eq!(wait(value), None, "{value:?}");
        }
    }
}
