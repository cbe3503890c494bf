//! `genten bundle`: the evidence beside a manifest, looked at and added to.

mod add;
mod fit;
mod show;
mod stamp;

use crate::cli::BundleCommand;
use crate::context::Context;
use crate::failure::Done;

pub(super) fn run(context: &Context, command: &BundleCommand) -> Done {
    match command {
        BundleCommand::Show { file } => show::run(context, file),
        BundleCommand::Add(args) => add::run(context, args),
    }
}
