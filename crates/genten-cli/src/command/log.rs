//! `genten log`: transparency logs.

mod check;
mod complete;
mod flush;
mod follow;
mod forget;
mod init;
mod item;
mod proof;
mod serve;
mod status;
mod submit;

use genten_store::Home;

use crate::cli::LogCommand;
use crate::context::Context;
use crate::failure::Done;

pub(super) async fn run(context: &Context, command: LogCommand) -> Done<u8> {
    match command {
        LogCommand::Check => check::run(context).map(|()| 0),
        LogCommand::Flush(args) => flush::run(context, &args).await,
        LogCommand::Follow(args) => follow::run(context, &args).await,
        LogCommand::Forget(args) => forget::run(context, &args).map(|()| 0),
        LogCommand::Init(args) => init::run(context, &args).map(|()| 0),
        LogCommand::Proof(args) => proof::run(context, &args).map(|()| 0),
        LogCommand::Serve(args) => serve::run(context, &args).await.map(|()| 0),
        LogCommand::Status => status::run(context),
        LogCommand::Submit(args) => submit::run(context, &args).await,
    }
}

/// Whether the home has a log of its own, or had one: its key stays where its folder is lost.
fn has_own_log(home: &Home) -> bool {
    home.log().is_dir() || home.keys().join("log.key").is_file()
}
