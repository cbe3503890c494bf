//! `genten inspect`: what a file contains. Nothing is verified here, and the first line says so.

mod bundle;
mod certificate;
mod evidence;
mod key;
mod kind;
mod manifest;

use genten_primitives::Printable;
use genten_primitives::json::ObjectWriter;
use genten_verify::kit::MAX_KIT_BYTES;

use super::text::Text;
use crate::cli::InspectArgs;
use crate::context::Context;
use crate::failure::{Done, read_file};
use crate::output;
pub(super) use evidence::write as evidence;
pub(super) use kind::refused;
pub(super) use manifest::text_of as manifest_text;

pub(super) fn run(context: &Context, args: &InspectArgs) -> Done {
    let bytes = read_file(&args.file, MAX_KIT_BYTES as u64)?;
    let name = args.file.display().to_string();
    let mut shown = kind::look(&bytes).map_err(|failure| failure.about(&name))?;
    if context.json {
        output::json(shown.object.boolean("not_verified", true).string("kind", shown.kind));
        return Ok(());
    }
    let mut text = Text::default();
    text.line(
        0,
        format!("NOT VERIFIED: this is what stands in {}, nothing more", Printable(&name)),
    );
    output::bytes(text.as_bytes());
    output::bytes(shown.text.as_bytes());
    Ok(())
}

/// A file's content, for people and for machines.
struct Shown {
    kind: &'static str,
    text: Text,
    object: ObjectWriter<'static>,
}
