//! Two witnesses, both of whom have to see what the log publishes.

use serde_json::json;

use super::expect;
use crate::Outcome;
use crate::peers::stage::Stage;
use crate::peers::user::User;
use crate::peers::witness::{Witness, policy_of_all};
use crate::peers::world::{ORIGIN, WITNESSES};

const POLICY: &str = r#"version = 1
name = "witnessed"
base = "mcp11"

[require]
default = ["signature", "signer", "content", "log", "log.content", "time", "witness"]
"#;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let start = |name| Witness::start(stage.peers, &stage.folder, name, ORIGIN);
    let [one, two] = [start(WITNESSES[0])?, start(WITNESSES[1])?];
    let port = two.port();
    let witnesses = [one, two];
    let policy = policy_of_all(ORIGIN, &witnesses);
    let mut log = stage.log()?.witnessed_by(&policy)?;
    log.start(&[])?;
    let user = stage.user("user")?;
    user.write("policy.txt", &policy)?;
    user.write("witnessed.toml", POLICY)?;
    user.describe(&log, "--read-url ../log/tiles --policy policy.txt")?;
    user.trust(&["policy.txt"])?;
    user.sign("law.txt", "--class static --log log.toml")?;
    is_witnessed(&user, "law.txt.provenance.json")?;

    // Without the second witness this server publishes all the same; our client does not take it for logged.
    let [_one, two] = witnesses;
    drop(two);
    user.sign("late.txt", "--class static --log log.toml")?;
    expect("queued entries", user.status()?.count("queued"), 2)?;
    expect("why", user.status()?.reason(), "rekor.submit.no-quorum")?;

    // The server asks witnesses again when there is something new.
    let _two = Witness::on_port(stage.peers, &stage.folder, WITNESSES[1], ORIGIN, port)?;
    user.sign("next.txt", "--class static --log log.toml")?;
    user.flush_all()?;
    is_witnessed(&user, "late.txt.provenance.json")?;
    is_witnessed(&user, "next.txt.provenance.json")
}

fn is_witnessed(user: &User<'_>, bundle: &str) -> Outcome {
    for policy in ["witnessed.toml", "high-trust"] {
        let report = &user.verify(&format!("{bundle} --trust kit.json --policy {policy}"))?[0];
        let witnesses = &report["logged"][0]["witnesses"];
        expect("who has seen the manifest's entry", witnesses, &json!(["w1", "w2"]))?;
        expect("who says the time", &report["trusted_time"]["basis"], &json!("witnessed"))?;
    }
    Ok(())
}
