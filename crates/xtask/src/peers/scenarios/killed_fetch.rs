//! `genten fetch` killed again and again while it signs, queues, sends and completes: manifests, contents and batches.

use serde_json::Value;

use super::{expect, tell_repeated};
use crate::Outcome;
use crate::peers::kills::{Watched, kill_within, wait_until};
use crate::peers::site::Site;
use crate::peers::stage::Stage;
use crate::peers::user::User;

const ROUNDS: u32 = 16;

/// Documents of each round.
const DOCUMENTS: u32 = 3;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let (mut log, site) = (stage.log()?, stage.site()?);
    log.start(&[])?;
    let user = stage.user("user")?;
    user.genten("key new")?;
    user.describe(&log, "--read-url ../log/tiles")?;
    for round in 0..stage.rounds(ROUNDS) {
        fetch_and_kill(&user, &site, round)?;
    }
    user.flush_all()?;
    std::fs::create_dir(user.path("made"))?;
    let signed = user.genten("--json journal list")?;
    for line in signed.lines() {
        is_logged(&user, &serde_json::from_str(line)?)?;
    }
    user.trust(&[&log.key().to_vkey()])?;
    let accepted = user.verify("made --trust kit.json")?.len();
    expect("accepted bundles", accepted, signed.lines().count())?;
    user.verify(". --trust kit.json")?;
    eprintln!("{accepted} manifests were signed before the kills, and each is logged");
    tell_repeated(&log.entries()?);
    Ok(())
}

/// Of a class whose manifests and contents have entries of their own, and of one whose manifests share one, in turns.
fn fetch_and_kill(user: &User<'_>, site: &Site, round: u32) -> Outcome {
    let class = if round.is_multiple_of(2) { "static" } else { "realtime" };
    let options = format!("--class {class} --log log.toml");
    let mut fetch = user.start_fetch(site, &format!("{class}-{round}"), DOCUMENTS, &options)?;
    if round % 4 < 2 {
        return kill_within(&mut fetch, 1300);
    }
    let journal = Watched::new(user.path("home/journal.db-wal"));
    wait_until(&mut fetch, || Ok(journal.has_changed()))?;
    kill_within(&mut fetch, 50)
}

/// The journal gives a complete bundle; the one on disk, if the process came to write it, is complete too.
fn is_logged(user: &User<'_>, signed: &Value) -> Outcome {
    let text = |member: &str| signed[member].as_str().ok_or_else(|| format!("no {member}"));
    let expected = match text("source_class")? {
        "static" => vec!["content", "manifest"],
        _ => vec!["batch"],
    };
    let made = format!("made/{}.provenance.json", text("manifest_id")?);
    user.genten(&format!("log proof {} --output {made}", text("manifest_id")?))?;
    expect(&made, user.subjects(&made)?, expected.clone())?;
    match signed["bundle"].as_str() {
        Some(bundle) if user.path(bundle).exists() => {
            expect(bundle, user.subjects(bundle)?, expected)
        }
        _ => Ok(()),
    }
}
