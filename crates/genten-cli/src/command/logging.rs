//! What commands that sign have to do with logs: queueing, and sending at the end.

mod counting;
mod telling;

use std::path::Path;

use genten::rekor::SubmitError;
use genten::{
    Flush, FlushReport, Genten, GentenBuilder, LogService, LogTarget, Look, Submitter, look,
};
use genten_pki::MAX_CT_LOG_LIST;
use genten_primitives::{Printable, Sha256Digest};
use genten_store::{Durability, Journal};

use super::moment::now;
use super::text;
use crate::cli::{CtArg, LogArg};
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};
use crate::output;
use counting::Counting;
pub(super) use telling::warn;

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

/// A file that describes no log, or one that is only read, is found out before anything is fetched or queued.
pub(super) fn expect_usable(name: &str, target: &LogTarget) -> Done {
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
                    format!("no log is described by {file}: no such file"),
                    "Check the path, also in GENTEN_LOG where no option names a log; `genten log init FILE` writes such a file.",
                ));
            }
            Ok(target)
        }
    }
}

/// Sends what was queued for the log of the option. What cannot be sent now is no failure of the work: it stays queued, and the
/// user hears of it.
pub(super) async fn flush(
    context: &Context,
    genten: &Genten,
    log: &LogArg,
    signed: &[Sha256Digest],
) {
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
        Ok(report) => {
            tell_places(context, genten, signed);
            warn(&report);
        }
        Err(failure) => failure.print(),
    }
}

/// Whether a log to which nothing is to be sent contradicts what it has shown before; then that is said. A log that cannot be
/// reached speaks against nobody.
pub(super) async fn speaks_against(
    context: &Context,
    submitter: &Submitter,
    log: &LogTarget,
) -> Done<bool> {
    match look(&context.home()?, submitter.journal(), log, now()).await {
        Ok(Look::Continues) => Ok(false),
        Ok(Look::NotRead(why)) => {
            telling::warn_not_read(&log.name(), &why);
            Ok(false)
        }
        Ok(Look::Against(alarm)) => {
            telling::warn_against(&log.name(), alarm);
            Ok(true)
        }
        Err(error) => {
            Failure::from(error).print();
            Ok(true)
        }
    }
}

/// Says where these manifests are logged. The objects of `--json` were written when they were signed.
fn tell_places(context: &Context, genten: &Genten, signed: &[Sha256Digest]) {
    let Some(journal) = genten.journal().filter(|_| !context.json) else { return };
    let place = |id| journal.get(id).ok().flatten().and_then(|entry| entry.log.log_id);
    let mut places: Vec<_> = signed.iter().filter_map(place).collect();
    // Those of one batch have one entry.
    places.dedup();
    let Some((first, others)) = places.split_first() else { return };
    let others = match others.len() as u64 {
        0 => String::new(),
        number => [" and ", &text::count(number, "other entry", "other entries")].concat(),
    };
    output::line(&["logged    ", &Printable(first).to_string(), &others].concat());
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
    // Cron sends by mail whatever is said.
    let is_quiet = how == Flush::Due;
    Counting::new(context, left, is_quiet)?.until(submitter.flush(how)).await
}

/// Sends everything that is queued for one log: another one may be away.
pub(super) async fn send_one(
    context: &Context,
    submitter: &Submitter,
    log: &LogTarget,
) -> Done<FlushReport> {
    let name = log.name();
    let left = || left(submitter.journal(), |log| log == name);
    Counting::new(context, left, false)?.until(submitter.flush_one(log, Flush::All)).await
}

/// Entries and manifests that have not arrived in these logs.
fn left(journal: &Journal, is_meant: impl Fn(&str) -> bool) -> Done<u64> {
    let counts = journal.outbox().counts()?;
    let meant = counts.iter().filter(|log| is_meant(&log.log));
    Ok(meant.map(|log| log.waiting + log.queued + log.sent).sum())
}
