//! One item of evidence: its type, and what is in it.

mod logged;

use genten_jws::key_id::assertion_keys;
use genten_manifest::{Evidence, EvidenceKind, ExternalEvidence, TlsChain};
use genten_primitives::Printable;
use genten_primitives::encoding::base64;
use genten_primitives::json::{self, Limits, ObjectWriter, Value};

use super::certificate;
use crate::command::text::{Rows, Text, count};

/// Adds the item to the text; gives it as JSON.
pub(in crate::command) fn write(item: &Evidence, text: &mut Text) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object.string("type", item.type_name());
    let head = format!("{}: {}", Printable(item.type_name()), summary(item));
    text.line(1, head);
    match item.kind() {
        EvidenceKind::X509Chain(chain) => certificates(chain, text, &mut object),
        EvidenceKind::TlsChain(chain) => tls_chain(chain, text, &mut object),
        EvidenceKind::DidDocument { document, .. } => did_document(document, text, &mut object),
        EvidenceKind::External(external) => self::external(external, text, &mut object),
        EvidenceKind::Archive(_) => archive(item, text, &mut object),
        EvidenceKind::Batch(batch) => logged::batch(batch, text, &mut object),
        EvidenceKind::RekorV2(entry) => logged::entry(entry, text, &mut object),
        EvidenceKind::Rfc3161(stamp) => logged::timestamp(stamp, text, &mut object),
        _ => other(item, text, &mut object),
    }
    object.finish()
}

fn summary(item: &Evidence) -> String {
    match item.kind() {
        EvidenceKind::Archive(_) => "the manifest of a copy in an archive".to_owned(),
        EvidenceKind::Batch(_) => "a place in a signed batch of manifests".to_owned(),
        EvidenceKind::DidDocument { .. } => "a DID document, for display only".to_owned(),
        EvidenceKind::External(_) => "evidence of a kind that others define".to_owned(),
        EvidenceKind::RekorV2(_) => "an entry of a transparency log".to_owned(),
        EvidenceKind::Rfc3161(_) => "a timestamp of an authority".to_owned(),
        EvidenceKind::TlsChain(chain) => {
            format!("{} of the server, its own first", certificate_count(&chain.certificates))
        }
        EvidenceKind::X509Chain(chain) => {
            format!("{} of the signer, its own first", certificate_count(chain))
        }
        _ => "UNKNOWN to this version".to_owned(),
    }
}

fn certificate_count(chain: &[Vec<u8>]) -> String {
    count(chain.len(), "certificate", "certificates")
}

fn certificates(chain: &[Vec<u8>], text: &mut Text, object: &mut ObjectWriter<'static>) {
    certificate::rows(chain, 2, text);
    object.raw("certificates", &certificate::list(chain));
}

fn tls_chain(chain: &TlsChain, text: &mut Text, object: &mut ObjectWriter<'static>) {
    certificates(&chain.certificates, text, object);
    let mut rows = Rows::default();
    let parts = [("scts", &chain.scts), ("ocsp", &chain.ocsp), ("tlog_proof", &chain.tlog_proof)];
    for (name, part) in parts {
        if let Some(bytes) = part {
            rows.add(name, count(bytes.len(), "byte", "bytes"));
            object.string(name, &base64(bytes));
        }
    }
    text.rows(2, &rows);
}

fn did_document(document: &str, text: &mut Text, object: &mut ObjectWriter<'static>) {
    let Ok(read) = json::read(document.as_bytes(), Limits::bytes(document.len())) else { return };
    let mut rows = Rows::default();
    match assertion_keys(read.root()) {
        Ok((did, keys)) => {
            rows.add("did", did);
            for (id, found) in keys {
                let key = found.key;
                rows.add("key", id);
                rows.add("", format!("{}, thumbprint {}", key.kind(), key.thumbprint()));
            }
        }
        Err(error) => drop(rows.add("keys", format!("cannot be read: {error}"))),
    }
    text.rows(2, &rows);
    object.raw("document", &canonical(read.root()));
}

fn external(external: &ExternalEvidence, text: &mut Text, object: &mut ObjectWriter<'static>) {
    let bytes = external.data.as_ref().map(|data| count(data.len(), "byte", "bytes"));
    let mut rows = Rows::default();
    rows.add("media_type", &external.media_type)
        .optional("label", external.label.as_ref())
        .add("sha256", external.sha256)
        .optional("data", bytes)
        .optional("uri", external.uri.as_ref())
        .add("manifest_id", external.manifest_id);
    text.rows(2, &rows);
    object
        .string("media_type", &external.media_type)
        .optional("label", external.label.as_deref())
        .string("sha256", &external.sha256.to_string())
        .optional("uri", external.uri.as_deref())
        .string("manifest_id", &external.manifest_id.to_string());
}

fn archive(item: &Evidence, text: &mut Text, object: &mut ObjectWriter<'static>) {
    let EvidenceKind::Archive(manifest) = item.kind() else { return };
    let raw = item.raw();
    let Ok(document) = json::read(raw.as_bytes(), Limits::bytes(raw.len())) else { return };
    if let Some(value) = document.root().get("manifest") {
        super::manifest::write(manifest, value, text, object);
    }
}

/// What is not looked into: named, with its size.
fn other(item: &Evidence, text: &mut Text, object: &mut ObjectWriter<'static>) {
    let raw = item.raw();
    let Ok(document) = json::read(raw.as_bytes(), Limits::bytes(raw.len())) else { return };
    let mut rows = Rows::default();
    rows.add("size", count(raw.len(), "byte", "bytes"));
    text.rows(2, &rows);
    object.raw("item", &canonical(document.root()));
}

fn canonical(value: Value<'_>) -> Vec<u8> {
    let mut canonical = Vec::new();
    value.write_canonical(&mut canonical);
    canonical
}
