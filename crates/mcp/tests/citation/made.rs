//! 002-18: sources that are made from what was fetched.

use genten_mcp::citation::{Sources, SourcesError, reviews_to_fill_in, source_id};
use genten_primitives::Sha256Digest;
use serde_json::{Value, json};

/// The rule as it is documented, by another writer of canonical JSON.
#[test]
fn ids_follow_the_documented_rule() {
    for (url, content) in [
        ("https://law.example/1", "Article 1."),
        ("https://law.example/1?a=%22&b", "\u{0}\u{1f}\"\\\u{7f}\u{2028}法\u{1f600}"),
    ] {
        let unit = serde_json_canonicalizer::to_vec(&json!({"url": url, "content": content}));
        let digest = Sha256Digest::of(&unit.unwrap()).to_string();
        assert_eq!(source_id(&url.parse().unwrap(), content), format!("s-{}", &digest[..16]));
    }
}

#[test]
fn url_and_text_make_a_source_what_it_is() {
    let (one, other) =
        ("https://a.example/".parse().unwrap(), "https://b.example/".parse().unwrap());
    let mut sources = Sources::default();
    let ids = [
        sources.add(&one, "x").unwrap(),
        sources.add(&one, "y").unwrap(),
        sources.add(&other, "x").unwrap(),
        sources.add(&one, "x").unwrap(),
    ];
    assert_eq!(ids[0], ids[3]);
    let told: Vec<_> = sources.ids().map(|(id, url)| (id.to_owned(), url.clone())).collect();
    let [a, b, c, _] = ids;
    assert_eq!(told, [(a, one.clone()), (b, one), (c, other)]);
    assert_eq!(sources.len(), 3);
}

#[test]
fn the_file_is_one_that_the_contract_takes() {
    let url = "https://law.example/1".parse().unwrap();
    let content = "\u{0}\"\\\n法 \u{2028}\u{1f600}";
    let mut sources = Sources::default();
    let id = sources.add(&url, content).unwrap();
    let file = sources.to_json().unwrap();
    let read: Value = serde_json::from_slice(&file).unwrap();
    assert_eq!(read, json!({"sources": [{"id": id, "content": content}]}));
    let answer = json!({"claims": [{"id": "C1", "text": "so", "citation_id": id}]}).to_string();
    reviews_to_fill_in(answer.as_bytes(), &file).unwrap();
    assert_eq!(Sources::default().to_json().unwrap(), b"{\n  \"sources\": []\n}\n");
}

#[test]
fn what_the_contract_would_refuse_is_not_added() {
    let url = "https://law.example/1".parse().unwrap();
    let mut sources = Sources::default();
    for blank in ["", " \n\u{1c}\u{3000}"] {
        assert_eq!(sources.add(&url, blank), Err(SourcesError::Blank));
    }
    sources.add(&url, &"x".repeat(genten_mcp::citation::MAX_BYTES)).unwrap();
    assert_eq!(sources.to_json(), Err(SourcesError::TooLarge));
}
