//! Certificates: names, validity, fingerprint, what they may be used for.

mod readable;

use genten_pki::certificates_from_pem;
use genten_primitives::Sha256Digest;
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use super::Shown;
use crate::command::text::{Rows, Text, count};
use crate::failure::{Done, Failure};
use readable::Readable;

/// A file of certificates in PEM.
pub(super) fn pem(text: &str) -> Done<Shown> {
    let certificates = certificates_from_pem(text).map_err(|error| {
        Failure::coded("key.certificate", &error, "Every block must be one certificate in PEM.")
    })?;
    let chain: Vec<_> = certificates.iter().map(|one| one.der().to_vec()).collect();
    Ok(self::chain(&chain))
}

/// Certificates in DER, in their order.
pub(super) fn chain(certificates: &[Vec<u8>]) -> Shown {
    let mut text = Text::default();
    text.line(0, count(certificates.len(), "certificate", "certificates"));
    rows(certificates, 1, &mut text);
    let mut object = ObjectWriter::new();
    object.raw("certificates", &list(certificates));
    Shown { kind: "certificates", text, object }
}

/// Adds every certificate to the text.
pub(super) fn rows(certificates: &[Vec<u8>], depth: usize, text: &mut Text) {
    for (position, der) in certificates.iter().enumerate() {
        text.line(depth, format!("certificate {}", position + 1));
        text.rows(depth + 1, &one(der));
    }
}

/// The certificates as a JSON array.
pub(super) fn list(certificates: &[Vec<u8>]) -> Vec<u8> {
    let mut list = ArrayWriter::new();
    for der in certificates {
        list.raw(&object(der));
    }
    list.finish()
}

fn one(der: &[u8]) -> Rows {
    let mut rows = Rows::default();
    match Readable::of(der) {
        None => drop(rows.add("unreadable", count(der.len(), "byte", "bytes"))),
        Some(certificate) => readable_rows(&certificate, &mut rows),
    }
    rows.add("sha256", Sha256Digest::of(der));
    rows
}

fn readable_rows(certificate: &Readable, rows: &mut Rows) {
    rows.add("subject", &certificate.subject)
        .add("issuer", &certificate.issuer)
        .add("serial", &certificate.serial)
        .add("valid", format!("{} to {}", certificate.not_before, certificate.not_after))
        .add("key", &certificate.key)
        .optional("thumbprint", certificate.thumbprint.as_ref());
    for name in &certificate.alternative_names {
        rows.add("name", name);
    }
    rows.optional("key usage", certificate.key_usage.as_ref());
    if !certificate.purposes.is_empty() {
        rows.add("key purposes", certificate.purposes.join(", "));
    }
    rows.add("authority", if certificate.is_ca { "yes" } else { "no" });
    if !certificate.extensions.is_empty() {
        rows.add("extensions", certificate.extensions.join(", "));
    }
}

fn object(der: &[u8]) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object.string("sha256", &Sha256Digest::of(der).to_string());
    let Some(certificate) = Readable::of(der) else {
        return object.boolean("unreadable", true).finish();
    };
    object
        .string("subject", &certificate.subject)
        .string("issuer", &certificate.issuer)
        .string("serial", &certificate.serial)
        .string("not_before", &certificate.not_before)
        .string("not_after", &certificate.not_after)
        .string("key", &certificate.key)
        .optional("thumbprint", certificate.thumbprint.as_deref())
        .raw("names", &strings(&certificate.alternative_names))
        .optional("key_usage", certificate.key_usage.as_deref())
        .raw("key_purposes", &strings(&certificate.purposes))
        .boolean("is_ca", certificate.is_ca)
        .raw("extensions", &strings(&certificate.extensions))
        .finish()
}

fn strings(texts: &[String]) -> Vec<u8> {
    let mut list = ArrayWriter::new();
    for text in texts {
        list.string(text);
    }
    list.finish()
}
