//! What was put off or refused, and why: entries and certificates alike.

use genten_primitives::Printable;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_store::{Certificate, Submission};

use crate::command::text::{self, Text};

/// How many are shown of each kind.
pub(super) const SHOWN: u32 = 10;

/// What the last attempt met.
pub(super) struct Stuck {
    state: &'static str,
    /// What it is: name and value of a member, and for people.
    about: (&'static str, String),
    shown: String,
    reason: Option<String>,
    hint: Option<String>,
    words: Option<String>,
    attempts: u32,
}

impl From<Submission> for Stuck {
    fn from(one: Submission) -> Self {
        let subject = one.subject.as_str().to_owned();
        Self {
            state: one.state.as_str(),
            shown: subject.clone(),
            about: ("subject", subject),
            reason: one.detail,
            hint: one.hint,
            words: one.words,
            attempts: one.attempts,
        }
    }
}

impl From<Certificate> for Stuck {
    fn from(one: Certificate) -> Self {
        Self {
            state: one.state.as_str(),
            shown: format!("sha256:{}", one.leaf),
            about: ("sha256", one.leaf.to_string()),
            reason: one.detail,
            hint: one.hint,
            words: one.words,
            attempts: one.attempts,
        }
    }
}

pub(super) fn of(met: Vec<impl Into<Stuck>>) -> Vec<Stuck> {
    met.into_iter().map(Into::into).collect()
}

/// One line for those that are alike, below those that met the same what that was and what to do, and how many there are beside
/// those shown.
pub(super) fn text(text: &mut Text, shown: &[Stuck], all: u64) {
    for met in shown.chunk_by(|one, next| (&one.words, &one.hint) == (&next.words, &next.hint)) {
        let lines: Vec<_> = met.iter().map(line).collect();
        for alike in lines.chunk_by(String::eq) {
            match alike.len() {
                1 => text.line(1, &alike[0]),
                several => text.line(1, format_args!("{several} times {}", alike[0])),
            };
        }
        for said in [&met[0].words, &met[0].hint].into_iter().flatten() {
            text.line(2, Printable(said));
        }
    }
    let more = all.saturating_sub(shown.len() as u64);
    if more > 0 {
        text.line(1, format_args!("and {more} more"));
    }
}

fn line(one: &Stuck) -> String {
    let reason = Printable(one.reason.as_deref().unwrap_or("-"));
    let attempts = text::count(one.attempts, "attempt", "attempts");
    format!("{} ({}): {reason}, {attempts}", one.state, one.shown)
}

/// The list of those shown.
pub(super) fn json(shown: &[Stuck]) -> Vec<u8> {
    let mut list = ArrayWriter::new();
    for one in shown {
        let mut object = ObjectWriter::new();
        object
            .string("state", one.state)
            .string(one.about.0, &one.about.1)
            .optional("reason", one.reason.as_deref())
            .optional("hint", one.hint.as_deref())
            .optional("words", one.words.as_deref())
            .integer("attempts", i64::from(one.attempts));
        list.raw(&object.finish());
    }
    list.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_met_the_same_stand_above_it_and_the_others_are_counted() {
        let one = |state: &'static str, hint: &str| Stuck {
            state,
            about: ("subject", "batch".to_owned()),
            shown: "batch".to_owned(),
            reason: Some("log.unreached".to_owned()),
            hint: Some(hint.to_owned()),
            words: Some("nobody there".to_owned()),
            attempts: 2,
        };
        let mut told = Text::default();
        let shown =
            [one("queued", "wait"), one("sent", "wait"), one("sent", "wait"), one("sent", "call")];
        text(&mut told, &shown, 6);
        let expected = "  queued (batch): log.unreached, 2 attempts
  2 times sent (batch): log.unreached, 2 attempts
    nobody there
    wait
  sent (batch): log.unreached, 2 attempts
    nobody there
    call
  and 2 more
";
        assert_eq!(String::from_utf8_lossy(told.as_bytes()), expected);
    }
}
