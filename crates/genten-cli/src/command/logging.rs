//! What commands that sign have to do with logs: queueing, and sending at the end.

use std::path::Path;
use std::time::{Duration, Instant};

use genten::rekor::SubmitError;
use genten::{
    Alarm, CertificateFlush, Flush, FlushReport, Genten, GentenBuilder, LogError, LogFlush,
    LogService, LogTarget, Submitter,
};
use genten_pki::MAX_CT_LOG_LIST;
use genten_primitives::Printable;
use genten_store::{Durability, Journal};

use super::moment::now;
use super::text;
use crate::cli::{CtArg, LogArg};
use crate::context::Context;
use crate::failure::{Done, Failure, read_file, with_causes};
use crate::progress;

/// A builder that signs with the named key, or the default one, and queues for the log of the option.
pub(super) fn builder(context: &Context, key: Option<&str>, log: &LogArg) -> Done<GentenBuilder> {
    let builder = context.genten(key)?;
    match &log.log[..] {
        "none" => Ok(builder),
        name => {
            let target = target(name)?;
            expect_usable(name, &target)?;
            let content_key = context.content_log_key(key.unwrap_or("default"))?;
            Ok(builder.log(target).content_log_key(content_key))
        }
    }
}

/// The same builder, which queues servers' certificates where there is a list of logs.
pub(super) fn proving(builder: GentenBuilder, ct: &CtArg) -> Done<GentenBuilder> {
    match &ct.ct_list {
        None => Ok(builder),
        Some(path) => Ok(builder.ct_logs(ct_list(path)?)),
    }
}

/// The list of logs in a file, word for word.
pub(super) fn ct_list(path: &Path) -> Done<Vec<u8>> {
    read_file(path, MAX_CT_LOG_LIST as u64)
}

/// A file that describes no log, or one that is only read, is found out before anything is fetched.
fn expect_usable(name: &str, target: &LogTarget) -> Done {
    let LogTarget::File(path) = target else { return Ok(()) };
    let failure = match LogService::read(path, now(), None) {
        Ok(service) if service.client.endpoint().write_url().is_some() => return Ok(()),
        Ok(_) => {
            let error = SubmitError::NoWriteUrl;
            let hint = "Add url to [log] in the file: the URL at which the log takes entries.";
            Failure::coded(error.code(), &error, hint)
                .about("the file says only where the log is read")
        }
        Err(error) => Failure::coded(error.code(), &error, error.hint()),
    };
    Err(failure.about(&format!("--log {name}")).with_status(2))
}

/// The log of an option.
pub(super) fn target(name: &str) -> Done<LogTarget> {
    match name {
        "local" => Ok(LogTarget::Home),
        "none" => Err(Failure::usage(
            "no log is named: --log or GENTEN_LOG says none",
            "Give --log local, or --log FILE with a file that describes a log.",
        )),
        file => {
            let target = LogTarget::file(file)?;
            let LogTarget::File(path) = &target else { return Ok(target) };
            if !path.is_file() {
                return Err(Failure::usage(
                    format!("--log {file} (or GENTEN_LOG): no such file"),
                    "Give local, none, or a file that describes a log (`genten log init FILE` writes one).",
                ));
            }
            Ok(target)
        }
    }
}

/// Sends what was queued for the log of the option. What cannot be sent now is no failure of the work: it stays queued, and the
/// user hears of it.
pub(super) async fn flush(context: &Context, genten: &Genten, log: &LogArg) {
    let Some(submitter) = genten.submitter().filter(|_| !log.queue) else { return };
    if let Some(log) = genten.log() {
        let _ = context.sending_to.set(log.name());
    }
    let report = match (genten.log(), genten.proves_certificates()) {
        (Some(log), _) => send_one(context, &submitter, log).await,
        (None, true) => submitter.prove_certificates(Flush::All).await.map_err(Into::into),
        (None, false) => return,
    };
    match report {
        Ok(report) => warn(&report),
        Err(failure) => failure.print(),
    }
}

/// What a command says that is ended while it waits for a log: its own work is done, and must not be done twice.
pub(super) fn interrupted(context: &Context, log: &str) -> String {
    let waiting = || -> Done<u64> {
        let journal = context.home_with_journal()?.journal(Durability::Normal)?;
        left(&journal, |name| name == log)
    };
    let waiting = match waiting() {
        Ok(0) => return "signed; nothing waits".to_owned(),
        Ok(waiting) => text::count(waiting, "entry waits", "entries wait"),
        Err(_) => "what was not sent waits".to_owned(),
    };
    format!("signed; {waiting}, `genten log flush` sends")
}

/// Sends everything that is queued, with a bar that counts.
pub(super) async fn send(
    context: &Context,
    submitter: &Submitter,
    how: Flush,
) -> Done<FlushReport> {
    let left = || left(submitter.journal(), |_| true);
    counting(context, left, submitter.flush(how)).await
}

/// Sends everything that is queued for one log: another one may be away.
pub(super) async fn send_one(
    context: &Context,
    submitter: &Submitter,
    log: &LogTarget,
) -> Done<FlushReport> {
    let name = log.name();
    let left = || left(submitter.journal(), |log| log == name);
    counting(context, left, submitter.flush_one(log, Flush::All)).await
}

/// A log that says nothing for longer is waited for in so many words.
const SILENCE: Duration = Duration::from_secs(5);

/// Shows how much is `left` of a work that sends.
async fn counting(
    context: &Context,
    left: impl Fn() -> Done<u64>,
    work: impl Future<Output = Result<FlushReport, LogError>>,
) -> Done<FlushReport> {
    let bar = progress::bar("log entries", context.json);
    let total = left()?;
    bar.set_length(total);
    let mut work = std::pin::pin!(work);
    let mut heard = (0, Instant::now());
    let report = loop {
        tokio::select! {
            report = &mut work => break report,
            () = tokio::time::sleep(Duration::from_millis(250)) => {
                let done = total.saturating_sub(left()?);
                if done != heard.0 {
                    heard = (done, Instant::now());
                }
                bar.set_message(match heard.1.elapsed() < SILENCE {
                    true => "log entries",
                    false => "log entries, waiting for the log (Ctrl-C is safe)",
                });
                bar.set_position(done);
            }
        }
    };
    bar.finish_and_clear();
    Ok(report?)
}

/// Entries and manifests that have not arrived in these logs.
fn left(journal: &Journal, is_meant: impl Fn(&str) -> bool) -> Done<u64> {
    let counts = journal.outbox().counts()?;
    let meant = counts.iter().filter(|log| is_meant(&log.log));
    Ok(meant.map(|log| log.waiting + log.queued + log.sent).sum())
}

/// Says of each log what did not arrive, and why, which bundles could not be completed, and which certificates are not proven.
pub(super) fn warn(report: &FlushReport) {
    warn_bundles(report);
    warn_certificates(&report.certificates);
    for log in &report.logs {
        warn_log(log);
    }
}

fn warn_bundles(report: &FlushReport) {
    if let Some(error) = &report.unwritten_because {
        let bundles = text::count(report.unwritten, "bundle", "bundles");
        let (why, code) = (with_causes(error), error.code());
        eprintln!("genten: {bundles} cannot be completed: {} [{code}]", Printable(&why));
    }
    if report.full > 0 {
        let bundles = text::count(report.full, "bundle", "bundles");
        eprintln!(
            "genten: {bundles} would become larger than verifiers read; `genten log proof` shows the evidence"
        );
    }
}

fn warn_alarms(whose: &str, alarms: &[Alarm]) {
    for alarm in alarms {
        eprintln!("genten: {whose}: {} [{}]", Printable(&alarm.reason), alarm.code);
        if let Some(path) = &alarm.evidence {
            eprintln!("genten: the answer is kept in {}", Printable(&path.to_string_lossy()));
        }
    }
}

fn warn_log(log: &LogFlush) {
    let name = Printable(&log.log);
    if let Some(error) = &log.error {
        let text = with_causes(error);
        // What is wrong with the file that describes a log begins with its name, which is the log's.
        let whose =
            if text.starts_with(&log.log) { String::new() } else { format!("log {name}: ") };
        eprintln!("genten: {whose}{} [{}]", Printable(&text), error.code());
        eprintln!("genten: {}", Printable(&error.hint()));
        eprintln!("genten: everything stays queued; `genten log flush` sends it then");
    }
    warn_alarms(&format!("log {name}"), &log.alarms);
    if let Some(until) = log.asked_until {
        eprintln!("genten: log {name}: it has asked to be left alone until {until}");
    }
    if log.is_busy {
        eprintln!("genten: log {name}: another process is sending to it");
    }
    if log.postponed > 0 {
        let them = text::count(log.postponed, "entry waits and is", "entries wait and are");
        eprintln!("genten: log {name}: {them} sent again later; `genten log status` says why");
    }
    if log.rejected > 0 {
        let them = text::count(log.rejected, "entry was", "entries were");
        eprintln!("genten: log {name}: {them} refused; `genten log status` says why");
    }
    if log.foreign > 0 {
        let them = text::count(log.foreign, "manifest waits", "manifests wait");
        eprintln!("genten: log {name}: {them} for a batch by a key that is not in this home");
    }
}

fn warn_certificates(report: &CertificateFlush) {
    if let Some(error) = &report.error {
        eprintln!("genten: certificates: {} [{}]", Printable(&with_causes(error)), error.code());
    }
    warn_alarms("certificates", &report.alarms);
    if report.is_busy {
        eprintln!("genten: certificates: another process is asking for their proofs");
    }
    if report.postponed > 0 {
        let them = certificates(report.postponed, "is", "are");
        eprintln!(
            "genten: {them} not proven yet; `genten log flush --ct-list FILE` asks again, `genten log status` says why"
        );
    }
    if report.failed > 0 {
        let them = certificates(report.failed, "cannot", "cannot");
        eprintln!("genten: {them} be proven; `genten log status` says why");
    }
    if report.waiting > 0 {
        let them = certificates(report.waiting, "waits", "wait");
        eprintln!("genten: {them} to be proven; `genten log flush --ct-list FILE` asks");
    }
}

fn certificates(number: u64, one: &str, several: &str) -> String {
    let (one, several) = (format!("certificate {one}"), format!("certificates {several}"));
    text::count(number, &one, &several)
}
