//! Real peers: a Rekor v2 log with two witnesses, a timestamp authority, cosign and an independent check of log folders.
//!
//! `cargo xtask peers` installs them (pinned versions, into `peers/go`, which git ignores), starts them on free ports of this
//! machine, lets them log and stamp what our own code signs, and holds everything that comes back against our verifier.
//! With `--record` the bundles become `testdata/live`.

mod bundles;
mod cosign;
mod fsck;
mod http;
mod install;
mod kit;
mod servers;
mod world;

pub(crate) use install::has_go;

use std::path::Path;

use crate::Outcome;
use crate::repository::root;

/// Whether the peers ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    Yes,
    /// Without Go there are none.
    NoGo,
}

/// Runs the peers; `record` keeps what they gave.
pub(crate) fn run(record: bool) -> Result<Ran, Box<dyn std::error::Error>> {
    if !has_go() {
        eprintln!("SKIPPED: real peers need Go 1.26 or newer");
        return Ok(Ran::NoGo);
    }
    let programs = install::all()?;
    let folder = root().join("peers/run");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let servers = servers::Servers::start(&programs, &folder)?;
    let made = bundles::make(&servers)?;
    let out = if record { root().join("testdata/live") } else { folder.join("live") };
    made.write(&out)?;
    check(&out)?;
    fsck::check(&programs, &servers)?;
    cosign::check(&programs, &servers, &out, &folder.join("cosign"))?;
    Ok(Ran::Yes)
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
