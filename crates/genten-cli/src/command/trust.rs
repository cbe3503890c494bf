//! `genten trust`: trust kits, made and edited as files that people can read and compare.

mod add_ca;
mod add_ct;
mod add_did;
mod add_key;
mod add_log;
mod add_root;
mod add_tsa;
mod check;
mod draft;
mod members;
mod origins;
mod pretty;
mod retire;
mod revoke;
mod revoked;
mod show;
mod signer;
mod unusable;
mod view;

use std::path::Path;

use genten_primitives::Timestamp;
use genten_primitives::json::ObjectWriter;
use genten_verify::kit::KIT_MEDIA_TYPE;

use super::{argument, moment};
use crate::cli::{TrustCommand, WindowArgs};
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};
use crate::output;
use members::Members;
pub(super) use show::{json, text};
pub(super) use view::KitView;

pub(super) fn run(context: &Context, command: TrustCommand) -> Done<u8> {
    match command {
        TrustCommand::New(file) => new(context, &file.kit)?,
        TrustCommand::AddKey(args) => add_key::run(context, &args)?,
        TrustCommand::AddCa(args) => add_ca::run(context, &args)?,
        TrustCommand::AddDid(args) => add_did::run(context, &args)?,
        TrustCommand::AddRoot(args) => add_root::run(context, &args)?,
        TrustCommand::AddLog(args) => add_log::run(context, &args)?,
        TrustCommand::AddTsa(args) => add_tsa::run(context, &args)?,
        TrustCommand::AddCt(args) => add_ct::run(context, &args)?,
        TrustCommand::Retire(args) => retire::run(context, &args)?,
        TrustCommand::Revoke(args) => revoke::run(context, &args)?,
        TrustCommand::Show(file) => show::run(context, &file.kit)?,
        TrustCommand::Check(file) => return check::run(context, &file.kit),
    }
    Ok(0)
}

/// Makes a kit that trusts nobody; a file that exists is never touched.
fn new(context: &Context, path: &Path) -> Done {
    let mut kit = Members::default();
    kit.set_text("media_type", KIT_MEDIA_TYPE)
        .set_text("created_at", &moment::now().to_string())
        .set("signers", "[]".to_owned());
    let text = pretty::print(&kit.to_json());
    genten_store::atomic::create_new(path, text.as_bytes(), genten_store::atomic::Mode::Shared)?;
    let name = path.display();
    let mut object = ObjectWriter::new();
    object.string("changed", "new");
    tell(
        context,
        path,
        &format!("made {name}; it trusts nobody yet: `genten trust add-key {name} KEY`"),
        &mut object,
    );
    Ok(())
}

/// Says what an edit did.
fn tell(context: &Context, kit: &Path, words: &str, object: &mut ObjectWriter<'_>) {
    match context.json {
        true => output::json(object.string("kit", &kit.to_string_lossy())),
        false => output::line(&genten_primitives::Printable(words).to_string()),
    }
}

/// Reads a kit for looking at it.
fn view(path: &Path) -> Done<KitView> {
    let bytes = read_file(path, draft::LIMIT)?;
    KitView::read(&bytes).map_err(|error| draft::broken(path, &error))
}

/// From when to when something counts, as typed.
struct WindowText {
    from: Option<Timestamp>,
    until: Option<Timestamp>,
}

impl WindowText {
    fn of(args: &WindowArgs) -> Done<Self> {
        let from = argument::optional_time("--valid-from", args.valid_from.as_deref())?;
        let until = argument::optional_time("--valid-until", args.valid_until.as_deref())?;
        if let (Some(from), Some(until)) = (from, until)
            && until < from
        {
            return Err(Failure::usage(
                format!("--valid-until {until} lies before --valid-from {from}"),
                "Swap them, or leave one out.",
            ));
        }
        Ok(Self { from, until })
    }

    fn write(&self, members: &mut Members) {
        for (name, time) in [("valid_from", self.from), ("valid_until", self.until)] {
            if let Some(time) = time {
                members.set_text(name, &time.to_string());
            }
        }
    }
}
