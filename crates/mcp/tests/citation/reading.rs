//! How the files are read: what JSON is, and what else Python reads.

use genten_mcp::citation::{
    CitationError, Decision, JsonFault, Status, evaluate, reviews_to_fill_in,
};
use serde_json::{Value, json};

use crate::files::{Files, TEXT};

fn answer(answer: &str) -> Result<Decision, CitationError> {
    let [_, sources, reviews] = Files::new().0.map(|file| file.to_string());
    evaluate(answer.as_bytes(), sources.as_bytes(), reviews.as_bytes())
}

/// 002-15: what is no JSON is no decision.
#[test]
fn what_is_no_json_is_an_error_with_its_place() {
    let deep = "[".repeat(200);
    for (text, fault, offset) in [
        ("", JsonFault::Syntax, 0),
        ("{bad", JsonFault::Syntax, 1),
        ("{\"claims\":[]} x", JsonFault::Syntax, 14),
        ("{\"claims\":[],}", JsonFault::Syntax, 13),
        ("[1,]", JsonFault::Syntax, 3),
        ("01", JsonFault::Syntax, 1),
        ("1.", JsonFault::Syntax, 1),
        ("-", JsonFault::Syntax, 0),
        ("\"\u{1}\"", JsonFault::Syntax, 1),
        ("\"\\x\"", JsonFault::Syntax, 1),
        ("\"\\u00g0\"", JsonFault::Syntax, 1),
        ("\"open", JsonFault::Syntax, 1),
        ("\u{feff}{}", JsonFault::ByteOrderMark, 0),
        (&deep, JsonFault::TooDeep, 128),
    ] {
        let error = answer(text).unwrap_err();
        assert_eq!(error, CitationError::Json { file: "answer", fault, offset }, "{text:?}");
        assert_eq!(error.code(), "citation.json");
    }
    let error = evaluate(b"{}", b"\xff", b"{}").unwrap_err();
    assert_eq!(error, CitationError::Json { file: "sources", fault: JsonFault::Utf8, offset: 0 });
}

/// Python reads more than RFC 8259 allows, and what it reads is a decision.
#[test]
fn what_python_reads_is_read() {
    let bad = "claims: 主張または引用 ID が不正です";
    for (id, text) in [
        ("NaN", "\"t\""),
        ("-Infinity", "\"t\""),
        ("-1.5e+9", "\"t\""),
        ("\"C1\"", "\"\\ud800\""),
        ("\"C1\"", "\"\\udc00\\ud800\""),
        ("\"\\ud83d\\u0041\"", "\"t\""),
        ("\"C1\"", "Infinity"),
    ] {
        let decision =
            answer(&format!(r#"{{"claims":[{{"id":{id},"text":{text},"citation_id":"S1"}}]}}"#));
        assert_eq!(decision.unwrap().reasons, [bad], "{id} {text}");
    }
    let decision = answer("{\"\\ud800\":[]}").unwrap();
    assert_eq!(decision.reasons, ["claims: 最上位のキーが不正です"]);
    let twice = Files::new().0[0].to_string().replacen('{', "{\"claims\":[],", 1);
    assert_eq!(answer(&twice).unwrap().status, Status::Accept, "the last one counts");
    let escaped = TEXT.chars().fold(String::new(), |text, one| {
        one.encode_utf16(&mut [0; 2]).iter().fold(text, |text, unit| format!("{text}\\u{unit:04X}"))
    });
    let escaped = Files::new().0[0].to_string().replace(TEXT, &escaped);
    assert_eq!(answer(&escaped).unwrap().status, Status::Accept);
}

proptest::proptest! {
    /// What a JSON library writes, this reader reads, to the same text.
    #[test]
    fn any_text_is_read_as_it_was_written(text in "\\PC*|[\\x00-\\x20]*", source in ".*") {
        let (text, source) = (format!("a{text}"), format!("a{source}"));
        let answer = json!({"claims": [{"id": "C1", "text": text, "citation_id": "S1"}]}).to_string();
        let sources = json!({"sources": [{"id": "S1", "content": source}]}).to_string();
        let form = reviews_to_fill_in(answer.as_bytes(), sources.as_bytes()).unwrap();
        let form: Value = serde_json::from_slice(&form).unwrap();
        // Keys of the library's objects are sorted, as those of the fingerprint are.
        let unit = json!({
            "citation_id": "S1", "claim_id": "C1", "claim_text": text, "source_content": source,
        });
        let digest = genten_primitives::Sha256Digest::of(unit.to_string().as_bytes()).to_string();
        proptest::prop_assert_eq!(&form["reviews"][0]["fingerprint"], &json!(digest));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
        let _ = evaluate(&bytes, &bytes, &bytes);
    }
}
