//! The body, and the times.

use serde_json::json;

use super::world::{Named, draft, trusting};
use crate::common::BODY;
use crate::common::case::Case;
use crate::common::manifest::{Draft, sha256};

pub(crate) fn cases() -> Vec<Case> {
    [bodies(), parts(), times()].concat()
}

fn signed(draft: Draft) -> Case {
    trusting(draft.sign())
}

const CONTENT: &str = "[require]\ndefault = [\"signature\", \"signer\", \"content\"]\n";

fn bodies() -> Vec<Case> {
    let base = || draft().with_http();
    let coded = base()
        .with("/http/content_encoding", "gzip")
        .with("/http/decoded_sha256", sha256(b"decoded"));
    let changed = BODY.iter().map(u8::to_ascii_uppercase).collect::<Vec<_>>();
    let other = "content.other-bytes";
    vec![
        signed(base()).body(&changed).rejected("body-changed", "As long, but other bytes.", other),
        signed(base()).body(&[BODY, b"\n"].concat()).rejected(
            "body-longer",
            "A line feed more.",
            other,
        ),
        signed(base()).body(&BODY[..30]).rejected(
            "body-shorter",
            "The last byte is missing.",
            "content.shorter",
        ),
        signed(base()).body(b"").rejected("body-empty", "Nothing at all.", "content.shorter"),
        signed(draft()).body(&BODY[..30]).rejected(
            "body-shorter-unstated",
            "The last byte is missing, and the manifest states no length.",
            other,
        ),
        signed(coded).body(b"another decoded form, and longer").rejected(
            "body-decoded-other",
            "Neither the raw nor the decoded digest fits.",
            other,
        ),
        signed(base().with("/http/content_bytes", 999_999)).body(BODY).rejected(
            "body-length-contradicted",
            "The stated digest is of these bytes, the stated length is not.",
            "content.other-length",
        ),
        signed(base()).body(sha256(BODY).as_bytes()).rejected(
            "body-of-another",
            "The body of another manifest.",
            other,
        ),
        signed(base()).policy_file(CONTENT).reviewed(
            "body-required",
            "The policy asks for the content, and no body was given.",
            "content.not-given",
        ),
    ]
}

fn parts() -> Vec<Case> {
    let base = || draft().with_http();
    let code = "content.partial";
    vec![
        signed(base().with("/http/completeness", "partial")).with_body().reviewed(
            "part-cut",
            "A body that was cut; the bytes are those of the cut.",
            code,
        ),
        signed(base().with("/http/status", 206)).with_body().reviewed(
            "part-206",
            "Status 206, whatever the rest says.",
            code,
        ),
        signed(base().with("/http/completeness", "partial").with("/http/range", "bytes 0-30/1000"))
            .with_body()
            .policy("mcp11")
            .reviewed("part-range", "A range, under another built-in policy.", code),
        signed(base().with("/http/completeness", "unverifiable")).accepted(
            "good-unverifiable-end",
            "The framing could not tell where the content ends.",
            &["content.unverifiable"],
        ),
    ]
}

fn times() -> Vec<Case> {
    let fetched = |text: &str| signed(draft().with("/fetched_at", text));
    let limits = |limits: &str| {
        format!("[require]\ndefault = [\"signature\", \"signer\"]\n[limits]\n{limits}\n")
    };
    let future = "time.fetched-in-future";
    let request = draft().with("/http", json!({"status": 200}));
    vec![
        fetched("2026-11-30T12:00:30Z").accepted(
            "good-time-30s-ahead",
            "Fetched 30 seconds ahead of now.",
            &[],
        ),
        fetched("2026-11-30T12:01:01Z").reviewed(
            "time-61s-ahead",
            "Fetched 61 seconds ahead of now.",
            future,
        ),
        fetched("2026-11-30T12:10:00Z").reviewed(
            "time-10min-ahead",
            "Fetched ten minutes ahead of now.",
            future,
        ),
        fetched("2026-11-30T12:00:06Z").policy_file(&limits("clock_skew = \"5s\"")).reviewed(
            "time-skew-of-policy",
            "Fetched six seconds ahead of now, where the policy allows five.",
            future,
        ),
        signed(draft().with("/attested_at", "2026-11-30T12:01:01Z")).reviewed(
            "time-attested-ahead",
            "Fetched in the past and signed in the future.",
            "time.attested-in-future",
        ),
        fetched("2026-10-31T11:59:59Z").policy_file(&limits("max_age = \"30d\"")).reviewed(
            "time-too-old",
            "Fetched 30 days and a second ago.",
            "time.too-old",
        ),
        fetched("2026-10-31T12:00:00Z").policy_file(&limits("max_age = \"30d\"")).accepted(
            "good-time-just-young",
            "Fetched 30 days ago to the second.",
            &[],
        ),
        fetched("0001-01-01T00:00:00Z").accepted(
            "good-time-ancient",
            "Fetched in the year 1, on the signer's word.",
            &[],
        ),
        fetched("9999-12-31T23:59:59.999Z").reviewed(
            "time-far-ahead",
            "Fetched at the end of time.",
            future,
        ),
        signed(request.with("/http/date", "Mon, 30 Nov 2026 13:15:00 GMT")).accepted(
            "good-time-server-off",
            "The server's Date is five hours off: nothing rests on it.",
            &[],
        ),
    ]
}
