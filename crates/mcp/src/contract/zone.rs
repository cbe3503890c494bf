//! Times, in the zone of the server.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::Offset;

use super::{ContractError, Locale};

/// The zone in which a server writes times: UTC, or a fixed offset from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    offset: Option<(Offset, String)>,
    label: String,
}

impl Zone {
    /// UTC.
    pub fn utc() -> Self {
        Self { offset: None, label: "UTC".to_owned() }
    }

    /// A fixed offset, `±HH:MM`, with the name that people give it (`UTC±HH:MM` where there is none).
    ///
    /// # Errors
    /// Not such an offset, or one that RFC 3339 does not know (more than 23 hours or 59 minutes).
    pub fn fixed(offset: &str, label: Option<&str>) -> Result<Self, ContractError> {
        let seconds = seconds(offset).and_then(|seconds| Offset::from_seconds(seconds).ok());
        let found = seconds.ok_or_else(|| ContractError::Offset(offset.to_owned()))?;
        let label = label.map_or(format!("UTC{offset}"), str::to_owned);
        Ok(Self { offset: Some((found, offset.to_owned())), label })
    }

    /// A moment in this zone, to the second. A date, and what is no moment, stays as it is.
    pub(super) fn canonical(&self, text: &str) -> String {
        self.moment(text).unwrap_or_else(|| text.to_owned())
    }

    fn moment(&self, text: &str) -> Option<String> {
        let moment = instant(text)?;
        let (offset, suffix) = match &self.offset {
            None => (Offset::UTC, "Z"),
            Some((offset, text)) => (*offset, text.as_str()),
        };
        let local = offset.to_datetime(moment);
        let (date, time) = (local.date(), local.time());
        (0..=9999).contains(&date.year()).then(|| {
            let (hour, minute, second) = (time.hour(), time.minute(), time.second());
            format!("{date}T{hour:02}:{minute:02}:{second:02}{suffix}")
        })
    }

    /// A time in canonical form, as people read it.
    pub(super) fn human(&self, text: &str, locale: &Locale) -> String {
        let Some(date) = text.get(..10).filter(|date| is_date(date)) else {
            return text.to_owned();
        };
        let rest = &text[10..];
        let clock = rest.strip_prefix('T').and_then(|rest| rest.get(..5)).filter(|it| is_clock(it));
        match (rest.is_empty(), clock) {
            (true, _) => locale.date(date),
            (false, Some(clock)) => locale.moment(date, clock, &self.label),
            (false, None) => text.to_owned(),
        }
    }
}

/// A moment; `None` for what has no offset, whose place nobody knows.
pub(super) fn instant(text: &str) -> Option<Timestamp> {
    let is_time = !is_date(text) && !text.contains('[');
    is_time.then(|| text.parse().ok()).flatten()
}

fn is_date(text: &str) -> bool {
    fits(text, "0000-00-00")
}

fn is_clock(text: &str) -> bool {
    fits(text, "00:00")
}

/// Whether a text has digits where the pattern has zeros, and is the same elsewhere.
fn fits(text: &str, pattern: &str) -> bool {
    let fits = |(found, wanted): (u8, u8)| match wanted {
        b'0' => found.is_ascii_digit(),
        other => found == other,
    };
    text.len() == pattern.len() && text.bytes().zip(pattern.bytes()).all(fits)
}

fn seconds(offset: &str) -> Option<i32> {
    let (sign, rest) = match offset.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':').filter(|_| is_clock(rest))?;
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}

/// Fills `{name}` in a template.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = behind.split_once('}') else {
            let _ = write!(text, "{{{behind}");
            return text;
        };
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => text.push_str(value),
            None => {
                let _ = write!(text, "{{{name}}}");
            }
        }
        rest = after;
    }
    text + rest
}
