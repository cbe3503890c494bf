//! `genten bundle show`: what evidence is there. Nothing is verified here, and the first line says so.

use std::path::Path;

use genten_primitives::Printable;
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use crate::command::document::Document;
use crate::command::inspect;
use crate::command::text::{Rows, Text, count};
use crate::context::Context;
use crate::failure::Done;
use crate::output;

pub(super) fn run(context: &Context, file: &Path) -> Done {
    let document = Document::open(file)?;
    let (mut text, mut list) = (Text::default(), ArrayWriter::new());
    for item in document.bundle.evidence() {
        list.raw(&inspect::evidence(item, &mut text));
    }
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .boolean("not_verified", true)
            .string("bundle", &file.to_string_lossy())
            .string("manifest_id", &document.manifest_id().to_string())
            .raw("evidence", &list.finish());
        output::json(&mut object);
        return Ok(());
    }
    output::bytes(head(&document).as_bytes());
    output::bytes(text.as_bytes());
    Ok(())
}

fn head(document: &Document) -> Text {
    let name = document.name();
    let mut text = Text::default();
    text.line(
        0,
        format!("NOT VERIFIED: this is what stands in {}, nothing more", Printable(&name)),
    );
    let claims = document.claims();
    let mut rows = Rows::default();
    rows.add("source_url", &claims.source_url)
        .add("fetched_at", claims.fetched_at)
        .add("mcp_key_id", document.key_id())
        .add("(manifest_id)", format!("{}, computed", document.manifest_id()));
    let number = document.bundle.evidence().len();
    text.rows(1, &rows).line(0, format!("evidence: {}", count(number, "item", "items")));
    text
}
