//! A certificate that no path to a signer may contain.

use genten_primitives::Sha256Digest;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_verify::kit::TrustKit;

use crate::cli::RevokeArgs;
use crate::command::trust::draft::Draft;
use crate::command::trust::tell;
use crate::context::Context;
use crate::failure::{Done, Failure};

const LIST: &str = "signer_authorities";

/// Adds the certificate to what each authority of the kit has revoked.
pub(super) fn revoke(
    context: &Context,
    args: &RevokeArgs,
    mut draft: Draft,
    digest: Sha256Digest,
) -> Done {
    expect_certificate(draft.kit(), args, digest)?;
    let names: Vec<_> =
        draft.kit().authorities().iter().map(|authority| authority.name.clone()).collect();
    let quoted = format!("\"{digest}\"");
    let mut changed = Vec::new();
    for (index, name) in names.iter().enumerate() {
        draft.change(LIST, index, |members| {
            let mut revoked = members.items("revoked");
            if !revoked.contains(&quoted) {
                revoked.push(quoted.clone());
                members.set_items("revoked", &revoked);
                changed.push(name.clone());
            }
        });
    }
    if changed.is_empty() {
        return Err(Failure::new(
            format!("every authority of the kit has revoked {digest} already"),
            "Nothing needs to be done.",
        ));
    }
    draft.save()?;
    report(context, args, digest, &changed);
    Ok(())
}

fn expect_certificate(kit: &TrustKit, args: &RevokeArgs, digest: Sha256Digest) -> Done {
    if let Some(signer) = kit.signers().iter().find(|signer| signer.thumbprint == digest) {
        return Err(Failure::usage(
            format!("{digest} is the thumbprint of a key, not the SHA-256 of a certificate"),
            format!("Give its id: {}", genten_primitives::Printable(signer.key_id.as_str())),
        ));
    }
    if kit.authorities().is_empty() {
        return Err(Failure::new(
            "the kit has no authority whose certificates could be revoked",
            "To revoke a key give its id; `genten trust show` lists them.",
        ));
    }
    match args.at.is_some() || args.reason.is_some() || args.thumbprint.is_some() {
        false => Ok(()),
        true => Err(Failure::usage(
            "a certificate is revoked as a whole: a kit holds no time and no reason for it",
            "Leave out --at, --reason and --thumbprint.",
        )),
    }
}

fn report(context: &Context, args: &RevokeArgs, digest: Sha256Digest, changed: &[String]) {
    let mut list = ArrayWriter::new();
    for name in changed {
        list.string(name);
    }
    let mut object = ObjectWriter::new();
    object
        .string("changed", "revoke")
        .string("certificate", &digest.to_string())
        .raw("authorities", &list.finish());
    let words = format!("certificate {digest} is revoked for {}", changed.join(", "));
    tell(context, &args.file.kit, &words, &mut object);
}
