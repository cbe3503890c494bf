//! A bundle: its manifest, then its evidence.

use genten_manifest::UnverifiedBundle;
use genten_primitives::json::{self, ArrayWriter, Limits, ObjectWriter};

use super::{Shown, evidence, manifest};
use crate::command::text::{Text, count};

pub(super) fn show(bundle: &UnverifiedBundle, bytes: &[u8]) -> Shown {
    let mut text = Text::default();
    let mut object = ObjectWriter::new();
    let document = json::read(bytes, Limits::bytes(bytes.len())).ok();
    text.line(0, "Provenance bundle");
    if let Some(value) = document.as_ref().and_then(|document| document.root().get("manifest")) {
        text.line(0, "manifest");
        manifest::write(bundle.manifest(), value, &mut text, &mut object);
    }
    let mut list = ArrayWriter::new();
    let number = count(bundle.evidence().len(), "item", "items");
    text.line(0, format!("evidence: {number}"));
    for item in bundle.evidence() {
        list.raw(&evidence::write(item, &mut text));
    }
    object.raw("evidence", &list.finish());
    Shown { kind: "bundle", text, object }
}
