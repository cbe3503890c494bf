//! One thing that is to be said about a kit.

use std::fmt;

use genten_primitives::json::ObjectWriter;

/// One day in milliseconds.
pub(super) const DAY: i64 = 24 * 60 * 60 * 1000;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// Good to know; nothing is to be done.
    Note,
    /// Will be a problem, or looks like a mistake.
    Warning,
    /// Somebody is believed who should not be, or is not who should be.
    Problem,
}

impl Level {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// What was found, and what to do about it. What comes from the kit in it is safe to print.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    level: Level,
    what: String,
    advice: String,
}

impl Finding {
    pub(super) fn note(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { level: Level::Note, what: what.into(), advice: advice.into() }
    }

    pub(super) fn warning(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { level: Level::Warning, ..Self::note(what, advice) }
    }

    pub(super) fn problem(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { level: Level::Problem, ..Self::note(what, advice) }
    }

    /// Whether somebody has to do something.
    pub(super) fn is_to_be_done(&self) -> bool {
        self.level != Level::Note
    }

    pub(super) fn json(&self) -> Vec<u8> {
        ObjectWriter::new()
            .string("level", self.level.as_str())
            .string("finding", &self.what)
            .string("advice", &self.advice)
            .finish()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.level.as_str(), self.what, self.advice)
    }
}
