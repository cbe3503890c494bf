//! A new shard by the documents of Sigstore: the signing config names the log, the trusted root its key. Each shard has one
//! address for writing and reading, as public logs have.

use std::error::Error;
use std::net::TcpListener;

use super::expect;
use crate::Outcome;
use crate::peers::cosign::{KnownLog, trusted_root};
use crate::peers::log_server::LogServer;
use crate::peers::site::Site;
use crate::peers::stage::Stage;
use crate::peers::user::User;
use crate::repository::output;

const BEFORE: &str = "before.txt.provenance.json";
const AFTER: &str = "after.txt.provenance.json";

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let mut old = Shard::start(stage, "old", "2026-01-01T00:00:00Z")?;
    let new = Shard::start(stage, "new", "2026-02-01T00:00:00Z")?;
    let user = stage.user("user")?;
    let logs = [old.known(), new.known()];
    trusted_root(stage.peers, &user.path("trusted_root.json"), &logs, None)?;
    signing_config(stage, &user, &[&old])?;
    user.sign("before.txt", "--class static --log signing_config.json")?;
    sent_by_another(stage, &user)?;

    old.log.start(&["--read-only"])?;
    user.sign("after.txt", "--class static --log signing_config.json")?;
    expect("queued entries", user.status()?.count("queued"), 2)?;
    signing_config(stage, &user, &[&old, &new])?;
    user.genten("log flush")?;

    user.trust(&[])?;
    user.genten("trust add-root kit.json trusted_root.json")?;
    for (bundle, shard) in [(BEFORE, &old), (AFTER, &new)] {
        user.accepts(bundle, &["log", "log.content"])?;
        for entry in user.entries(bundle)? {
            expect("the log of the entry", entry.origin.as_str(), shard.log.key().name())?;
        }
    }
    Ok(())
}

/// Another home sends the manifest without its evidence again, so that its proof is read where a public log is read.
fn sent_by_another(stage: &Stage<'_>, user: &User<'_>) -> Outcome {
    let other = stage.user("other")?;
    other.write("bare.json", user.bare(BEFORE)?)?;
    other.genten("log init log.toml --signing-config ../user/signing_config.json --trusted-root ../user/trusted_root.json")?;
    other.genten("log submit bare.json --log log.toml")?;
    expect("the place of the entry", &other.entries("bare.json")?[..], &user.entries(BEFORE)?[..1])
}

/// A log behind its public address, and since when it takes entries.
struct Shard<'p> {
    log: LogServer<'p>,
    since: &'static str,
    url: String,
}

impl<'p> Shard<'p> {
    fn start(stage: &Stage<'p>, name: &str, since: &'static str) -> Result<Self, Box<dyn Error>> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let origin = listener.local_addr()?.to_string();
        let mut log = LogServer::new(stage.peers, &stage.folder.join(name), &origin)?;
        log.start(&[])?;
        let url = Site::of_log(listener, &log.tiles(), log.port())?.url();
        Ok(Self { log, since, url })
    }

    fn known(&self) -> KnownLog {
        KnownLog { url: self.url.clone(), key: self.log.key(), since: self.since }
    }
}

fn signing_config(stage: &Stage<'_>, user: &User<'_>, shards: &[&Shard<'_>]) -> Outcome {
    let mut cosign = stage.peers.command("cosign");
    cosign.args(["signing-config", "create", "--rekor-config=ANY"]);
    for Shard { url, since, .. } in shards {
        let service = format!("url={url},api-version=2,start-time={since},operator=local");
        cosign.arg(format!("--rekor={service}"));
    }
    output(cosign.arg("--out").arg(user.path("signing_config.json"))).map(drop)
}
