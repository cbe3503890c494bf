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

use genten::home_log;
use genten::store::Home;
use genten::store::log::EmbeddedLog;

use crate::cli::LogCommand;
use crate::context::Context;
use crate::failure::{Done, Failure};

pub(super) async fn run(context: &Context, command: LogCommand) -> Done<u8> {
    match command {
        LogCommand::Check => check::run(context).map(|()| 0),
        LogCommand::Flush(args) => flush::run(context, &args).await,
        LogCommand::Follow(args) => follow::run(context, &args).await,
        LogCommand::Forget(args) => forget::run(context, &args).await.map(|()| 0),
        LogCommand::Init(args) => init::run(context, &args).map(|()| 0),
        LogCommand::Proof(args) => proof::run(context, &args).map(|()| 0),
        LogCommand::Serve(args) => serve::run(context, &args).await.map(|()| 0),
        LogCommand::Status => status::run(context),
        LogCommand::Submit(args) => submit::run(context, &args).await,
    }
}

/// The home's own log, which is not begun here: `otherwise` says what else can be done where there is none.
fn own_log(home: &Home, otherwise: &'static str) -> Done<EmbeddedLog> {
    // Where its folder is lost, its key is still there.
    match home.log().is_dir() || home.keys().join("log.key").is_file() {
        true => Ok(home_log(home)?),
        false => Err(Failure::usage("this home has no log of its own", otherwise)),
    }
}

const HOW_TO_BEGIN: &str =
    "`genten log init` makes one, and so does the first command that logs something.";
