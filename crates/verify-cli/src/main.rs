//! The program `verify`: checks provenance manifests offline. See the library for what it does.

use std::io;
use std::process::ExitCode;
use std::time::SystemTime;

use genten_primitives::Timestamp;
use genten_verify_cli::{Io, run};

fn main() -> ExitCode {
    // Where the clock was never set, everything lies in its future, which is for review.
    let now = Timestamp::from_system_time(SystemTime::now()).or(Timestamp::from_millis(0));
    let io = Io {
        stdin: Box::new(io::stdin()),
        stdout: Box::new(io::stdout()),
        stderr: Box::new(io::stderr()),
        color: anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
        now: now.expect("a system clock between the years 1 and 9999"),
        cores: || std::thread::available_parallelism().map_or(1, usize::from),
    };
    run(std::env::args_os(), io).into()
}
