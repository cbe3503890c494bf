//! `genten trust add-root`: a Sigstore trusted root, word for word.

use std::path::Path;

use genten_pki::{MAX_TRUSTED_ROOT, TrustedRoot, TrustedRootError};
use genten_primitives::json::{self, ArrayWriter, Limits, ObjectWriter};

use super::draft::Draft;
use super::{tell, unusable};
use crate::cli::AddRootArgs;
use crate::command::text::count;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file, with_causes};

pub(super) fn run(context: &Context, args: &AddRootArgs) -> Done {
    let mut draft = Draft::open(&args.file.kit)?;
    let (root, raw) = read(&args.root)?;
    if draft.kit().sigstore_trusted_roots().contains(&root) {
        return Err(Failure::new(
            "the kit has this trusted root already",
            "`genten trust show` prints what the kit says about it.",
        ));
    }
    draft.push_json("sigstore_trusted_roots", raw);
    draft.save()?;
    report(context, args, &root);
    Ok(())
}

/// The root, and its text as it stands in the file.
fn read(path: &Path) -> Done<(TrustedRoot, String)> {
    let name = path.display().to_string();
    let bytes = read_file(path, MAX_TRUSTED_ROOT as u64)?;
    let hint = "Give a trusted_root.json as Sigstore publishes it, whole and unchanged.";
    let document = json::read(&bytes, Limits::bytes(MAX_TRUSTED_ROOT))
        .map_err(|error| Failure::coded(error.rule.code(), &error, hint).about(&name))?;
    let root = TrustedRoot::read(document.root())
        .map_err(|error: TrustedRootError| Failure::new(with_causes(&error), hint).about(&name))?;
    Ok((root, document.root().raw_text().to_owned()))
}

fn report(context: &Context, args: &AddRootArgs, root: &TrustedRoot) {
    let usable = root.tlogs().iter().filter(|log| unusable::log(log).is_none());
    let hosts: Vec<_> = usable.map(|log| log.host.clone()).collect();
    let useless: Vec<_> = unusable::of_root(root).collect();
    let mut logs = ArrayWriter::new();
    hosts.iter().for_each(|host| {
        logs.string(host);
    });
    let mut object = ObjectWriter::new();
    object.string("changed", "add-root").raw("logs", &logs.finish());
    let authorities = root.timestamp_authorities().len();
    let words = format!(
        "{} now trusts {} ({}) and {}; the CAs of the root authorise no signer of manifests",
        args.file.kit.display(),
        count(hosts.len(), "log", "logs"),
        hosts.join(", "),
        count(authorities, "timestamp authority", "timestamp authorities"),
    );
    tell(context, &args.file.kit, &words, &mut object);
    for (what, why) in useless {
        eprintln!(
            "genten: {}",
            genten_primitives::Printable(&format!("{what} is of no use here: {why}"))
        );
    }
}
