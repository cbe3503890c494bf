//! The way through a certificate to its SubjectPublicKeyInfo (RFC 5280 section 4.1).

use der::{Reader as _, SliceReader, Tag};

use super::KeyError;

/// The SubjectPublicKeyInfo inside the DER of a certificate.
pub(super) fn spki(certificate: &[u8]) -> Result<&[u8], KeyError> {
    walk(certificate)
        .map_err(|error| KeyError::CertificateDer { offset: super::spki::offset(&error) })
}

fn walk(der: &[u8]) -> Result<&[u8], der::Error> {
    let mut reader = SliceReader::new(der)?;
    let spki = reader.sequence(|certificate| {
        let spki = certificate.sequence(to_be_signed)?;
        certificate.sequence(skip_all)?; // signatureAlgorithm
        certificate.tlv_bytes()?; // signature
        Ok::<_, der::Error>(spki)
    })?;
    reader.finish()?;
    Ok(spki)
}

fn to_be_signed<'c>(tbs: &mut SliceReader<'c>) -> Result<&'c [u8], der::Error> {
    if Tag::peek(tbs)?.is_context_specific() {
        tbs.tlv_bytes()?; // version
    }
    for _serial_signature_issuer_validity_subject in 0..5 {
        tbs.tlv_bytes()?;
    }
    let spki = tbs.tlv_bytes()?;
    skip_all(tbs)?;
    Ok(spki)
}

fn skip_all(reader: &mut SliceReader<'_>) -> Result<(), der::Error> {
    while !reader.is_finished() {
        reader.tlv_bytes()?;
    }
    Ok(())
}
