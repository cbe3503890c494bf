//! `genten log follow`: has the log kept everything, and who uses the keys of this home?

use genten::rekor::{Begin, FollowOutcome};
use genten::{Followed, Following, LogTarget, follow};
use genten_primitives::encoding::hex;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_primitives::{Printable, PublicKey, Sha256Digest};
use genten_store::{Durability, Seen};
use genten_verify::{MAX_KEY_BYTES, keys_from_file};

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
    if log == LogTarget::Home && !home.log().is_dir() {
        return Err(Failure::new(
            "this home has no log of its own yet",
            "Name the log to follow with --log FILE; `genten log init FILE` writes such a file.",
        ));
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
        if !journal.outbox().accept_seen(&followed.origin, *entry)? {
            return Err(Failure::usage(
                format!("--accept {entry}: no such entry was reported"),
                "Give the index of an entry as it is reported.",
            ));
        }
        followed.unknown.retain(|one| one.entry != *entry);
    }
    match context.json {
        true => tell_json(&followed),
        false => tell(&followed, &named),
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
    match &followed.report.outcome {
        FollowOutcome::Advanced { from, to } => {
            ("advanced", format!("grew from {from} to {}, and kept all of them", entries(to.get())))
        }
        FollowOutcome::FirstSight { size } => {
            ("first-sight", format!("seen for the first time, with {}; believed as it is", entries(size.get())))
        }
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

fn tell(followed: &Followed, named: &[Named]) {
    let (_, words) = outcome(followed);
    output::line(&format!("{}: {}", Printable(&followed.origin), Printable(&words)));
    let tally = &followed.report.tally;
    if tally.entries > 0 {
        output::line(&format!(
            "  looked at {}, {} by watched keys",
            entries(tally.entries),
            tally.sightings
        ));
    }
    for (kind, count) in &tally.unknown_kinds {
        output::line(&format!(
            "  {} of kind {}, which is not known here",
            entries(*count),
            Printable(kind)
        ));
    }
    for one in &followed.unknown {
        output::line(&format!(
            "  UNKNOWN USE: entry {} by the key {}, digest {}",
            one.entry,
            name_of(one, named),
            hex(&one.digest)
        ));
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
    if !followed.unknown.is_empty() {
        output::line(
            "  If it was you, elsewhere: --accept INDEX. If not, the key is stolen: revoke it in the kits.",
        );
    }
}

/// What people call the key, else its digest: it was watched then, and is not any more.
fn name_of(one: &Seen, named: &[Named]) -> String {
    let is_it = |(_, key): &&Named| Sha256Digest::of(key.to_spki_der()) == one.key;
    named
        .iter()
        .find(is_it)
        .map_or_else(|| format!("sha256:{}", one.key), |(name, _)| Printable(name).to_string())
}

fn tell_json(followed: &Followed) {
    let tally = &followed.report.tally;
    let (mut unknown, mut lost, mut evidence) =
        <(ArrayWriter, ArrayWriter, ArrayWriter)>::default();
    for one in &followed.unknown {
        unknown.raw(&use_json(one));
    }
    for one in &followed.lost {
        lost.string(&one.log_id);
    }
    for path in &followed.evidence {
        evidence.string(&path.display().to_string());
    }
    let mut object = ObjectWriter::new();
    object
        .string("origin", &followed.origin)
        .string("outcome", outcome(followed).0)
        .boolean("alarm", followed.is_alarm())
        .boolean("complete", followed.is_complete())
        .integer("entries", output::integer(tally.entries))
        .integer("unreadable", output::integer(tally.unreadable))
        .integer("unknown_kinds", output::integer(tally.unknown_kinds.values().sum()))
        .integer("unsearched", output::integer(followed.unsearched))
        .integer("quiet_seconds", output::integer(followed.report.quiet.as_secs()))
        .raw("unknown_uses", &unknown.finish())
        .raw("lost", &lost.finish())
        .raw("evidence", &evidence.finish());
    output::json(&mut object);
}

fn use_json(one: &Seen) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .integer("entry", output::integer(one.entry))
        .text("key_sha256", Some(&one.key))
        .string("digest", &hex(&one.digest))
        .string("signature", &hex(&one.signature));
    object.finish()
}
