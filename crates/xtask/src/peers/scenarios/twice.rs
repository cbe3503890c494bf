//! One entry, whoever sends it again: the log answers that it has it (409), and the proof is read from its tiles.

use std::fs;

use super::expect;
use crate::Outcome;
use crate::peers::log_server::LogServer;
use crate::peers::site::Site;
use crate::peers::stage::Stage;
use crate::peers::user::User;

const LAW: &str = "law.txt.provenance.json";

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let mut log = stage.log()?;
    let site = Site::of_folder(&log.tiles())?;
    for (number, algorithm) in (0..).zip(["es256", "ed25519"]) {
        log.start(&[])?;
        let first = stage.user(&format!("{algorithm}-first"))?;
        first.genten(&format!("key new --alg {algorithm}"))?;
        first.sign("law.txt", "--log none")?;
        let second =
            with_the_same(stage, &format!("{algorithm}-second"), &first, &log, "../log/tiles")?;
        let third = with_the_same(stage, &format!("{algorithm}-third"), &first, &log, &site.url())?;

        sends_twice(&first, &log)?;
        sends(&second)?;
        // What the log remembers while it runs is no longer there.
        log.start(&[])?;
        sends(&third)?;

        expect("entries in the log", log.size()?, number + 1)?;
        for user in [&first, &second, &third] {
            let places: Vec<_> = user.entries(LAW)?.iter().map(|entry| entry.index).collect();
            expect("the place of the law", places, vec![number])?;
            user.trust(&[&log.key().to_vkey()])?;
            user.accepts(LAW, &["log"])?;
        }
    }
    Ok(())
}

/// Another home with the same key and the same manifest.
fn with_the_same<'s>(
    stage: &'s Stage<'_>,
    name: &str,
    first: &User<'_>,
    log: &LogServer<'_>,
    read_url: &str,
) -> Result<User<'s>, Box<dyn std::error::Error>> {
    let user = stage.user(name)?;
    for file in ["law.txt", LAW] {
        fs::copy(first.path(file), user.path(file))?;
    }
    fs::copy(first.path("home/keys/default.pem"), user.path("key.pem"))?;
    user.genten("key new --from key.pem")?;
    user.describe(log, &format!("--read-url {read_url}"))?;
    Ok(user)
}

/// One process sends the entry to a log that two files describe.
fn sends_twice(user: &User<'_>, log: &LogServer<'_>) -> Outcome {
    for file in ["log.toml", "same-log.toml"] {
        user.describe_as(file, log, "--read-url ../log/tiles")?;
        user.genten(&format!("log submit {LAW} --log {file} --queue"))?;
    }
    user.genten("log flush").map(drop)
}

fn sends(user: &User<'_>) -> Outcome {
    user.genten(&format!("log submit {LAW} --log log.toml")).map(drop)
}
