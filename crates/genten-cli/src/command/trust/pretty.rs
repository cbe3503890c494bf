//! Kits as they are written: two spaces a level, one member a line, so that people can read them and tools compare them.
//!
//! Keys and the documents of others stand as they were given, byte for byte.

use genten_primitives::json::{Kind, Value, write_string};

use super::members::read;

/// Members whose value is kept as it is.
const VERBATIM: [&str; 3] = ["ct_log_list", "document", "public_key"];

/// Members whose items are kept as they are.
const VERBATIM_ITEMS: [&str; 3] = ["content_log_keys", "log_keys", "sigstore_trusted_roots"];

/// The text of a kit, with a line feed at the end.
pub(super) fn print(json: &str) -> String {
    let document = read(json);
    let mut text = Vec::new();
    write(document.root(), "", 0, &mut text);
    text.push(b'\n');
    String::from_utf8(text).expect("JSON is written in UTF-8")
}

fn write(value: Value<'_>, name: &str, depth: usize, out: &mut Vec<u8>) {
    match value.kind() {
        Kind::Object if !VERBATIM.contains(&name) => write_object(value, depth, out),
        Kind::Array if !VERBATIM.contains(&name) => write_array(value, name, depth, out),
        _ => out.extend_from_slice(value.raw()),
    }
}

fn write_object(value: Value<'_>, depth: usize, out: &mut Vec<u8>) {
    let members = value.members().into_iter().flatten();
    block(b"{}", depth, members, out, |(name, value), out| {
        write_string(&name, out);
        out.extend_from_slice(b": ");
        write(value, &name, depth + 1, out);
    });
}

fn write_array(value: Value<'_>, name: &str, depth: usize, out: &mut Vec<u8>) {
    let item_name = if VERBATIM_ITEMS.contains(&name) { VERBATIM[0] } else { "" };
    let items = value.items().into_iter().flatten();
    block(b"[]", depth, items, out, |item, out| write(item, item_name, depth + 1, out));
}

/// Writes the parts between the brackets, each on a line of its own.
fn block<T>(
    brackets: &[u8; 2],
    depth: usize,
    parts: impl Iterator<Item = T>,
    out: &mut Vec<u8>,
    write_part: impl Fn(T, &mut Vec<u8>),
) {
    out.push(brackets[0]);
    let mut is_empty = true;
    for part in parts {
        if !is_empty {
            out.push(b',');
        }
        is_empty = false;
        new_line(depth + 1, out);
        write_part(part, out);
    }
    if !is_empty {
        new_line(depth, out);
    }
    out.push(brackets[1]);
}

fn new_line(depth: usize, out: &mut Vec<u8>) {
    out.push(b'\n');
    out.resize(out.len() + 2 * depth, b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spaces_a_level_and_documents_as_they_are() {
        let json = r#"{"a":[],"b":{},"c":[1,{"d":"\u0041"}],"ct_log_list":{ "x":1,
"y":[ ]},"did_documents":[{"document": {"id" : "did:web:a"},"valid_from":"t"}],"sigstore_trusted_roots":[{"k" :[1, 2]}, {}]}"#;
        let want = r#"{
  "a": [],
  "b": {},
  "c": [
    1,
    {
      "d": "\u0041"
    }
  ],
  "ct_log_list": { "x":1,
"y":[ ]},
  "did_documents": [
    {
      "document": {"id" : "did:web:a"},
      "valid_from": "t"
    }
  ],
  "sigstore_trusted_roots": [
    {"k" :[1, 2]},
    {}
  ]
}
"#;
        assert_eq!(print(json), want);
        assert_eq!(print(want), want, "printing twice changes nothing");
    }
}
