//! JSON, encodings and times.

use genten_primitives::Timestamp;
use genten_primitives::encoding::{base64, base64url, from_base64, from_base64url, from_hex, hex};
use genten_primitives::json::{self, Limits};

/// What is accepted has one canonical form, that of serde_json_canonicalizer, and reading it changes nothing.
pub(crate) fn json(bytes: &[u8]) -> bool {
    let document = match json::read(bytes, Limits::bytes(1 << 20)) {
        Ok(document) => document,
        Err(error) => {
            assert!(error.offset <= bytes.len());
            assert!(error.rule.code().starts_with("json.") && error.path.starts_with('$'));
            return false;
        }
    };
    let mut canonical = Vec::new();
    document.root().write_canonical(&mut canonical);
    let theirs: serde_json::Value = serde_json::from_slice(bytes).expect("accepted by us alone");
    let theirs = serde_json_canonicalizer::to_vec(&theirs).expect("integers and strings");
    assert_eq!(canonical, theirs);
    let again = json::read(&canonical, Limits::bytes(2 << 20)).expect("canonical");
    let mut twice = Vec::new();
    again.root().write_canonical(&mut twice);
    assert_eq!(twice, canonical);
    true
}

/// One spelling for each value.
pub(crate) fn encodings(bytes: &[u8]) -> bool {
    assert_eq!(from_base64(&base64(bytes)).as_deref(), Ok(bytes));
    assert_eq!(from_base64url(&base64url(bytes)).as_deref(), Ok(bytes));
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let base64s = from_base64(text).map(|decoded| assert_eq!(base64(&decoded), text));
    let base64urls = from_base64url(text).map(|decoded| assert_eq!(base64url(&decoded), text));
    let digests = from_hex::<32>(text).map(|decoded| assert_eq!(hex(&decoded), text));
    base64s.is_ok() || base64urls.is_ok() || digests.is_ok()
}

/// What is accepted prints as it was read, and names one moment.
pub(crate) fn timestamp(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(time) = text.parse::<Timestamp>() else { return false };
    assert_eq!(time.to_string(), text);
    let same = Timestamp::from_millis(time.as_millis()).expect("within the years");
    assert_eq!(same, time);
    assert_eq!(same.to_string().parse(), Ok(time));
    assert_eq!(time.checked_add_millis(0), Some(time));
    true
}
