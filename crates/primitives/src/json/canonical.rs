//! Canonical JSON (RFC 8785) of what was read, and writers that produce it directly.

use super::value::{Kind, Value, utf16_order};
use crate::Sha256Digest;

impl Value<'_> {
    /// Appends the canonical form (RFC 8785).
    pub fn write_canonical(self, out: &mut Vec<u8>) {
        self.write_canonical_without(&[], out);
    }

    /// The digest of the canonical form, which all spellings of a value have in common.
    pub fn canonical_sha256(self) -> Sha256Digest {
        let mut canonical = Vec::with_capacity(self.raw().len());
        self.write_canonical(&mut canonical);
        Sha256Digest::of(&canonical)
    }

    /// Appends the canonical form of an object without some of its own members.
    pub fn write_canonical_without(self, left_out: &[&str], out: &mut Vec<u8>) {
        match self.kind() {
            Kind::Object => self.write_object(left_out, out),
            Kind::Array => self.write_array(out),
            Kind::String => self.write_text(out),
            Kind::Number => write_number(self.raw_text(), out),
            Kind::Boolean | Kind::Null => out.extend_from_slice(self.raw()),
        }
    }

    fn write_object(self, left_out: &[&str], out: &mut Vec<u8>) {
        out.push(b'{');
        let mut first = true;
        for &name in self.sorted_names() {
            let name = Value { document: self.document, index: name };
            if name.as_str().is_some_and(|name| left_out.contains(&name.as_ref())) {
                continue;
            }
            if !first {
                out.push(b',');
            }
            first = false;
            name.write_text(out);
            out.push(b':');
            Value { document: self.document, index: name.index + 1 }.write_canonical(out);
        }
        out.push(b'}');
    }

    fn write_array(self, out: &mut Vec<u8>) {
        out.push(b'[');
        for (position, item) in self.items().into_iter().flatten().enumerate() {
            if position > 0 {
                out.push(b',');
            }
            item.write_canonical(out);
        }
        out.push(b']');
    }

    fn write_text(self, out: &mut Vec<u8>) {
        if self.node().escaped {
            write_string(&self.document.string(self.index), out);
        } else {
            // Without escapes there is only one way to write a string.
            out.extend_from_slice(self.raw());
        }
    }
}

/// Most digits of an integer that is a double as it stands.
const SAFE_DIGITS: usize = 15;

/// Appends a number as ECMAScript prints it (RFC 8785 section 3.2.2.3): the shortest text that stands for the same double. An
/// integer that no double is, or that is larger than any, has no canonical form, and stays as it is: no other number becomes
/// like it.
fn write_number(text: &str, out: &mut Vec<u8>) {
    let digits = text.trim_start_matches('-');
    let is_integer = digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_safe = is_integer && digits.len() <= SAFE_DIGITS && text != "-0";
    let double = text.parse().ok().filter(|number: &f64| number.is_finite());
    let Some(number) = double.filter(|_| !is_safe) else {
        return out.extend_from_slice(text.as_bytes());
    };
    let mut buffer = ryu_js::Buffer::new();
    let printed = buffer.format_finite(number);
    let is_double =
        !is_integer || text == "-0" || text == printed || text == format!("{number:.0}");
    out.extend_from_slice(if is_double { printed } else { text }.as_bytes());
}

/// Appends a string with quotes and the escapes of RFC 8785 section 3.2.2.2.
pub fn write_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let needs_escape = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(needs_escape) {
        out.extend_from_slice(&rest[..at]);
        write_escape(rest[at], out);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

fn write_escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        0x08 => b'b',
        0x09 => b't',
        0x0a => b'n',
        0x0c => b'f',
        0x0d => b'r',
        b'"' | b'\\' => byte,
        _ => {
            out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// Writes one object in canonical form; members may come in any order.
///
/// Every name is given once: the caller's types see to that.
///
/// ```
/// use genten_primitives::json::ObjectWriter;
/// let mut object = ObjectWriter::new();
/// object.string("b", "x").integer("a", 1);
/// assert_eq!(object.finish(), br#"{"a":1,"b":"x"}"#);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ObjectWriter<'n> {
    members: Vec<(&'n str, std::ops::Range<usize>)>,
    values: Vec<u8>,
}

impl<'n> ObjectWriter<'n> {
    /// An object without members.
    pub fn new() -> Self {
        Self { members: Vec::with_capacity(16), values: Vec::with_capacity(512) }
    }

    /// Adds a string.
    pub fn string(&mut self, name: &'n str, text: &str) -> &mut Self {
        self.with(name, |values| write_string(text, values))
    }

    /// Adds a string when there is one.
    pub fn optional(&mut self, name: &'n str, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.string(name, text),
            None => self,
        }
    }

    /// Adds the text form of a value when there is one.
    pub fn text(&mut self, name: &'n str, value: Option<&impl std::fmt::Display>) -> &mut Self {
        match value {
            Some(value) => self.string(name, &value.to_string()),
            None => self,
        }
    }

    /// Adds an integer.
    pub fn integer(&mut self, name: &'n str, number: i64) -> &mut Self {
        self.with(name, |values| values.extend_from_slice(number.to_string().as_bytes()))
    }

    /// Adds a truth value.
    pub fn boolean(&mut self, name: &'n str, truth: bool) -> &mut Self {
        self.raw(name, if truth { b"true" } else { b"false" })
    }

    /// Adds a value that is already canonical JSON.
    pub fn raw(&mut self, name: &'n str, canonical: &[u8]) -> &mut Self {
        self.with(name, |values| values.extend_from_slice(canonical))
    }

    fn with(&mut self, name: &'n str, write: impl FnOnce(&mut Vec<u8>)) -> &mut Self {
        let start = self.values.len();
        write(&mut self.values);
        self.members.push((name, start..self.values.len()));
        self
    }

    /// Whether no member was added.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The object's bytes.
    pub fn finish(&mut self) -> Vec<u8> {
        self.members.sort_by(|left, right| utf16_order(left.0, right.0));
        let mut out = Vec::with_capacity(self.values.len() + 32 * self.members.len() + 2);
        out.push(b'{');
        for (position, (name, range)) in self.members.iter().enumerate() {
            if position > 0 {
                out.push(b',');
            }
            write_string(name, &mut out);
            out.push(b':');
            out.extend_from_slice(&self.values[range.clone()]);
        }
        out.push(b'}');
        out
    }
}

/// Writes one array.
#[derive(Clone, Debug, Default)]
pub struct ArrayWriter(Vec<u8>);

impl ArrayWriter {
    /// An array without items.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a string.
    pub fn string(&mut self, text: &str) -> &mut Self {
        self.separate();
        write_string(text, &mut self.0);
        self
    }

    /// Adds a value that is already canonical JSON.
    pub fn raw(&mut self, canonical: &[u8]) -> &mut Self {
        self.separate();
        self.0.extend_from_slice(canonical);
        self
    }

    fn separate(&mut self) {
        self.0.push(if self.0.is_empty() { b'[' } else { b',' });
    }

    /// The array's bytes.
    pub fn finish(&mut self) -> Vec<u8> {
        if self.0.is_empty() {
            self.0.push(b'[');
        }
        self.0.push(b']');
        std::mem::take(&mut self.0)
    }
}
