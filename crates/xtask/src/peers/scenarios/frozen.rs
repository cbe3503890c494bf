//! A log that takes no more entries, and the next one in its place.

use super::expect;
use crate::Outcome;
use crate::peers::stage::Stage;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let (mut log, mut next) = (stage.log()?, stage.next_log()?);
    log.start(&[])?;
    let user = stage.user("user")?;
    user.describe(&log, "--read-url ../log/tiles")?;
    user.sign("before.txt", "--class static --log log.toml")?;

    log.start(&["--read-only"])?;
    user.sign("after.txt", "--class static --log log.toml")?;
    user.refused("log flush")?;
    expect("queued entries", user.status()?.count("queued"), 2)?;
    expect("why", user.status()?.reason(), "rekor.submit.frozen")?;

    next.start(&[])?;
    std::fs::remove_file(user.path("log.toml"))?;
    user.describe(&next, "--read-url ../next-log/tiles")?;
    user.genten("log flush")?;

    user.trust(&[&log.key().to_vkey(), &next.key().to_vkey()])?;
    for (name, log) in [("before", &log), ("after", &next)] {
        let bundle = format!("{name}.txt.provenance.json");
        user.accepts(&bundle, &["log", "log.content"])?;
        for entry in user.entries(&bundle)? {
            expect("the log of the entry", entry.origin.as_str(), log.key().name())?;
        }
    }
    Ok(())
}
