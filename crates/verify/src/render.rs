//! A report as text and as JSON. Both say the same; neither says more than was checked.

mod command;
mod json;
mod text;

use std::borrow::Cow;

use genten_manifest::TlsTrust;
use genten_primitives::Printable;

pub use text::{TextLevel, TextOptions};

use crate::sigstore::MESSAGE;
use crate::{Basis, Code, Outcome, Report, Verdict};

/// What an accepted manifest still does not prove, in plain words.
fn not_proven(report: &Report) -> Vec<&'static str> {
    if report.sigstore.is_some() {
        let mut limits = vec![
            "That what the file says is true, or that running it is safe.",
            "Who made the file: whoever signed it may have got it from elsewhere.",
            "That the signer's key or account was in nobody else's hands.",
        ];
        if report.sigstore.as_ref().is_some_and(|bundle| bundle.content != MESSAGE) {
            limits.push("What the signed statement says of the file, which may be nothing good: it was not read.");
        }
        return limits;
    }
    let time = match report.trusted_time {
        Some(_) => {
            "When exactly it was fetched: others say only that the signature existed by the trusted time."
        }
        None => "When it was fetched: this is the signer's word, not confirmed by a timestamp.",
    };
    let mut limits = vec![
        "That what the source says is true, or who wrote it.",
        "That the server really sent these bytes: an encrypted connection leaves no proof for others, so this is the signer's word.",
        time,
        "That the source still says the same today.",
    ];
    if !report.logs.is_empty() {
        limits.push("That the log holds nothing else: whoever can use the signer's key can log other manifests.");
    }
    if report.check(Code::RESULT_SAME).is_some() {
        limits.push("That the value in the result stands in the source: it shows only that the signer put both together.");
    }
    if report.check(Code::CONTENT_NOT_GIVEN).is_some() {
        limits.push("Anything about a file on your disk: no file was compared.");
    }
    limits
}

/// One clause on why the verdict is what it is.
fn because(report: &Report) -> String {
    match report.verdict {
        Verdict::Accept => accepted(report),
        Verdict::Review { because } | Verdict::Reject { because } => {
            let meaning = because.meaning().trim_end_matches('.');
            format!("{meaning} [{because}]")
        }
    }
}

fn accepted(report: &Report) -> String {
    if let Some(bundle) = &report.sigstore {
        let signer = match (bundle.identities.first(), &bundle.issuer) {
            (Some(name), Some(issuer)) => format!("by {name}, for whom {issuer} vouched"),
            _ => "with a key that you gave".to_owned(),
        };
        let signed = match bundle.content.as_str() {
            MESSAGE => "this file",
            _ => "a statement about this file",
        };
        let logged = match report.check(Code::LOG_INCLUDED) {
            Some(_) => "the signature was logged",
            None => "a log promised to hold the signature",
        };
        return format!("{signed} was signed {}, and {logged}", Printable(&signer));
    }
    let body = compared(report);
    let word = match report.basis {
        Basis::Signed => "what the signer says it fetched",
        Basis::Reported => "what the signer was told was fetched: it did not fetch it itself",
    };
    let content = if report.check(Code::CONTENT_MATCHES).is_some() {
        format!("{body} is, byte for byte, {word}")
    } else if report.check(Code::CONTENT_MATCHES_DECODED).is_some() {
        format!("{body} is the decoded form of {word}")
    } else {
        "the content was NOT compared (no file given)".to_owned()
    };
    format!("valid signature by a signer whom you trust; {content}")
}

/// The body that was compared, as the reader calls it.
fn compared(report: &Report) -> Cow<'static, str> {
    let name = report.body.as_ref().and_then(|body| body.name.as_ref());
    name.map_or("the content".into(), |name| Printable(name).to_string().into())
}

/// Facts so important that they stand in the first line, unless they are the reason and stand there already.
fn first_line_facts(report: &Report) -> Vec<String> {
    let mut facts = Vec::new();
    let claimed = if report.attested { "" } else { "as claimed, " };
    let noted = |code: Code| {
        let noted = report.notes.iter().any(|note| note.code == code);
        (noted || report.check(code).is_some()) && report.verdict.because() != Some(code)
    };
    let http = report.manifest.as_ref().and_then(|manifest| manifest.claims().http.as_ref());
    let request = http.and_then(|http| http.request.as_ref());
    if let Some(request) = request.filter(|request| request.method.as_str() != "GET") {
        facts.push(format!("{claimed}the request was a {}", request.method));
    }
    for (code, fact) in [
        (Code::REQUEST_CALLER_MADE, "the request itself may have made the content"),
        (Code::CLASS_LOCAL, "a local file: says nothing about a source"),
        (Code::CONTENT_PARTIAL, "a part, not the whole document"),
    ] {
        facts.extend(noted(code).then(|| format!("{claimed}{fact}")));
    }
    for (code, fact) in [
        (Code::RESULT_SAME, "the whole result is the one that was signed"),
        (Code::REQUEST_SAME, "bound to this tool and these arguments"),
        (Code::REQUEST_SAME_CALL, "bound to this very call"),
    ] {
        facts.extend((report.attested && report.check(code).is_some()).then(|| fact.to_owned()));
    }
    if report.attested && is_private(report) {
        facts.push("the server's certificate came from a private authority".to_owned());
    }
    if report.attested && is_unencrypted(report) {
        facts.push(
            "fetched without encryption: anybody on the way could have changed it".to_owned(),
        );
    }
    if let Some(http) = http.filter(|http| !(200..300).contains(&http.status)) {
        facts.push(format!("{claimed}the server answered with status {}", http.status));
    }
    facts
}

/// Whether a request or answer travelled in the clear, as the URLs say.
fn is_unencrypted(report: &Report) -> bool {
    let Some(manifest) = &report.manifest else { return false };
    let claims = manifest.claims();
    let hops = claims.http.iter().flat_map(|http| &http.redirects).map(|redirect| &redirect.url);
    let mut urls = hops.chain([&claims.source_url, claims.final_url()]);
    urls.any(|url| url.has_scheme("http"))
}

/// Whether the signer accepted a certificate of an authority that is no public one.
fn is_private(report: &Report) -> bool {
    let claims = report.manifest.as_ref().map(|manifest| manifest.claims());
    let trust = claims.and_then(|claims| claims.tls.as_ref()).and_then(|tls| tls.trust);
    trust == Some(TlsTrust::PrivateRoot)
}

/// A sign and a word for an outcome; the sign alone never carries the meaning.
const fn mark(outcome: Outcome) -> (&'static str, &'static str) {
    match outcome {
        Outcome::Passed => ("+", "holds"),
        Outcome::Failed => ("x", "FAILS"),
        Outcome::Missing => ("!", "missing"),
        Outcome::NotRequired => ("-", "not required"),
        Outcome::NotChecked => ("?", "not checked"),
    }
}
