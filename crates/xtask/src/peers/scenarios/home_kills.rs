//! `genten log flush` killed again and again while it appends to the home's own log.

use std::collections::HashSet;
use std::process::Child;

use genten_primitives::Sha256Digest;
use genten_store::log::LogFolder;

use super::expect;
use crate::Outcome;
use crate::peers::kills::{Watched, kill_within, wait_until};
use crate::peers::stage::Stage;
use crate::peers::user::User;
use crate::peers::{fsck, reading};

const ROUNDS: u32 = 25;

/// New entries of each round; a tile has 256, so that appends end within tiles and begin new ones.
const CONTENTS: u32 = 60;

/// The moments at which processes died, by what they had done.
#[derive(Debug, Default)]
struct Moments {
    before_the_checkpoint: u32,
    before_the_journal: u32,
    after_the_journal: u32,
}

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let (user, rounds) = (stage.user("user")?, stage.rounds(ROUNDS));
    user.genten("log init")?;
    let (tiles, key) = (user.path("home/log"), LogFolder::stated_key(user.path("home/log"))?);
    let mut moments = Moments::default();
    for round in 0..rounds {
        queue(&user, round)?;
        let state = || {
            Ok::<_, Box<dyn std::error::Error>>((
                reading::size(&tiles, &key)?,
                user.status()?.count("logged"),
            ))
        };
        let before = state()?;
        kill(round, &mut user.start("log flush")?, &user)?;
        let after = state()?;
        *match (after.0 > before.0, after.1 > before.1) {
            (false, _) => &mut moments.before_the_checkpoint,
            (true, false) => &mut moments.before_the_journal,
            (true, true) => &mut moments.after_the_journal,
        } += 1;
        fsck::check(stage.peers, &tiles, &key)?;
    }
    eprintln!("fsck after each of {rounds} kills; {moments:?}");
    user.genten("log flush")?;
    fsck::check(stage.peers, &tiles, &key)?;
    let entries = reading::entries(&tiles, &key)?;
    let different: HashSet<_> = entries.iter().map(|entry| Sha256Digest::of(entry)).collect();
    expect("different entries", different.len(), entries.len())?;
    expect("entries", entries.len(), (rounds * CONTENTS) as usize)?;
    expect("logged", user.status()?.count("logged"), u64::from(rounds * CONTENTS))
}

fn queue(user: &User<'_>, round: u32) -> Outcome {
    let digest = |number: u32| Sha256Digest::of(format!("{round} {number}").as_bytes());
    let items: Vec<_> = (0..CONTENTS).map(|number| format!("sha256:{}", digest(number))).collect();
    user.genten(&format!("log submit {} --log local --queue", items.join(" "))).map(drop)
}

/// Each third dies as it begins, each third while it writes tiles, and each third when the checkpoint has appeared.
fn kill(round: u32, flush: &mut Child, user: &User<'_>) -> Outcome {
    match round % 3 {
        0 => kill_within(flush, 200),
        1 => {
            let files = Watched::new(user.path("home/log/.state"));
            wait_until(flush, || Ok(files.has_changed()))?;
            kill_within(flush, 50)
        }
        _ => {
            let checkpoint = Watched::new(user.path("home/log/checkpoint"));
            wait_until(flush, || Ok(checkpoint.has_changed()))?;
            kill_within(flush, 1000)
        }
    }
}
