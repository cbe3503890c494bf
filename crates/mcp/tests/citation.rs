//! The citation contract (document 002): every rule by a file that breaks it and nothing else, in the contract's own words.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]
#![allow(clippy::disallowed_methods, reason = "tests read files")]

use genten_mcp::citation::{
    CitationError, Decision, JsonFault, Status, evaluate, reviews_to_fill_in,
};
use serde_json::{Value, json};

const FINGERPRINT: &str = "6709ca2e356511f1a0e55ccef6996d8f15a71a74411df7698a0b3823784d19e2";
const TEXT: &str = "検証環境の API は HTTP 200 を返しました。";

/// The three files; the example of the document.
struct Files([Value; 3]);

impl Files {
    fn new() -> Self {
        let content = format!("実行ログ: {TEXT}");
        Self([
            json!({"claims": [{"id": "C1", "text": TEXT, "citation_id": "S1"}]}),
            json!({"sources": [{"id": "S1", "content": content}]}),
            json!({"reviews": [
                {"claim_id": "C1", "fingerprint": FINGERPRINT, "verdict": "supported"}
            ]}),
        ])
    }

    /// With a value put in one of the files, by its JSON pointer.
    fn with(mut self, file: usize, pointer: &str, value: Value) -> Self {
        match self.0[file].pointer_mut(pointer) {
            Some(place) => *place = value,
            None => {
                let (object, name) = pointer.rsplit_once('/').unwrap();
                self.0[file].pointer_mut(object).unwrap()[name] = value;
            }
        }
        self
    }

    fn without(mut self, file: usize, object: &str, name: &str) -> Self {
        self.0[file].pointer_mut(object).unwrap().as_object_mut().unwrap().remove(name).unwrap();
        self
    }

    /// With another item in a list.
    fn and(mut self, file: usize, list: &str, item: Value) -> Self {
        self.0[file][list].as_array_mut().unwrap().push(item);
        self
    }

    fn decide(&self) -> Decision {
        let [answer, sources, reviews] = [0, 1, 2].map(|file| self.0[file].to_string());
        evaluate(answer.as_bytes(), sources.as_bytes(), reviews.as_bytes()).unwrap()
    }

    #[track_caller]
    fn expect(&self, status: Status, reasons: &[&str]) {
        let decision = self.decide();
        assert_eq!(decision.status, status, "{:?}", decision.reasons);
        assert_eq!(decision.reasons, reasons);
    }

    #[track_caller]
    fn reject(&self, reason: &str) {
        self.expect(Status::Reject, &[reason]);
    }
}

const CLAIM: usize = 0;
const SOURCE: usize = 1;
const REVIEW: usize = 2;

/// 002-01 to 002-03.
#[test]
fn the_members_are_those_of_the_contract_and_no_others() {
    for (file, key) in [(CLAIM, "claims"), (SOURCE, "sources"), (REVIEW, "reviews")] {
        let top = format!("{key}: 最上位のキーが不正です");
        Files::new().with(file, "/more", json!(1)).reject(&top);
        Files::new().without(file, "", key).reject(&top);
        Files::new().with(file, "", json!([])).reject(&top);
        Files::new()
            .with(file, &format!("/{key}"), json!({}))
            .reject(&format!("{key}: 配列が必要です"));
        let item = format!("{key}[0]: 項目が不正です");
        Files::new().with(file, &format!("/{key}/0/more"), json!(1)).reject(&item);
        Files::new().with(file, &format!("/{key}/0"), json!("C1")).reject(&item);
        let names: Vec<_> =
            Files::new().0[file][key][0].as_object().unwrap().keys().cloned().collect();
        for name in names {
            Files::new().without(file, &format!("/{key}/0"), &name).reject(&item);
        }
    }
}

/// 002-04 to 002-07.
#[test]
fn every_value_has_its_form() {
    Files::new().with(CLAIM, "/claims", json!([])).reject("claims: 主張が空です");
    let ids = ["", "-C1", "_C1", "C 1", "C1\n", "主張", "C.1"].map(|id| json!(id));
    let no_text = ["", " ", "\u{3000}", "\u{1c}\u{1f}", "\u{85}", "\n\t"].map(|text| json!(text));
    let strange = [json!(1), json!(null), json!([]), json!({}), json!(true)];
    let cases = [
        (CLAIM, "/claims/0/id", &ids[..], "claims: 主張または引用 ID が不正です"),
        (CLAIM, "/claims/0/citation_id", &ids, "claims: 主張または引用 ID が不正です"),
        (CLAIM, "/claims/0/text", &no_text, "claims: 主張または引用 ID が不正です"),
        (SOURCE, "/sources/0/id", &ids, "sources: 資料が不正です"),
        (SOURCE, "/sources/0/content", &no_text, "sources: 資料が不正です"),
        (REVIEW, "/reviews/0/claim_id", &ids, "reviews: 確認結果が不正です"),
        (REVIEW, "/reviews/0/verdict", &no_text, "reviews: 確認結果が不正です"),
        (REVIEW, "/reviews/0/fingerprint", &ids, "reviews: 確認結果が不正です"),
    ];
    for (file, pointer, values, reason) in cases {
        for value in values.iter().chain(&strange) {
            Files::new().with(file, pointer, value.clone()).reject(reason);
        }
    }
    for digest in
        [FINGERPRINT.to_uppercase(), FINGERPRINT[1..].to_owned(), format!("{FINGERPRINT}0")]
    {
        let files = Files::new().with(REVIEW, "/reviews/0/fingerprint", json!(digest));
        files.reject("reviews: 確認結果が不正です");
    }
    // No white space, although it cannot be seen.
    let files = Files::new().with(CLAIM, "/claims/0/text", json!("\u{200b}"));
    files.expect(Status::Review, &["C1: 確認対象の内容が一致しません"]);
    let files = Files::new().with(CLAIM, "/claims/0/id", json!("9-_z"));
    files.reject("reviews: 存在しない主張 ID があります");
}

/// 002-08 to 002-10.
#[test]
fn ids_are_given_once_and_lead_somewhere() {
    let again = |file: usize, key: &str| Files::new().0[file][key][0].clone();
    for (file, key) in [(CLAIM, "claims"), (SOURCE, "sources"), (REVIEW, "reviews")] {
        Files::new()
            .and(file, key, again(file, key))
            .reject(&format!("{key}: ID が重複しています"));
    }
    Files::new()
        .with(CLAIM, "/claims/0/citation_id", json!("S9"))
        .reject("claims: 今回取得した資料にない引用 ID があります");
    Files::new()
        .with(SOURCE, "/sources", json!([]))
        .reject("claims: 今回取得した資料にない引用 ID があります");
    Files::new()
        .and(
            REVIEW,
            "reviews",
            json!({"claim_id": "C9", "fingerprint": FINGERPRINT, "verdict": "supported"}),
        )
        .reject("reviews: 存在しない主張 ID があります");
}

/// 002-11 to 002-13, and 002-16: nobody but a reviewer says that a claim is supported.
#[test]
fn each_claim_needs_a_review_of_these_very_words() {
    Files::new().expect(Status::Accept, &["すべての主張について支持確認が完了しました"]);
    Files::new()
        .with(REVIEW, "/reviews", json!([]))
        .expect(Status::Review, &["C1: 根拠確認が未実施です"]);
    let other = ["C1: 確認対象の内容が一致しません"];
    Files::new().with(CLAIM, "/claims/0/text", json!("x")).expect(Status::Review, &other);
    Files::new().with(SOURCE, "/sources/0/content", json!("x")).expect(Status::Review, &other);
    let unsupported = || Files::new().with(REVIEW, "/reviews/0/verdict", json!("unsupported"));
    unsupported().expect(Status::Reject, &["C1: 引用資料が主張を支持しません"]);
    // A review of other words says nothing, also not that they are wrong.
    unsupported().with(CLAIM, "/claims/0/text", json!("x")).expect(Status::Review, &other);
    unsupported()
        .with(
            CLAIM,
            "/claims",
            json!([
                {"id": "C0", "text": "x", "citation_id": "S1"},
                {"id": "C1", "text": TEXT, "citation_id": "S1"},
            ]),
        )
        .expect(Status::Reject, &["C1: 引用資料が主張を支持しません", "C0: 根拠確認が未実施です"]);
}

/// 002-14.
#[test]
fn the_decision_is_printed_as_the_contract_prints_it() {
    let printed = String::from_utf8(Files::new().decide().to_json()).unwrap();
    let expected = "{\n  \"status\": \"ACCEPT\",\n  \"reasons\": [\n    \"すべての主張について支持確認が完了しました\"\n  ]\n}\n";
    assert_eq!(printed, expected);
    let two =
        Files::new().and(CLAIM, "claims", json!({"id": "C2", "text": "x", "citation_id": "S1"}));
    let two = two.with(REVIEW, "/reviews", json!([]));
    let printed = String::from_utf8(two.decide().to_json()).unwrap();
    assert!(printed.contains("\n    \"C1: 根拠確認が未実施です\",\n    \"C2: "), "{printed}");
}

/// The rule that stands first is named, whatever else is wrong.
#[test]
fn rules_are_checked_in_the_order_of_the_contract() {
    let mut files = Files::new()
        .with(REVIEW, "/reviews/0/verdict", json!("maybe"))
        .with(SOURCE, "/sources/0/id", json!("-"))
        .with(CLAIM, "/claims/0/id", json!("-"))
        .with(REVIEW, "/more", json!(1))
        .with(SOURCE, "/more", json!(1))
        .with(CLAIM, "/more", json!(1));
    for (file, key) in [(CLAIM, "claims"), (SOURCE, "sources"), (REVIEW, "reviews")] {
        files.reject(&format!("{key}: 最上位のキーが不正です"));
        files = files.without(file, "", "more");
    }
    files.reject("claims: 主張または引用 ID が不正です");
    files = files.with(CLAIM, "/claims/0/id", json!("C1"));
    files.reject("sources: 資料が不正です");
    files.with(SOURCE, "/sources/0/id", json!("S1")).reject("reviews: 確認結果が不正です");
}

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

#[test]
fn a_reviewer_gets_what_is_to_be_filled_in() {
    let [answer, sources, _] = Files::new().0.map(|file| file.to_string());
    let form = reviews_to_fill_in(answer.as_bytes(), sources.as_bytes()).unwrap();
    let form: Value = serde_json::from_slice(&form).unwrap();
    let open = json!({"claim_id": "C1", "fingerprint": FINGERPRINT, "verdict": ""});
    assert_eq!(form, json!({"reviews": [open]}));
    let decision = evaluate(answer.as_bytes(), sources.as_bytes(), form.to_string().as_bytes());
    assert_eq!(decision.unwrap().status, Status::Reject, "an empty verdict is none");
    let error = reviews_to_fill_in(b"{}", sources.as_bytes()).unwrap_err();
    assert_eq!(error, CitationError::Contract("claims: 最上位のキーが不正です".to_owned()));
}

/// Cases that the program of document 002 has decided.
#[test]
fn every_sample_is_decided_byte_for_byte() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/samples/citation-samples.json");
    let Ok(samples) = std::fs::read(path) else {
        return eprintln!("SKIPPED: no ../shared/samples beside the repository");
    };
    let samples: Vec<Value> = serde_json::from_slice(&samples).unwrap();
    assert_eq!(samples.len(), 52);
    for sample in samples {
        let [answer, sources, reviews] =
            ["answer", "sources", "reviews"].map(|file| bytes(&sample[file]));
        let (name, status) = (&sample["name"], sample["exit"].as_u64().unwrap());
        match evaluate(&answer, &sources, &reviews) {
            Ok(decision) => {
                let printed = String::from_utf8(decision.to_json()).unwrap();
                assert_eq!(printed, sample["stdout"].as_str().unwrap(), "{name}");
                assert_eq!(u64::from(decision.status != Status::Accept), status, "{name}");
            }
            Err(error) => assert_eq!(status, 2, "{name}: {error}"),
        }
    }
}

fn bytes(file: &Value) -> Vec<u8> {
    match &file["hex"] {
        Value::String(digits) => {
            let pair = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
            (0..digits.len()).step_by(2).map(pair).collect()
        }
        _ => file.as_str().unwrap().as_bytes().to_vec(),
    }
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
