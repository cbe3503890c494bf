//! Programs that run beside this one, and end with it.

use std::error::Error;
use std::fs::File;
use std::net::TcpListener;
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
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

/// A port that nobody has now, and that the system gives to nobody until the server has it: it is none of those for connections.
pub(super) fn free_port() -> Result<u16, Box<dyn Error>> {
    static TRIED: AtomicU32 = AtomicU32::new(0);
    for _ in PORTS {
        let next =
            TRIED.fetch_add(1, Ordering::Relaxed).wrapping_add(std::process::id().wrapping_mul(97));
        let port = PORTS.start + u16::try_from(next % u32::from(PORTS.end - PORTS.start))?;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    Err("no port is free".into())
}

const PORTS: Range<u16> = 20_000..32_000;

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
