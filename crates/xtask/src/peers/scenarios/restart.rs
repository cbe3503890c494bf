//! The log dies while much is being sent to it, and comes back.

use super::{expect, once_each};
use crate::Outcome;
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
    while log.size()? < BEFORE && flush.try_wait()?.is_none() {
        std::thread::yield_now();
    }
    log.kill();
    log.start(&[])?;
    flush.wait()?;
    let flushes = user.flush_all()?;
    expect("logged entries", user.status()?.count("logged"), u64::from(MANIFESTS))?;
    user.trust(&[&log.key().to_vkey()])?;
    expect("accepted bundles", user.accepts(".", &["log"])?.len(), bundles.len())?;
    eprintln!("complete after the restart and {flushes} more flushes");
    once_each(&user, &bundles, &log)
}
