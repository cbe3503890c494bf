//! The commands, one file each.

mod argument;
mod attest;
mod bundle;
mod completions;
mod document;
mod export;
mod fetch;
mod inspect;
mod journal;
mod key;
mod log;
mod logging;
mod mcp;
pub(crate) mod moment;
mod pem;
mod refetch;
mod terms;
mod text;
mod transport;
mod trust;

use std::process::ExitCode;

use crate::cli::{Cli, Command, LogCommand};
use crate::context::Context;
use crate::demo;
use crate::failure::Failure;
use crate::output;

/// Runs a command; Ctrl-C, or a request to terminate, ends it with everything half-written removed.
pub(crate) async fn run(cli: Cli) -> ExitCode {
    let context = Context::new(cli.home, cli.json);
    let last_words = last_words(&cli.command);
    let work = dispatch(&context, cli.command);
    tokio::select! {
        // The signals are listened for before the work begins, of which the first step can be long.
        biased;
        status = interrupted() => {
            match context.sending_to.get() {
                Some(log) => eprintln!("genten: {}", logging::interrupted(&context, log)),
                None => eprintln!("genten: {last_words}"),
            }
            ExitCode::from(status)
        }
        done = work => match done {
            Ok(status) => ExitCode::from(status),
            Err(failure) => fail(&context, &failure),
        },
    }
}

/// What a command says that is ended. A server is ended in no other way.
fn last_words(command: &Command) -> &'static str {
    match command {
        Command::Log(LogCommand::Serve(_)) => "the log is served no more",
        Command::Log(LogCommand::Submit(_) | LogCommand::Flush(_)) => {
            "interrupted; what was queued stays queued, `genten log flush` sends"
        }
        _ => "interrupted; nothing half-written is left",
    }
}

/// Waits for a signal that ends the program, and gives the exit status that shells expect then.
async fn interrupted() -> u8 {
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => 130,
        () = terminated() => 143,
        else => std::future::pending().await,
    }
}

#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    std::future::pending().await
}

fn fail(context: &Context, failure: &Failure) -> ExitCode {
    if context.json {
        let mut object = genten_primitives::json::ObjectWriter::new();
        object
            .string("error", failure.message())
            .optional("code", failure.code())
            .string("hint", failure.hint());
        output::json(&mut object);
    }
    failure.print();
    ExitCode::from(failure.status())
}

async fn dispatch(context: &Context, command: Command) -> Result<u8, Failure> {
    match command {
        Command::Attest(args) => attest::run(context, args).await.map(|()| 0),
        Command::Bundle(command) => bundle::run(context, &command).map(|()| 0),
        Command::Completions { shell } => completions::shell(shell).map(|()| 0),
        Command::Demo(args) => demo::run(context, args).await,
        Command::Export(args) => export::run(context, &args).map(|()| 0),
        Command::Fetch(args) => fetch::run(context, args).await,
        Command::Inspect(args) => inspect::run(context, &args).map(|()| 0),
        Command::Journal(command) => journal::run(context, command).map(|()| 0),
        Command::Key(command) => key::run(context, command).map(|()| 0),
        Command::Log(command) => log::run(context, command).await,
        Command::Man { dir } => completions::man(&dir).map(|()| 0),
        Command::Mcp(command) => mcp::run(context, &command),
        Command::Refetch(args) => refetch::run(context, args).await,
        Command::Trust(command) => trust::run(context, command),
    }
}
