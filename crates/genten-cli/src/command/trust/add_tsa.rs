//! `genten trust add-tsa`: an authority whose timestamps are believed.

use genten_pki::TimestampAuthority;
use genten_primitives::encoding::base64;
use genten_primitives::json::ObjectWriter;
use genten_verify::kit::TrustKit;

use super::draft::Draft;
use super::members::Members;
use super::{WindowText, moment, tell};
use crate::cli::AddTsaArgs;
use crate::command::pem::certificates;
use crate::context::Context;
use crate::failure::{Done, Failure};

const CERTIFICATES: &str = "Give the authority's certificates in PEM, and nothing else.";

pub(super) fn run(context: &Context, args: &AddTsaArgs) -> Done {
    let mut draft = Draft::open(&args.file.kit)?;
    let window = WindowText::of(&args.window)?;
    let certificates = certificates(&args.chain, CERTIFICATES)?;
    let authority =
        TimestampAuthority::new(args.name.clone(), certificates, window.from, window.until)
            .map_err(|error| {
                let hint =
                    "Give the certificate that stamps first, then its issuer's, up to the root.";
                let name = args.chain.display().to_string();
                Failure::coded("key.certificate", &error, hint).about(&name)
            })?;
    expect_new(draft.kit(), &authority)?;
    let mut item = Members::default();
    let chain: Vec<_> = authority.certificates().iter().map(|one| base64(one.der())).collect();
    item.set_text("name", &args.name).set_texts("certificates", &chain);
    window.write(&mut item);
    draft.push("timestamp_authorities", &item);
    draft.save()?;
    report(context, args, &authority);
    Ok(())
}

fn expect_new(kit: &TrustKit, new: &TimestampAuthority) -> Done {
    for known in kit.timestamp_authorities() {
        if known.name() == new.name() {
            return Err(Failure::new(
                format!("the kit has a timestamp authority named {} already", new.name()),
                "Give another --name; reports call the authority by it.",
            ));
        }
        if known.certificates().first() == new.certificates().first() {
            eprintln!(
                "genten: the same certificate stands in the kit under {} too; a stamp in either window counts",
                genten_primitives::Printable(known.name())
            );
        }
    }
    Ok(())
}

fn report(context: &Context, args: &AddTsaArgs, authority: &TimestampAuthority) {
    let stamping = &authority.certificates()[0];
    let end = stamping.validity().not_after;
    let mut object = ObjectWriter::new();
    object
        .string("changed", "add-tsa")
        .string("authority", &args.name)
        .string("sha256", &stamping.sha256().to_string());
    let words = format!(
        "{} now believes the timestamps of {} ({}, SHA-256 {}, valid until {end})",
        args.file.kit.display(),
        args.name,
        stamping.subject(),
        stamping.sha256(),
    );
    tell(context, &args.file.kit, &words, &mut object);
    if end < moment::now() {
        eprintln!("genten: its certificate has expired; its stamps from before still count");
    }
}
