//! What commands that sign have to do with logs: queueing, and sending at the end.

use genten::{Flush, FlushReport, Genten, GentenBuilder, LogTarget, Submitter};
use genten_primitives::Printable;

use crate::cli::LogArg;
use crate::context::Context;
use crate::failure::{Done, Failure, with_causes};
use crate::progress;

/// A builder that signs with the named key, or the default one, and queues for the log of the option.
pub(super) fn builder(context: &Context, key: Option<&str>, log: &LogArg) -> Done<GentenBuilder> {
    let builder = context.genten(key)?;
    match &log.log[..] {
        "none" => Ok(builder),
        name => {
            let content_key = context.content_log_key(key.unwrap_or("default"))?;
            Ok(builder.log(target(name)?).content_log_key(content_key))
        }
    }
}

/// The log of an option.
pub(super) fn target(name: &str) -> Done<LogTarget> {
    match name {
        "local" => Ok(LogTarget::Home),
        file => {
            let target = LogTarget::file(file)?;
            let LogTarget::File(path) = &target else { return Ok(target) };
            if !path.is_file() {
                return Err(Failure::usage(
                    format!("--log {file}: no such file"),
                    "Give local, none, or a file that describes a log (`genten log init FILE` writes one).",
                ));
            }
            Ok(target)
        }
    }
}

/// Sends what was queued. What cannot be sent now is no failure of the work: it stays queued, and the user hears of it.
pub(super) async fn flush(context: &Context, genten: &Genten) {
    if let Some(submitter) = genten.submitter().filter(|_| genten.is_logging()) {
        match send(context, &submitter).await {
            Ok(report) => warn(&report),
            Err(failure) => failure.print(),
        }
    }
}

pub(super) async fn send(context: &Context, submitter: &Submitter) -> Done<FlushReport> {
    let spinner = progress::spinner("logging", context.json);
    let report = submitter.flush(Flush::All).await;
    spinner.finish_and_clear();
    Ok(report?)
}

/// Says of each log what did not arrive, and why, and which bundles could not be completed.
pub(super) fn warn(report: &FlushReport) {
    if let Some(error) = &report.unwritten_because {
        let (number, code) = (report.unwritten, error.code());
        let why = with_causes(error);
        eprintln!("genten: {number} bundles cannot be completed: {} [{code}]", Printable(&why));
    }
    if report.full > 0 {
        eprintln!(
            "genten: {} bundles would become larger than verifiers read; `genten log proof` shows their evidence",
            report.full
        );
    }
    for log in &report.logs {
        let name = Printable(&log.log);
        if let Some(error) = &log.error {
            eprintln!("genten: log {name}: {} [{}]", Printable(&with_causes(error)), error.code());
            eprintln!("genten: everything stays queued; `genten log flush` sends it");
        }
        for alarm in &log.alarms {
            eprintln!("genten: log {name}: {} [{}]", Printable(&alarm.reason), alarm.code);
            if let Some(path) = &alarm.evidence {
                eprintln!("genten: the answer is kept in {}", Printable(&path.to_string_lossy()));
            }
        }
        if let Some(until) = log.asked_until {
            eprintln!("genten: log {name}: it has asked to be left alone until {until}");
        }
        if log.is_busy {
            eprintln!("genten: log {name}: another process is sending to it");
        }
        if log.postponed > 0 {
            eprintln!(
                "genten: log {name}: {} entries wait, they are sent again later; `genten log status` says why",
                log.postponed
            );
        }
        if log.rejected > 0 {
            eprintln!(
                "genten: log {name}: {} entries were refused; `genten log status` says why",
                log.rejected
            );
        }
        if log.foreign > 0 {
            eprintln!(
                "genten: log {name}: {} manifests wait for a batch by a key that is not in this home",
                log.foreign
            );
        }
    }
}
