//! JSON whose members have an order, printed as ECMAScript prints it.

use std::borrow::Cow;

use genten_primitives::json::{Kind, Value, write_string};

/// A JSON value with its members in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node<'a> {
    Null,
    Bool(bool),
    /// As ECMAScript prints it.
    Number(String),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
}

impl<'a> Node<'a> {
    pub(super) fn text(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    pub(super) fn number(number: u64) -> Self {
        Self::Number(number.to_string())
    }

    pub(super) fn texts(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self::List(texts.into_iter().map(Node::text).collect())
    }

    pub(super) fn object(members: impl IntoIterator<Item = (&'a str, Node<'a>)>) -> Self {
        Self::Object(members.into_iter().map(|(name, node)| (Cow::Borrowed(name), node)).collect())
    }

    /// What was read.
    pub(super) fn of(value: Value<'a>) -> Self {
        match value.kind() {
            Kind::Null => Self::Null,
            Kind::Boolean => Self::Bool(value.as_bool().unwrap_or_default()),
            Kind::Number => {
                let mut printed = Vec::new();
                value.write_canonical(&mut printed);
                Self::Number(String::from_utf8_lossy(&printed).into_owned())
            }
            Kind::String => Self::Text(value.as_str().unwrap_or_default()),
            Kind::Array => Self::List(value.items().into_iter().flatten().map(Node::of).collect()),
            Kind::Object => {
                let members = value.members().into_iter().flatten();
                Self::Object(members.map(|(name, value)| (name, Node::of(value))).collect())
            }
        }
    }

    /// Sets a member: in its place where there is one of this name, else at the end.
    pub(super) fn set(&mut self, name: &'a str, node: Node<'a>) {
        let Self::Object(members) = self else { return };
        match members.iter_mut().find(|(known, _)| known == name) {
            Some((_, place)) => *place = node,
            None => members.push((Cow::Borrowed(name), node)),
        }
    }

    /// In one line.
    pub(super) fn compact(&self) -> String {
        self.print(None)
    }

    /// Indented by two spaces.
    pub(super) fn pretty(&self) -> String {
        self.print(Some(0))
    }

    fn print(&self, depth: Option<usize>) -> String {
        let mut out = Vec::new();
        self.write(depth, &mut out);
        String::from_utf8(out).expect("only text was written")
    }

    fn write(&self, depth: Option<usize>, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.extend_from_slice(b"null"),
            Self::Bool(truth) => out.extend_from_slice(truth.to_string().as_bytes()),
            Self::Number(text) => out.extend_from_slice(text.as_bytes()),
            Self::Text(text) => write_string(text, out),
            Self::List(items) => {
                write_all(items, [b'[', b']'], depth, out, |item, inner, out| {
                    item.write(inner, out)
                });
            }
            Self::Object(members) => {
                write_all(ordered(members), [b'{', b'}'], depth, out, |member, inner, out| {
                    write_string(&member.0, out);
                    out.extend_from_slice(if inner.is_some() { b": " } else { b":" });
                    member.1.write(inner, out);
                });
            }
        }
    }
}

fn write_all<T>(
    items: impl IntoIterator<Item = T>,
    [open, close]: [u8; 2],
    depth: Option<usize>,
    out: &mut Vec<u8>,
    write: impl Fn(T, Option<usize>, &mut Vec<u8>),
) {
    let inner = depth.map(|depth| depth + 1);
    let break_line = |depth: Option<usize>, out: &mut Vec<u8>| {
        if let Some(depth) = depth {
            out.push(b'\n');
            out.resize(out.len() + 2 * depth, b' ');
        }
    };
    out.push(open);
    let mut is_empty = true;
    for item in items {
        if !std::mem::take(&mut is_empty) {
            out.push(b',');
        }
        break_line(inner, out);
        write(item, inner, out);
    }
    if !is_empty {
        break_line(depth, out);
    }
    out.push(close);
}

/// The members in the order of ECMAScript: names that are indices first, by number (ECMA-262, OrdinaryOwnPropertyKeys).
fn ordered<'n, 'a>(members: &'n [(Cow<'a, str>, Node<'a>)]) -> Vec<&'n (Cow<'a, str>, Node<'a>)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_by_key(|(name, _)| index(name).map_or((1, 0), |index| (0, index)));
    members
}

/// A name that is an array index: below 2^32 - 1, without leading zeros.
fn index(name: &str) -> Option<u32> {
    let index: u32 = name.parse().ok()?;
    (index < u32::MAX && index.to_string() == name).then_some(index)
}
