//! cosign reads what `genten export --to sigstore` makes of a recorded bundle.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use genten_jws::{Algorithm, Signer as _};

use super::install::Programs;
use super::servers::Servers;
use super::world::{ORIGIN, log_key, signer};
use crate::Outcome;
use crate::repository::{cargo, output};

/// The recorded world begins long before this run.
const BEGINNING: &str = "2026-01-01T00:00:00Z";

/// The exported bundle holds for what was signed, and for nothing else.
pub(super) fn check(
    programs: &Programs,
    servers: &Servers<'_>,
    made: &Path,
    folder: &Path,
) -> Outcome {
    fs::create_dir_all(folder)?;
    let root = trusted_root(programs, servers, folder)?;
    let key = folder.join("signer.pem");
    fs::write(&key, signer(Algorithm::Es256, "es256").public_key().to_spki_pem())?;
    let (bundle, artifact) = export(&made.join("es256.txt.provenance.json"), folder)?;
    verify_blob(programs, &root, &key, &bundle, &artifact)?;
    let changed = folder.join("changed");
    let mut bytes = fs::read(&artifact)?;
    *bytes.last_mut().ok_or("an empty artifact")? ^= 1;
    fs::write(&changed, bytes)?;
    match verify_blob(programs, &root, &key, &bundle, &changed) {
        Ok(()) => Err("cosign accepts the bundle for a changed artifact".into()),
        Err(error) if error.to_string().contains("invalid signature") => {
            eprintln!("cosign: the exported bundle is verified, a changed artifact is not");
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// The log and the authority in the form of a Sigstore trusted root.
fn trusted_root(
    programs: &Programs,
    servers: &Servers<'_>,
    folder: &Path,
) -> Result<PathBuf, Box<dyn Error>> {
    let [key, chain, root] =
        ["log.pem", "tsa.pem", "trusted_root.json"].map(|name| folder.join(name));
    fs::write(&key, log_key(ORIGIN).key().to_spki_pem())?;
    fs::write(&chain, &servers.tsa_chain)?;
    let mut cosign = programs.command("cosign");
    cosign
        .args(["trusted-root", "create"])
        .arg(format!(
            "--rekor=url=http://{ORIGIN},public-key={},start-time={BEGINNING},origin={ORIGIN}",
            key.display()
        ))
        .arg(format!(
            "--tsa=url=http://tsa.genten.example,certificate-chain={},start-time={BEGINNING}",
            chain.display()
        ))
        .arg("--out")
        .arg(&root);
    output(&mut cosign)?;
    Ok(root)
}

/// The bundle, and the bytes that its signature is over.
fn export(manifest: &Path, folder: &Path) -> Result<(PathBuf, PathBuf), Box<dyn Error>> {
    let (bundle, artifact) = (folder.join("es256.sigstore.json"), folder.join("signing-input"));
    let mut genten = cargo();
    genten
        .args(["run", "--quiet", "-p", "genten-cli", "--bin", "genten", "--", "export"])
        .arg(manifest)
        .args(["--to", "sigstore", "--output"])
        .arg(&bundle)
        .arg("--artifact")
        .arg(&artifact);
    output(&mut genten)?;
    Ok((bundle, artifact))
}

fn verify_blob(
    programs: &Programs,
    root: &Path,
    key: &Path,
    bundle: &Path,
    artifact: &Path,
) -> Outcome {
    let mut cosign = programs.command("cosign");
    cosign.args(["verify-blob", "--use-signed-timestamps", "--key"]).arg(key);
    cosign.arg("--bundle").arg(bundle).arg("--trusted-root").arg(root).arg(artifact);
    output(&mut cosign)?;
    Ok(())
}
