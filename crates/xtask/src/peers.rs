//! Real peers: a Rekor v2 log with two witnesses, a timestamp authority, a log of certificates, cosign and an independent
//! check of log folders.
//!
//! `cargo xtask peers` installs them (pinned versions, into `peers/go`, which git ignores) and starts them on free ports of
//! this machine. They log and stamp what our own code signs, and everything that comes back is held against our verifier:
//! with `--record` these bundles become `testdata/live`. In the scenarios our programs are used with them as users do.
//! Whatever was left behind by a run lies in `peers/run`.

mod authority;
mod bundles;
mod cosign;
mod fsck;
mod http;
mod install;
mod kills;
mod kit;
mod log_server;
mod process;
mod reading;
mod scenarios;
mod servers;
mod site;
mod stage;
mod tesseract;
mod user;
mod witness;
mod world;

pub(crate) use install::has_go;

use std::error::Error;
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::repository::root;
use install::Programs;

/// Whether the peers ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    Yes,
    /// Without Go there are none.
    NoGo,
}

/// Everything, once: the recorded world, and all scenarios.
pub(crate) fn all() -> Result<Ran, Box<dyn Error>> {
    match record(false)? {
        Ran::Yes => play(&[]),
        Ran::NoGo => Ok(Ran::NoGo),
    }
}

/// The recorded world; `keep` makes it `testdata/live`.
pub(crate) fn record(keep: bool) -> Result<Ran, Box<dyn Error>> {
    let Some(programs) = programs()? else { return Ok(Ran::NoGo) };
    let folder = fresh("recorded")?;
    let servers = servers::Servers::start(&programs, &folder)?;
    let made = bundles::make(&servers)?;
    let out = if keep { root().join("testdata/live") } else { folder.join("live") };
    made.write(&out)?;
    check(&out)?;
    fsck::check(&programs, &servers.log_folder, &world::log_key(world::ORIGIN))?;
    eprintln!("fsck: the log folder is sound");
    cosign::check(&programs, &servers, &out, &folder.join("cosign"))?;
    Ok(Ran::Yes)
}

/// The scenarios of these names, or all; `--rounds N` among the words says how often what is repeated is.
pub(crate) fn play(words: &[&str]) -> Result<Ran, Box<dyn Error>> {
    let (names, rounds) = match words {
        [names @ .., "--rounds", rounds] => {
            (names, Some(rounds.parse().map_err(|_| format!("--rounds {rounds}: no number"))?))
        }
        names => (names, None),
    };
    // A wrong name is told before minutes of building.
    let chosen = scenarios::choose(names)?;
    let Some(programs) = programs()? else { return Ok(Ran::NoGo) };
    let own = install::own(&fresh("bin")?)?;
    scenarios::play(&chosen, &programs, &own, &run_folder(), rounds)?;
    Ok(Ran::Yes)
}

/// Names the scenarios.
pub(crate) fn list() -> Outcome {
    scenarios::list();
    Ok(())
}

fn programs() -> Result<Option<Programs>, Box<dyn Error>> {
    let programs = install::all()?;
    if programs.is_none() {
        eprintln!("SKIPPED: real peers are built with Go 1.26 or newer, and there is none");
    }
    Ok(programs)
}

fn run_folder() -> PathBuf {
    root().join("peers/run")
}

/// An empty folder for files of a run.
fn fresh(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let folder = run_folder().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Everything that was made is accepted by our verifier, under a policy that asks for all of it.
fn check(folder: &Path) -> Outcome {
    let kit = genten_verify::TrustKit::read(&std::fs::read(folder.join("trust.json"))?)?;
    let policy = std::fs::read_to_string(folder.join("policy.toml"))?;
    let policy = genten_verify::Policy::read(&policy)?;
    let trust = genten_verify::Trust { kit, ..Default::default() };
    let verifier = genten_verify::Verifier::new(trust, policy);
    let now = genten_primitives::Timestamp::from_system_time(std::time::SystemTime::now())
        .ok_or("the clock is out of range")?;
    for name in bundles::NAMES {
        let bundle = std::fs::read(folder.join(format!("{name}.provenance.json")))?;
        let body = genten_verify::Body::of(&std::fs::read(folder.join(name))?);
        let report = verifier.verify_bytes(&bundle, &body, now);
        if report.verdict != genten_verify::Verdict::Accept {
            return Err(report.to_text(name, &Default::default()).into());
        }
        eprintln!("accepted: {name}");
    }
    Ok(())
}
