//! What was read: a flat list of spans, walked as values.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::error;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// An integer.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// One value, or one member name. The children of a node follow it directly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// A string with at least one escape.
    pub(super) escaped: bool,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The index of the node after this one and all that it holds.
    pub(super) next: u32,
    /// Objects: where its member names, sorted, begin in `Document::sorted`.
    pub(super) sorted: u32,
    /// Arrays and objects: how many items or members.
    pub(super) len: u32,
}

/// One JSON document that kept all rules, borrowed from its text.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) text: &'a str,
    pub(super) nodes: Vec<Node>,
    /// Name nodes of every object, each run in the order of RFC 8785.
    pub(super) sorted: Vec<u32>,
}

impl<'a> Document<'a> {
    /// The outermost value.
    pub fn root(&self) -> Value<'_> {
        Value { document: self, index: 0 }
    }

    /// The text as it was received.
    pub fn text(&self) -> &'a str {
        self.text
    }

    pub(super) fn slice(&self, node: &Node) -> &'a str {
        &self.text[node.start as usize..node.end as usize]
    }

    pub(super) fn string(&self, index: u32) -> Cow<'a, str> {
        let node = &self.nodes[index as usize];
        let inner = &self.text[node.start as usize + 1..node.end as usize - 1];
        if node.escaped { Cow::Owned(unescape(inner)) } else { Cow::Borrowed(inner) }
    }

    pub(super) fn compare_names(&self, left: u32, right: u32) -> Ordering {
        utf16_order(&self.string(left), &self.string(right))
    }
}

/// The order of member names in canonical JSON: by UTF-16 code units (RFC 8785 section 3.2.3).
pub(super) fn utf16_order(left: &str, right: &str) -> Ordering {
    if left.is_ascii() && right.is_ascii() {
        return left.cmp(right);
    }
    left.encode_utf16().cmp(right.encode_utf16())
}

/// Undoes the escapes of a string that the reader has checked.
fn unescape(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let (character, used) = unescape_one(escape);
        text.push(character);
        rest = &escape[used..];
    }
    text.push_str(rest);
    text
}

fn unescape_one(escape: &str) -> (char, usize) {
    match escape.as_bytes().first() {
        Some(b'b') => ('\u{8}', 1),
        Some(b'f') => ('\u{c}', 1),
        Some(b'n') => ('\n', 1),
        Some(b'r') => ('\r', 1),
        Some(b't') => ('\t', 1),
        Some(b'u') => unescape_unit(escape),
        Some(other) => (char::from(*other), 1),
        None => (char::REPLACEMENT_CHARACTER, 0),
    }
}

fn unescape_unit(escape: &str) -> (char, usize) {
    let unit =
        |at: usize| u16::from_str_radix(escape.get(at..at + 4).unwrap_or(""), 16).unwrap_or(0);
    let first = unit(1);
    if let Some(Ok(character)) = char::decode_utf16([first]).next() {
        return (character, 5);
    }
    let pair = char::decode_utf16([first, unit(7)]).next();
    (pair.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER), 11)
}

/// A value of a document.
#[derive(Clone, Copy, Debug)]
pub struct Value<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) index: u32,
}

impl<'d> Value<'d> {
    pub(super) fn node(self) -> &'d Node {
        &self.document.nodes[self.index as usize]
    }

    /// The type.
    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// The text of a string, unescaped.
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        (self.kind() == Kind::String).then(|| self.document.string(self.index))
    }

    /// An integer, within ±(2^53 - 1).
    pub fn as_i64(self) -> Option<i64> {
        if self.kind() == Kind::Number { self.raw_text().parse().ok() } else { None }
    }

    /// A truth value.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Boolean).then(|| self.raw_text() == "true")
    }

    /// The items of an array, in order.
    pub fn items(self) -> Option<Items<'d>> {
        (self.kind() == Kind::Array).then(|| Items {
            document: self.document,
            at: self.index + 1,
            left: self.node().len,
        })
    }

    /// The members of an object, in the order of the text.
    pub fn members(self) -> Option<Members<'d>> {
        (self.kind() == Kind::Object).then(|| Members {
            document: self.document,
            at: self.index + 1,
            left: self.node().len,
        })
    }

    /// The member of an object with this name.
    pub fn get(self, name: &str) -> Option<Value<'d>> {
        let names = self.sorted_names();
        let found = names
            .binary_search_by(|index| utf16_order(&self.document.string(*index), name))
            .ok()?;
        Some(Value { document: self.document, index: names[found] + 1 })
    }

    /// The name nodes of an object in canonical order; empty for other values.
    pub(super) fn sorted_names(self) -> &'d [u32] {
        let node = self.node();
        if node.kind != Kind::Object {
            return &[];
        }
        &self.document.sorted[node.sorted as usize..(node.sorted + node.len) as usize]
    }

    /// Where the value begins, in bytes from the start of the document.
    pub fn offset(self) -> usize {
        self.node().start as usize
    }

    /// The value as it stands in the document.
    pub fn raw(self) -> &'d [u8] {
        self.raw_text().as_bytes()
    }

    /// The value as it stands in the document, as text.
    pub fn raw_text(self) -> &'d str {
        self.document.slice(self.node())
    }

    /// Where the value stands, such as `$.http.redirects[0].url`.
    pub fn path(self) -> String {
        let mut path = String::from("$");
        let mut at = self.document.root();
        while at.index != self.index {
            let Some(child) = at.step_towards(self.index, &mut path) else { break };
            at = child;
        }
        path
    }

    fn step_towards(self, index: u32, path: &mut String) -> Option<Value<'d>> {
        let holds = |value: &Value<'d>| index >= value.index && index < value.node().next;
        if let Some(members) = self.members() {
            let (name, value) = members.into_iter().find(|(_, value)| holds(value))?;
            error::push_member(path, &name);
            return Some(value);
        }
        let (position, value) = self.items()?.enumerate().find(|(_, value)| holds(value))?;
        path.push_str(&format!("[{position}]"));
        Some(value)
    }
}

/// The items of an array.
#[derive(Clone, Debug)]
pub struct Items<'d> {
    document: &'d Document<'d>,
    at: u32,
    left: u32,
}

impl<'d> Iterator for Items<'d> {
    type Item = Value<'d>;

    fn next(&mut self) -> Option<Value<'d>> {
        self.left = self.left.checked_sub(1)?;
        let value = Value { document: self.document, index: self.at };
        self.at = value.node().next;
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Items<'_> {}

/// The members of an object: name and value.
#[derive(Clone, Debug)]
pub struct Members<'d> {
    document: &'d Document<'d>,
    at: u32,
    left: u32,
}

impl<'d> Iterator for Members<'d> {
    type Item = (Cow<'d, str>, Value<'d>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let name = self.document.string(self.at);
        let value = Value { document: self.document, index: self.at + 1 };
        self.at = value.node().next;
        Some((name, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Members<'_> {}
