//! cosign reads what we logged, and we read what cosign logged.

use crate::Outcome;
use crate::peers::authority::Authority;
use crate::peers::cosign::{Blob, KnownLog, holds, trusted_root};
use crate::peers::log_server::LogServer;
use crate::peers::stage::Stage;
use crate::peers::user::User;
use crate::repository::output;

const LAW: &str = "law.txt.provenance.json";

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let (mut log, authority) = (stage.log()?, stage.authority()?);
    log.start(&[])?;
    let user = stage.user("user")?;
    user.write("tsa.pem", &authority.chain)?;
    user.describe(&log, &format!("--tsa-url {} --tsa-chain tsa.pem", authority.url()))?;
    user.sign("law.txt", "--log none")?;
    user.genten(&format!("log submit {LAW} law.txt --log log.toml"))?;
    user.trust(&[&log.key().to_vkey()])?;
    user.genten("trust add-tsa kit.json tsa.pem --name real")?;
    let known = KnownLog::without_address(log.key());
    trusted_root(stage.peers, &user.path("root.json"), &[known], Some(&authority.chain))?;

    manifest(stage, &user)?;
    content(stage, &user)?;
    of_cosign(stage, &user, &log, &authority)
}

/// The manifest: cosign is given the bytes that were signed.
fn manifest(stage: &Stage<'_>, user: &User<'_>) -> Outcome {
    user.genten(&format!(
        "export {LAW} --to sigstore --output law.sigstore.json --artifact signing-input"
    ))?;
    let [key, bundle, artifact] =
        ["signer.pem", "law.sigstore.json", "signing-input"].map(|name| user.path(name));
    let blob = Blob { key: &key, bundle: &bundle, artifact: &artifact, is_stamped: true };
    holds(stage.peers, &user.path("root.json"), &blob)?;
    eprintln!("cosign verifies the manifest that we logged");
    Ok(())
}

/// The content: cosign is given the document itself.
fn content(stage: &Stage<'_>, user: &User<'_>) -> Outcome {
    user.genten("log proof law.txt --sigstore --output content.sigstore.json")?;
    let [key, bundle, artifact] =
        ["content.pem", "content.sigstore.json", "law.txt"].map(|name| user.path(name));
    let blob = Blob { key: &key, bundle: &bundle, artifact: &artifact, is_stamped: false };
    holds(stage.peers, &user.path("root.json"), &blob)?;
    user.verify("content.sigstore.json --artifact law.txt --key content.pem --trust kit.json")?;
    eprintln!("cosign verifies the document whose content we logged");
    Ok(())
}

/// A document that cosign signed, logged and stamped with the same servers.
fn of_cosign(
    stage: &Stage<'_>,
    user: &User<'_>,
    log: &LogServer<'_>,
    authority: &Authority,
) -> Outcome {
    let cosign = || {
        let mut cosign = stage.peers.command("cosign");
        cosign.current_dir(user.path(".")).env("COSIGN_PASSWORD", "");
        cosign
    };
    let since = "start-time=2026-01-01T00:00:00Z,operator=local";
    output(
        cosign()
            .args(["signing-config", "create", "--rekor-config=ANY", "--tsa-config=ANY"])
            .arg(format!("--rekor=url={},api-version=2,{since}", log.url()))
            .arg(format!("--tsa=url={},api-version=1,{since}", authority.url()))
            .args(["--out", "signing_config.json"]),
    )?;
    output(cosign().arg("generate-key-pair"))?;
    output(
        cosign()
            .args(["sign-blob", "--yes", "--key", "cosign.key", "--bundle", "of-cosign.json"])
            .args(["--signing-config", "signing_config.json", "law.txt"]),
    )?;
    user.verify("of-cosign.json --artifact law.txt --key cosign.pub --trust kit.json")?;
    user.verify("of-cosign.json --artifact law.txt --key cosign.pub --trust root.json")?;
    eprintln!("verify accepts the document that cosign logged");
    Ok(())
}
