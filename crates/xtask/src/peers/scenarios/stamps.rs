//! A timestamp authority beside the log: the signature of each entry about a manifest or a batch is stamped.

use genten_manifest::{EvidenceKind, Subject};
use serde_json::json;

use super::expect;
use crate::Outcome;
use crate::peers::stage::Stage;
use crate::peers::user::User;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let (mut log, authority) = (stage.log()?, stage.authority()?);
    log.start(&[])?;
    for algorithm in ["es256", "ed25519"] {
        let user = stage.user(algorithm)?;
        user.genten(&format!("key new --alg {algorithm}"))?;
        user.write("tsa.pem", &authority.chain)?;
        user.describe(&log, &format!("--tsa-url {} --tsa-chain tsa.pem", authority.url()))?;
        user.trust(&[&log.key().to_vkey()])?;
        user.genten("trust add-tsa kit.json tsa.pem --name real")?;

        user.sign("reading.txt", "--class realtime --log log.toml")?;
        is_stamped(&user, "reading.txt.provenance.json", Subject::Batch)?;
        // The law's content has an entry too, which nobody stamps: a bundle takes no timestamp about it.
        user.sign("law.txt", "--class static --log log.toml")?;
        is_stamped(&user, "law.txt.provenance.json", Subject::Manifest)?;
        user.accepts("law.txt.provenance.json", &["log.content"])?;
    }
    Ok(())
}

/// The bundle has one timestamp, about this, and the verifier takes its time.
fn is_stamped(user: &User<'_>, bundle: &str, subject: Subject) -> Outcome {
    let found = user.bundle(bundle)?;
    let stamps = found.evidence().iter().filter_map(|item| match item.kind() {
        EvidenceKind::Rfc3161(stamp) => Some(stamp.subject),
        _ => None,
    });
    expect(&format!("timestamps in {bundle}"), stamps.collect::<Vec<_>>(), vec![subject])?;
    let time = &user.accepts(bundle, &["log", "time"])?[0]["trusted_time"];
    expect("who says the time", &time["source"], &json!("real"))?;
    expect("how", &time["basis"], &json!("timestamped"))
}
