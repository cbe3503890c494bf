//! Reading and writing manifests: what is kept, what is refused, and where the fault is said to be.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use genten_manifest::{
    Capture, Claims, Completeness, Contradiction, Http, HttpRequest, KeyId, Manifest,
    ManifestError, Redirect, SourceClass, SourceUrl, UnverifiedManifest,
};
use genten_primitives::json::{self, Limits};
use genten_primitives::{Sha256Digest, Timestamp};

const DIGEST: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Every member that the format knows, once.
const FULL: &str = r#"{
  "attested_at": "2026-11-30T09:00:00Z",
  "capture": "recorded",
  "content_sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "ct_log_proof": "sct-list:AAE",
  "example.org/note": {"b": [1, null], "a": "\u00e9"},
  "fetched_at": "2026-11-30T08:15:00.125Z",
  "http": {
    "age": "0",
    "completeness": "partial",
    "content_bytes": 9007199254740991,
    "content_disposition": "attachment; filename=\"caf\u00e9\"",
    "content_encoding": "gzip",
    "date": "Mon, 30 Nov 2026 08:15:00 GMT",
    "decoded_sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "etag": "W/\"1\"",
    "final_url": "https://www.law.example/b?x",
    "last_modified": "Sun, 29 Nov 2026 08:15:00 GMT",
    "media_type": "text/html; charset=utf-8",
    "protocol": "h2",
    "range": "bytes 0-0/10",
    "redirects": [
      {"location": "/b?x#top", "status": 301, "url": "https://law.example/a"},
      {"location": "https://www.law.example/b?x", "status": 302,
       "tls_server_cert_sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
       "url": "https://law.example/b?x"}
    ],
    "request": {
      "body_sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "credentials": true,
      "headers": [["accept", "text/html"], ["x-trace", ""]],
      "method": "POST"
    },
    "signature": [["signature", "sig1=:AA==:"]],
    "status": 200
  },
  "mcp_key_id": "did:web:mcp.example.org#key-1",
  "mcp_signature": "a..b",
  "request": {
    "arguments_sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "fetch": {"index": 0, "of": 1},
    "nonce": "n-1",
    "tool": "law"
  },
  "result_sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "retrieval": {
    "anomalies": [{"count": 1, "kind": "reset"}],
    "attempts": 2,
    "requests": 3,
    "served_from_cache": true
  },
  "source_class": "revisioned",
  "source_revision": "rev 7",
  "source_url": "https://law.example/a",
  "tls": {
    "issuer": "CN=Example CA",
    "proxy": false,
    "spki_sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "trust": "public-with-sct",
    "version": "TLSv1.3"
  },
  "tls_server_cert_sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "transparency_log_id": "log.example#7"
}"#;

fn canonical(text: &[u8]) -> Vec<u8> {
    let document = json::read(text, Limits::bytes(1 << 20)).unwrap();
    let mut out = Vec::new();
    document.root().write_canonical(&mut out);
    out
}

fn read(text: &str) -> Result<UnverifiedManifest, ManifestError> {
    UnverifiedManifest::read(text.as_bytes())
}

fn with(from: &str, to: &str) -> String {
    assert!(FULL.contains(from), "{from}");
    FULL.replacen(from, to, 1)
}

#[test]
fn what_was_read_is_written_again() {
    let read = read(FULL).unwrap();
    assert_eq!(read.unknown_members(), [] as [&str; 0]);
    let written = read.manifest().to_json();
    assert_eq!(String::from_utf8(written.clone()), String::from_utf8(canonical(FULL.as_bytes())));
    assert_eq!(UnverifiedManifest::read(&written).unwrap(), read);
    assert_eq!(read.claims().contradiction(), None);
}

/// 001-10
#[test]
fn what_is_not_stated_is_not_added() {
    let mut optional = 0;
    for (left_out, line) in FULL.lines().enumerate().filter(|(_, line)| line.ends_with(',')) {
        let lines = FULL.lines().enumerate().filter(|(number, _)| *number != left_out);
        let text = lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n");
        if let Ok(read) = read(&text) {
            assert_eq!(read.manifest().to_json(), canonical(text.as_bytes()), "without {line}");
            optional += 1;
        }
    }
    assert!(optional > 20, "{optional}");
}

#[test]
fn the_payload_leaves_out_signature_and_pointer_only() {
    let read = read(FULL).unwrap();
    let without = with(r#""mcp_signature": "a..b","#, "")
        .replace(",\n  \"transparency_log_id\": \"log.example#7\"", "");
    assert_eq!(read.payload(), canonical(without.as_bytes()));
    let manifest = read.manifest();
    assert_eq!(manifest.claims.payload(&manifest.mcp_key_id), read.payload());
}

#[test]
fn unknown_members_are_found_at_every_level_and_stay_covered() {
    for (from, to, path) in [
        (r#""capture""#, r#""surprise": {"x": 1}, "capture""#, "$.surprise"),
        (r#""age""#, r#""agee": "0", "age""#, "$.http.agee"),
        (r#""credentials""#, r#""zz.dotted": 1, "credentials""#, r#"$.http.request["zz.dotted"]"#),
        (r#"{"location": "/b"#, r#"{"new": 1, "location": "/b"#, "$.http.redirects[0].new"),
        (r#"{"index""#, r#"{"x": 1, "index""#, "$.request.fetch.x"),
        (r#"{"count""#, r#"{"a": 1, "count""#, "$.retrieval.anomalies[0].a"),
        (r#""issuer""#, r#""cipher": "x", "issuer""#, "$.tls.cipher"),
    ] {
        let read = read(&with(from, to)).unwrap();
        assert_eq!(read.unknown_members(), [path]);
        assert_eq!(read.to_json(), canonical(with(from, to).as_bytes()));
        assert_ne!(read.payload(), self::read(FULL).unwrap().payload(), "{path}");
    }
}

#[test]
fn each_fault_has_code_path_and_offset() {
    for (from, to, code, path) in [
        (
            "\"2026-11-30T09:00:00Z\"",
            "\"2026-11-30T09:00:00+00:00\"",
            "manifest.time",
            "$.attested_at",
        ),
        ("\"recorded\"", "\"invented\"", "manifest.word", "$.capture"),
        ("sct-list:", "scts:", "manifest.ct-log-proof", "$.ct_log_proof"),
        (DIGEST, &DIGEST.to_uppercase(), "manifest.digest", "$.content_sha256"),
        (r#""fetched_at""#, r#""fetched""#, "manifest.missing-member", "$"),
        ("\"0\"", "0", "manifest.wrong-type", "$.http.age"),
        ("\"0\"", "\"\"", "manifest.text", "$.http.age"),
        ("\"0\"", "\"\\u0007\"", "manifest.text", "$.http.age"),
        ("9007199254740991", "-1", "manifest.range", "$.http.content_bytes"),
        ("9007199254740991", "1.5", "json.fraction", "$.http.content_bytes"),
        ("\"partial\"", "\"half\"", "manifest.word", "$.http.completeness"),
        ("\"h2\"", "\"h3\"", "manifest.word", "$.http.protocol"),
        (
            "https://law.example/a\"}",
            "https://u@law.example/a\"}",
            "manifest.url.user-info",
            "$.http.redirects[0].url",
        ),
        (": 301", ": 99", "manifest.range", "$.http.redirects[0].status"),
        (
            "[\"accept\", \"text/html\"]",
            "[\"accept\"]",
            "manifest.header",
            "$.http.request.headers[0]",
        ),
        ("[\"accept\"", "[\"acc ept\"", "manifest.text", "$.http.request.headers[0][0]"),
        (
            "\"credentials\": true",
            "\"credentials\": 1",
            "manifest.wrong-type",
            "$.http.request.credentials",
        ),
        ("\"status\": 200", "\"status\": 1000", "manifest.range", "$.http.status"),
        (
            "did:web:mcp.example.org#key-1",
            "did:web:mcp.example.org",
            "manifest.key-id",
            "$.mcp_key_id",
        ),
        ("\"index\": 0", "\"index\": 1", "manifest.range", "$.request.fetch"),
        ("\"n-1\"", "\"n 1\"", "manifest.nonce", "$.request.nonce"),
        ("\"tool\": \"law\"", "\"resource\": \"urn:x\"", "manifest.request", "$.request"),
        (
            "\"count\": 1",
            "\"count\": 4294967296",
            "manifest.range",
            "$.retrieval.anomalies[0].count",
        ),
        ("\"revisioned\"", "\"regulated\"", "manifest.word", "$.source_class"),
        ("\"rev 7\"", "\"\"", "manifest.text", "$.source_revision"),
        (
            "\"https://law.example/a\",\n  \"tls\"",
            "\"https://law.example/ä\",\n  \"tls\"",
            "manifest.url.character",
            "$.source_url",
        ),
        ("\"public-with-sct\"", "\"good\"", "manifest.word", "$.tls.trust"),
        ("log.example#7", "log.example#07", "manifest.log-id", "$.transparency_log_id"),
        ("\"capture\"", "\"attested_at\"", "json.duplicate-member", "$.attested_at"),
    ] {
        let text = with(from, to);
        let error = read(&text).unwrap_err();
        assert_eq!((error.code(), error.path.as_str()), (code, path), "{from} -> {to}");
        assert!(error.offset < text.len() && (error.offset > 0 || path == "$"), "{error}");
    }
}

/// 001-10
#[test]
fn every_required_member_is_required() {
    for name in ["content_sha256", "fetched_at", "mcp_key_id", "mcp_signature", "source_url"] {
        let error = read(&with(&format!("\"{name}\":"), &format!("\"x.{name}\":"))).unwrap_err();
        assert_eq!(error.to_string(), format!("member {name} is missing at $ (byte 0)"));
    }
    assert_eq!(read("[]").unwrap_err().code(), "manifest.wrong-type");
    let large = with("rev 7", &"x".repeat(70_000));
    assert_eq!(read(&large).unwrap_err().code(), "json.too-large");
}

#[test]
fn contradictions_are_named() {
    use Contradiction as C;
    for (from, to, want) in [
        ("09:00:00Z", "08:15:00.124Z", C::AttestedBeforeFetched),
        (
            "https://www.law.example/b?x\",\n    \"last",
            "http://www.law.example/b?x\",\n    \"last",
            C::CertificateWithoutTls,
        ),
        ("    \"content_encoding\": \"gzip\",\n", "", C::DecodedWithoutCoding),
        ("\"https://law.example/a\",\n  \"tls\"", "\"db:law\",\n  \"tls\"", C::RecordedNotWeb),
        ("/b?x#top", "/c?x#top", C::RedirectChain),
        (
            "\"url\": \"https://law.example/b?x\"",
            "\"url\": \"https://law.example/c\"",
            C::RedirectChain,
        ),
        (
            "\"https://law.example/a\",\n  \"tls\"",
            "\"https://law.example/x\",\n  \"tls\"",
            C::RedirectChain,
        ),
        ("\"final_url\": \"https://www.law.example/b?x\",", "", C::RedirectChain),
        ("\"completeness\": \"partial\"", "\"completeness\": \"complete\"", C::RangeNotPartial),
    ] {
        let read = read(&with(from, to)).unwrap();
        assert_eq!(read.claims().contradiction(), Some(want), "{from} -> {to}");
    }
}

fn builder(url: &str) -> genten_manifest::ClaimsBuilder {
    let digest = Sha256Digest::of(b"");
    Claims::builder(
        url.parse().unwrap(),
        Timestamp::from_millis(1_796_026_500_125).unwrap(),
        digest,
    )
}

#[test]
fn builders_refuse_what_readers_refuse() {
    let web = || builder("https://law.example/a");
    assert!(web().finish().is_ok());
    assert_eq!(builder("file:///x").finish().unwrap_err(), Contradiction::FileNotLocal);
    assert!(builder("file:///x").source_class(SourceClass::Local).finish().is_ok());
    assert_eq!(
        builder("db:x").capture(Capture::Recorded).finish().unwrap_err(),
        Contradiction::RecordedNotWeb
    );
    let mut http = Http::with_status(200);
    http.final_url = Some("https://law.example/a".parse().unwrap());
    assert_eq!(web().http(http).finish().unwrap_err(), Contradiction::FinalUrlRepeated);
    assert_eq!(web().extension("nodot", b"1").unwrap_err().code(), "manifest.extension-name");
    assert_eq!(web().extension("a.b", b"1.5").unwrap_err().code(), "json.fraction");
    let twice = web().extension("a.b", b"1").unwrap().extension("a.b", b"2");
    assert_eq!(twice.unwrap_err().code(), "manifest.extension-name");
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(web().extension("a.b", nested(31).as_bytes()).is_ok());
    let deep = web().extension("a.b", nested(32).as_bytes());
    assert_eq!(deep.unwrap_err().code(), "json.too-deep");
    let name = web().extension("a.\u{ffff}", b"1");
    assert_eq!(name.unwrap_err().code(), "json.noncharacter");
}

#[test]
fn built_manifests_read_back() {
    let mut http = Http::with_status(404);
    http.completeness = Some(Completeness::Complete);
    http.redirects = vec![Redirect {
        url: "http://law.example/a".parse().unwrap(),
        status: 301,
        location: "https://law.example".parse().unwrap(),
        tls_server_cert_sha256: None,
    }];
    http.final_url = Some("https://law.example/".parse().unwrap());
    let claims = builder("http://law.example/a")
        .http(http)
        .extension("org.example.x", br#"{ "z": 1, "a": [] }"#)
        .unwrap()
        .finish()
        .unwrap();
    let key: KeyId = "urn:example:key".parse().unwrap();
    let manifest = Manifest {
        claims,
        mcp_key_id: key,
        mcp_signature: "a..b".into(),
        transparency_log_id: None,
    };
    let read = UnverifiedManifest::read(&manifest.to_json()).unwrap();
    assert_eq!(read.manifest(), &manifest);
    assert_eq!(manifest.to_json(), canonical(&manifest.to_json()));
}

#[test]
fn requests_that_could_make_the_content_are_told_apart() {
    let request = |method: &str, headers: &[(&str, &str)]| HttpRequest {
        method: method.parse().unwrap(),
        body_sha256: None,
        headers: headers
            .iter()
            .map(|(name, value)| genten_manifest::Header {
                name: name.parse().unwrap(),
                value: value.parse().ok(),
            })
            .collect(),
        credentials: None,
    };
    let long = "x".repeat(257);
    assert!(!request("GET", &[]).may_have_made_the_content());
    assert!(
        !request("HEAD", &[("Accept-Language", "ja"), ("authorization", "")])
            .may_have_made_the_content()
    );
    assert!(
        !request("GET", &[("sec-fetch-mode", "cors"), ("User-Agent", "x")])
            .may_have_made_the_content()
    );
    assert!(request("POST", &[]).may_have_made_the_content());
    assert!(request("get", &[]).may_have_made_the_content());
    assert!(request("GET", &[("x-echo", "")]).may_have_made_the_content());
    assert!(request("GET", &[("user-agent", &long)]).may_have_made_the_content());
    let mut with_body = request("GET", &[]);
    with_body.body_sha256 = Some(Sha256Digest::of(b""));
    assert!(with_body.may_have_made_the_content());
}

#[test]
fn urls_without_authority_need_no_host() {
    let url: SourceUrl = "db:customers/7".parse().unwrap();
    assert_eq!((url.authority(), url.host(), url.is_web()), (None, None, false));
}
