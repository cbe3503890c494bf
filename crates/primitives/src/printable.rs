//! Text from outside, made safe for a terminal, a log line or a report.

use std::fmt;

/// Longest text that is shown, in characters.
const LIMIT: usize = 512;

/// Shows text from a manifest, a certificate, a URL or a file name: control, bidirectional and line-separator characters
/// are escaped as `\u{…}`, and what is too long is cut with `…`.
///
/// ```
/// use genten_primitives::Printable;
/// assert_eq!(Printable("a\u{1b}[31m\nb").to_string(), "a\\u{1b}[31m\\u{a}b");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Printable<'t>(pub &'t str);

impl Printable<'_> {
    /// Whether a character is escaped: it moves the cursor, changes the direction or the line, or cannot be seen.
    pub fn escapes(character: char) -> bool {
        is_unsafe(character)
    }
}

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, character) in self.0.chars().enumerate() {
            if position == LIMIT {
                return f.write_str("…");
            }
            if is_unsafe(character) {
                write!(f, "\\u{{{:x}}}", u32::from(character))?;
            } else {
                write!(f, "{character}")?;
            }
        }
        Ok(())
    }
}

/// Characters that move the cursor, change the direction or the line, or cannot be seen.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_but_text() {
        let hostile = "\u{202e}gpj.exe\u{2028}\r\n\u{9b}31m\u{7f}\u{feff}\u{e0041}\t";
        let shown = Printable(hostile).to_string();
        assert!(shown.is_ascii(), "{shown}");
        assert!(!shown.bytes().any(|byte| byte.is_ascii_control()), "{shown}");
        assert_eq!(Printable("日本語 é 😀 $%").to_string(), "日本語 é 😀 $%");
    }

    #[test]
    fn length_is_bounded() {
        assert_eq!(Printable(&"x".repeat(LIMIT)).to_string().len(), LIMIT);
        assert_eq!(Printable(&"x".repeat(9999)).to_string().chars().count(), LIMIT + 1);
    }
}
