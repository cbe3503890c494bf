//! Standard output: data, as text or as JSON.

use std::io::Write as _;

use genten_primitives::json::ObjectWriter;

/// Writes one line; a reader that has gone away ends the program quietly.
pub(crate) fn line(text: &str) {
    bytes(text.as_bytes());
    bytes(b"\n");
}

/// Writes bytes as they are.
pub(crate) fn bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Writes one JSON object on a line of its own.
pub(crate) fn json(object: &mut ObjectWriter<'_>) {
    let mut text = object.finish();
    text.push(b'\n');
    bytes(&text);
}

/// A count as a JSON integer.
pub(crate) fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
