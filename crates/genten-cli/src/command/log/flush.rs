//! `genten log flush`: send everything, complete the bundles.

use genten::{CertificateFlush, Flush, FlushReport, LogError, Submitter};
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use crate::cli::LogFlushArgs;
use crate::command::logging::{ct_list, send, warn};
use crate::context::Context;
use crate::failure::Done;
use crate::output;

pub(super) async fn run(context: &Context, args: &LogFlushArgs) -> Done<u8> {
    let mut submitter = Submitter::of_home(&context.home()?)?;
    if let Some(path) = &args.ct.ct_list {
        submitter = submitter.with_ct_logs(&ct_list(path)?)?;
    }
    if args.rejected {
        submitter.requeue_rejected()?;
    }
    let how = if args.due { Flush::Due } else { Flush::All };
    let report = send(context, &submitter, how).await?;
    tell(context, &report);
    Ok(u8::from(!report.is_complete()))
}

pub(super) fn tell(context: &Context, report: &FlushReport) {
    warn(report);
    if context.json {
        return tell_json(report);
    }
    for log in &report.logs {
        output::line(&format!("{}: {} entries logged", log.log, log.logged));
    }
    if report.certificates.proven > 0 {
        output::line(&format!("{} certificates proven", report.certificates.proven));
    }
    if report.logs.is_empty() && report.certificates.is_complete() {
        output::line("nothing waits");
    }
    if report.completed > 0 {
        output::line(&format!("{} bundles hold their evidence now", report.completed));
    }
    if report.absent > 0 {
        output::line(&format!(
            "{} bundles are not where they were; `genten log proof FILE` completes one",
            report.absent
        ));
    }
}

fn number(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn certificates(report: &CertificateFlush) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .integer("proven", number(report.proven))
        .integer("postponed", number(report.postponed))
        .integer("failed", number(report.failed))
        .integer("waiting", number(report.waiting))
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
            .integer("logged", number(log.logged))
            .integer("batched", number(log.batched))
            .integer("postponed", number(log.postponed))
            .integer("rejected", number(log.rejected))
            .integer("foreign", number(log.foreign))
            .boolean("busy", log.is_busy)
            .optional("error", log.error.as_ref().map(LogError::code));
        logs.raw(&object.finish());
    }
    let mut object = ObjectWriter::new();
    object
        .raw("logs", &logs.finish())
        .raw("certificates", &certificates(&report.certificates))
        .integer("bundles_completed", number(report.completed))
        .integer("bundles_absent", number(report.absent))
        .boolean("complete", report.is_complete());
    output::json(&mut object);
}
