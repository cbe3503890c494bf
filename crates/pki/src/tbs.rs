//! Walks through the TBSCertificate of a certificate that was read: single extensions, and the one without SCTs.

use std::ops::Range;

use der::asn1::{ObjectIdentifier, OctetStringRef};
use der::{Reader as _, SliceReader, Tag};

use crate::asn1::{content, context_number, oid, read_all, span};
use crate::extensions::SCT_LIST;
use crate::{Certificate, Oid};

impl Certificate {
    /// The TBSCertificate without the embedded SCT list, which is what embedded SCTs are signed over (RFC 6962 section
    /// 3.2). The lengths around the list are written again, every other byte is the certificate's. Without a list it is
    /// [`tbs_der`](Self::tbs_der).
    pub fn tbs_without_scts(&self) -> Vec<u8> {
        let tbs = self.tbs_der();
        // The certificate was read by the same rules. Were it otherwise, no SCT would verify over the unchanged bytes.
        remove_scts(tbs).unwrap_or_else(|_| tbs.to_vec())
    }

    /// The content of an extension (the bytes in its extnValue).
    pub(crate) fn extension(&self, wanted: ObjectIdentifier) -> Option<&[u8]> {
        let tbs = self.tbs_der();
        let walked = walk(tbs).ok()?;
        walked.into_iter().flatten().find(|found| found.oid == wanted).map(|found| found.value)
    }
}

/// One extension, and where it stands in the TBSCertificate.
struct Extension<'d> {
    oid: Oid,
    value: &'d [u8],
    place: Range<usize>,
}

/// All extensions; `None` for a certificate without any.
fn walk(tbs: &[u8]) -> Result<Option<Vec<Extension<'_>>>, der::Error> {
    let Some(field) = field(tbs)? else { return Ok(None) };
    let list = inner(tbs, inner(tbs, field)?)?;
    let mut rest = list.clone();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let length = SliceReader::new(&tbs[rest.clone()])?.tlv_bytes()?.len();
        let place = rest.start..rest.start + length;
        rest.start = place.end;
        found.push(one(tbs, place)?);
    }
    Ok(Some(found))
}

fn one(tbs: &[u8], place: Range<usize>) -> Result<Extension<'_>, der::Error> {
    read_all(&tbs[place.clone()], |reader| {
        reader.sequence(|fields| {
            let oid = oid(fields)?;
            if Tag::peek(fields)? == Tag::Boolean {
                fields.tlv_bytes()?; // critical
            }
            let value: &OctetStringRef = fields.decode()?;
            Ok::<_, der::Error>(Extension { oid, value: value.as_bytes(), place })
        })
    })
}

/// Where the field `extensions [3]` stands, header included.
fn field(tbs: &[u8]) -> Result<Option<Range<usize>>, der::Error> {
    read_all(tbs, |reader| {
        reader.sequence(|fields| {
            let mut found = None;
            while !fields.is_finished() {
                let tag = Tag::peek(fields)?;
                let place = span(fields, tag)?;
                if context_number(tag) == Some(3) {
                    found = Some(place);
                }
            }
            Ok::<_, der::Error>(found)
        })
    })
}

/// Where the content of the element at `place` stands.
fn inner(tbs: &[u8], place: Range<usize>) -> Result<Range<usize>, der::Error> {
    let element = &tbs[place.clone()];
    let length = read_all(element, |reader| {
        let tag = Tag::peek(reader)?;
        content(reader, tag)
    })?
    .len();
    Ok(place.end - length..place.end)
}

fn remove_scts(tbs: &[u8]) -> Result<Vec<u8>, der::Error> {
    let scts = walk(tbs)?.into_iter().flatten().find(|one| one.oid == SCT_LIST);
    let (Some(scts), Some(field)) = (scts, field(tbs)?) else { return Ok(tbs.to_vec()) };
    let list = inner(tbs, inner(tbs, field.clone())?)?;
    let fields = inner(tbs, 0..tbs.len())?;
    let kept = [&tbs[list.start..scts.place.start], &tbs[scts.place.end..list.end]];
    let extensions = element(tbs[field.start], &[&element(0x30, &kept)]);
    Ok(element(0x30, &[&tbs[fields.start..field.start], &extensions, &tbs[field.end..]]))
}

/// An element in DER: tag, length in its shortest form (X.690 section 10.1), content.
fn element(tag: u8, content: &[&[u8]]) -> Vec<u8> {
    let length: usize = content.iter().map(|part| part.len()).sum();
    let mut bytes = Vec::with_capacity(length + 6);
    bytes.push(tag);
    let long = length.to_be_bytes();
    let zeros = long.iter().take_while(|byte| **byte == 0).count();
    if length >= 0x80 {
        bytes.push(0x80 | (long.len() - zeros) as u8);
        bytes.extend(&long[zeros..]);
    } else {
        bytes.push(length as u8);
    }
    content.iter().for_each(|part| bytes.extend(*part));
    bytes
}
