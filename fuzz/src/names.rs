//! Small texts with rules: URLs, patterns, ids, members.

use genten_jws::key_id::{contained_key, did_key, expect_contained};
use genten_manifest::{
    CtLogProof, HeaderName, HeaderText, KeyId, KeyIdKind, Nonce, ShortText, SourceUrl,
    TransparencyLogId,
};
use genten_primitives::{Printable, UrlPattern};

/// Kept byte for byte, without anything that is never sent.
pub(crate) fn source_url(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(url) = text.parse::<SourceUrl>() else { return false };
    assert_eq!(url.as_str(), text);
    assert!(text.is_ascii() && !text.contains(['#', ' ', '\\', '\n']));
    let authority = url.authority().unwrap_or_default();
    assert!(!authority.contains('@'));
    let host = url.host().unwrap_or_default();
    assert!(authority.starts_with(host));
    assert!(!url.is_web() || !host.is_empty());
    true
}

/// A pattern and a URL, a line each: what matches begins with the pattern and does not climb out of it.
pub(crate) fn url_pattern(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let (pattern, url) = text.split_once('\n').unwrap_or((text, text));
    let Ok(read) = pattern.parse::<UrlPattern>() else { return false };
    assert_eq!(read.to_string(), pattern);
    let literal = pattern.strip_suffix('*').unwrap_or(pattern);
    if read.matches(url) {
        assert!(url.starts_with(literal));
        assert!(literal.len() < pattern.len() || url == literal);
        let lower = url.to_ascii_lowercase();
        let path = lower.split(['?', '#']).next().unwrap_or_default();
        for climb in ["/../", "/%2e%2e/", "/.%2e/", "/%2e./", "\\"] {
            assert!(!path.contains(climb), "{url}");
        }
    }
    true
}

/// Prints as it was read; an id that contains a key is the id of that key and of no other.
pub(crate) fn key_id(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(id) = text.parse::<KeyId>() else { return false };
    assert_eq!(id.as_str(), text);
    assert!(text.starts_with(id.did()));
    assert_eq!(id.contains_key(), contained_key(&id).is_some());
    if let Some(Ok(key)) = contained_key(&id) {
        assert_eq!(expect_contained(&id, &key), Ok(()));
        if id.kind() == KeyIdKind::DidKey {
            assert_eq!(did_key(&key), Some(id));
        }
    }
    true
}

/// Prints as it was read; nothing that moves a cursor is shown.
pub(crate) fn members(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let shown = Printable(text).to_string();
    assert!(!shown.contains(|c: char| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c)));
    let printed = [
        text.parse::<CtLogProof>().ok().map(|value| value.to_string()),
        text.parse::<HeaderName>().ok().map(|value| value.to_string()),
        text.parse::<HeaderText>().ok().map(|value| value.to_string()),
        text.parse::<Nonce>().ok().map(|value| value.as_str().to_owned()),
        text.parse::<ShortText>().ok().map(|value| value.to_string()),
        text.parse::<TransparencyLogId>().ok().map(|value| value.to_string()),
    ];
    let accepted = printed.into_iter().flatten();
    accepted.inspect(|printed| assert_eq!(printed, text)).count() > 0
}
