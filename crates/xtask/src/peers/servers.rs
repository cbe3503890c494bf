//! The servers, started on free ports and stopped at the end, come what may.

use std::error::Error;
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use genten_jws::Algorithm;

use super::http;
use super::install::Programs;
use super::world::{ORIGIN, WITNESSES, log_key, secret, witness_key, witness_secret};

/// The running world.
pub(super) struct Servers {
    pub(super) log_port: u16,
    pub(super) tsa_port: u16,
    /// The folder that the log keeps its tiles in.
    pub(super) log_folder: PathBuf,
    /// The C2SP policy under which the log publishes: both witnesses.
    pub(super) policy: String,
    /// The chain of the timestamp authority, PEM.
    pub(super) tsa_chain: String,
    /// Stopped when dropped.
    _running: Vec<Running>,
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Servers {
    pub(super) fn start(programs: &Programs, folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut running = Vec::new();
        let mut policy = format!("log {}\n", log_key().to_vkey());
        for (number, name) in WITNESSES.into_iter().enumerate() {
            let port = free_port()?;
            running.push(witness(programs, folder, name, port)?);
            let vkey = witness_key(name).to_vkey();
            policy += &format!("witness w{} {vkey} http://127.0.0.1:{port}\n", number + 1);
        }
        policy += "group both all w1 w2\nquorum both\n";
        let tsa_port = free_port()?;
        running.push(timestamp_authority(programs, folder, tsa_port)?);
        let log_folder = folder.join("log");
        let log_port = free_port()?;
        running.push(log(programs, folder, &log_folder, &policy, log_port)?);
        wait("the log", log_port, "/healthz")?;
        let chain_path = "/api/v1/timestamp/certchain";
        wait("the timestamp authority", tsa_port, chain_path)?;
        let chain = http::send("GET", tsa_port, chain_path, "text/plain", b"")?;
        let tsa_chain = String::from_utf8(chain.body)?;
        Ok(Self { log_port, tsa_port, log_folder, policy, tsa_chain, _running: running })
    }
}

fn free_port() -> Result<u16, Box<dyn Error>> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

fn start(mut command: Command, folder: &Path, name: &str) -> Result<Running, Box<dyn Error>> {
    let log = File::create(folder.join(format!("{name}.txt")))?;
    command.stdout(log.try_clone()?).stderr(log).stdin(std::process::Stdio::null());
    Ok(Running(command.spawn().map_err(|error| format!("{name}: {error}"))?))
}

fn witness(
    programs: &Programs,
    folder: &Path,
    name: &str,
    port: u16,
) -> Result<Running, Box<dyn Error>> {
    let file = |end: &str| folder.join(format!("{name}.{end}"));
    fs::write(file("key"), witness_secret(name))?;
    let vkey = log_key().to_vkey();
    let logs = format!(
        "Logs:\n  - Origin: {ORIGIN}\n    URL: http://127.0.0.1:1\n    PublicKey: {vkey}\n    Feeder: none\n"
    );
    fs::write(file("yaml"), logs)?;
    let mut command = programs.command("omniwitness");
    command
        .arg(format!("--listen=127.0.0.1:{port}"))
        .arg(format!("--metrics_listen=127.0.0.1:{}", free_port()?))
        .arg("--db_file")
        .arg(file("sqlite"))
        .arg("--private_key_path")
        .arg(file("key"))
        .arg("--additional_logs")
        .arg(file("yaml"));
    start(command, folder, name)
}

fn timestamp_authority(
    programs: &Programs,
    folder: &Path,
    port: u16,
) -> Result<Running, Box<dyn Error>> {
    let mut command = programs.command("timestamp-server");
    command.args(["serve", "--host", "127.0.0.1", "--timestamp-signer", "memory"]);
    command.args(["--disable-ntp-monitoring", "--port", &port.to_string()]);
    start(command, folder, "timestamp-server")
}

fn log(
    programs: &Programs,
    folder: &Path,
    tiles: &Path,
    policy: &str,
    port: u16,
) -> Result<Running, Box<dyn Error>> {
    let (key, policy_file) = (folder.join("log-key.pem"), folder.join("policy.txt"));
    fs::write(&key, secret(Algorithm::EdDsa, ORIGIN).to_pkcs8_pem().as_bytes())?;
    // The server takes the lines about witnesses only.
    let of_witnesses: Vec<_> = policy.lines().filter(|line| !line.starts_with("log ")).collect();
    fs::write(&policy_file, of_witnesses.join("\n") + "\n")?;
    let mut command = programs.command("rekor-server");
    command
        .arg("serve")
        .arg(format!("--hostname={ORIGIN}"))
        .arg(format!("--storage-dir={}", tiles.display()))
        .arg(format!("--signer-filepath={}", key.display()))
        .arg("--http-address=127.0.0.1")
        .arg(format!("--http-port={port}"))
        .arg(format!("--grpc-port={}", free_port()?))
        .arg(format!("--http-metrics-port={}", free_port()?))
        .arg("--checkpoint-interval=1s")
        .arg("--persistent-antispam")
        .arg(format!("--witness-policy-path={}", policy_file.display()));
    start(command, folder, "rekor-server")
}

/// Until a server answers; half a minute is long on any machine.
fn wait(name: &str, port: u16, path: &str) -> Result<(), Box<dyn Error>> {
    for _ in 0..300 {
        match http::send("GET", port, path, "text/plain", b"") {
            Ok(answer) if answer.status == 200 => return Ok(()),
            _ => std::thread::sleep(Duration::from_millis(100)),
        }
    }
    Err(format!("{name} does not answer: see peers/run/*.txt").into())
}
