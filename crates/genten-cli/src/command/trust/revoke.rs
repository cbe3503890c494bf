//! `genten trust revoke`: a key, or a certificate, that is not to be believed.

mod certificate;

use genten_manifest::KeyId;
use genten_primitives::json::ObjectWriter;
use genten_primitives::{PublicKey, Sha256Digest, Timestamp};
use genten_verify::kit::{Signer, Status, TrustKit};

use super::draft::Draft;
use super::members::Members;
use super::{argument, moment, signer, tell};
use crate::cli::RevokeArgs;
use crate::context::Context;
use crate::failure::{Done, Failure};

pub(super) fn run(context: &Context, args: &RevokeArgs) -> Done {
    let draft = Draft::open(&args.file.kit)?;
    match args.id.parse::<Sha256Digest>() {
        Ok(digest) => certificate::revoke(context, args, draft, digest),
        Err(_) => key(context, args, draft),
    }
}

fn key(context: &Context, args: &RevokeArgs, mut draft: Draft) -> Done {
    let at = argument::optional_time("--at", args.at.as_deref())?.unwrap_or_else(moment::now);
    let can_change = |signer: &Signer| !matches!(signer.status, Status::Revoked { .. });
    let found = signer::find(draft.kit(), &args.id, args.thumbprint.as_deref(), can_change)?;
    let (id, thumbprint) = match found {
        Some(index) => listed(&mut draft, index, at, args)?,
        None => in_document(&mut draft, at, args)?,
    };
    draft.save()?;
    report(context, args, &id, thumbprint, at);
    Ok(())
}

/// A signer of the kit.
fn listed(
    draft: &mut Draft,
    index: usize,
    at: Timestamp,
    args: &RevokeArgs,
) -> Done<(KeyId, Sha256Digest)> {
    let signer = draft.kit().signers()[index].clone();
    if let Status::Revoked { at: since, .. } = &signer.status
        && *since <= at
    {
        return Err(Failure::new(
            format!("{} is revoked already, since {since}", signer.key_id),
            "Give an earlier time with --at to revoke it from then on.",
        ));
    }
    draft.change("signers", index, |members| mark(members, at, args));
    Ok((signer.key_id, signer.thumbprint))
}

/// A key of a DID document: an entry of its own says that it is revoked, and counts under every id.
fn in_document(draft: &mut Draft, at: Timestamp, args: &RevokeArgs) -> Done<(KeyId, Sha256Digest)> {
    let (id, key) = key_of_document(draft.kit(), &args.id)
        .ok_or_else(|| signer::unknown(draft.kit(), &args.id))?;
    let mut members = Members::default();
    members.set_text("key_id", id.as_str()).set("public_key", key.to_jwk());
    mark(&mut members, at, args);
    draft.push("signers", &members);
    Ok((id, key.thumbprint()))
}

fn key_of_document(kit: &TrustKit, id: &str) -> Option<(KeyId, PublicKey)> {
    let keys = kit.did_documents().iter().flat_map(|document| &document.keys);
    let (id, found) = keys.into_iter().find(|(known, _)| known.as_str() == id)?;
    Some((id.clone(), found.key.clone()))
}

fn mark(members: &mut Members, at: Timestamp, args: &RevokeArgs) {
    members.set_text("status", "revoked").set_text("revoked_at", &at.to_string());
    if let Some(reason) = &args.reason {
        members.set_text("reason", reason);
    }
}

fn report(
    context: &Context,
    args: &RevokeArgs,
    id: &KeyId,
    thumbprint: Sha256Digest,
    at: Timestamp,
) {
    let mut object = ObjectWriter::new();
    object
        .string("changed", "revoke")
        .string("key_id", id.as_str())
        .string("thumbprint", &thumbprint.to_string())
        .string("revoked_at", &at.to_string())
        .optional("reason", args.reason.as_deref());
    let words =
        format!("{id} is revoked: only what it provably signed before {at} is still believed");
    tell(context, &args.file.kit, &words, &mut object);
}
