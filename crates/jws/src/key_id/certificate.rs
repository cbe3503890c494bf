//! The URIs in a certificate's subjectAltName (RFC 5280 section 4.2.1.6).

use der::asn1::{AnyRef, ObjectIdentifier, OctetStringRef};
use der::{Decode as _, Reader as _, SliceReader, Tag, TagNumber, Tagged as _};

use super::KeyLookupError;

const SUBJECT_ALT_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.17");

/// `[3] EXPLICIT Extensions` of TBSCertificate.
const EXTENSIONS: Tag = Tag::ContextSpecific { constructed: true, number: TagNumber(3) };

/// `[6] IMPLICIT IA5String` of GeneralName.
const URI: Tag = Tag::ContextSpecific { constructed: false, number: TagNumber(6) };

pub(super) fn san_uris(certificate: &[u8]) -> Result<Vec<&str>, KeyLookupError> {
    read(certificate).map_err(|error| KeyLookupError::Certificate {
        offset: error.position().map_or(0, u32::from),
    })
}

fn read(certificate: &[u8]) -> Result<Vec<&str>, der::Error> {
    let mut parts = members(certificate)?.into_iter(); // tbsCertificate, signatureAlgorithm, signature
    let tbs = parts.next().ok_or(der::ErrorKind::Failed)?;
    let mut names = Vec::new();
    for extensions in members_of(tbs)?.into_iter().filter(|part| part.tag() == EXTENSIONS) {
        for extension in members(extensions.value())? {
            names.extend(alternative_names(extension)?);
        }
    }
    let name = match names.as_slice() {
        [] => return Ok(Vec::new()),
        [name] => name,
        _ => return Err(Tag::Sequence.value_error().into()), // a certificate has an extension once
    };
    let uris = members(name)?.into_iter().filter(|name| name.tag() == URI);
    uris.map(|uri| std::str::from_utf8(uri.value()).map_err(der::Error::from)).collect()
}

/// The GeneralNames of an extension, if it is a subjectAltName.
fn alternative_names(extension: AnyRef<'_>) -> Result<Option<&[u8]>, der::Error> {
    let parts = members_of(extension)?; // extnID, critical (left out when false), extnValue
    let (Some(id), Some(value)) = (parts.first(), parts.last()) else { return Ok(None) };
    match id.decode_as::<ObjectIdentifier>()? {
        SUBJECT_ALT_NAME => Ok(Some(value.decode_as::<&OctetStringRef>()?.as_bytes())),
        _ => Ok(None),
    }
}

/// What stands in one SEQUENCE.
fn members(der: &[u8]) -> Result<Vec<AnyRef<'_>>, der::Error> {
    members_of(AnyRef::from_der(der)?)
}

fn members_of(sequence: AnyRef<'_>) -> Result<Vec<AnyRef<'_>>, der::Error> {
    sequence.tag().assert_eq(Tag::Sequence)?;
    let mut reader = SliceReader::new(sequence.value())?;
    let mut members = Vec::new();
    while !reader.is_finished() {
        members.push(AnyRef::decode(&mut reader)?);
    }
    Ok(members)
}
