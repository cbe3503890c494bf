//! Two witnesses, both of whom have to see what the log publishes.

use serde_json::json;

use super::expect;
use crate::Outcome;
use crate::peers::stage::Stage;
use crate::peers::witness::{Witness, policy_of_all};
use crate::peers::world::{ORIGIN, WITNESSES};

const LAW: &str = "law.txt.provenance.json";

const POLICY: &str = r#"version = 1
name = "witnessed"
base = "mcp11"

[require]
default = ["signature", "signer", "content", "log", "log.content", "time", "witness"]
"#;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let [one, two] = WITNESSES.map(|name| Witness::start(stage.peers, &stage.folder, name, ORIGIN));
    let witnesses = [one?, two?];
    let policy = policy_of_all(ORIGIN, &witnesses);
    let mut log = stage.log()?.witnessed_by(&policy)?;
    log.start(&[])?;
    let user = stage.user("user")?;
    user.write("policy.txt", &policy)?;
    user.write("witnessed.toml", POLICY)?;
    user.describe(&log, "--read-url ../log/tiles --policy policy.txt")?;
    user.sign("law.txt", "--class static --log log.toml")?;
    user.trust(&["policy.txt"])?;
    for policy in ["witnessed.toml", "high-trust"] {
        let reports = user.verify(&format!("{LAW} --trust kit.json --policy {policy}"))?;
        expect(
            "who has seen the manifest's entry",
            &reports[0]["logged"][0]["witnesses"],
            &json!(["w1", "w2"]),
        )?;
        expect("who says the time", &reports[0]["trusted_time"]["basis"], &json!("witnessed"))?;
    }
    Ok(())
}
