//! Chores of the repository: `cargo xtask ci` is the gate that a change has to pass, the other words are parts of it.

mod ci;
mod deps;
mod docs;
mod peers;
mod repository;
mod schemas;

use std::error::Error;
use std::process::ExitCode;

use repository::Mode;

type Outcome = Result<(), Box<dyn Error>>;

const USAGE: &str = "\
usage: cargo xtask <chore>

  ci [STEP]...       all steps of the gate in order, or those named; `ci --list` names them
  peers [SCENARIO]... [--rounds N]
                     our programs against real logs, witnesses, timestamp authority, cosign and fsck (needs Go): all, or
                     the named scenarios; `peers --list` names them, --rounds repeats kills more or less often
  peers --record     bundles from all of them become testdata/live
  deps               no network, clock or randomness in the trees of the core crates and of `verify`
  docs [--check]     write docs/checks.md and docs/cli.md, or fail where they are not as they would be written
  schemas [--check]  likewise the JSON Schemas in schemas/";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Outcome {
    match words {
        ["ci", "--list"] => ci::list(),
        ["ci", steps @ ..] => ci::run(steps),
        ["peers"] => peers::all().map(drop),
        ["peers", "--list"] => peers::list(),
        ["peers", "--record"] => peers::record(true).map(drop),
        ["peers", words @ ..] => peers::play(words).map(drop),
        ["deps"] => deps::check(),
        ["docs"] => docs::make(Mode::Write),
        ["docs", "--check"] => docs::make(Mode::Check),
        ["schemas"] => schemas::make(Mode::Write),
        ["schemas", "--check"] => schemas::make(Mode::Check),
        _ => Err(USAGE.into()),
    }
}
