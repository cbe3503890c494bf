//! Reading an object by its members' names, each looked at once, what is unknown kept apart.

use std::borrow::Cow;

use super::value::{Document, Value};

/// Takes the members of one object in canonical order of their names and collects those that nobody asked for.
///
/// Both sides are sorted, so that reading is one walk over both: ask in canonical (for plain ASCII names: byte) order.
///
/// ```
/// use genten_primitives::json::{self, Fields, Limits};
/// let document = json::read(br#"{"z":1,"b":2,"a":3}"#, Limits::bytes(100)).unwrap();
/// let mut fields = Fields::of(document.root()).unwrap();
/// assert_eq!(fields.take("a").unwrap().as_i64(), Some(3));
/// assert!(fields.take("c").is_none());
/// let unknown: Vec<_> = fields.finish().into_iter().map(|(name, _)| name).collect();
/// assert_eq!(unknown, ["b", "z"]);
/// ```
#[derive(Clone, Debug)]
pub struct Fields<'d> {
    document: &'d Document<'d>,
    names: &'d [u32],
    unknown: Vec<(Cow<'d, str>, Value<'d>)>,
    #[cfg(debug_assertions)]
    last: &'static str,
}

impl<'d> Fields<'d> {
    /// The members of `value`, or `None` when it is no object.
    pub fn of(value: Value<'d>) -> Option<Self> {
        value.members()?;
        Some(Self {
            document: value.document,
            names: value.sorted_names(),
            unknown: Vec::new(),
            #[cfg(debug_assertions)]
            last: "",
        })
    }

    /// The member with this name, which must come after the one asked for before.
    pub fn take(&mut self, name: &'static str) -> Option<Value<'d>> {
        #[cfg(debug_assertions)]
        {
            assert!(self.last < name, "{name} is asked for after {}", self.last);
            self.last = name;
        }
        while let [first, rest @ ..] = self.names {
            let found = self.document.string(*first);
            // Among ASCII names the canonical order is that of the bytes; all others come later.
            if found.as_ref() > name {
                return None;
            }
            self.names = rest;
            let value = Value { document: self.document, index: first + 1 };
            if found == name {
                return Some(value);
            }
            self.unknown.push((found, value));
        }
        None
    }

    /// The members that were not asked for.
    pub fn finish(mut self) -> Vec<(Cow<'d, str>, Value<'d>)> {
        for index in self.names {
            let value = Value { document: self.document, index: index + 1 };
            self.unknown.push((self.document.string(*index), value));
        }
        self.unknown
    }
}
