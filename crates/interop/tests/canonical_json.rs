//! RFC 8785 against serde_json_canonicalizer, over JSON without fractions.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use genten_primitives::json::{self, Limits, MAX_INTEGER};
use proptest::prelude::*;
use serde_json::Value;

/// JSON that both accept: integers that every implementation keeps, strings without noncharacters.
fn value() -> impl Strategy<Value = Value> {
    let text = "[^\u{fdd0}-\u{fdef}\u{fffe}\u{ffff}\u{1fffe}-\u{1ffff}\u{2fffe}-\u{10ffff}]{0,12}";
    let awkward = prop::sample::select(vec![
        "",
        "\u{0}",
        "\u{7f}",
        "\u{80}",
        "\u{2028}",
        "\"",
        "\\",
        "/",
        "\u{8}\t\n\u{c}\r\u{1f}",
        "e\u{301}",
        "\u{e9}",
        "\u{e000}",
        "\u{10000}",
        "\u{fb33}",
        "\u{1f600}",
        "1",
        "10",
        "2",
        "__proto__",
        "A",
        "a",
    ]);
    let string = prop_oneof![text.prop_map(String::from), awkward.prop_map(String::from)];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-MAX_INTEGER..=MAX_INTEGER).prop_map(Value::from),
        prop::sample::select(vec![0, -1, MAX_INTEGER, -MAX_INTEGER]).prop_map(Value::from),
        string.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((string.clone(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn ours(text: &[u8]) -> Vec<u8> {
    let document = json::read(text, Limits::bytes(1 << 20)).unwrap();
    let mut canonical = Vec::new();
    document.root().write_canonical(&mut canonical);
    canonical
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn both_write_the_same(value in value()) {
        let theirs = serde_json_canonicalizer::to_vec(&value).unwrap();
        let text = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(ours(text.as_bytes()), theirs.clone());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(ours(pretty.as_bytes()), theirs.clone());
        prop_assert_eq!(ours(&theirs), theirs);
    }
}

#[test]
fn examples_of_the_rfc() {
    // RFC 8785 section 3.2.3, the numbers aside.
    let text = r#"{ "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis" }"#;
    let theirs = serde_json_canonicalizer::pipe(text).unwrap();
    assert_eq!(ours(text.as_bytes()), theirs.as_bytes());
}
