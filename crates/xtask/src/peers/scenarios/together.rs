//! Two processes that flush one home at the same time, to a real log and to the home's own.

use genten_store::log::LogFolder;

use super::{expect, once_each};
use crate::Outcome;
use crate::peers::reading;
use crate::peers::stage::Stage;
use crate::peers::user::User;

const MANIFESTS: u32 = 200;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let (mut log, site) = (stage.log()?, stage.site()?);
    log.start(&[])?;
    let user = stage.user("user")?;
    user.describe(&log, "--read-url ../log/tiles")?;
    let description = std::fs::read_to_string(user.path("log.toml"))?;
    user.write("log.toml", format!("parallel = 64\n{description}"))?;
    let bundles = user.queue(&site, "law", MANIFESTS, "log.toml")?;
    flush_twice(&user)?;
    user.trust(&[&log.key().to_vkey()])?;
    expect("accepted bundles", user.accepts(".", &["log"])?.len(), bundles.len())?;
    once_each(&user, &bundles, &log)?;
    at_home(stage)
}

/// Two at once, and one that looks after what they left.
fn flush_twice(user: &User<'_>) -> Outcome {
    let both = [user.start("log flush")?, user.start("log flush")?];
    for mut flush in both {
        flush.wait()?;
    }
    user.genten("log flush")?;
    expect("logged entries", user.status()?.count("logged"), u64::from(MANIFESTS))
}

fn at_home(stage: &Stage<'_>) -> Outcome {
    let (user, site) = (stage.user("at-home")?, stage.site()?);
    let bundles = user.queue(&site, "law", MANIFESTS, "local")?;
    flush_twice(&user)?;
    let (tiles, key) = (user.path("home/log"), LogFolder::stated_key(user.path("home/log"))?);
    user.trust(&[&key.to_vkey()])?;
    expect("accepted bundles", user.accepts(".", &["log"])?.len(), bundles.len())?;
    let entries = reading::entries(&tiles, &key)?;
    expect("entries", (entries.len(), reading::repeated(&entries)), (bundles.len(), Vec::new()))
}
