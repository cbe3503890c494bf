//! Text from inputs never commands a terminal, never begins a line, and never leaves its place in JSON.

use genten_verify::{
    Body, Policy, Report, TextLevel, TextOptions, Trust, TrustKit, TrustedSigner, Verifier,
};
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::json;

use crate::common::certificates::{Ca, no_edit, uri, x509_chain};
use crate::common::keys::es256;
use crate::common::kit::{Kit, authority, with};
use crate::common::manifest::Draft;
use crate::common::{BODY, NOW};
use crate::report;

/// Characters that move the cursor, turn the direction of writing or break the line.
fn is_hostile(c: char) -> bool {
    c.is_control()
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c)
        || ['\u{200e}', '\u{200f}', '\u{61c}', '\u{2028}', '\u{2029}', '\u{feff}'].contains(&c)
}

/// Text with a good deal of them.
fn hostile_text() -> impl Strategy<Value = String> {
    let evil = prop::sample::select(vec![
        '\0',
        '\u{7}',
        '\u{8}',
        '\t',
        '\n',
        '\r',
        '\u{1b}',
        '\u{7f}',
        '\u{85}',
        '\u{9b}',
        '\u{9d}',
        '\u{61c}',
        '\u{200e}',
        '\u{200f}',
        '\u{2028}',
        '\u{2029}',
        '\u{202a}',
        '\u{202e}',
        '\u{2066}',
        '\u{2069}',
        '\u{feff}',
        '\u{e0041}',
        '"',
        '\\',
        '\'',
        '<',
        '&',
    ]);
    let character = prop_oneof![evil, prop::char::any()];
    let words = prop::sample::select(vec![
        "ACCEPT ",
        "\nACCEPT x: ",
        "  checks:\n",
        "\",\"verdict\":\"accept",
    ]);
    (words, prop::collection::vec(character, 1..40)).prop_map(|(word, rest)| {
        let rest: String = rest.into_iter().filter(|c| !is_noncharacter(*c)).collect();
        format!("{word}{rest}{word}")
    })
}

fn is_noncharacter(c: char) -> bool {
    let point = u32::from(c);
    (0xfdd0..=0xfdef).contains(&point) || point & 0xfffe == 0xfffe
}

/// The text as a header field could hold it.
fn as_header(text: &str) -> String {
    let fits = |c: &char| matches!(c, '\t' | ' '..='~' | '\u{80}'..='\u{ff}');
    let text: String = text.chars().filter(fits).collect();
    format!("x{text}")
}

/// A report whose every text is hostile.
fn judge(text: &str, trusted: bool, broken: bool) -> Report {
    let header = as_header(text);
    let id = es256("signer").did_key();
    let draft = Draft::new(&es256("signer"), &id)
        .with_http()
        .with("/source_revision", text)
        .with(
            "/tls",
            json!({"issuer": text, "version": text, "trust": "private-root", "proxy": true}),
        )
        .with("/http/etag", header.as_str())
        .with("/http/media_type", header.as_str())
        .with("/http/status", 404)
        .with("/request", json!({"resource": text}))
        .with("/retrieval", json!({"anomalies": [{"kind": text, "count": 1}]}))
        .with("/org.example.x", json!({text: text}))
        .pointer("log.example/a#7");
    let draft = if broken { draft.with("/surprise", text) } else { draft };
    let evidence = [
        json!({"type": text}),
        json!({"type": "external", "media_type": text, "label": text, "uri": text,
            "sha256": "0".repeat(64), "manifest_id": draft.manifest_id()}),
    ];
    let mut bundle = draft.bundle(&evidence);
    bundle = bundle.replacen("{\"media_type\"", &format!("{{{}:1,\"media_type\"", json!(text)), 1);
    let mut trust = Trust::default();
    if trusted {
        trust.signers.push(TrustedSigner::new(&id).unwrap());
    }
    let policy = Policy::read(&format!(
        "version = 1\nname = {}\n[require]\ndefault = [\"signature\", \"signer\", \"tls-certificate\"]\n",
        toml_string(text)
    ))
    .unwrap();
    let body = if broken { Body::of(b"other") } else { Body::of(BODY) };
    let verifier = Verifier::new(trust, policy);
    let mut report = verifier.verify_bytes(bundle.as_bytes(), &body, NOW.parse().unwrap());
    if let Some(body) = &mut report.body {
        body.name = Some(text.to_owned());
    }
    report
}

/// A basic string of TOML.
fn toml_string(text: &str) -> String {
    let escaped: String = text.chars().map(|c| format!("\\U{:08X}", u32::from(c))).collect();
    format!("\"{escaped}\"")
}

fn check_text(report: &Report, name: &str) {
    for level in [TextLevel::Usual, TextLevel::Verbose] {
        let options = TextOptions { level, at_given: true, file: Some(name) };
        let text = report.to_text(name, &options);
        for (number, line) in text.split('\n').enumerate() {
            assert!(!line.contains(is_hostile), "{line:?}");
            let begins =
                if number == 0 { report.verdict.as_str().to_uppercase() } else { "  ".into() };
            assert!(line.is_empty() || line.starts_with(&begins), "{line:?}");
            assert!(line.chars().count() < 6000, "a line without end");
        }
    }
}

fn check_json(report: &Report, name: &str) {
    let text = String::from_utf8(report.to_json(name)).unwrap();
    assert!(!text.contains(is_hostile), "{text:?}");
    report::check(name, report);
}

proptest! {
    #![proptest_config(Config { cases: 64, ..Config::default() })]

    #[test]
    fn hostile_members_stay_text(text in hostile_text(), trusted: bool, broken: bool) {
        let report = judge(&text, trusted, broken);
        check_text(&report, &text);
        check_json(&report, &text);
    }

    /// Malformed inputs are reported with a path, which is made of the attacker's names.
    #[test]
    fn hostile_names_stay_text(text in hostile_text()) {
        let verifier = Verifier::new(Trust::default(), Policy::built_in("basic").unwrap());
        let name = json!(text);
        for input in [
            format!("{{\"source_url\":1,{name}:1.5}}"),
            format!("{{\"source_url\":1,{name}:1,{name}:1}}"),
            format!("{{\"source_url\":{name}}}"),
            format!("{{\"mcp_signature\":{name},\"mcp_key_id\":{name}}}"),
            text.clone(),
        ] {
            let report = verifier.verify_bytes(input.as_bytes(), &Body::NotGiven, NOW.parse().unwrap());
            prop_assert_ne!(report.verdict.as_str(), "accept");
            check_text(&report, "x");
            check_json(&report, "x");
        }
    }

    /// Names in kits and certificates.
    #[test]
    fn hostile_authorities_stay_text(text in hostile_text()) {
        let id = "https://mcp.example.org/server";
        let root = Ca::root("root", &no_edit);
        let common_name = text.clone();
        let leaf = root.leaf(&es256("signer"), &|params| {
            uri(id)(params);
            params.distinguished_name.push(rcgen::DnType::CommonName, common_name.clone());
        });
        let kit = Kit::new().authority(with(authority(&root.der, "https://mcp.example.org/*"), json!({"name": text})));
        let trust = Trust { kit: TrustKit::read(kit.text().as_bytes()).unwrap(), ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
        let bundle = Draft::new(&es256("signer"), id).bundle(&[x509_chain(&[&leaf])]);
        let report = verifier.verify_bytes(bundle.as_bytes(), &Body::NotGiven, NOW.parse().unwrap());
        prop_assert_eq!(report.verdict.as_str(), "accept");
        check_text(&report, &text);
        check_json(&report, &text);
    }
}
