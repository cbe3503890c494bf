//! `genten log status`: what waits, and why.

mod stuck;

use genten::{LogService, LogTarget};
use genten_primitives::Printable;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_store::{CertificateCounts, Certificates, Durability, Journal, LogCounts};

use self::stuck::{SHOWN, Stuck};
use crate::command::moment::now;
use crate::command::text::{Rows, Text};
use crate::context::Context;
use crate::failure::{Done, with_causes};
use crate::output;

/// 0 when nothing waits, 1 when something does.
pub(super) fn run(context: &Context) -> Done<u8> {
    let journal = context.home_with_journal()?.journal(Durability::Normal)?;
    let counts = journal.outbox().counts()?;
    for log in &counts {
        let stuck = stuck::of(journal.outbox().stuck(&log.log, SHOWN)?);
        match context.json {
            true => json(&journal, log, &stuck)?,
            false => text(&journal, log, &stuck)?,
        }
    }
    let certificates = journal.certificates();
    let proofs = certificates.counts()?;
    match proofs == CertificateCounts::default() {
        true if counts.is_empty() && !context.json => {
            output::line("nothing was ever queued for a log");
        }
        true => {}
        false => {
            let stuck = stuck::of(certificates.stuck(SHOWN)?);
            match context.json {
                true => certificates_json(certificates, &proofs, &stuck)?,
                false => certificates_text(certificates, &proofs, &stuck)?,
            }
        }
    }
    let waits = |log: &LogCounts| [log.waiting, log.queued, log.sent, log.rejected] != [0; 4];
    Ok(u8::from(counts.iter().any(waits) || [proofs.queued, proofs.failed] != [0; 2]))
}

fn text(journal: &Journal, log: &LogCounts, stuck: &[Stuck]) -> Done {
    let mut rows = Rows::default();
    for (label, number) in [
        ("logged", log.logged),
        ("in a log that was given up", log.given_up),
        ("waiting for a batch", log.waiting),
        ("queued", log.queued),
        ("under way", log.sent),
        ("refused", log.rejected),
        ("bundles to complete", log.unplaced),
    ] {
        if number > 0 || label == "logged" {
            rows.add(label, number);
        }
    }
    if let Some(due) = journal.outbox().next_due(&log.log, now())? {
        match due <= now() {
            true => rows.add("next attempt", "as soon as something sends: genten log flush"),
            false => rows.add("next attempt", due),
        };
    }
    if let Some(problem) = problem(&log.log) {
        rows.add("cannot be used", problem);
    }
    for one in journal.outbox().forgotten(&log.log)? {
        let (origin, at, evidence) = (one.origin, one.forgotten_at, one.evidence);
        rows.add("forgotten", format!("{origin} at {at}, known until then: {evidence}"));
    }
    let mut text = Text::default();
    text.line(0, Printable(&log.log)).rows(1, &rows);
    stuck::text(&mut text, stuck, log.stuck);
    output::bytes(text.as_bytes());
    Ok(())
}

/// Why nothing can be sent to a log that a file describes.
fn problem(log: &str) -> Option<String> {
    match LogTarget::from_name(log) {
        LogTarget::Home => None,
        LogTarget::File(path) => {
            LogService::read(&path, now(), None).err().map(|error| with_causes(&error))
        }
    }
}

fn json(journal: &Journal, log: &LogCounts, stuck: &[Stuck]) -> Done {
    let mut forgotten = ArrayWriter::new();
    for one in journal.outbox().forgotten(&log.log)? {
        let mut object = ObjectWriter::new();
        object
            .string("origin", &one.origin)
            .text("at", Some(&one.forgotten_at))
            .string("evidence", &one.evidence);
        forgotten.raw(&object.finish());
    }
    let mut object = ObjectWriter::new();
    object
        .string("log", &log.log)
        .integer("logged", output::integer(log.logged))
        .integer("given_up", output::integer(log.given_up))
        .integer("waiting", output::integer(log.waiting))
        .integer("queued", output::integer(log.queued))
        .integer("sent", output::integer(log.sent))
        .integer("rejected", output::integer(log.rejected))
        .integer("bundles_to_complete", output::integer(log.unplaced))
        .text("next_attempt", journal.outbox().next_due(&log.log, now())?.as_ref())
        .optional("problem", problem(&log.log).as_deref())
        .raw("forgotten", &forgotten.finish())
        .raw("stuck", &stuck::json(stuck));
    output::json(&mut object);
    Ok(())
}

fn certificates_text(
    certificates: Certificates<'_>,
    counts: &CertificateCounts,
    stuck: &[Stuck],
) -> Done {
    let mut rows = Rows::default();
    rows.add("proven", counts.proven);
    for (label, number) in [
        ("queued", counts.queued),
        ("failed", counts.failed),
        ("bundles to complete", counts.unplaced),
    ] {
        if number > 0 {
            rows.add(label, number);
        }
    }
    if let Some(due) = certificates.next_due(now())? {
        match due <= now() {
            true => rows
                .add("next attempt", "as soon as something asks: genten log flush --ct-list FILE"),
            false => rows.add("next attempt", due),
        };
    }
    let mut text = Text::default();
    text.line(0, "servers' certificates").rows(1, &rows);
    stuck::text(&mut text, stuck, counts.stuck);
    output::bytes(text.as_bytes());
    Ok(())
}

fn certificates_json(
    certificates: Certificates<'_>,
    counts: &CertificateCounts,
    stuck: &[Stuck],
) -> Done {
    let mut object = ObjectWriter::new();
    object
        .integer("proven", output::integer(counts.proven))
        .integer("queued", output::integer(counts.queued))
        .integer("failed", output::integer(counts.failed))
        .integer("bundles_to_complete", output::integer(counts.unplaced))
        .text("next_attempt", certificates.next_due(now())?.as_ref())
        .raw("stuck", &stuck::json(stuck));
    let object = object.finish();
    output::json(ObjectWriter::new().raw("certificates", &object));
    Ok(())
}
