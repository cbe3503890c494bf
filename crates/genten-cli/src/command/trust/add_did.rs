//! `genten trust add-did`: a DID document that is believed as it is.

use std::path::Path;

use genten_jws::key_id::assertion_keys;
use genten_manifest::KeyId;
use genten_primitives::json::{self, ArrayWriter, Limits, ObjectWriter};
use genten_verify::kit::{MAX_KIT_BYTES, TrustKit};

use super::draft::Draft;
use super::members::{self, Members};
use super::{WindowText, tell};
use crate::cli::AddDidArgs;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};

pub(super) fn run(context: &Context, args: &AddDidArgs) -> Done {
    let mut draft = Draft::open(&args.file.kit)?;
    let window = WindowText::of(&args.window)?;
    let document = read(&args.document)?;
    expect_new(draft.kit(), &document)?;
    let mut item = Members::default();
    item.set("document", document.raw.clone());
    window.write(&mut item);
    draft.push("did_documents", &item);
    draft.save()?;
    report(context, args, &document);
    Ok(())
}

struct DidDocument {
    did: String,
    keys: Vec<KeyId>,
    /// The document as it stands in its file.
    raw: String,
}

fn read(path: &Path) -> Done<DidDocument> {
    let name = path.display().to_string();
    let bytes = read_file(path, MAX_KIT_BYTES as u64)?;
    let document = json::read(&bytes, Limits::bytes(MAX_KIT_BYTES)).map_err(|error| {
        Failure::coded(error.rule.code(), &error, "Give the DID document as JSON.").about(&name)
    })?;
    let (did, keys) = assertion_keys(document.root()).map_err(|error| {
        let hint = "Give the DID document as its owner publishes it, such as https://HOST/.well-known/did.json.";
        Failure::coded(error.code(), &error, hint).about(&name)
    })?;
    if keys.is_empty() {
        return Err(Failure::new(
            format!("{name}: no P-256 or Ed25519 key under assertionMethod"),
            "Nobody could be believed for this document. Ask its owner for one with a signing key.",
        ));
    }
    let keys = keys.into_iter().map(|(id, _)| id).collect();
    Ok(DidDocument { did, keys, raw: document.root().raw_text().to_owned() })
}

fn expect_new(kit: &TrustKit, document: &DidDocument) -> Done {
    for known in kit.did_documents().iter().filter(|known| known.did == document.did) {
        if canonical(&known.raw) == canonical(&document.raw) {
            return Err(Failure::new(
                format!("the kit has this document of {} already", document.did),
                "`genten trust show` prints what the kit says about it.",
            ));
        }
        eprintln!(
            "genten: the kit has another document of {} too; the keys of both count",
            document.did
        );
    }
    Ok(())
}

fn canonical(text: &str) -> Vec<u8> {
    let mut canonical = Vec::new();
    members::read(text).root().write_canonical(&mut canonical);
    canonical
}

fn report(context: &Context, args: &AddDidArgs, document: &DidDocument) {
    let mut list = ArrayWriter::new();
    for id in &document.keys {
        list.string(id.as_str());
    }
    let mut object = ObjectWriter::new();
    object.string("changed", "add-did").string("did", &document.did).raw("key_ids", &list.finish());
    let ids: Vec<_> = document.keys.iter().map(KeyId::as_str).collect();
    let kit = args.file.kit.display();
    let words = format!("{kit} now trusts the document of {}: {}", document.did, ids.join(", "));
    tell(context, &args.file.kit, &words, &mut object);
}
