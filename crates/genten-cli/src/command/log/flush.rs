//! `genten log flush`: send everything, complete the bundles.

use genten::{Flush, FlushReport, LogFlush, Submitter};
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use crate::cli::LogFlushArgs;
use crate::command::logging::warn;
use crate::context::Context;
use crate::failure::Done;
use crate::{output, progress};

pub(super) async fn run(context: &Context, args: &LogFlushArgs) -> Done<u8> {
    let submitter = Submitter::of_home(&context.home()?)?;
    if args.rejected {
        submitter.requeue_rejected()?;
    }
    let how = if args.due { Flush::Due } else { Flush::All };
    let spinner = progress::spinner("sending", context.json);
    let report = submitter.flush(how).await;
    spinner.finish_and_clear();
    let report = report?;
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
    if report.logs.is_empty() {
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

fn tell_json(report: &FlushReport) {
    let mut logs = ArrayWriter::new();
    for log in &report.logs {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let mut object = ObjectWriter::new();
        object
            .string("log", &log.log)
            .integer("logged", number(log.logged))
            .integer("batched", number(log.batched))
            .integer("postponed", number(log.postponed))
            .integer("rejected", number(log.rejected))
            .integer("foreign", number(log.foreign))
            .boolean("busy", log.is_busy)
            .raw("alarms", &alarms(log))
            .optional("asked_until", log.asked_until.map(|until| until.to_string()).as_deref())
            .optional("error", log.error.as_ref().map(genten::LogError::code));
        logs.raw(&object.finish());
    }
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let mut object = ObjectWriter::new();
    object
        .raw("logs", &logs.finish())
        .integer("bundles_completed", number(report.completed))
        .integer("bundles_absent", number(report.absent))
        .integer("bundles_full", number(report.full))
        .integer("bundles_unwritten", number(report.unwritten))
        .boolean("complete", report.is_complete());
    output::json(&mut object);
}

fn alarms(log: &LogFlush) -> Vec<u8> {
    let mut alarms = ArrayWriter::new();
    for alarm in &log.alarms {
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
