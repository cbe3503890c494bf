//! 000-11: what is of a format and what is not, by our rules and, where it is built in, by the validator of schemas.

use genten_mcp::output::faults;
use genten_mcp::saved::read_document;
use serde_json::json;

use crate::fixtures::{full, with};

const DATE_TIMES: &[(&str, bool)] = &[
    ("2026-08-13T01:00:00Z", true),
    ("2026-08-13t01:00:00z", true),
    ("2026-08-13T01:00:00.123456789Z", true),
    ("2026-08-13T01:00:00+09:00", true),
    ("2026-08-13T01:00:00-23:59", true),
    ("2016-12-31T23:59:60Z", true),
    ("2017-01-01T08:59:60+09:00", true),
    ("2016-12-31T23:58:60Z", false),
    ("2024-02-29T00:00:00Z", true),
    ("2026-02-29T00:00:00Z", false),
    ("2026-08-13T24:00:00Z", false),
    ("2026-08-13T01:60:00Z", false),
    ("2026-08-13T01:00:61Z", false),
    ("2026-08-13T01:00:00", false),
    ("2026-08-13T01:00:00.Z", false),
    ("2026-08-13T01:00:00+0900", false),
    ("2026-08-13T01:00:00+24:00", false),
    ("2026-08-13T01:00:00+09:60", false),
    ("2026-08-13 01:00:00Z", false),
    ("2026-08-13T01:00Z", false),
    ("2026-8-13T01:00:00Z", false),
    ("+026-08-13T01:00:00Z", false),
    ("2026-08-13T01:00:00Z[UTC]", false),
    ("2026-08-13T01:00:00é", false),
    ("2026-08-13T0١:00:00Z", false),
    ("2026-08-13", false),
    ("", false),
];

const DATES: &[(&str, bool)] = &[
    ("2026-04-01", true),
    ("2024-02-29", true),
    ("2026-02-29", false),
    ("2026-13-01", false),
    ("2026-04-1", false),
    ("20260401", false),
    ("2026-04-01T00:00:00Z", false),
    ("2026-04-0١", false),
    ("", false),
];

const URIS: &[(&str, bool)] = &[
    ("https://example.go.jp/official/item/1?a=b&c=%E3%81%82#x", true),
    ("http://user@[2001:db8::1]:8080/", true),
    ("urn:ietf:rfc:9421", true),
    ("file:///srv/law.xml", true),
    ("https://example.go.jp/a b", false),
    ("https://example.go.jp/法", false),
    ("https://example.go.jp/%zz", false),
    ("https://example.go.jp/%4", false),
    ("https://example.go.jp/[1]", false),
    ("https://example.go.jp/a#b#c", false),
    ("https://example.go.jp\\a", false),
    ("//example.go.jp/a", false),
    ("/a", false),
    ("1a:b", false),
    ("a", false),
    (":", false),
    ("", false),
];

fn cases() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    let all = [("retrievedAt", DATE_TIMES), ("effectiveAt", DATES), ("uri", URIS)];
    all.into_iter()
        .flat_map(|(name, list)| list.iter().map(move |(text, good)| (name, *text, *good)))
}

#[test]
fn formats_are_what_the_rfcs_say() {
    for (name, text, is_good) in cases() {
        let result = with(full(), &format!("/provenance/sources/0/{name}"), json!(text));
        let result = result.to_string();
        let document = read_document(result.as_bytes()).unwrap();
        assert_eq!(faults(document.root()).is_empty(), is_good, "{name} {text:?}");
    }
}

#[cfg(feature = "schema")]
#[test]
fn the_validator_of_schemas_agrees() {
    use crate::fixtures::schema;
    let schema = schema(&json!(true)).to_string();
    let schema = genten_mcp::output::OutputSchema::read(schema.as_bytes()).unwrap();
    for (name, text, is_good) in cases() {
        let result = with(full(), &format!("/provenance/sources/0/{name}"), json!(text));
        let result = result.to_string();
        let document = read_document(result.as_bytes()).unwrap();
        assert_eq!(schema.faults(document.root()).is_empty(), is_good, "{name} {text:?}");
    }
}
