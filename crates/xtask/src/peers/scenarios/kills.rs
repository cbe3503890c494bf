//! `genten log flush` killed again and again while it sends to a log: before it sends, while the log has the entries and we
//! do not know it, while it stores what came back.

use std::process::Child;

use super::{expect, once_each};
use crate::Outcome;
use crate::peers::kills::{Watched, kill_within, wait_until};
use crate::peers::log_server::LogServer;
use crate::peers::stage::Stage;
use crate::peers::user::User;

const ROUNDS: u32 = 25;

/// New manifests of each round.
const MANIFESTS: u32 = 4;

/// The moments at which processes died, by what they had done.
#[derive(Debug, Default)]
struct Moments {
    before_sending: u32,
    under_way: u32,
    some_stored: u32,
    bundles_lacking: u32,
    after_all: u32,
}

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let (mut log, site) = (stage.log()?, stage.site()?);
    log.start(&[])?;
    let user = stage.user("user")?;
    user.describe(&log, "--read-url ../log/tiles")?;
    let (mut bundles, mut moments) = (Vec::new(), Moments::default());
    for round in 0..stage.rounds(ROUNDS) {
        bundles.extend(user.queue(&site, &format!("law-{round}"), MANIFESTS, "log.toml")?);
        let logged = user.status()?.count("logged");
        kill(round, &mut user.start("log flush")?, &user, &log)?;
        moments.count(&user, logged)?;
    }
    eprintln!("{moments:?}");
    user.flush_all()?;
    user.trust(&[&log.key().to_vkey()])?;
    expect("accepted bundles", user.accepts(".", &["log"])?.len(), bundles.len())?;
    once_each(&user, &bundles, &log)
}

/// Each third dies as it begins, each third at any time, and each third as it stores what the log has answered.
fn kill(round: u32, flush: &mut Child, user: &User<'_>, log: &LogServer<'_>) -> Outcome {
    match round % 3 {
        0 => kill_within(flush, 100),
        1 => kill_within(flush, 1500),
        _ => {
            let size = log.size()?;
            wait_until(flush, || Ok(log.size()? > size))?;
            let journal = Watched::new(user.path("home/journal.db-wal"));
            wait_until(flush, || Ok(journal.has_changed()))?;
            kill_within(flush, 60)
        }
    }
}

impl Moments {
    /// `logged` is how many entries had come back before.
    fn count(&mut self, user: &User<'_>, logged: u64) -> Outcome {
        let status = user.status()?;
        let waits = ["queued", "sent"].map(|state| status.count(state) > 0);
        let counter = match (waits, status.count("logged") > logged) {
            ([true, false], false) => &mut self.before_sending,
            ([_, true], false) => &mut self.under_way,
            ([true, _] | [_, true], true) => &mut self.some_stored,
            _ if status.count("bundles_to_complete") > 0 => &mut self.bundles_lacking,
            _ => &mut self.after_all,
        };
        *counter += 1;
        Ok(())
    }
}
