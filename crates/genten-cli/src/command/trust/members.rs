//! JSON that is edited without a typed form between: what is not touched stays as it stands in the text.

use genten_primitives::json::{self, ArrayWriter, Document, Limits, Value, write_string};
use genten_verify::kit::MAX_KIT_BYTES;

/// The members of one object in their order, each value as JSON text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Members(Vec<(String, String)>);

impl Members {
    /// The members of an object.
    pub(super) fn of(value: Value<'_>) -> Self {
        let members = value.members().into_iter().flatten();
        Self(
            members.map(|(name, value)| (name.into_owned(), value.raw_text().to_owned())).collect(),
        )
    }

    /// The members of an object that stands in a kit.
    pub(super) fn of_text(text: &str) -> Self {
        Self::of(read(text).root())
    }

    /// A member's value.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// Sets a member: in its place where it has one, else at the end.
    pub(super) fn set(&mut self, name: &str, value: String) -> &mut Self {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
        self
    }

    /// Sets a member to a string.
    pub(super) fn set_text(&mut self, name: &str, text: &str) -> &mut Self {
        let mut value = Vec::new();
        write_string(text, &mut value);
        self.set(name, utf8(value))
    }

    /// Sets a member to a list of strings.
    pub(super) fn set_texts<T: ToString>(&mut self, name: &str, texts: &[T]) -> &mut Self {
        let mut list = ArrayWriter::new();
        for text in texts {
            list.string(&text.to_string());
        }
        self.set(name, utf8(list.finish()))
    }

    /// The items of a member that is a list; none where there is no such member.
    pub(super) fn items(&self, name: &str) -> Vec<String> {
        let Some(list) = self.get(name) else { return Vec::new() };
        let document = read(list);
        let items = document.root().items().into_iter().flatten();
        items.map(|item| item.raw_text().to_owned()).collect()
    }

    /// Sets a member to a list of such items.
    pub(super) fn set_items(&mut self, name: &str, items: &[String]) -> &mut Self {
        self.set(name, format!("[{}]", items.join(",")))
    }

    /// The object.
    pub(super) fn to_json(&self) -> String {
        let mut text = Vec::from(b"{");
        for (position, (name, value)) in self.0.iter().enumerate() {
            if position > 0 {
                text.push(b',');
            }
            write_string(name, &mut text);
            text.push(b':');
            text.extend_from_slice(value.as_bytes());
        }
        text.push(b'}');
        utf8(text)
    }
}

/// Reads a part of a kit once more.
pub(super) fn read(text: &str) -> Document<'_> {
    json::read(text.as_bytes(), Limits::bytes(2 * MAX_KIT_BYTES))
        .expect("a part of strict JSON, or written by us")
}

fn utf8(json: Vec<u8>) -> String {
    String::from_utf8(json).expect("JSON is written in UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_touched_stays() {
        let text = r#"{ "z" : { "x":[ 1,2 ] }, "a":"\u0041", "list":[ {"k" : 1} ] }"#;
        let mut members = Members::of_text(text);
        members.set_text("new", "\"").set("a", "2".to_owned());
        let items = [members.items("list"), vec!["3".to_owned()]].concat();
        members.set_items("list", &items);
        assert_eq!(
            members.to_json(),
            r#"{"z":{ "x":[ 1,2 ] },"a":2,"list":[{"k" : 1},3],"new":"\""}"#
        );
        assert!(members.items("missing").is_empty());
        assert_eq!(members.set_texts("t", &["a", "b"]).get("t"), Some(r#"["a","b"]"#));
    }
}
