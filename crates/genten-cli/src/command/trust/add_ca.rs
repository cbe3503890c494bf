//! `genten trust add-ca`: an authority whose certificates name signers.

use std::path::Path;

use genten_pki::{
    AuthorityParts, Certificate, MAX_PEM, Oid, PemError, SignerAuthority, certificates_from_pem,
};
use genten_primitives::UrlPattern;
use genten_primitives::encoding::base64;
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use super::draft::Draft;
use super::members::Members;
use super::{argument, tell};
use crate::cli::AddCaArgs;
use crate::command::text::count;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};

pub(super) fn run(context: &Context, args: &AddCaArgs) -> Done {
    let mut draft = Draft::open(&args.file.kit)?;
    let parts = parts(args)?;
    let item = authority(&args.name, &parts);
    let roots: Vec<_> = parts.roots.iter().map(|root| root.sha256().to_string()).collect();
    expect_usable(parts, &args.roots)?;
    expect_new_name(&draft, &args.name)?;
    draft.push("signer_authorities", &item);
    draft.save()?;
    report(context, args, &roots);
    Ok(())
}

fn parts(args: &AddCaArgs) -> Done<AuthorityParts> {
    let pattern = |text: &String| -> Done<UrlPattern> {
        let hint = "A pattern is a URI, or the beginning of one and a *, such as https://mcp.example.org/*.";
        argument::parsed("--san-uri", text, hint)
    };
    let oid = |text: &String| -> Done<Oid> {
        argument::parsed("--eku", text, "For example 1.3.6.1.5.5.7.3.3, which is code signing.")
    };
    let eku: Vec<Oid> = args.eku.iter().map(oid).collect::<Done<_>>()?;
    Ok(AuthorityParts {
        roots: roots(&args.roots)?,
        san_uri: args.san_uri.iter().map(pattern).collect::<Done<_>>()?,
        eku: (!eku.is_empty()).then_some(eku),
        revoked: Default::default(),
    })
}

fn roots(path: &Path) -> Done<Vec<Certificate>> {
    let bytes = read_file(path, MAX_PEM as u64)?;
    certificates_from_pem(&String::from_utf8_lossy(&bytes)).map_err(|error| {
        let hint = match error {
            PemError::PrivateKey { .. } => {
                "Keep the private key private: only the certificate is wanted here."
            }
            _ => "Give the authority's root certificates in PEM, and nothing else.",
        };
        Failure::coded("key.certificate", &error, hint).about(&path.display().to_string())
    })
}

fn expect_usable(parts: AuthorityParts, path: &Path) -> Done {
    SignerAuthority::new(parts).map(drop).map_err(|error| {
        let hint = "An authority has CA certificates. For one signer's own certificate use `genten trust add-key`.";
        Failure::coded("key.certificate", &error, hint).about(&path.display().to_string())
    })
}

fn expect_new_name(draft: &Draft, name: &str) -> Done {
    match draft.kit().authorities().iter().any(|authority| authority.name == name) {
        false => Ok(()),
        true => Err(Failure::new(
            format!("the kit has an authority named {name} already"),
            "Give another --name; reports call the authority by it.",
        )),
    }
}

fn authority(name: &str, parts: &AuthorityParts) -> Members {
    let roots: Vec<_> = parts.roots.iter().map(|root| base64(root.der())).collect();
    let mut authority = Members::default();
    authority
        .set_text("name", name)
        .set_texts("roots", &roots)
        .set_texts("san_uri", &parts.san_uri);
    if let Some(eku) = &parts.eku {
        authority.set_texts("eku", eku);
    }
    authority
}

fn report(context: &Context, args: &AddCaArgs, roots: &[String]) {
    let mut list = ArrayWriter::new();
    roots.iter().for_each(|root| {
        list.string(root);
    });
    let mut object = ObjectWriter::new();
    object.string("changed", "add-ca").string("authority", &args.name).raw("roots", &list.finish());
    let words = format!(
        "{} now lets {} name signers under {} ({}: {})",
        args.file.kit.display(),
        args.name,
        args.san_uri.join(", "),
        count(roots.len(), "root, SHA-256", "roots, SHA-256"),
        roots.join(", "),
    );
    tell(context, &args.file.kit, &words, &mut object);
}
