//! JSON, manifest and bundle: one broken rule of form each.

use serde_json::json;

use super::world::{Named, draft, trusting};
use crate::common::case::Case;
use crate::common::manifest::{Draft, sha256};

pub(crate) fn cases() -> Vec<Case> {
    [json_text(), members(), urls(), unknown(), contradictions()].concat()
}

/// A well signed manifest, then one replacement in its text.
fn replaced(from: &str, to: &str) -> Case {
    let text = draft().with_http().sign();
    assert!(text.contains(from), "{from} in {text}");
    trusting(text.replacen(from, to, 1))
}

fn json_text() -> Vec<Case> {
    let bytes = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut text = draft().with_http().sign().into_bytes();
        edit(&mut text);
        trusting(text)
    };
    let deep = format!("{}1{}", "[".repeat(32), "]".repeat(32));
    let named = |case: Case, name: &str, about: &str| {
        case.rejected(&format!("json-{name}"), about, &format!("json.{name}"))
    };
    vec![
        named(
            bytes(&|text| drop(text.splice(0..0, *b"\xef\xbb\xbf"))),
            "byte-order-mark",
            "A byte order mark before the JSON.",
        ),
        named(
            bytes(&|text| {
                let at = text.iter().position(|byte| *byte == b'h').unwrap();
                text[at] = 0xff;
            }),
            "invalid-utf8",
            "A byte that is no UTF-8.",
        ),
        named(
            replaced("{\"capture\"", "{\"capture\":\"reported\",\"capture\""),
            "duplicate-member",
            "A member twice: the last would be the signed one.",
        ),
        replaced("{\"capture\"", "{\"c\\u0061pture\":\"reported\",\"capture\"").rejected(
            "json-duplicate-member-escaped",
            "A member twice, once in escapes.",
            "json.duplicate-member",
        ),
        replaced("\"protocol\"", "\"status\":500,\"protocol\"").rejected(
            "json-duplicate-member-nested",
            "A member twice in an inner object.",
            "json.duplicate-member",
        ),
        named(replaced("text/plain", "\\ud800"), "lone-surrogate", "Half a surrogate pair."),
        named(
            replaced("text/plain", "\\uffff"),
            "noncharacter",
            "A code point that is no character.",
        ),
        named(replaced("text/plain", "a\u{1b}b"), "control-character", "A raw control character."),
        named(
            replaced("text/plain", "\\x41"),
            "invalid-escape",
            "An escape that JSON does not know.",
        ),
        named(replaced(":200", ":200.0"), "fraction", "A number with a fraction."),
        replaced(":200", ":2e2").rejected(
            "json-exponent",
            "A number with an exponent.",
            "json.fraction",
        ),
        named(replaced(":200", ":0200"), "invalid-number", "A number with a leading zero."),
        named(replaced(":31,", ":9007199254740992,"), "integer-range", "An integer of 2^53."),
        named(replaced("{\"capture\"", "{\"a.b\":[1,],\"capture\""), "syntax", "A comma too many."),
        named(
            bytes(&|text| text.extend_from_slice(b" {}")),
            "trailing-data",
            "Another value after the manifest.",
        ),
        named(
            bytes(&|text| text.truncate(text.len() - 1)),
            "unexpected-end",
            "The last brace is missing.",
        ),
        named(
            replaced("{\"capture\"", &format!("{{\"a.b\":{deep},\"capture\"")),
            "too-deep",
            "Nested more than 32 deep.",
        ),
    ]
}

/// A manifest that is well signed as it stands.
fn signed(draft: Draft) -> Case {
    trusting(draft.sign())
}

fn members() -> Vec<Case> {
    let base = || draft().with_http();
    let long = "x".repeat(66_000);
    let mut cases: Vec<_> = ["content_sha256", "fetched_at", "source_url"]
        .into_iter()
        .map(|name| {
            let (id, about) = (format!("manifest-without-{name}"), format!("No {name}."));
            signed(base().without(name)).rejected(&id, &about, "manifest.missing-member")
        })
        .collect();
    for (name, from) in [("mcp_key_id", "\"mcp_key_id\""), ("mcp_signature", "\"mcp_signature\"")] {
        let (id, about) = (format!("manifest-without-{name}"), format!("No {name}."));
        let renamed = replaced(from, "\"org.example.x\"");
        cases.push(renamed.rejected(&id, &about, "manifest.missing-member"));
    }
    let rows: [(&str, &str, serde_json::Value, &str, &str); 27] = [
        ("wrong-type", "/http/status", json!("200"), "A number as a string.", "wrong-type"),
        (
            "null-member",
            "/source_revision",
            json!(null),
            "A member without value: unknown ones are left out.",
            "wrong-type",
        ),
        ("http-not-object", "/http", json!([]), "A list where an object belongs.", "wrong-type"),
        (
            "digest-upper-case",
            "/content_sha256",
            json!(sha256(b"").to_uppercase()),
            "A digest in capitals.",
            "digest",
        ),
        (
            "digest-short",
            "/content_sha256",
            json!(&sha256(b"")[2..]),
            "A digest of 31 bytes.",
            "digest",
        ),
        (
            "digest-prefixed",
            "/content_sha256",
            json!(format!("sha256:{}", sha256(b""))),
            "A digest with a prefix.",
            "digest",
        ),
        (
            "time-offset",
            "/fetched_at",
            json!("2026-11-30T08:15:00+00:00"),
            "An offset instead of Z.",
            "time",
        ),
        ("time-lower-case", "/fetched_at", json!("2026-11-30t08:15:00z"), "Small letters.", "time"),
        (
            "time-fraction",
            "/fetched_at",
            json!("2026-11-30T08:15:00.12Z"),
            "Two digits of a second.",
            "time",
        ),
        (
            "time-leap-second",
            "/fetched_at",
            json!("2026-12-31T23:59:60Z"),
            "A leap second.",
            "time",
        ),
        (
            "time-no-day",
            "/attested_at",
            json!("2026-02-29T00:00:00Z"),
            "A day that is not in the calendar.",
            "time",
        ),
        ("word", "/source_class", json!("Static"), "A word in another case.", "word"),
        (
            "word-regulated",
            "/source_class",
            json!("regulated"),
            "A class of policies only.",
            "word",
        ),
        ("text-empty", "/http/etag", json!(""), "An empty text.", "text"),
        ("text-line-feed", "/http/media_type", json!("a\nb"), "A line feed in a header.", "text"),
        (
            "text-beyond-latin1",
            "/http/etag",
            json!("\u{20ac}"),
            "A character that no header byte maps to.",
            "text",
        ),
        (
            "text-too-long",
            "/source_revision",
            json!("x".repeat(4097)),
            "A revision of more than 4 KiB.",
            "text",
        ),
        ("range-status", "/http/status", json!(99), "A status below 100.", "range"),
        ("range-bytes", "/http/content_bytes", json!(-1), "A negative length.", "range"),
        (
            "header-triple",
            "/http/signature",
            json!([["a", "b", "c"]]),
            "A header of three parts.",
            "header",
        ),
        (
            "header-name",
            "/http/signature",
            json!([["a b", "c"]]),
            "A space in a header name.",
            "text",
        ),
        (
            "nonce",
            "/request",
            json!({"resource": "x", "nonce": "a b"}),
            "A space in the nonce.",
            "nonce",
        ),
        (
            "request-both",
            "/request",
            json!({"resource": "x", "tool": "y"}),
            "Tool and resource at once.",
            "request",
        ),
        (
            "request-tool-alone",
            "/request",
            json!({"tool": "y"}),
            "A tool without arguments.",
            "request",
        ),
        (
            "fetch-position",
            "/request",
            json!({"resource": "x", "fetch": {"index": 1, "of": 1}}),
            "Number 1 of 1, counted from 0.",
            "range",
        ),
        (
            "ct-log-proof",
            "/ct_log_proof",
            json!("sct-list:AAA="),
            "Padding in base64url.",
            "ct-log-proof",
        ),
        (
            "too-large",
            "/org.example.x",
            json!(long),
            "A manifest of more than 64 KiB.",
            "too-large",
        ),
    ];
    for (name, pointer, value, about, code) in rows {
        let case = signed(base().with(pointer, value));
        cases.push(case.rejected(&format!("manifest-{name}"), about, &format!("manifest.{code}")));
    }
    for (name, id, about) in [
        (
            "no-fragment",
            "did:web:mcp.example.org",
            "A DID without the fragment that names its key.",
        ),
        ("method", "did:example:1#key", "A DID method that is not known."),
        ("not-absolute", "key-1", "No URI at all."),
        ("two-fragments", "did:web:mcp.example.org#a#b", "Two fragments."),
    ] {
        let case = signed(base().with("/mcp_key_id", id));
        cases.push(case.rejected(&format!("manifest-key-id-{name}"), about, "manifest.key-id"));
    }
    let pointer = |text: &str| trusting(base().pointer(text).sign());
    cases.push(pointer("log.example#07").rejected(
        "manifest-log-id-leading-zero",
        "A log index with a leading zero.",
        "manifest.log-id",
    ));
    cases.push(pointer("log.example").rejected(
        "manifest-log-id-no-index",
        "A log without an index.",
        "manifest.log-id",
    ));
    cases
}

fn urls() -> Vec<Case> {
    let long = format!("https://a.example/{}", "x".repeat(8 << 10));
    let mut cases = Vec::new();
    for (name, url, about, code) in [
        ("space", "https://a.example/a b", "A space.", "character"),
        (
            "backslash",
            "https://a.example\\@b.example/",
            "A backslash, which browsers take for a slash.",
            "character",
        ),
        (
            "bidi",
            "https://a.example/\u{202e}fdp.exe",
            "A character that turns the direction of writing.",
            "character",
        ),
        ("escape", "https://a.example/\u{1b}]0;x\u{7}", "A terminal escape.", "character"),
        (
            "international",
            "https://b\u{fc}cher.example/",
            "A host that is not in A-labels.",
            "character",
        ),
        ("fragment", "https://a.example/#top", "A fragment.", "fragment"),
        ("no-host", "https:///path", "No host.", "host"),
        ("port", "https://a.example:8x/", "A port that is no number.", "host"),
        ("bracket", "https://[a.example]/", "Brackets around a name.", "host"),
        ("relative", "/rfc/rfc8890.txt", "No scheme.", "not-absolute"),
        ("percent", "https://a.example/%4", "A percent sign without two digits.", "percent"),
        ("too-long", &long, "More than 8 KiB.", "too-long"),
        ("user", "https://user@a.example/", "A user name.", "user-info"),
        (
            "password",
            "https://www.rfc-editor.org:x@a.example/",
            "A password that looks like a port.",
            "user-info",
        ),
    ] {
        let case = signed(draft().with("/source_url", url));
        cases.push(case.rejected(&format!("url-{name}"), about, &format!("manifest.url.{code}")));
    }
    let hop = json!([{"url": "https://u:p@a.example/", "status": 301, "location": "/"}]);
    let redirect = draft().with("/http", json!({"status": 200})).with("/http/redirects", hop);
    cases.push(signed(redirect).rejected(
        "url-user-in-redirect",
        "A password in the URL of a redirect.",
        "manifest.url.user-info",
    ));
    cases
}

/// A newer producer may have written these: never accepted, not yet rejected.
fn unknown() -> Vec<Case> {
    [
        (
            "member",
            "/retrieved_at",
            json!("2026-11-30T08:15:00Z"),
            "A member that this version does not know.",
        ),
        (
            "member-misspelt",
            "/Source_url",
            json!("https://a.example/"),
            "A member in another case.",
        ),
        ("member-nested", "/http/trailers", json!([]), "A new member in an inner object."),
        (
            "member-nested-dotted",
            "/tls/org.example.x",
            json!(1),
            "A dotted member in an inner object of ours.",
        ),
        (
            "member-redacted",
            "/redacted",
            json!(["token"]),
            "A member of a later version: redaction.",
        ),
    ]
    .into_iter()
    .map(|(name, pointer, value, about)| {
        let draft =
            draft().with_http().with("/tls", json!({"version": "TLSv1.3"})).with(pointer, value);
        signed(draft).reviewed(&format!("unknown-{name}"), about, "manifest.unknown-member")
    })
    .collect()
}

fn contradictions() -> Vec<Case> {
    let digest = || json!(sha256(b"certificate"));
    let redirected = |location: &str, final_url: &str| {
        draft().with(
            "/http",
            json!({"status": 200, "final_url": final_url, "redirects": [
                {"url": "https://www.rfc-editor.org/rfc/rfc8890.txt", "status": 302, "location": location}]}),
        )
    };
    let by_way_of = |through: &str| {
        draft().with(
            "/http",
            json!({"status": 200, "final_url": "https://www.rfc-editor.org/x", "redirects": [
                {"url": "https://www.rfc-editor.org/rfc/rfc8890.txt", "status": 302, "location": through},
                {"url": through, "status": 302, "location": "https://www.rfc-editor.org/x"}]}),
        )
    };
    let case =
        |draft: Draft, id: &str, about: &str, code: &str| signed(draft).rejected(id, about, code);
    let chain = "manifest.redirect-chain";
    vec![
        case(
            draft().with("/attested_at", "2026-11-30T08:14:59.999Z"),
            "contradiction-attested-before-fetched",
            "Signed a millisecond before the fetch.",
            "time.attested-before-fetched",
        ),
        case(
            draft().with("/source_url", "http://a.example/").with("/tls_server_cert_sha256", digest()),
            "contradiction-certificate-without-tls",
            "A certificate fingerprint for a plain http URL.",
            "manifest.certificate-without-tls",
        ),
        case(
            redirected("http://www.rfc-editor.org/x", "http://www.rfc-editor.org/x")
                .with("/tls_server_cert_sha256", digest()),
            "contradiction-certificate-final-http",
            "A certificate fingerprint, but the last redirect went to plain http.",
            "manifest.certificate-without-tls",
        ),
        case(
            redirected("/x", "http://www.rfc-editor.org/x")
                .with("/source_url", "http://www.rfc-editor.org/rfc/rfc8890.txt")
                .with("/http/redirects/0/url", "http://www.rfc-editor.org/rfc/rfc8890.txt")
                .with("/http/redirects/0/tls_server_cert_sha256", digest()),
            "contradiction-certificate-redirect-http",
            "A certificate fingerprint for a redirect over plain http.",
            "manifest.certificate-without-tls",
        ),
        case(
            draft().with_http().with("/http/decoded_sha256", digest()),
            "contradiction-decoded-without-coding",
            "A decoded digest without a coding.",
            "manifest.decoded-without-coding",
        ),
        case(
            draft().without("capture").with("/source_url", "file:///etc/hosts"),
            "contradiction-file-not-local",
            "A file URL that is not of class local.",
            "manifest.file-not-local",
        ),
        case(
            redirected("file:///etc/hosts", "file:///etc/hosts").without("capture"),
            "contradiction-redirect-to-file",
            "A redirect from the web to a local file.",
            "manifest.file-not-local",
        ),
        case(
            redirected("https://www.rfc-editor.org/x", "https://www.rfc-editor.org/x")
                .with("/source_url", "file:///etc/hosts")
                .with("/http/redirects/0/url", "file:///etc/hosts")
                .without("capture"),
            "contradiction-redirect-from-file",
            "A redirect from a local file to the web.",
            "manifest.file-not-local",
        ),
        case(
            draft().with("/http", json!({"status": 200, "final_url": "https://www.rfc-editor.org/rfc/rfc8890.txt"})),
            "contradiction-final-url-repeated",
            "A final URL that is the requested one.",
            "manifest.final-url-repeated",
        ),
        case(
            by_way_of("file:///etc/hosts"),
            "contradiction-redirect-through-file",
            "A redirect through a local file, to the web again.",
            "manifest.recorded-not-web",
        ),
        case(
            by_way_of("file:///etc/hosts").without("capture"),
            "contradiction-reported-redirect-through-file",
            "The same, reported.",
            "manifest.file-not-local",
        ),
        case(
            by_way_of("ftp://ftp.rfc-editor.org/x"),
            "contradiction-redirect-through-ftp",
            "A recorded fetch whose redirect left the web for a moment.",
            "manifest.recorded-not-web",
        ),
        case(
            draft().with("/source_url", "db:customers/7"),
            "contradiction-recorded-not-web",
            "A recorded fetch of something that is not on the web.",
            "manifest.recorded-not-web",
        ),
        case(
            redirected("ftp://ftp.rfc-editor.org/x", "ftp://ftp.rfc-editor.org/x"),
            "contradiction-recorded-redirect-off-web",
            "A recorded fetch that was redirected to something that is not on the web.",
            "manifest.recorded-not-web",
        ),
        case(
            draft().with("/http", json!({"status": 200, "final_url": "https://evil.example/"})),
            "contradiction-final-without-redirect",
            "Another final URL without any redirect.",
            chain,
        ),
        case(
            draft().with_http().with(
                "/http/request",
                json!({"method": "GET", "headers": [["Authorization", "Bearer s3cret"]]}),
            ),
            "header-value-of-a-secret",
            "A request's field that is no negotiation, with its value.",
            "manifest.header",
        ),
        case(
            draft().with_http().with("/http/signature", json!([["Set-Cookie", "sid=1"]])),
            "header-cookie-in-signature",
            "A cookie among the fields of the answer's own signature.",
            "manifest.header",
        ),
        case(
            redirected("/x", "https://www.rfc-editor.org/x").with("/http/redirects/0/status", 299),
            "contradiction-redirect-status-299",
            "A redirect whose status is that of content.",
            chain,
        ),
        case(
            redirected("/x", "https://www.rfc-editor.org/x").with("/http/redirects/0/status", 400),
            "contradiction-redirect-status-400",
            "A redirect whose status is that of an error.",
            chain,
        ),
        case(
            redirected("/elsewhere", "https://www.rfc-editor.org/other"),
            "contradiction-redirect-elsewhere",
            "The redirect leads elsewhere than to the final URL.",
            chain,
        ),
        case(
            redirected("../x", "https://www.rfc-editor.org/rfc/../x"),
            "contradiction-redirect-unresolved",
            "A relative location that was not resolved.",
            chain,
        ),
        case(
            redirected("https://u:p@a.example/", "https://a.example/"),
            "contradiction-redirect-user-dropped",
            "A password in the location that the final URL does not have.",
            chain,
        ),
        case(
            draft().with("/http", json!({"status": 200, "final_url": "https://a.example/", "redirects": [
                {"url": "https://evil.example/", "status": 301, "location": "https://a.example/"}]})),
            "contradiction-redirect-other-start",
            "The redirects begin at another URL than the requested one.",
            chain,
        ),
        case(
            draft().with_http().with("/http/range", "bytes 0-1/10"),
            "contradiction-range-not-partial",
            "A range of an answer that is said to be complete.",
            "manifest.range-not-partial",
        ),
    ]
}
