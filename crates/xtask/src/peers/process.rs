//! Programs that run beside this one, and end with it.

use std::error::Error;
use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::http;
use crate::Outcome;

/// A program that runs; it is killed when this is dropped.
pub(super) struct Running(Child);

impl Running {
    /// Starts a program whose output is added to a file.
    pub(super) fn start(mut command: Command, output: &Path) -> Result<Self, Box<dyn Error>> {
        let file = File::options().create(true).append(true).open(output)?;
        command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
        let name = command.get_program().to_string_lossy().into_owned();
        Ok(Self(command.spawn().map_err(|error| format!("{name}: {error}"))?))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port that nobody has now.
pub(super) fn free_port() -> Result<u16, Box<dyn Error>> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Until a server answers; half a minute is long on any machine.
pub(super) fn wait(name: &str, port: u16, path: &str) -> Outcome {
    for _ in 0..600 {
        match http::send("GET", port, path, "text/plain", b"") {
            Ok(answer) if answer.status == 200 => return Ok(()),
            _ => std::thread::sleep(Duration::from_millis(50)),
        }
    }
    Err(format!("{name} does not answer: see its output below peers/run").into())
}
