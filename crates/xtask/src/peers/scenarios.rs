//! What users do with `genten` and `verify`, played against real servers.

mod certificates;
mod exports;
mod frozen;
mod home_kills;
mod home_sizes;
mod killed_fetch;
mod kills;
mod once;
mod refusals;
mod restart;
mod shards;
mod stamps;
mod subjects;
mod together;
mod twice;
mod witnesses;

use std::error::Error;
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::install::Programs;
use super::stage::Stage;
use crate::Outcome;
use once::{once_each, tell_repeated};

/// One scenario.
pub(super) struct Scenario {
    name: &'static str,
    about: &'static str,
    play: fn(&Stage<'_>) -> Outcome,
}

const SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "subjects",
        about: "manifests, batches and contents by each kind of key, logged and verified",
        play: subjects::play,
    },
    Scenario {
        name: "twice",
        about: "an entry that the log has already, from one process and from other homes",
        play: twice::play,
    },
    Scenario {
        name: "refusals",
        about: "what logs refuse, with the reason that our client knows",
        play: refusals::play,
    },
    Scenario {
        name: "frozen",
        about: "a log that takes no more entries, and the next one in its place",
        play: frozen::play,
    },
    Scenario {
        name: "shards",
        about: "the same by a Sigstore signing config and trusted root",
        play: shards::play,
    },
    Scenario {
        name: "witnesses",
        about: "a log that publishes what two of two witnesses have seen",
        play: witnesses::play,
    },
    Scenario { name: "stamps", about: "a timestamp authority beside the log", play: stamps::play },
    Scenario {
        name: "certificates",
        about: "a server's certificate, proven by the tiles of the log that promised to hold it",
        play: certificates::play,
    },
    Scenario {
        name: "exports",
        about: "what we logged, as cosign reads it, and what cosign logged, as we do",
        play: exports::play,
    },
    Scenario {
        name: "restart",
        about: "a log that dies while much is being sent to it, and comes back",
        play: restart::play,
    },
    Scenario {
        name: "together",
        about: "two processes that flush one home at the same time",
        play: together::play,
    },
    Scenario {
        name: "kills",
        about: "processes that are killed while they send (--rounds, 25)",
        play: kills::play,
    },
    Scenario {
        name: "killed-fetch",
        about: "processes that are killed while they fetch, sign and send (--rounds, 16)",
        play: killed_fetch::play,
    },
    Scenario {
        name: "home-sizes",
        about: "a home's own log at sizes around those of tiles, by fsck",
        play: home_sizes::play,
    },
    Scenario {
        name: "home-kills",
        about: "processes that are killed while they append to it (--rounds, 25)",
        play: home_kills::play,
    },
];

/// Names the scenarios.
pub(super) fn list() {
    for scenario in SCENARIOS {
        println!("{:<14} {}", scenario.name, scenario.about);
    }
}

/// Plays scenarios, each in a folder of its own below `folder`. All are played, whichever fail.
pub(super) fn play(
    scenarios: &[&Scenario],
    peers: &Programs,
    own: &Programs,
    folder: &Path,
    rounds: Option<u32>,
) -> Outcome {
    let mut played = Vec::new();
    for scenario in scenarios {
        eprintln!("\n-- {}: {}", scenario.name, scenario.about);
        let folder = folder.join(scenario.name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder)?;
        let begin = Instant::now();
        let result = (scenario.play)(&Stage { peers, own, folder, rounds });
        if let Err(error) = &result {
            eprintln!("FAILED: {error}");
        }
        played.push((scenario.name, begin.elapsed(), result.is_ok()));
    }
    conclude(&played)
}

/// Something that has to be so; `what` names it.
fn expect<T: PartialEq + Debug>(what: &str, found: T, expected: T) -> Outcome {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: {found:?}, not {expected:?}").into()),
    }
}

/// The scenarios of these names, or all.
pub(super) fn choose(names: &[&str]) -> Result<Vec<&'static Scenario>, Box<dyn Error>> {
    let find = |name: &&str| {
        let found = SCENARIOS.iter().find(|scenario| scenario.name == *name);
        found.ok_or_else(|| {
            format!("no scenario {name:?}; `cargo xtask peers --list` names them").into()
        })
    };
    match names {
        [] => Ok(SCENARIOS.iter().collect()),
        names => names.iter().map(find).collect(),
    }
}

fn conclude(played: &[(&str, Duration, bool)]) -> Outcome {
    eprintln!();
    for (name, time, is_good) in played {
        let word = if *is_good { "passed" } else { "FAILED" };
        eprintln!("{name:<14} {:>7.1} s  {word}", time.as_secs_f64());
    }
    match played.iter().filter(|(.., is_good)| !is_good).count() {
        0 => Ok(()),
        failed => Err(format!("{failed} of {} scenarios failed", played.len()).into()),
    }
}
