//! `genten log submit`: what was signed before, or bytes alone.

use genten::jws::ContentLogKey;
use genten::jws::key_id::contained_key;
use genten::store::{LogState, Submission};
use genten::{LogTarget, Submitter};
use genten_primitives::Printable;
use genten_primitives::json::ObjectWriter;

use super::item::Item;
use crate::cli::LogSubmitArgs;
use crate::command::document::Document;
use crate::command::logging::{expect_usable, send_one, speaks_against, target, warn};
use crate::context::Context;
use crate::failure::{Done, Failure};
use crate::output;

pub(super) async fn run(context: &Context, args: &LogSubmitArgs) -> Done<u8> {
    let log = target(&args.log.log)?;
    expect_usable(&args.log.log, &log)?;
    let items: Vec<_> =
        args.items.iter().map(|text| Item::open(text, args.subject)).collect::<Done<_>>()?;
    let submitter = Submitter::of_home(&context.home()?)?;
    let needs_key = items.iter().any(|item| matches!(item, Item::Content(_)));
    let content_key = if needs_key { Some(context.content_log_key(&args.key)?) } else { None };
    let mut queued = Vec::new();
    for (name, item) in args.items.iter().zip(items) {
        queued.push(queue(&submitter, &log, name, item, content_key.as_ref()).await?);
    }
    if args.queue {
        match context.json {
            true => output::json(
                ObjectWriter::new().integer("queued", output::integer(queued.len() as u64)),
            ),
            false => output::line(&format!("{} queued; `genten log flush` sends", queued.len())),
        }
        return Ok(0);
    }
    let report = send_one(context, &submitter, &log).await?;
    warn(&report);
    let is_against = match report.logs.is_empty() {
        // Places that are remembered are named only of a log that still goes on from there.
        true => speaks_against(context, &submitter, &log).await?,
        false => report.logs.iter().any(|one| one.error.is_some() || !one.alarms.is_empty()),
    };
    let mut status = u8::from(is_against || report.unwritten + report.full > 0);
    for one in &queued {
        status = status.max(tell(context, &submitter, &log.name(), one, is_against)?);
    }
    Ok(status)
}

/// Something that was queued, and how it is found again.
struct Queued<'a> {
    name: &'a str,
    body: Vec<u8>,
}

async fn queue<'a>(
    submitter: &Submitter,
    log: &LogTarget,
    name: &'a str,
    item: Item,
    content_key: Option<&ContentLogKey>,
) -> Done<Queued<'a>> {
    match (item, content_key) {
        (Item::Content(digest), Some(key)) => {
            let body = submitter.queue_content(log, digest, key)?;
            Ok(Queued { name, body })
        }
        (Item::Content(_), None) => unreachable!("the key was read when there was such an item"),
        (Item::Manifest(document), _) => {
            let key = document.signer_key().ok_or_else(|| no_key(&document).about(name))?;
            let body = submitter.queue_manifest(log, &document.signed, &key).await?;
            submitter.bring(&document.manifest_id(), &document.path)?;
            Ok(Queued { name, body })
        }
    }
}

fn no_key(document: &Document) -> Failure {
    match contained_key(document.key_id()) {
        Some(_) => Failure::new(
            "the signature does not hold under the key in mcp_key_id",
            "No log would take it, and nobody would believe it; get the manifest again.",
        ),
        None => Failure::new(
            "the key of the signer is not at hand",
            "Add the signer's certificate or DID document with `genten bundle add` first.",
        ),
    }
}

/// Other logs may have the same entry; what counts is the one that was asked for.
fn tell(
    context: &Context,
    submitter: &Submitter,
    log: &str,
    one: &Queued<'_>,
    is_against: bool,
) -> Done<u8> {
    let mut found = submitter.journal().outbox().find(&one.body)?;
    found.retain(|submission| submission.log == log);
    let logged = found.iter().find(|submission| submission.state == LogState::Logged);
    report(context, one.name, found.first(), logged, is_against);
    Ok(u8::from(logged.is_none()))
}

fn report(
    context: &Context,
    name: &str,
    queued: Option<&Submission>,
    logged: Option<&Submission>,
    is_against: bool,
) {
    let place = logged.and_then(|one| one.log_id.as_deref());
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("item", name)
            .string("state", queued.map_or("none", |one| one.state.as_str()))
            .optional("log_id", place)
            .boolean("log_contradicted", is_against);
        return output::json(&mut object);
    }
    match place {
        Some(place) if is_against => output::line(&format!(
            "{}: was {}, which the log may not have any more",
            Printable(name),
            Printable(place)
        )),
        Some(place) => output::line(&format!("{}: {}", Printable(name), Printable(place))),
        None => {
            let state = queued.map_or("none", |one| one.state.as_str());
            output::line(&format!("{}: {state}", Printable(name)));
        }
    }
}
