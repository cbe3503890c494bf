//! What can be seen of a JSON object without reading it by the rules: enough to tell what its author meant it to be.

/// The names of an object's own members, and where the object ends.
#[derive(Debug)]
pub(super) struct Outline<'a> {
    /// Each name, as it is spelled, and the text from its colon on.
    members: Vec<(&'a [u8], &'a [u8])>,
    /// Just behind the closing brace; `None` where the text ends before.
    pub(super) end: Option<usize>,
}

impl<'a> Outline<'a> {
    /// Walks the text once, whatever is wrong with it; `None` where it does not begin with a brace.
    pub(super) fn of(text: &'a [u8]) -> Option<Self> {
        let mut at = start(text)?;
        let mut outline = Self { members: Vec::new(), end: None };
        let (mut depth, mut string) = (0_usize, None);
        while at < text.len() {
            match text[at] {
                b'"' => {
                    let end = end_of_string(text, at + 1);
                    string = (depth == 1).then(|| &text[at + 1..end]);
                    at = end;
                }
                b':' => outline.members.extend(string.take().map(|name| (name, &text[at + 1..]))),
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth <= 1 => {
                    outline.end = Some(at + 1);
                    return Some(outline);
                }
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        Some(outline)
    }

    /// Whether the object has a member of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(found, _)| *found == name.as_bytes())
    }

    /// Whether the member is a string that begins so.
    pub(super) fn begins(&self, name: &str, start: &str) -> bool {
        let member = self.members.iter().find(|(found, _)| *found == name.as_bytes());
        let value = member.and_then(|(_, rest)| rest.trim_ascii_start().strip_prefix(b"\""));
        value.is_some_and(|value| value.starts_with(start.as_bytes()))
    }
}

fn start(text: &[u8]) -> Option<usize> {
    let text_start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let spaces = text[text_start..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    (text[text_start + spaces] == b'{').then_some(text_start + spaces)
}

/// The place of the closing quote, or the end of the text.
fn end_of_string(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_members_are_seen_and_no_others() {
        let text = br#" {"a":{"b":"}\"","c":[1,{"d":2}]},"e":"f:", "g" : "h-i"} rest"#;
        let outline = Outline::of(text).unwrap();
        let seen: Vec<_> = ["a", "b", "c", "d", "e", "f", "f:", "g", "h-i"]
            .into_iter()
            .filter(|name| outline.has(name))
            .collect();
        assert_eq!(seen, ["a", "e", "g"]);
        assert!(
            outline.begins("g", "h-") && !outline.begins("g", "i") && !outline.begins("a", "b")
        );
        assert_eq!(outline.end, Some(text.len() - 5));
    }

    #[test]
    fn broken_text_is_walked_to_its_end() {
        for text in [r#"{"a":"#, r#"{"a":1,"b"#, r#"{"a":1,"b":"\"#, r#"{"a":1e}"#, r#"{"a"::[}"#] {
            assert!(Outline::of(text.as_bytes()).unwrap().has("a"), "{text}");
        }
        for text in ["", " ", "[1]", "\"a\":1", "\u{feff}", "x{"] {
            assert!(Outline::of(text.as_bytes()).is_none(), "{text}");
        }
        assert!(Outline::of("\u{feff}{\"a\":1".as_bytes()).unwrap().has("a"));
    }
}
