//! Evidence about source and signer: certificates, DID documents, copies in archives, and what others define.

use std::path::Path;

use genten_jws::key_id::{assertion_keys, expect_certified};
use genten_manifest::{Bundle, Claims, MAX_BUNDLE_BYTES, TlsChain};
use genten_pki::Certificate;
use genten_primitives::encoding::base64;
use genten_primitives::json::{self, Limits, ObjectWriter};
use genten_primitives::{PublicKey, Sha256Digest};

use super::add::taken;
use crate::command::argument;
use crate::command::document::Document;
use crate::command::pem::certificates;
use crate::failure::{Done, Failure, read_file};

const LIMIT: u64 = MAX_BUNDLE_BYTES as u64;

const CERTIFICATES: &str = "Give the certificates in PEM, the signer's or the server's own first.";

/// The signer's chain or the server's, as the first certificate says.
pub(super) fn chain(document: &Document, path: &Path) -> Done<Bundle> {
    let certificates = certificates(path, CERTIFICATES)?;
    let Some(leaf) = certificates.first() else {
        return Err(Failure::new("no certificate in it", "Give certificates in PEM."));
    };
    let chain: Vec<_> = certificates.iter().map(|one| one.der().to_vec()).collect();
    let bundle = document.bundle.to_bundle();
    if document.claims().tls_server_cert_sha256 == Some(leaf.sha256()) {
        let chain = TlsChain { certificates: chain, scts: None, ocsp: None, tlog_proof: None };
        return Ok(bundle.with_tls_chain(&chain));
    }
    let key = leaf.public_key().ok().filter(|key| document.signed.verify(key).is_ok());
    let key = key.ok_or_else(|| strange_leaf(document, leaf))?;
    expect_certified(document.key_id(), &key, leaf.der()).map_err(|error| {
        let hint =
            "The key is the signer's, but the certificate does not name the id of the manifest.";
        Failure::coded(error.code(), &error, hint)
    })?;
    Ok(bundle.with_x509_chain(&chain))
}

fn strange_leaf(document: &Document, leaf: &Certificate) -> Failure {
    let expected = match document.claims().tls_server_cert_sha256 {
        Some(expected) => format!("neither the server's, which has SHA-256 {expected}, nor"),
        None => "not".to_owned(),
    };
    Failure::new(
        format!(
            "the first certificate, SHA-256 {}, is {expected} of the key that signed the manifest",
            leaf.sha256()
        ),
        "Give the chain that belongs to this manifest, its own certificate first.",
    )
}

/// A document of the signer's DID, with the key that signed.
pub(super) fn did_document(
    document: &Document,
    path: &Path,
    retrieved_at: Option<&str>,
) -> Done<Bundle> {
    let retrieved_at = argument::optional_time("--retrieved-at", retrieved_at)?;
    let bytes = read_file(path, LIMIT)?;
    let hint = "Give the DID document as its owner publishes it (JSON).";
    let read = json::read(&bytes, Limits::bytes(MAX_BUNDLE_BYTES))
        .map_err(|error| Failure::coded(error.rule.code(), &error, hint))?;
    let (found, _) =
        assertion_keys(read.root()).map_err(|error| Failure::coded(error.code(), &error, hint))?;
    let expected = document.key_id().did();
    if found != expected {
        return Err(Failure::new(
            format!("the document is about {found}, the signer of the manifest is {expected}"),
            "Give the document of the signer's own DID.",
        ));
    }
    let key = document.documented_key(read.root().raw_text());
    if key.is_none_or(|key: PublicKey| document.signed.verify(&key).is_err()) {
        return Err(Failure::new(
            format!(
                "no key of the document is that of {}, under which the manifest was signed",
                document.key_id()
            ),
            "Give the document as it was when the manifest was signed.",
        ));
    }
    let item = ObjectWriter::new()
        .string("type", "did-document")
        .raw("document", read.root().raw())
        .text("retrieved_at", retrieved_at.as_ref())
        .finish();
    taken(document.bundle.to_bundle().with_evidence(&item))
}

/// The manifest of an archive's copy: of the same bytes, from an address that ends with ours.
pub(super) fn archive(document: &Document, path: &Path) -> Done<Bundle> {
    let copy = Document::open(path)?;
    let (ours, theirs) = (document.claims(), copy.claims());
    let is_of = |url: &str| {
        let before = theirs.source_url.as_str().strip_suffix(url);
        before.is_some_and(|before| before.ends_with('/'))
    };
    if ![ours.source_url.as_str(), ours.final_url().as_str()].into_iter().any(is_of) {
        return Err(Failure::new(
            format!(
                "it is about {}, which is no copy of {} in an archive",
                theirs.source_url, ours.source_url
            ),
            "An archive's address ends with that of the source, such as https://web.archive.org/web/20261130081500id_/https://…",
        ));
    }
    if !is_same_content(ours, theirs) {
        return Err(Failure::new(
            format!(
                "the copy has other bytes: SHA-256 {}, the manifest has {}",
                theirs.content_sha256, ours.content_sha256
            ),
            "Fetch the archive's raw copy of this very revision.",
        ));
    }
    let item = ObjectWriter::new()
        .string("type", "archive")
        .raw("manifest", &copy.manifest().to_json())
        .finish();
    taken(document.bundle.to_bundle().with_evidence(&item))
}

/// Raw or decoded, on either side.
fn is_same_content(ours: &Claims, theirs: &Claims) -> bool {
    let digests = |claims: &Claims| [Some(claims.content_sha256), claims.decoded_sha256()];
    let ours: Vec<_> = digests(ours).into_iter().flatten().collect();
    digests(theirs).into_iter().flatten().any(|digest| ours.contains(&digest))
}

/// Whatever it is, bound to this manifest.
pub(super) fn external(
    document: &Document,
    path: &Path,
    media_type: &str,
    label: Option<&str>,
) -> Done<Bundle> {
    let is_type = media_type.split_once('/').is_some_and(|(kind, name)| {
        [kind, name]
            .iter()
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_graphic()))
    });
    if !is_type {
        return Err(Failure::usage(
            format!("--media-type {media_type}: not a media type"),
            "For example application/vnd.tlsnotary or application/eat+cwt.",
        ));
    }
    let data = read_file(path, LIMIT)?;
    let item = ObjectWriter::new()
        .string("type", "external")
        .string("media_type", media_type)
        .string("sha256", &Sha256Digest::of(&data).to_string())
        .string("data", &base64(&data))
        .optional("label", label)
        .string("manifest_id", &document.manifest_id().to_string())
        .finish();
    taken(document.bundle.to_bundle().with_evidence(&item))
}
