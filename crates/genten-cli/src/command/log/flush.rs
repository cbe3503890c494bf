//! `genten log flush`: send everything, complete the bundles.

use genten::{Alarm, CertificateFlush, Flush, FlushReport, LogError, Submitter};
use genten_primitives::Printable;
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use crate::cli::LogFlushArgs;
use crate::command::logging::{ct_list, send, warn};
use crate::command::text::{count, entries};
use crate::context::Context;
use crate::failure::Done;
use crate::output;

pub(super) async fn run(context: &Context, args: &LogFlushArgs) -> Done<u8> {
    let mut submitter = Submitter::of_home(&context.home_with_journal()?)?;
    if let Some(path) = &args.ct.ct_list {
        submitter = submitter.with_ct_logs(&ct_list(path)?)?;
    }
    if args.rejected {
        submitter.requeue_rejected()?;
    }
    let how = if args.due { Flush::Due } else { Flush::All };
    let mut report = send(context, &submitter, how).await?;
    tell(context, &report);
    let is_ordinary = report.is_ordinary();
    if args.due {
        // Cron sends by mail whatever is said.
        report.logs.retain(|log| !log.is_ordinary());
        report.certificates.is_busy = false;
    }
    warn(&report);
    let counts = submitter.journal().outbox().counts()?;
    let proofs = submitter.journal().certificates().counts()?;
    let waits = counts.iter().any(|log| [log.waiting, log.queued, log.sent] != [0; 3]);
    let refused = counts.iter().map(|log| log.rejected).sum::<u64>();
    if refused > 0 {
        let them = count(refused, "entry was refused and waits", "entries were refused and wait");
        eprintln!("genten: {them} for --rejected; `genten log status` says why");
    }
    let is_proven = proofs.queued == 0 && report.certificates.failed == 0;
    let is_done = if args.due { is_ordinary } else { !waits && is_proven };
    Ok(u8::from(!is_done || refused > 0))
}

fn tell(context: &Context, report: &FlushReport) {
    if context.json {
        return tell_json(report);
    }
    for log in &report.logs {
        let logged = entries(log.logged);
        output::line(&format!("{}: {logged} logged", Printable(&log.log)));
    }
    if report.certificates.proven > 0 {
        let proven = count(report.certificates.proven, "certificate", "certificates");
        output::line(&format!("{proven} proven"));
    }
    if report.logs.is_empty() && report.certificates.is_complete() {
        output::line("nothing waits to be sent");
    }
    if report.completed > 0 {
        let bundles = count(report.completed, "bundle holds its", "bundles hold their");
        output::line(&format!("{bundles} evidence now"));
    }
    if report.absent > 0 {
        let bundles =
            count(report.absent, "bundle is not where it was", "bundles are not where they were");
        output::line(&format!("{bundles}; `genten log proof FILE` completes one"));
    }
}

fn certificates(report: &CertificateFlush) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .integer("proven", output::integer(report.proven))
        .integer("postponed", output::integer(report.postponed))
        .integer("failed", output::integer(report.failed))
        .integer("waiting", output::integer(report.waiting))
        .raw("alarms", &alarms(&report.alarms))
        .boolean("busy", report.is_busy)
        .optional("error", report.error.as_ref().map(LogError::code));
    object.finish()
}

fn tell_json(report: &FlushReport) {
    let mut logs = ArrayWriter::new();
    for log in &report.logs {
        let mut object = ObjectWriter::new();
        object
            .string("log", &log.log)
            .integer("logged", output::integer(log.logged))
            .integer("batched", output::integer(log.batched))
            .integer("postponed", output::integer(log.postponed))
            .integer("rejected", output::integer(log.rejected))
            .integer("foreign", output::integer(log.foreign))
            .boolean("busy", log.is_busy)
            .raw("alarms", &alarms(&log.alarms))
            .optional("asked_until", log.asked_until.map(|until| until.to_string()).as_deref())
            .optional("error", log.error.as_ref().map(LogError::code));
        logs.raw(&object.finish());
    }
    let mut object = ObjectWriter::new();
    object
        .raw("logs", &logs.finish())
        .raw("certificates", &certificates(&report.certificates))
        .integer("bundles_completed", output::integer(report.completed))
        .integer("bundles_absent", output::integer(report.absent))
        .integer("bundles_full", output::integer(report.full))
        .integer("bundles_unwritten", output::integer(report.unwritten))
        .boolean("complete", report.is_complete());
    output::json(&mut object);
}

fn alarms(all: &[Alarm]) -> Vec<u8> {
    let mut alarms = ArrayWriter::new();
    for alarm in all {
        let evidence = alarm.evidence.as_ref().map(|path| path.to_string_lossy());
        let mut object = ObjectWriter::new();
        object
            .string("code", alarm.code)
            .string("reason", &alarm.reason)
            .optional("evidence", evidence.as_deref());
        alarms.raw(&object.finish());
    }
    alarms.finish()
}
