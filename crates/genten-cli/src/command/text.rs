//! Text for people: lines, and rows of label and value.

use std::fmt::{Display, Write as _};

use genten_primitives::Printable;

/// Widest column of labels that is still aligned, in characters.
const WIDEST: usize = 26;

/// Lines, each indented by two spaces a level.
#[derive(Default)]
pub(crate) struct Text(String);

impl Text {
    /// Adds a line of our own words. What comes from outside in it went through [`Printable`].
    pub(crate) fn line(&mut self, depth: usize, line: impl Display) -> &mut Self {
        let _ = writeln!(self.0, "{:indent$}{line}", "", indent = 2 * depth);
        self
    }

    /// Adds rows, their values aligned.
    pub(crate) fn rows(&mut self, depth: usize, rows: &Rows) -> &mut Self {
        let lengths = rows.0.iter().map(|(label, _)| label.chars().count());
        let width = lengths.filter(|length| *length <= WIDEST).max().unwrap_or(0);
        for (label, value) in &rows.0 {
            let row = format!("{label:<width$}  {value}");
            self.line(depth, row.trim_end());
        }
        self
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// Labels and values; both are made safe for a terminal.
#[derive(Default)]
pub(crate) struct Rows(Vec<(String, String)>);

impl Rows {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn add(&mut self, label: impl Display, value: impl Display) -> &mut Self {
        let (label, value) = (label.to_string(), value.to_string());
        self.0.push((Printable(&label).to_string(), Printable(&value).to_string()));
        self
    }

    pub(crate) fn optional(
        &mut self,
        label: impl Display,
        value: Option<impl Display>,
    ) -> &mut Self {
        match value {
            Some(value) => self.add(label, value),
            None => self,
        }
    }
}

/// `1 key`, `2 keys`.
pub(crate) fn count<N: Display + PartialEq + From<u8>>(
    number: N,
    one: &str,
    several: &str,
) -> String {
    format!("{number} {}", if number == N::from(1) { one } else { several })
}

/// `1 entry`, `2 entries`.
pub(crate) fn entries(number: u64) -> String {
    count(number, "entry", "entries")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_aligned_and_safe() {
        let mut rows = Rows::default();
        rows.add("a", "1")
            .add("long", "\u{1b}[31m")
            .optional("none", None::<&str>)
            .add("empty", "");
        let mut text = Text::default();
        text.line(0, "title").rows(1, &rows);
        let want = "title\n  a      1\n  long   \\u{1b}[31m\n  empty\n";
        assert_eq!(String::from_utf8_lossy(text.as_bytes()), want);
    }

    #[test]
    fn a_very_long_label_does_not_push_the_others() {
        let mut rows = Rows::default();
        rows.add("a", "1").add("x".repeat(WIDEST + 1), "2");
        let mut text = Text::default();
        text.rows(0, &rows);
        assert!(text.as_bytes().starts_with(b"a  1\n"));
    }
}
