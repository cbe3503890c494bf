//! The program `verify`: checks provenance manifests offline. See the library for what it does.

use std::io;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use genten_primitives::Timestamp;
use genten_verify_cli::{Io, run};

fn main() -> ExitCode {
    // A clock that was never set shows a time before 1970; then everything lies in its future, which is for review.
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(since_epoch.as_millis()).ok().and_then(Timestamp::from_millis);
    let io = Io {
        stdin: Box::new(io::stdin()),
        stdout: Box::new(io::stdout()),
        stderr: Box::new(io::stderr()),
        color: anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
        now: now.expect("clocks end long before the year 10000"),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
    };
    run(std::env::args_os(), io).into()
}
