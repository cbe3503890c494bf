//! `genten`: fetch, sign and keep provenance manifests.

mod cli;
mod command;
mod context;
mod demo;
mod failure;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let arguments = cli::Cli::parse();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("genten: the system gives no threads: {error}");
            return ExitCode::from(2);
        }
    };
    runtime.block_on(command::run(arguments))
}
