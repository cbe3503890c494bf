//! `genten log follow`: has the log kept everything, and who uses the keys of this home?

mod json;

use std::time::Duration;

use genten::rekor::{Begin, FollowOutcome, FollowReport, Tally};
use genten::{Followed, Following, LogTarget, follow};
use genten_primitives::encoding::hex;
use genten_primitives::{Printable, PublicKey, Sha256Digest};
use genten_store::{Durability, Seen, SeenUse};
use genten_verify::{MAX_KEY_BYTES, keys_from_file};

use super::own_log;
use crate::cli::LogFollowArgs;
use crate::command::logging::target;
use crate::command::moment::now;
use crate::command::text::entries;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};
use crate::{output, progress};

/// 1 is an alarm, so that whatever else goes wrong is 2.
pub(super) async fn run(context: &Context, args: &LogFollowArgs) -> Done<u8> {
    look(context, args).await.map_err(|failure| failure.with_status(2))
}

async fn look(context: &Context, args: &LogFollowArgs) -> Done<u8> {
    let home = context.existing_home()?;
    let journal = home.journal(Durability::Full)?;
    let log = target(&args.log.log)?;
    if log == LogTarget::Home {
        own_log(
            &home,
            "Name the log to follow with --log FILE; `genten log init FILE` writes such a file.",
        )?;
    }
    let begin = if args.from_now { Begin::NextEntry } else { Begin::FirstEntry };
    let named = keys(context, args)?;
    let keys = named.iter().map(|(_, key)| key.clone()).collect();
    let following = Following { log, keys, begin: Some(begin) };
    let bar = progress::bar("entries", context.json);
    let mut tick = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let looked = follow(&home, &journal, &following, now(), &mut tick).await;
    bar.finish_and_clear();
    let mut followed = looked?;
    for entry in &args.accept {
        if !journal.outbox().accept_seen(&followed.name, *entry)? {
            return Err(Failure::usage(
                format!("--accept {entry}: no such entry was reported"),
                "Give the index of an entry as it is reported.",
            ));
        }
        followed.unknown.retain(|one| one.entry != *entry);
    }
    match context.json {
        true => json::tell(&followed),
        false => tell(&followed, &named),
    }
    if let Err(error) = &followed.report {
        Failure::coded(error.code(), error, error.hint()).print();
    }
    Ok(match (followed.is_alarm(), followed.is_complete()) {
        (true, _) => 1,
        (false, true) => 0,
        (false, false) => 2,
    })
}

/// A key, and what people call it.
type Named = (String, PublicKey);

/// The keys of the home, those for contents too, and those that are named.
fn keys(context: &Context, args: &LogFollowArgs) -> Done<Vec<Named>> {
    let mut keys = context.keys()?.public_keys()?;
    for path in &args.watch {
        let bytes = read_file(path, MAX_KEY_BYTES as u64)?;
        let name = path.display().to_string();
        let read = keys_from_file(&bytes).map_err(|error| {
            let hint = "Give a public key in PEM or as JWK.";
            Failure::coded(error.code(), &error, hint).about(&name)
        })?;
        keys.extend(read.into_iter().map(|key| (name.clone(), key)));
    }
    Ok(keys)
}

/// What became of the tree, in a word and in words.
fn outcome(followed: &Followed) -> (&'static str, String) {
    let report = match &followed.report {
        Ok(report) => report,
        Err(error) => return ("unread", format!("could not be read to its end: {error}")),
    };
    match &report.outcome {
        FollowOutcome::Advanced { from, to } => {
            ("advanced", format!("grew from {from} to {}, and kept all of them", entries(to.get())))
        }
        FollowOutcome::FirstSight { size } => ("first-sight", first_sight(followed, size.get())),
        FollowOutcome::Fork(_) => (
            "fork",
            "FORK: it has signed two trees that contradict each other; nothing of it is believed any more"
                .to_owned(),
        ),
        FollowOutcome::Rollback(behind) => (
            "rollback",
            format!("ROLLBACK: it shows {} and had {}", entries(behind.seen.get()), behind.known),
        ),
        FollowOutcome::Stale(behind) => {
            ("stale", format!("shows {} and had {}: an old copy?", entries(behind.seen.get()), behind.known))
        }
        FollowOutcome::Unchanged => ("unchanged", "has not changed".to_owned()),
        FollowOutcome::Unproven { size, reason } => (
            "unproven",
            format!("says to have {}, which could not be proven: {reason}", entries(size.get())),
        ),
        _ => ("unknown", "came to something that this program does not know".to_owned()),
    }
}

/// Whoever has sent entries to a log was shown trees that it has kept.
fn first_sight(followed: &Followed, size: u64) -> String {
    let size = entries(size);
    match followed.was_known {
        true => format!(
            "followed for the first time, with {size}; it has kept what it showed when entries were sent to it"
        ),
        false => format!("seen for the first time, with {size}"),
    }
}

/// The entries that were looked at; of a log that could not be read to its end that is not told.
fn tally(followed: &Followed) -> Tally {
    followed.report.as_ref().map(|report| report.tally.clone()).unwrap_or_default()
}

fn tell(followed: &Followed, named: &[Named]) {
    let (_, words) = outcome(followed);
    output::line(&format!("{}: {}", Printable(&followed.origin), Printable(&words)));
    let tally = tally(followed);
    if tally.entries > 0 {
        output::line(&format!(
            "  looked at {}, {} by watched keys",
            entries(tally.entries),
            tally.sightings
        ));
    }
    if tally.unreadable > 0 {
        output::line(&format!(
            "  WARNING: {} of them cannot be read, so that nobody knows whose they are",
            tally.unreadable
        ));
    }
    for (kind, count) in &tally.unknown_kinds {
        output::line(&format!(
            "  {} of kind {}, which is not known here",
            entries(*count),
            Printable(kind)
        ));
    }
    if let Ok(report) = &followed.report {
        tell_times(report);
    }
    for one in &followed.unknown {
        output::line(&format!("  {}", use_text(one, &name_of(one, named))));
    }
    for one in &followed.lost {
        output::line(&format!("  LOST: entry {}", Printable(&one.log_id)));
    }
    if followed.unsearched > 0 {
        output::line(&format!(
            "  {} of the journal could not be looked for",
            entries(followed.unsearched)
        ));
    }
    for path in &followed.evidence {
        output::line(&format!("  evidence: {}", path.display()));
    }
    for advice in advice(&followed.unknown) {
        output::line(&format!("  {advice}"));
    }
}

/// What a log's owner promises about news is not known here, so that it is told without an alarm.
fn tell_times(report: &FollowReport) {
    if report.quiet >= Duration::from_secs(60) {
        output::line(&format!("  nothing new for {}", length(report.quiet)));
    }
    if let Some(behind) = report.clock_behind {
        let behind = length(behind);
        output::line(&format!(
            "  WARNING: the clock is {behind} behind the time at which the log was seen before"
        ));
    }
}

/// In the largest unit of which there are two.
fn length(time: Duration) -> String {
    let seconds = time.as_secs();
    let units = [("days", 86_400), ("hours", 3600), ("minutes", 60)];
    let unit = units.into_iter().find(|(_, length)| seconds >= 2 * length);
    match unit {
        Some((name, length)) => format!("{} {name}", seconds / length),
        None => format!("{seconds} seconds"),
    }
}

fn use_text(one: &Seen, key: &str) -> String {
    let (entry, digest) = (one.entry, hex(&one.digest));
    match one.key_use {
        SeenUse::Proven => format!("UNKNOWN USE: entry {entry} by the key {key}, digest {digest}"),
        SeenUse::Unchecked => {
            format!(
                "UNKNOWN USE: entry {entry} names the key {key}; its signature is not checked here"
            )
        }
        SeenUse::Forged => {
            format!(
                "FORGED: entry {entry} names the key {key} and was not made with it, digest {digest}"
            )
        }
    }
}

fn advice(unknown: &[Seen]) -> impl Iterator<Item = &'static str> {
    let advice = [
        (
            SeenUse::Proven,
            "If it was you, elsewhere: --accept INDEX. If not, the key is stolen: revoke it in the kits.",
        ),
        (
            SeenUse::Unchecked,
            "Where a signature is not checked, look at the entry: if it holds and is not yours, the key is stolen.",
        ),
        (
            SeenUse::Forged,
            "A forged entry says nothing about the key, and that the log takes what it must refuse: tell its owner.",
        ),
    ];
    advice
        .into_iter()
        .filter(|(how, _)| unknown.iter().any(|one| one.key_use == *how))
        .map(|(_, text)| text)
}

/// What people call the key, else its digest: it was watched then, and is not any more.
fn name_of(one: &Seen, named: &[Named]) -> String {
    let is_it = |(_, key): &&Named| Sha256Digest::of(key.to_spki_der()) == one.key;
    named
        .iter()
        .find(is_it)
        .map_or_else(|| format!("sha256:{}", one.key), |(name, _)| Printable(name).to_string())
}
