//! Every subject by every kind of key: signed while the log is down, logged when it is there, verified with a kit.

use super::expect;
use crate::Outcome;
use crate::peers::log_server::LogServer;
use crate::peers::stage::Stage;
use crate::peers::user::User;

const LAW: &str = "law.txt.provenance.json";

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let (mut log, site) = (stage.log()?, stage.site()?);
    for algorithm in ["es256", "ed25519"] {
        let user = stage.user(algorithm)?;
        user.genten(&format!("key new --alg {algorithm}"))?;
        user.describe(&log, "--read-url ../log/tiles")?;
        log.kill();
        user.sign("law.txt", "--class static --log log.toml")?;
        let readings = user.fetch(&site, "reading", 3, "--class realtime --log log.toml")?;
        let status = user.status()?;
        expect("a manifest, a content and a batch wait", status.count("queued"), 3)?;
        expect("for this reason", status.reason(), "rekor.submit.unreached")?;

        log.start(&[])?;
        user.genten("log flush")?;
        expect("entries of the law", user.subjects(LAW)?, vec!["content", "manifest"])?;
        for reading in &readings {
            expect("entries of a reading", user.subjects(reading)?, vec!["batch"])?;
        }
        verify(&user, &log)?;
    }
    Ok(())
}

fn verify(user: &User<'_>, log: &LogServer<'_>) -> Outcome {
    user.trust(&[&log.key().to_vkey()])?;
    user.accepts(LAW, &["log", "log.content"])?;
    expect("accepted bundles", user.accepts(".", &["log"])?.len(), 4)
}
