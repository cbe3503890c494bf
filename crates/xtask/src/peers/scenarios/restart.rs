//! The log dies while much is being sent to it, and comes back.

use super::{expect, once_each};
use crate::Outcome;
use crate::peers::kills::wait_until;
use crate::peers::stage::Stage;

const MANIFESTS: u32 = 50;

/// So many entries are in when the log dies: some are answered, others are under way.
const BEFORE: u64 = 10;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let (mut log, site) = (stage.log()?, stage.site()?);
    log.start(&[])?;
    let user = stage.user("user")?;
    user.describe(&log, "--read-url ../log/tiles")?;
    let bundles = user.queue(&site, "law", MANIFESTS, "log.toml")?;
    let mut flush = user.start("log flush")?;
    wait_until(&mut flush, || Ok(log.size()? >= BEFORE))?;
    log.kill();
    let size = log.size()?;
    log.start(&[])?;
    flush.wait()?;
    let logged = user.status()?.count("logged");
    let flushes = user.flush_all()?;
    expect("logged entries", user.status()?.count("logged"), u64::from(MANIFESTS))?;
    user.trust(&[&log.key().to_vkey()])?;
    expect("accepted bundles", user.accepts(".", &["log"])?.len(), bundles.len())?;
    eprintln!(
        "killed at {size} entries; {logged} logged by the first flush, all after {flushes} more"
    );
    once_each(&user, &bundles, &log)
}
