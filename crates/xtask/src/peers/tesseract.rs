//! A static log of Certificate Transparency: TesseraCT.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use genten_jws::Algorithm;
use genten_primitives::encoding::{base64, from_base64};
use genten_primitives::{PublicKey, Sha256Digest};
use serde_json::{Value, json};

use super::http;
use super::install::Programs;
use super::process::{Running, free_port, wait};
use super::site::Site;
use super::world::{sec1_pem, secret};

const ORIGIN: &str = "ct.genten.example/2026";

/// A running log of certificates. Its tiles are served beside it, as they are by others than who takes the certificates.
pub(super) struct Tesseract {
    port: u16,
    tiles: Site,
    folder: PathBuf,
    _running: Running,
}

impl Tesseract {
    /// Starts a log that takes certificates below this root (PEM).
    pub(super) fn start(
        programs: &Programs,
        folder: &Path,
        root: &str,
    ) -> Result<Self, Box<dyn Error>> {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("roots.pem"), root)?;
        fs::write(folder.join("key.pem"), sec1_pem(ORIGIN))?;
        let (port, tiles) = (free_port()?, Site::of_folder(&folder.join("tiles"))?);
        let mut command = programs.command("tesseract");
        command
            .arg(format!("--http_endpoint=127.0.0.1:{port}"))
            .arg(format!("--origin={ORIGIN}"))
            .arg(format!("--private_key={}", folder.join("key.pem").display()))
            .arg(format!("--roots_pem_file={}", folder.join("roots.pem").display()))
            .arg(format!("--storage_dir={}", folder.join("tiles").display()));
        let running = Running::start(command, &folder.join("output.txt"))?;
        wait("the log of certificates", port, "/ct/v1/get-roots")?;
        Ok(Self { port, tiles, folder: folder.to_owned(), _running: running })
    }

    /// Has a certificate or a precertificate logged, with its chain (DER); gives the promise as lists of promises hold it
    /// (RFC 6962 sections 3.3 and 4.1).
    pub(super) fn add(
        &self,
        chain: &[Vec<u8>],
        is_precertificate: bool,
    ) -> Result<Vec<u8>, Box<dyn Error>> {
        let path = if is_precertificate { "/ct/v1/add-pre-chain" } else { "/ct/v1/add-chain" };
        let chain: Vec<_> = chain.iter().map(|der| base64(der)).collect();
        let body = json!({"chain": chain}).to_string();
        let answer = http::send("POST", self.port, path, "application/json", body.as_bytes())?;
        if answer.status != 200 {
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            return Err(format!("the log of certificates: {} {text}", answer.head).into());
        }
        let answer: Value = serde_json::from_slice(&answer.body)?;
        let member = |name: &str| {
            let text = answer[name].as_str().ok_or_else(|| format!("no {name} in the promise"))?;
            from_base64(text).map_err(|error| format!("{name} of the promise: {error}"))
        };
        let time = answer["timestamp"].as_u64().ok_or("no time in the promise")?.to_be_bytes();
        let (id, extensions, signature) =
            (member("id")?, member("extensions")?, member("signature")?);
        Ok([&[0][..], &id, &time, &vector(&extensions)?, &signature].concat())
    }

    /// A list of logs, version 3, with this one in it.
    pub(super) fn list(&self) -> String {
        let key = Self::key();
        let log = json!({
            "description": "TesseraCT",
            "log_id": base64(Sha256Digest::of(key.to_spki_der()).as_bytes()),
            "key": base64(key.to_spki_der()),
            "mmd": 60,
            "submission_url": format!("https://{ORIGIN}/"),
            "monitoring_url": format!("{}/", self.tiles.url()),
            "state": {"usable": {"timestamp": "2024-01-01T00:00:00Z"}},
        });
        let operator = json!({"name": "Genten Example", "logs": [], "tiled_logs": [log]});
        json!({"version": "1.0", "operators": [operator]}).to_string()
    }

    /// How many certificates its newest checkpoint covers, unverified.
    pub(super) fn size(&self) -> Result<u64, Box<dyn Error>> {
        let checkpoint = fs::read_to_string(self.folder.join("tiles/checkpoint"))?;
        Ok(checkpoint.lines().nth(1).ok_or("a checkpoint without a size")?.parse()?)
    }

    fn key() -> PublicKey {
        secret(Algorithm::Es256, ORIGIN).public_key().clone()
    }
}

/// A list of promises (SignedCertificateTimestampList).
pub(super) fn sct_list(promises: &[Vec<u8>]) -> Result<Vec<u8>, Box<dyn Error>> {
    let promises: Vec<_> = promises.iter().map(|one| vector(one)).collect::<Result<_, _>>()?;
    vector(&promises.concat())
}

/// `u16 length || content`
fn vector(content: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let length = u16::try_from(content.len())?.to_be_bytes();
    Ok([&length[..], content].concat())
}
