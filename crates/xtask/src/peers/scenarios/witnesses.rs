//! Two witnesses, both of whom have to see what the log publishes.

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
    user.accepts_by(LAW, "witnessed.toml")?;
    expect("the built-in policy accepts it too", user.accepts_by(LAW, "high-trust")?, 1)
}
