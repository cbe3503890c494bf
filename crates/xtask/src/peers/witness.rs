//! A witness.

use std::error::Error;
use std::fs;
use std::path::Path;

use super::install::Programs;
use super::process::{Running, free_port};
use super::world::{log_key, witness_key, witness_secret};

/// A witness of one log.
pub(super) struct Witness {
    name: &'static str,
    port: u16,
    _running: Running,
}

impl Witness {
    /// Starts a witness that knows the log of this origin.
    pub(super) fn start(
        programs: &Programs,
        folder: &Path,
        name: &'static str,
        origin: &str,
    ) -> Result<Self, Box<dyn Error>> {
        Self::on_port(programs, folder, name, origin, free_port()?)
    }

    /// As [`start`](Self::start), on the port that a policy names.
    pub(super) fn on_port(
        programs: &Programs,
        folder: &Path,
        name: &'static str,
        origin: &str,
        port: u16,
    ) -> Result<Self, Box<dyn Error>> {
        let file = |end: &str| folder.join(format!("{name}.{end}"));
        fs::write(file("key"), witness_secret(name))?;
        let vkey = log_key(origin).to_vkey();
        let logs = format!(
            "Logs:\n  - Origin: {origin}\n    URL: http://127.0.0.1:1\n    PublicKey: {vkey}\n    Feeder: none\n"
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
        let running = Running::start(command, &file("txt"))?;
        Ok(Self { name, port, _running: running })
    }

    /// Where it listens.
    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

/// The policy (C2SP tlog-policy) under which all of these have to see the log.
pub(super) fn policy_of_all(origin: &str, witnesses: &[Witness]) -> String {
    let mut policy = format!("log {}\n", log_key(origin).to_vkey());
    let mut names = Vec::new();
    for (number, witness) in (1..).zip(witnesses) {
        let vkey = witness_key(witness.name).to_vkey();
        policy += &format!("witness w{number} {vkey} http://127.0.0.1:{}\n", witness.port);
        names.push(format!("w{number}"));
    }
    policy + &format!("group everybody all {}\nquorum everybody\n", names.join(" "))
}
