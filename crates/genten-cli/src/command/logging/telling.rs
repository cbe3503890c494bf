//! What is said of a sending: what did not arrive and why, on standard error.

use genten::{Alarm, CertificateFlush, FlushReport, LogError, LogFlush, LogTarget};
use genten_primitives::Printable;

use crate::command::text;
use crate::failure::with_causes;

/// Says of each log what did not arrive, and why, which bundles could not be completed, and which certificates are not proven.
pub(crate) fn warn(report: &FlushReport) {
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

/// A log that was looked at and speaks against itself.
pub(super) fn warn_against(log: &str, alarm: Alarm) {
    warn_log(&LogFlush::seen(log, alarm));
}

/// A log of which nothing new is known.
pub(super) fn warn_not_read(log: &str, why: &str) {
    let (log, why) = (Printable(log), Printable(why));
    eprintln!(
        "genten: log {log} was not looked at ({why}): the places are those that it proved before"
    );
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
    if may_be_another(log) {
        eprintln!(
            "genten: if it is your own log and was begun anew, `genten log forget {name}` gives up what is known of it; of any other log ask its owner first"
        );
    }
    if let Some(until) = log.asked_until {
        eprintln!("genten: log {name}: it has asked to be left alone until {until}");
    }
    if log.is_busy {
        eprintln!("genten: log {name}: another process is sending to it");
    }
    if log.postponed > 0 {
        let them = text::count(log.postponed, "entry waits and is", "entries wait and are");
        eprintln!(
            "genten: log {name}: {them} sent again by the next command that logs there, or by `genten log flush`; `genten log status` says why"
        );
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

/// Whether a log contradicts what is known of it. The home's own is never given up.
fn may_be_another(log: &LogFlush) -> bool {
    let codes = log.alarms.iter().map(|alarm| alarm.code);
    let mut codes = codes.chain(log.error.as_ref().map(LogError::code));
    let contradicts = ["rekor.history.behind", "rekor.history.fork", "log.caught"];
    log.log != LogTarget::Home.name() && codes.any(|code| contradicts.contains(&code))
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
