//! A pointer to a log entry: `transparency_log_id`.

use std::fmt;
use std::str::FromStr;

/// `<log origin>#<entry index>`. Not signed: a pointer, never evidence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TransparencyLogId {
    origin: String,
    index: u64,
}

/// The text is not `<log origin>#<entry index>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a log origin, a hash sign and a decimal index without leading zeros")]
pub struct TransparencyLogIdError;

impl TransparencyLogId {
    /// The log's origin, as on the first line of its checkpoints.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The entry's index in the log.
    pub fn index(&self) -> u64 {
        self.index
    }
}

impl FromStr for TransparencyLogId {
    type Err = TransparencyLogIdError;

    fn from_str(text: &str) -> Result<Self, TransparencyLogIdError> {
        let (origin, digits) = text.rsplit_once('#').ok_or(TransparencyLogIdError)?;
        let index: u64 = digits.parse().map_err(|_| TransparencyLogIdError)?;
        let fits = !origin.is_empty() && origin.len() <= 1024 && !origin.contains(char::is_control);
        if !fits || index.to_string() != digits {
            return Err(TransparencyLogIdError);
        }
        Ok(Self { origin: origin.to_owned(), index })
    }
}

impl fmt::Display for TransparencyLogId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.origin, self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_hash_sign_splits() {
        let id: TransparencyLogId = "log.example/a#b#18446744073709551615".parse().unwrap();
        assert_eq!((id.origin(), id.index()), ("log.example/a#b", u64::MAX));
        assert_eq!(id.to_string(), "log.example/a#b#18446744073709551615");
    }

    #[test]
    fn other_spellings_are_refused() {
        for text in [
            "",
            "log",
            "log#",
            "#1",
            "log#01",
            "log#+1",
            "log#-1",
            "log#1x",
            "l\ng#1",
            "log#18446744073709551616",
        ] {
            assert_eq!(text.parse::<TransparencyLogId>(), Err(TransparencyLogIdError), "{text:?}");
        }
    }
}
