//! `genten mcp sources`: what was really fetched, as the citation contract wants it.

mod bodies;
mod charset;
mod question;

use std::path::Path;

use genten_manifest::{Claims, MAX_BUNDLE_BYTES};
use genten_mcp::citation::Sources;
use genten_primitives::{Printable, Sha256Digest};
use genten_verify::{Body, Code, Input, Verdict};

use crate::cli::SourcesArgs;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};
use crate::output;
use bodies::Bodies;
use question::Question;

/// 0 when all are accepted, and only then something is written; 1 when one is not, 2 when one cannot be read.
pub(super) fn run(context: &Context, args: &SourcesArgs) -> Done<u8> {
    let unreadable = |failure: Failure| failure.with_status(2);
    let question = Question::of(&args.question).map_err(unreadable)?;
    let bodies = Bodies::of(context, args.bodies.as_deref()).map_err(unreadable)?;
    let (mut sources, mut status) = (Sources::default(), 0);
    for file in &args.files {
        if let Err(failure) = add(&mut sources, file, &question, &bodies) {
            let failure = failure.about(&file.display().to_string());
            failure.print();
            status = failure.status().max(status);
        }
    }
    if status != 0 {
        eprintln!("genten: nothing is written, since not all of them are accepted");
        return Ok(status);
    }
    let text = sources.to_json().map_err(|error| refused(error.code(), &error))?;
    for (id, url) in sources.ids() {
        eprintln!("genten: {id}  {}", Printable(url.as_str()));
    }
    output::bytes(&text);
    Ok(0)
}

fn refused(code: &'static str, error: &dyn std::error::Error) -> Failure {
    Failure::coded(code, error, "Leave it out, or cite something else.")
}

/// One manifest, with its body.
fn add(sources: &mut Sources, file: &Path, question: &Question, bodies: &Bodies) -> Done {
    let bytes = read_file(file, MAX_BUNDLE_BYTES as u64).map_err(|error| error.with_status(2))?;
    let input = Input::read(&bytes).map_err(|error| {
        Failure::usage(
            error.to_string(),
            "Give a manifest or a bundle; results of tools are no sources.",
        )
    })?;
    let claims = input.manifest().claims();
    let content = bodies.find(file, claims).map_err(|error| error.with_status(2))?;
    let body = content.as_deref().map_or(Body::NotFound, Body::of);
    let report = question.verifier.verify_input(&input, &[], &body, question.now);
    let (Verdict::Accept, Some(content)) = (report.verdict, content) else {
        let because = report.verdict.because().unwrap_or(Code::CONTENT_NOT_FOUND);
        return Err(not_accepted(report.verdict, because));
    };
    if let Some(error) = answer_without_content(claims) {
        return Err(refused(error.code(), &error));
    }
    let text = decoded(claims, content)?;
    sources.add(&claims.source_url, &text).map_err(|error| refused(error.code(), &error))?;
    Ok(())
}

/// The verdict, and what it rests on in words.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", .0.as_str(), .1.meaning())]
struct NotAccepted(Verdict, Code);

fn not_accepted(verdict: Verdict, because: Code) -> Failure {
    let reason = NotAccepted(verdict, because);
    Failure::coded(because.as_str(), &reason, "`verify` says more, with the same options.")
}

/// What a server says that has no such document is not that document.
fn answer_without_content(claims: &Claims) -> Option<charset::NoText> {
    let status = claims.http.as_ref().map(|http| http.status)?;
    (!(200..300).contains(&status)).then_some(charset::NoText::Status(status))
}

/// The text of a body that the manifest is about.
fn decoded(claims: &Claims, content: Vec<u8>) -> Done<String> {
    let http = claims.http.as_ref();
    let is_coded = http.is_some_and(|http| http.content_encoding.is_some());
    if is_coded && claims.decoded_sha256() != Some(Sha256Digest::of(&content)) {
        let error = charset::NoText::Coded;
        let hint = "Give a folder with the decoded file (--bodies), or fetch without a coding.";
        return Err(Failure::coded(error.code(), &error, hint));
    }
    let media_type = http.and_then(|http| http.media_type.as_ref());
    let text = charset::text(content, media_type.map_or("", |text| text.as_str()));
    text.map_err(|error| refused(error.code(), &error))
}
