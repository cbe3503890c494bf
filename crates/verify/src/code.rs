//! The codes of all checks: public API, never renamed. What each means and what to do is what `--explain` prints and
//! `docs/checks.md` lists.

use std::fmt;

mod names;
mod table;

/// A stable dotted code.
///
/// Codes are ranked: of several checks with the same effect, the one whose code stands first in [`Code::all`] is the
/// reason of the verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(u16);

/// One row of the table.
pub(crate) struct Row {
    code: &'static str,
    meaning: &'static str,
    advice: &'static str,
}

impl Code {
    /// Every code, highest rank first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..table::ROWS.len() as u16).map(Self)
    }

    /// The code with this text.
    pub fn find(text: &str) -> Option<Self> {
        Self::all().find(|code| code.as_str() == text)
    }

    /// The code's text.
    pub fn as_str(self) -> &'static str {
        self.row().code
    }

    /// What it says, one sentence for people who are not engineers.
    pub fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// What to do about it; empty where nothing needs to be done.
    pub fn advice(self) -> &'static str {
        self.row().advice
    }

    fn row(self) -> &'static Row {
        &table::ROWS[usize::from(self.0)]
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_distinct_dotted_and_explained() {
        let mut seen = HashSet::new();
        for code in Code::all() {
            let text = code.as_str();
            assert!(seen.insert(text), "{text} stands twice");
            assert!(text.contains('.'), "{text}");
            assert!(
                text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-')),
                "{text}"
            );
            assert!(code.meaning().ends_with('.') && code.meaning().len() > 15, "{text}");
            assert_eq!(Code::find(text), Some(code));
        }
    }

    #[test]
    fn every_code_of_the_lower_layers_is_explained() {
        let json = genten_primitives::json::JsonRule::ALL.iter().map(|rule| rule.code());
        let manifest = genten_manifest::ManifestRule::CODES.iter().copied();
        let keys = crate::TrustKeyError::CODES.iter().copied();
        let missing: Vec<_> =
            json.chain(manifest).chain(keys).filter(|code| Code::find(code).is_none()).collect();
        assert_eq!(missing, [] as [&str; 0]);
    }
}
