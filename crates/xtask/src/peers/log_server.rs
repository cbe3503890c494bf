//! A Rekor v2 log.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use genten_jws::Algorithm;
use genten_tlog::NoteKey;

use super::install::Programs;
use super::process::{Running, free_port, wait};
use super::reading;
use super::world::{log_key, secret};
use crate::Outcome;

/// A log with its folder. It can be killed and started again, in the same folder and on the same port.
pub(super) struct LogServer<'p> {
    programs: &'p Programs,
    folder: PathBuf,
    origin: String,
    port: u16,
    is_witnessed: bool,
    running: Option<Running>,
}

impl<'p> LogServer<'p> {
    /// A log that does not run yet.
    pub(super) fn new(
        programs: &'p Programs,
        folder: &Path,
        origin: &str,
    ) -> Result<Self, Box<dyn Error>> {
        fs::create_dir_all(folder)?;
        let key = secret(Algorithm::EdDsa, origin).to_pkcs8_pem();
        fs::write(folder.join("key.pem"), key.as_bytes())?;
        let (folder, origin) = (folder.to_owned(), origin.to_owned());
        let port = free_port()?;
        Ok(Self { programs, folder, origin, port, is_witnessed: false, running: None })
    }

    /// Asks these witnesses (C2SP tlog-policy, with URLs) before it publishes. Where they do not answer it publishes all the same.
    pub(super) fn witnessed_by(mut self, policy: &str) -> Result<Self, Box<dyn Error>> {
        // The server takes the lines about witnesses only.
        let lines: Vec<_> = policy.lines().filter(|line| !line.starts_with("log ")).collect();
        fs::write(self.witness_file(), lines.join("\n") + "\n")?;
        self.is_witnessed = true;
        Ok(self)
    }

    /// Starts it, with options of the program beside those that it always has.
    pub(super) fn start(&mut self, options: &[&str]) -> Outcome {
        self.kill();
        let mut command = self.programs.command("rekor-server");
        command
            .arg("serve")
            .arg(format!("--hostname={}", self.origin))
            .arg(format!("--storage-dir={}", self.tiles().display()))
            .arg(format!("--signer-filepath={}", self.folder.join("key.pem").display()))
            .arg("--http-address=127.0.0.1")
            .arg(format!("--http-port={}", self.port))
            .arg(format!("--grpc-port={}", free_port()?))
            .arg(format!("--http-metrics-port={}", free_port()?))
            .arg("--checkpoint-interval=1s")
            .arg("--persistent-antispam")
            .args(options);
        if self.is_witnessed {
            command.arg(format!("--witness-policy-path={}", self.witness_file().display()));
        }
        self.running = Some(Running::start(command, &self.folder.join("output.txt"))?);
        wait("the log", self.port, "/healthz")
    }

    /// Kills it, with nothing that it could do about it.
    pub(super) fn kill(&mut self) {
        self.running = None;
    }

    /// Where it listens on this machine.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Where it takes entries.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The folder with checkpoint and tiles.
    pub(super) fn tiles(&self) -> PathBuf {
        self.folder.join("tiles")
    }

    /// The key of its checkpoints.
    pub(super) fn key(&self) -> NoteKey {
        log_key(&self.origin)
    }

    /// How many entries its newest checkpoint covers.
    pub(super) fn size(&self) -> Result<u64, Box<dyn Error>> {
        reading::size(&self.tiles(), &self.key())
    }

    /// All its entries, in their order.
    pub(super) fn entries(&self) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
        reading::entries(&self.tiles(), &self.key())
    }

    fn witness_file(&self) -> PathBuf {
        self.folder.join("witnesses.txt")
    }
}
