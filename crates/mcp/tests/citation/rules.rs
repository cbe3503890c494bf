//! The rules of the contract, one by one and in their order.

use genten_mcp::citation::{CitationError, Status, evaluate, reviews_to_fill_in};
use serde_json::{Value, json};

use crate::files::{CLAIM, FINGERPRINT, Files, REVIEW, SOURCE, TEXT};

/// 002-01, 002-02, 002-03
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

/// 002-04, 002-05, 002-06, 002-07, and 002-17: one claim cites one source.
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

/// 002-08, 002-09, 002-10
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

/// 002-11, 002-12, 002-13, and 002-16: nobody but a reviewer says that a claim is supported.
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

/// 002-14
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
