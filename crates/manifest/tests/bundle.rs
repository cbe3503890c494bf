//! Bundles: the manifest and its evidence come out word for word.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use genten_manifest::{
    BUNDLE_MEDIA_TYPE, BatchEvidence, Bundle, EvidenceKind, LogEvidence, Subject,
    TimestampEvidence, TlsChain, UnverifiedBundle, UnverifiedManifest,
};
use genten_primitives::Sha256Digest;

const MANIFEST: &str = r#"{"source_url" : "https://a.example/", "fetched_at":"2026-11-30T08:15:00Z","content_sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","mcp_key_id":"urn:a:b","mcp_signature":"a..b"}"#;

fn bundle(evidence: &str) -> String {
    format!(
        r#"{{"media_type":"{BUNDLE_MEDIA_TYPE}","manifest":{MANIFEST},"evidence":[{evidence}]}}"#
    )
}

fn code(text: &str) -> &'static str {
    UnverifiedBundle::read(text.as_bytes()).unwrap_err().code()
}

fn batch_with_hashes(count: usize) -> String {
    let hashes = vec![format!("\"{}\"", Sha256Digest::of(b"")); count].join(",");
    format!(r#"{{"type":"batch","statement":"","index":0,"hashes":[{hashes}]}}"#)
}

#[test]
fn evidence_is_kept_word_for_word() {
    let odd = r#"{"type":"from-the-future", "z":1,"a":[ null ]}"#;
    let read = UnverifiedBundle::read(bundle(odd).as_bytes()).unwrap();
    assert_eq!(read.evidence()[0].raw(), odd);
    assert!(
        matches!(read.evidence()[0].kind(), EvidenceKind::Unknown { name } if name == "from-the-future")
    );
    let written = String::from_utf8(read.to_bundle().to_json()).unwrap();
    assert!(written.contains(odd) && written.contains(MANIFEST), "{written}");
    assert_eq!(UnverifiedBundle::read(written.as_bytes()).unwrap().manifest(), read.manifest());
}

#[test]
fn spellings_of_one_item_have_one_digest() {
    let digest = |item: &str| {
        let read = UnverifiedBundle::read(bundle(item).as_bytes()).unwrap();
        read.evidence()[0].canonical_sha256()
    };
    let one = digest(r#"{"type":"x.y","a":[1,{"b":"é"}]}"#);
    for same in [
        "{ \"type\" : \"x.y\",\n\t\"a\": [ 1, { \"b\": \"é\" } ] }",
        r#"{"a":[1,{"b":"é"}],"type":"x.y"}"#,
        r#"{"type":"x.y","a":[1,{"b":"\u00e9"}]}"#,
    ] {
        assert_eq!(digest(same), one, "{same}");
    }
    for other in [r#"{"type":"x.y","a":[{"b":"é"},1]}"#, r#"{"type":"x.y","a":[1,{"b":"e"}]}"#] {
        assert_ne!(digest(other), one, "{other}");
    }
}

#[test]
fn a_manifest_alone_becomes_a_bundle_word_for_word() {
    let bundle = UnverifiedBundle::of_manifest(MANIFEST.as_bytes()).unwrap();
    assert!(bundle.evidence().is_empty());
    let written = String::from_utf8(bundle.to_bundle().to_json()).unwrap();
    assert!(written.contains(MANIFEST), "{written}");
    let read = UnverifiedBundle::read(written.as_bytes()).unwrap();
    assert_eq!(read.manifest().payload(), bundle.manifest().payload());
    assert!(UnverifiedBundle::of_manifest(b"{}").is_err());
    let long = [MANIFEST.as_bytes(), &[b' '; 64 << 10]].concat();
    assert_eq!(UnverifiedBundle::of_manifest(&long).unwrap_err().code(), "json.too-large");
}

#[test]
fn chains_are_written_and_read() {
    let chain = TlsChain {
        certificates: vec![vec![0x30, 0], vec![0x30, 1]],
        scts: Some(vec![0, 2]),
        ocsp: None,
        tlog_proof: Some(b"proof".to_vec()),
    };
    let manifest = UnverifiedManifest::read(MANIFEST.as_bytes()).unwrap();
    let written = Bundle::new(manifest.manifest())
        .with_tls_chain(&chain)
        .with_x509_chain(&[vec![7]])
        .to_json();
    let read = UnverifiedBundle::read(&written).unwrap();
    assert_eq!(read.evidence()[0].kind(), &EvidenceKind::TlsChain(chain));
    assert_eq!(read.evidence()[1].kind(), &EvidenceKind::X509Chain(vec![vec![7]]));
    assert_eq!(
        (read.evidence()[0].type_name(), read.evidence()[1].type_name()),
        ("tls-chain", "x509-chain")
    );
}

#[test]
fn a_proof_comes_into_the_chain_of_its_certificate_and_nothing_else_changes() {
    let other = r#"{"type":"tls-chain","certificates":["MAE="]}"#;
    let chain = r#"{ "later" : [1, 2], "certificates":["MAA=","MAE="], "type":"tls-chain"}"#;
    let read =
        UnverifiedBundle::read(bundle(&format!("{other},{chain},{other}")).as_bytes()).unwrap();
    let leaf = Sha256Digest::of(&[0x30, 0]);
    let grown = read.to_bundle().with_tlog_proof(&leaf, b"proof").unwrap();
    let chain = r#"{"certificates":["MAA=","MAE="],"later":[1, 2],"tlog_proof":"cHJvb2Y=","type":"tls-chain"}"#;
    assert_eq!(grown.evidence(), [other, chain, other].map(|item| item.as_bytes().to_vec()));
    UnverifiedBundle::read(&grown.to_json()).unwrap();

    let again = grown.clone().with_tlog_proof(&leaf, b"another proof").unwrap();
    assert_eq!(again, grown, "a proof that is there stays");
    let stranger = Sha256Digest::of(&[0x30, 2]);
    assert_eq!(grown.clone().with_tlog_proof(&stranger, b"proof").unwrap(), grown);
}

#[test]
fn external_and_archive_evidence_is_typed() {
    let external = r#"{"type":"external","media_type":"application/x","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","data":"","manifest_id":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","label":"a"}"#;
    let archive = format!(r#"{{"type":"archive","manifest":{MANIFEST}}}"#);
    let did = r#"{"type":"did-document","document":{"id":"did:web:a"},"retrieved_at":"2026-11-30T08:15:00Z"}"#;
    let read =
        UnverifiedBundle::read(bundle(&format!("{external},{archive},{did}")).as_bytes()).unwrap();
    let kinds: Vec<_> = read.evidence().iter().map(|item| item.type_name()).collect();
    assert_eq!(kinds, ["external", "archive", "did-document"]);
}

#[test]
fn log_evidence_is_written_and_read() {
    let manifest = UnverifiedManifest::read(MANIFEST.as_bytes()).unwrap();
    let hash = Sha256Digest::of(b"sibling");
    let written = Bundle::new(manifest.manifest())
        .with_log_entry(Subject::Batch, b" { \"logIndex\" : \"7\" }\n", Some(b"sig"))
        .and_then(|bundle| bundle.with_batch("a.b.c", 5, &[hash]))
        .and_then(|bundle| bundle.with_timestamp(Subject::Manifest, b"token", None))
        .unwrap()
        .to_json();
    let read = UnverifiedBundle::read(&written).unwrap();
    let kinds: Vec<_> = read.evidence().iter().map(|item| item.kind().clone()).collect();
    let expected = [
        EvidenceKind::RekorV2(LogEvidence {
            subject: Subject::Batch,
            entry: r#"{ "logIndex" : "7" }"#.to_owned(),
            signature: Some(b"sig".to_vec()),
        }),
        EvidenceKind::Batch(BatchEvidence {
            statement: "a.b.c".to_owned(),
            index: 5,
            hashes: vec![hash],
        }),
        EvidenceKind::Rfc3161(TimestampEvidence {
            subject: Subject::Manifest,
            token: b"token".to_vec(),
            signature: None,
        }),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn each_fault_has_its_code() {
    let later = bundle("").replace("version=1", "version=2");
    let other = bundle("").replace(BUNDLE_MEDIA_TYPE, "application/json");
    let many = vec![r#"{"type":"x"}"#; 33].join(",");
    for (text, want) in [
        (later, "bundle.unsupported-version"),
        (other, "bundle.media-type"),
        ("{}".to_owned(), "bundle.media-type"),
        ("[]".to_owned(), "bundle.media-type"),
        (bundle("").replace("\"evidence\"", "\"evidences\""), "manifest.missing-member"),
        (bundle("").replace("\"manifest\"", "\"Manifest\""), "manifest.missing-member"),
        (bundle(&many), "evidence.count"),
        (bundle("1"), "manifest.missing-member"),
        (bundle("{}"), "manifest.missing-member"),
        (bundle(r#"{"type":1}"#), "manifest.wrong-type"),
        (bundle(r#"{"type":"tls-chain"}"#), "manifest.missing-member"),
        (bundle(r#"{"type":"tls-chain","certificates":[]}"#), "evidence.members"),
        (bundle(r#"{"type":"tls-chain","certificates":["AA"]}"#), "evidence.base64"),
        (bundle(r#"{"type":"x509-chain","certificates":[7]}"#), "manifest.wrong-type"),
        (bundle(r#"{"type":"archive","manifest":{}}"#), "manifest.missing-member"),
        (bundle(r#"{"type":"did-document"}"#), "manifest.missing-member"),
        (bundle(r#"{"type":"external"}"#), "manifest.missing-member"),
        (bundle(r#"{"type":"rekor-v2","entry":{},"subject":"body"}"#), "manifest.word"),
        (bundle(r#"{"type":"rekor-v2","entry":"","subject":"batch"}"#), "manifest.wrong-type"),
        (bundle(r#"{"type":"rekor-v2","subject":"batch"}"#), "manifest.missing-member"),
        (bundle(r#"{"type":"rfc3161","token":"AA==","subject":"content"}"#), "manifest.word"),
        (bundle(r#"{"type":"rfc3161","token":"AA","subject":"batch"}"#), "evidence.base64"),
        (bundle(r#"{"type":"batch","statement":"","index":-1,"hashes":[]}"#), "manifest.range"),
        (bundle(r#"{"type":"batch","statement":"","index":0,"hashes":["aa"]}"#), "manifest.digest"),
        (bundle(&batch_with_hashes(64)), "evidence.members"),
        (format!("{}{}", bundle(""), "x"), "json.trailing-data"),
        (bundle(&"x".repeat(1 << 20)), "json.too-large"),
    ] {
        assert_eq!(code(&text), want, "{}", &text[..text.len().min(300)]);
    }
}

#[test]
fn unknown_members_beside_manifest_and_evidence_are_named() {
    let text = bundle("").replace("\"evidence\"", "\"extra\":1,\"evidence\"");
    assert_eq!(UnverifiedBundle::read(text.as_bytes()).unwrap().unknown_members(), ["$.extra"]);
}
