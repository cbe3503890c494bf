//! Statuses that say "not now", with or without the time to come back.

use genten_primitives::Timestamp;

use crate::Answer;

/// An answer that refuses whatever was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    status: u16,
    retry_after: Option<RetryAfter>,
}

/// When to come back (RFC 9110 section 10.2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// After so many seconds.
    Seconds(u64),
    /// At this time, which is written in whole seconds.
    At(Timestamp),
}

impl Refusal {
    /// An answer with this status.
    pub fn status(status: u16) -> Self {
        Self { status, retry_after: None }
    }

    /// The same with `Retry-After`.
    pub fn retry_after(self, when: RetryAfter) -> Self {
        Self { retry_after: Some(when), ..self }
    }

    pub(super) fn answer(&self) -> Answer {
        let (kind, body) = body(self.status);
        let answer = Answer::status(self.status).header("content-type", kind).body(body);
        match self.retry_after {
            Some(RetryAfter::Seconds(seconds)) => answer.header("retry-after", seconds.to_string()),
            Some(RetryAfter::At(time)) => answer.header("retry-after", http_date(time)),
            None => answer,
        }
    }
}

/// A Rekor server answers in JSON; what stands before it does not.
fn body(status: u16) -> (&'static str, String) {
    let (code, message) = match status {
        429 => (8, "rate limit exceeded"),
        500 => (13, "internal server error"),
        503 => (14, "reached max pushback; retry"),
        _ => return ("text/html", format!("<html><h1>{status} by the proxy</h1></html>\n")),
    };
    let body = format!(r#"{{"code":{code}, "message":"{message}", "details":[]}}"#);
    ("application/json", body)
}

/// `Mon, 30 Nov 2026 08:15:00 GMT` (RFC 9110 section 5.6.7).
fn http_date(time: Timestamp) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let days = time.as_millis().div_euclid(24 * 60 * 60 * 1000);
    // 1970 began on a Thursday.
    let day_of_week = DAYS[days.rem_euclid(7) as usize];
    let text = time.to_string();
    let month = text[5..7].parse().map_or("", |month: usize| MONTHS[month - 1]);
    let (year, day, clock) = (&text[..4], &text[8..10], &text[11..19]);
    format!("{day_of_week}, {day} {month} {year} {clock} GMT")
}

#[cfg(test)]
mod tests {
    use super::http_date;

    #[test]
    fn dates_are_written_as_http_wants_them() {
        for (time, date) in [
            ("2026-11-30T08:15:00.999Z", "Mon, 30 Nov 2026 08:15:00 GMT"),
            ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] {
            assert_eq!(http_date(time.parse().unwrap()), date);
        }
    }
}
