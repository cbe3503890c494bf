//! `genten attest`: sign facts about bytes that another program fetched.

use std::path::{Path, PathBuf};

use genten::{Attested, Facts};
use genten_manifest::{Http, TlsChain};
use genten_pki::certificates_from_pem;
use genten_primitives::Sha256Digest;
use genten_primitives::json::ObjectWriter;
use genten_store::StoreError;
use genten_store::atomic::{Mode, create_new};

use super::{logging, terms};
use crate::cli::AttestArgs;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file, write_file};
use crate::output;

/// Largest certificate chain file that is read, in bytes.
const CHAIN_LIMIT: u64 = 1 << 20;

pub(super) async fn run(context: &Context, args: AttestArgs) -> Done {
    let beside = beside(&args.file);
    if args.output.is_none() && beside.exists() {
        let error = StoreError::AlreadyExists { path: beside };
        let hint = "Name it with -o to replace it and all evidence in it, or name another file.";
        return Err(Failure::coded(error.code(), &error, hint));
    }
    let facts = facts(&args)?;
    let genten = logging::builder(context, args.terms.key.as_deref(), &args.log)?.build()?;
    let attested = genten.attest(&facts).await?;
    let bytes = attested.bundle().to_json();
    let bundle = match args.output {
        Some(named) => write_file(&named, &bytes).map(|()| named)?,
        // Evidence in a bundle that is there could not be had again.
        None => create_new(&beside, &bytes, Mode::Shared).map(|()| beside)?,
    };
    if let Some(journal) = genten.journal() {
        journal.update_bundle_path(&attested.manifest_id, &bundle)?;
    }
    report(context, &bundle, &attested);
    logging::flush(context, &genten, &args.log, &[attested.manifest_id]).await;
    Ok(())
}

fn report(context: &Context, bundle: &Path, attested: &Attested) {
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("bundle", &bundle.display().to_string())
            .text("manifest_id", Some(&attested.manifest_id))
            .text("content_sha256", Some(&attested.manifest.claims.content_sha256));
        return output::json(&mut object);
    }
    output::line(&format!("signed, as reported: {}", bundle.display()));
    output::line(&format!("  id        {}", attested.manifest_id));
}

fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".provenance.json");
    PathBuf::from(name)
}

fn facts(args: &AttestArgs) -> Done<Facts> {
    let source_url =
        args.source_url.parse().map_err(|error: genten_manifest::SourceUrlError| {
            Failure::usage(
                format!("--source-url: {error}"),
                "Give the URL exactly as it was asked.",
            )
        })?;
    let fetched_at =
        args.fetched_at.parse().map_err(|error: genten_primitives::time::TimestampError| {
            Failure::usage(format!("--fetched-at: {error}"), "Give the time of the fetch in UTC.")
        })?;
    let (sha256, bytes) = digest(&args.file)?;
    let mut facts = Facts::new(source_url, fetched_at, sha256, Some(bytes));
    facts.terms = terms::terms(&args.terms)?;
    facts.http = http(args)?;
    if let Some(path) = &args.tls_chain {
        let certificates = chain(path)?;
        facts.tls_server_cert_sha256 = certificates.first().map(|leaf| Sha256Digest::of(leaf));
        facts.tls_chain = Some(TlsChain { certificates, scts: None, ocsp: None, tlog_proof: None });
    }
    Ok(facts)
}

fn http(args: &AttestArgs) -> Done<Option<Http>> {
    let Some(status) = args.status else {
        return match &args.media_type {
            None => Ok(None),
            Some(_) => Err(Failure::usage(
                "--media-type needs --status",
                "Give the status of the answer too.",
            )),
        };
    };
    let media_type = args.media_type.as_deref().map(str::parse).transpose();
    let media_type = media_type.map_err(|error: genten_manifest::TextError| {
        Failure::usage(
            format!("--media-type: {error}"),
            "Give the Content-Type as the server sent it.",
        )
    })?;
    Ok(Some(Http { media_type, ..Http::with_status(status) }))
}

fn chain(path: &Path) -> Done<Vec<Vec<u8>>> {
    let pem = read_file(path, CHAIN_LIMIT)?;
    let certificates = certificates_from_pem(&String::from_utf8_lossy(&pem)).map_err(|error| {
        Failure::coded(
            "key.certificate",
            &error,
            "Give the certificates in PEM, the server's own first.",
        )
        .about(&path.display().to_string())
    })?;
    Ok(certificates.iter().map(|certificate| certificate.der().to_vec()).collect())
}

fn digest(path: &Path) -> Done<(Sha256Digest, u64)> {
    let file = std::fs::File::open(path);
    file.and_then(Sha256Digest::of_reader).map_err(|error| Failure::file(path, &error))
}
