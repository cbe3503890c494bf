//! `genten trust retire`: a key that is out of use, without suspicion.

use genten_primitives::Timestamp;
use genten_primitives::json::ObjectWriter;
use genten_verify::kit::{Signer, Status, TrustKit};

use super::draft::Draft;
use super::{argument, signer, tell};
use crate::cli::RetireArgs;
use crate::context::Context;
use crate::failure::{Done, Failure};

pub(super) fn run(context: &Context, args: &RetireArgs) -> Done {
    let mut draft = Draft::open(&args.file.kit)?;
    let at = argument::time("--at", &args.at)?;
    let in_use = |signer: &Signer| signer.status == Status::Active;
    let index = signer::find(draft.kit(), &args.id, args.thumbprint.as_deref(), in_use)?
        .ok_or_else(|| unknown(draft.kit(), &args.id))?;
    let signer = draft.kit().signers()[index].clone();
    expect_retirable(&signer, at)?;
    draft.change("signers", index, |members| {
        members.set_text("status", "retired").set_text("valid_until", &at.to_string());
    });
    draft.save()?;
    report(context, args, &signer, at);
    Ok(())
}

fn unknown(kit: &TrustKit, id: &str) -> Failure {
    let in_document = |document: &genten_verify::kit::TrustedDidDocument| {
        document.keys.iter().any(|(known, _)| known.as_str() == id)
    };
    match kit.did_documents().iter().any(in_document) {
        false => signer::unknown(kit, id),
        true => Failure::new(
            format!(
                "{id} stands in a DID document of the kit, which says itself how long its keys count"
            ),
            "Set valid_until beside the document in the kit's did_documents, or use `genten trust revoke`.",
        ),
    }
}

/// Retiring never makes a key count for longer than it did.
fn expect_retirable(signer: &Signer, at: Timestamp) -> Done {
    let Signer { key_id, window, .. } = signer;
    if let Status::Revoked { at, .. } = &signer.status {
        return Err(Failure::new(
            format!("{key_id} is revoked since {at}, which is stronger"),
            "Nothing needs to be done.",
        ));
    }
    match (window.from, window.until) {
        (_, Some(until)) if until < at => Err(Failure::usage(
            format!("--at {at}: the key counts until {until} only"),
            "Give that time, or an earlier one.",
        )),
        (Some(from), _) if at < from => Err(Failure::usage(
            format!("--at {at}: the key counts from {from} on only"),
            "Give a later time, or revoke the key.",
        )),
        _ => Ok(()),
    }
}

fn report(context: &Context, args: &RetireArgs, signer: &Signer, at: Timestamp) {
    let mut object = ObjectWriter::new();
    object
        .string("changed", "retire")
        .string("key_id", signer.key_id.as_str())
        .string("thumbprint", &signer.thumbprint.to_string())
        .string("valid_until", &at.to_string());
    let words = format!(
        "{} is retired: what it provably signed before {at} stays good, all else needs review",
        signer.key_id
    );
    tell(context, &args.file.kit, &words, &mut object);
}
