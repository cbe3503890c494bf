//! cosign, another reader of the bundles that we write.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use genten_jws::{Algorithm, Signer as _};
use genten_tlog::NoteKey;

use super::install::Programs;
use super::servers::Servers;
use super::world::{ORIGIN, log_key, signer};
use crate::Outcome;
use crate::repository::{cargo, output};

/// The logs of this module begin long before any run.
const BEGINNING: &str = "2026-01-01T00:00:00Z";

/// What is compared with a key and a trusted root.
pub(super) struct Blob<'f> {
    pub(super) key: &'f Path,
    pub(super) bundle: &'f Path,
    pub(super) artifact: &'f Path,
    /// Whether a timestamp is asked for.
    pub(super) is_stamped: bool,
}

/// A log as a trusted root names it.
pub(super) struct KnownLog {
    pub(super) url: String,
    pub(super) key: NoteKey,
    /// Since when it is used (RFC 3339).
    pub(super) since: &'static str,
}

impl KnownLog {
    /// A log whose address nobody needs. Origins are taken from addresses.
    pub(super) fn without_address(key: NoteKey) -> Self {
        Self { url: format!("http://{}", key.name()), key, since: BEGINNING }
    }
}

/// What `genten export --to sigstore` makes of a recorded bundle holds for what was signed, and for nothing else.
pub(super) fn check(
    programs: &Programs,
    servers: &Servers<'_>,
    made: &Path,
    folder: &Path,
) -> Outcome {
    fs::create_dir_all(folder)?;
    let root = folder.join("trusted_root.json");
    let log = KnownLog::without_address(log_key(ORIGIN));
    trusted_root(programs, &root, &[log], Some(&servers.tsa_chain))?;
    let key = folder.join("signer.pem");
    fs::write(&key, signer(Algorithm::Es256, "es256").public_key().to_spki_pem())?;
    let (bundle, artifact) = export(&made.join("es256.txt.provenance.json"), folder)?;
    let blob = Blob { key: &key, bundle: &bundle, artifact: &artifact, is_stamped: true };
    holds(programs, &root, &blob)?;
    eprintln!("cosign: the exported bundle is verified, a changed artifact is not");
    Ok(())
}

/// Writes a trusted root of logs and a timestamp authority. The keys are written beside it.
pub(super) fn trusted_root(
    programs: &Programs,
    file: &Path,
    logs: &[KnownLog],
    tsa_chain: Option<&str>,
) -> Outcome {
    let mut cosign = programs.command("cosign");
    cosign.args(["trusted-root", "create"]);
    for (number, KnownLog { url, key, since }) in logs.iter().enumerate() {
        let pem = file.with_extension(format!("log-{number}.pem"));
        fs::write(&pem, key.key().to_spki_pem())?;
        let (pem, origin) = (pem.display(), key.name());
        cosign
            .arg(format!("--rekor=url={url},public-key={pem},start-time={since},origin={origin}"));
    }
    if let Some(chain) = tsa_chain {
        let pem = file.with_extension("tsa.pem");
        fs::write(&pem, chain)?;
        let (url, pem) = ("http://tsa.genten.example", pem.display());
        cosign.arg(format!("--tsa=url={url},certificate-chain={pem},start-time={BEGINNING}"));
    }
    output(cosign.arg("--out").arg(file)).map(drop)
}

/// cosign verifies the bundle for its artifact, and for no other.
pub(super) fn holds(programs: &Programs, root: &Path, blob: &Blob<'_>) -> Outcome {
    verify_blob(programs, root, blob)?;
    let changed = blob.artifact.with_extension("changed");
    let mut bytes = fs::read(blob.artifact)?;
    *bytes.last_mut().ok_or("an empty artifact")? ^= 1;
    fs::write(&changed, bytes)?;
    match verify_blob(programs, root, &Blob { artifact: &changed, ..*blob }) {
        Ok(()) => Err("cosign accepts the bundle for a changed artifact".into()),
        Err(error) if error.to_string().contains("invalid signature") => Ok(()),
        Err(error) => Err(error),
    }
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

fn verify_blob(programs: &Programs, root: &Path, blob: &Blob<'_>) -> Outcome {
    let mut cosign = programs.command("cosign");
    cosign.args(["verify-blob", "--key"]).arg(blob.key);
    cosign.arg(format!("--use-signed-timestamps={}", blob.is_stamped));
    cosign.arg("--bundle").arg(blob.bundle).arg("--trusted-root").arg(root).arg(blob.artifact);
    output(&mut cosign).map(drop)
}
