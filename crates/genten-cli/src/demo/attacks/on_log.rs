//! Attacks on the proof that something was logged, and on the log itself.

use std::path::Path;

use genten::rekor::{Begin, FollowOutcome};
use genten::store::Home;
use genten::{Following, Genten, LogTarget, Submitter, follow, home_log};
use genten_manifest::{EvidenceKind, Subject, UnverifiedBundle};
use genten_primitives::Sha256Digest;

use super::{Attack, read, replaced};
use crate::command::moment::now;
use crate::demo::sources::Saved;
use crate::demo::{REPORT_IT, Story};
use crate::failure::{Done, Failure};

pub(super) fn forged(saved: &[Saved]) -> Done<Vec<Attack<'_>>> {
    let [standard, law, circular] = saved else {
        return Err(Failure::new("the demo has three sources", REPORT_IT));
    };
    let text = String::from_utf8_lossy(&standard.bundle).into_owned();
    Ok(vec![
        Attack {
            name: "borrowed-entry",
            what: "the log entry of another document put into the bundle",
            bundle: with_items(circular, standard, |kind| {
                subject(kind) == Some(Subject::Manifest)
            })?,
            body: &circular.body,
            verdict: "reject",
            code: "log.other-digest",
        },
        Attack {
            name: "borrowed-batch",
            what: "a place in a batch claimed that belongs to another document",
            bundle: with_items(standard, law, |kind| matches!(kind, EvidenceKind::Batch(_)))?,
            body: &standard.body,
            verdict: "reject",
            code: "batch.proof",
        },
        Attack {
            name: "content-entry-as-manifest",
            what: "the entry about the content passed off as one about the manifest",
            bundle: replaced(&text, "\"subject\":\"content\"", "\"subject\":\"manifest\"")?,
            body: &standard.body,
            verdict: "reject",
            code: "log.other-digest",
        },
        Attack {
            name: "larger-log",
            what: "a checkpoint that says the log is larger than it is",
            bundle: text.replace("\\n3\\n", "\\n4\\n").into_bytes(),
            body: &standard.body,
            verdict: "reject",
            code: "log.checkpoint-signature",
        },
        Attack {
            name: "unlogged",
            what: "the log entries taken out of the bundle",
            bundle: without_entries(standard)?,
            body: &standard.body,
            verdict: "review",
            code: "log.missing",
        },
    ])
}

fn subject(kind: &EvidenceKind) -> Option<Subject> {
    match kind {
        EvidenceKind::RekorV2(entry) => Some(entry.subject),
        _ => None,
    }
}

/// The bundle with items of another one.
fn with_items(to: &Saved, from: &Saved, takes: impl Fn(&EvidenceKind) -> bool) -> Done<Vec<u8>> {
    let (to, from) = (read(to)?, read(from)?);
    let mut bundle = to.to_bundle();
    for item in from.evidence().iter().filter(|item| takes(item.kind())) {
        bundle = bundle
            .with_evidence(item.raw().as_bytes())
            .map_err(|error| Failure::coded(error.code(), &error, REPORT_IT))?;
    }
    Ok(bundle.to_json())
}

fn without_entries(saved: &Saved) -> Done<Vec<u8>> {
    let all: UnverifiedBundle = read(saved)?;
    let manifest = all.manifest().manifest().clone();
    let mut bundle = genten_manifest::Bundle::new(&manifest);
    for item in all.evidence().iter().filter(|item| subject(item.kind()).is_none()) {
        bundle = bundle
            .with_evidence(item.raw().as_bytes())
            .map_err(|error| Failure::coded(error.code(), &error, REPORT_IT))?;
    }
    Ok(bundle.to_json())
}

/// The log itself lies: its owner signs a second history with the same key. Whoever has followed it sees that, and holds the
/// proof.
pub(super) async fn second_history(genten: &Genten, dir: &Path, story: &mut Story) -> Done {
    let home = genten.home().ok_or_else(|| Failure::new("no home", REPORT_IT))?;
    let liar = Home::open(dir.join("liar"))?;
    let copied = std::fs::copy(home.keys().join("log.key"), liar.keys().join("log.key"));
    copied.map_err(|error| Failure::file(&liar.keys(), &error))?;
    tell_another_story(&liar).await?;
    let monitor = Home::open(dir.join("monitor"))?;
    let told = look(home, &monitor).await?;
    story.expect("a monitor looks at the log", "first-sight", told, None, "-");
    let told = look(&liar, &monitor).await?;
    story.expect("the log's owner signs a second history", "fork", told, None, "-");
    Ok(())
}

async fn tell_another_story(liar: &Home) -> Done {
    let ring = genten::KeyRing::of(liar);
    let (key, _) = ring.content_log_key("default")?;
    let submitter = Submitter::of_home(liar)?;
    for number in 0..3_u8 {
        submitter.queue_content(&LogTarget::Home, Sha256Digest::of(&[number]), &key)?;
    }
    submitter.flush(genten::Flush::All).await?;
    Ok(())
}

/// What a monitor, whose memory is its own, sees when it is shown the log of a home.
async fn look(shown: &Home, monitor: &Home) -> Done<&'static str> {
    let vkey = home_log(shown)?.folder().key().to_vkey();
    let file = monitor.root().join("log.toml");
    let mut folder = Vec::new();
    genten_primitives::json::write_string(&shown.log().display().to_string(), &mut folder);
    let folder = String::from_utf8_lossy(&folder);
    let text = format!("version = 1\n[log]\nvkey = \"{vkey}\"\nread_url = {folder}\n");
    crate::failure::write_file(&file, text.as_bytes())?;
    let journal = monitor.journal(genten_store::Durability::Normal)?;
    let following = Following {
        log: LogTarget::file(&file)?,
        keys: Vec::new(),
        begin: Some(Begin::FirstEntry),
    };
    let followed = follow(monitor, &journal, &following, now(), &mut |_, _| {}).await?;
    Ok(match followed.outcome() {
        Some(FollowOutcome::FirstSight { .. }) => "first-sight",
        Some(FollowOutcome::Fork(_)) => "fork",
        _ => "neither",
    })
}
