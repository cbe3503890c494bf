//! A timestamp authority.

use std::error::Error;
use std::path::Path;

use super::http;
use super::install::Programs;
use super::process::{Running, free_port, wait};

const CHAIN: &str = "/api/v1/timestamp/certchain";

/// A timestamp authority, with keys and certificates that it made when it was started.
pub(super) struct Authority {
    port: u16,
    /// Its certificates (PEM): the one that stamps first.
    pub(super) chain: String,
    _running: Running,
}

impl Authority {
    pub(super) fn start(programs: &Programs, folder: &Path) -> Result<Self, Box<dyn Error>> {
        let port = free_port()?;
        let mut command = programs.command("timestamp-server");
        command.args(["serve", "--host", "127.0.0.1", "--timestamp-signer", "memory"]);
        command.args(["--disable-ntp-monitoring", "--port", &port.to_string()]);
        let running = Running::start(command, &folder.join("timestamp-server.txt"))?;
        wait("the timestamp authority", port, CHAIN)?;
        let chain = http::send("GET", port, CHAIN, "text/plain", b"")?;
        Ok(Self { port, chain: String::from_utf8(chain.body)?, _running: running })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Where it stamps.
    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/api/v1/timestamp", self.port)
    }
}
