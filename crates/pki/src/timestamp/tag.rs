//! Elements that the helpers for certificates do not know.

use der::asn1::AnyRef;
use der::{Reader as _, SliceReader, Tag, TagNumber, Tagged as _};

/// A context-specific tag for primitive content.
pub(super) const fn primitive(number: u32) -> Tag {
    Tag::ContextSpecific { constructed: false, number: TagNumber(number) }
}

/// A context-specific tag for constructed content.
pub(super) const fn constructed(number: u32) -> Tag {
    Tag::ContextSpecific { constructed: true, number: TagNumber(number) }
}

/// Whether the next element has the tag `tag`.
pub(super) fn next_is(reader: &SliceReader<'_>, tag: Tag) -> Result<bool, der::Error> {
    Ok(!reader.is_finished() && Tag::peek(reader)? == tag)
}

/// The content of the next element, if it has the tag `tag`.
pub(super) fn optional<'d>(
    reader: &mut SliceReader<'d>,
    tag: Tag,
) -> Result<Option<&'d [u8]>, der::Error> {
    if !next_is(reader, tag)? {
        return Ok(None);
    }
    let element: AnyRef<'d> = reader.decode()?;
    element.tag().assert_eq(tag)?;
    Ok(Some(element.value()))
}

/// The elements of a SET, headers included.
pub(super) fn elements(content: &[u8]) -> Result<Vec<&[u8]>, der::Error> {
    let mut reader = SliceReader::new(content)?;
    let mut elements = Vec::new();
    while !reader.is_finished() {
        elements.push(reader.tlv_bytes()?);
    }
    Ok(elements)
}

/// The content of an INTEGER in its shortest form (X.690 section 8.3.2): big-endian, in two's complement.
pub(super) fn integer<'d>(reader: &mut SliceReader<'d>) -> Result<&'d [u8], der::Error> {
    let content = crate::asn1::content(reader, Tag::Integer)?;
    match content {
        [] | [0, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..] => Err(Tag::Integer.value_error().into()),
        _ if content.len() > MAX_INTEGER => Err(Tag::Integer.length_error().into()),
        _ => Ok(content),
    }
}

/// Longest INTEGER that is read, in bytes. Serial numbers have at most 20 octets (RFC 5280 section 4.1.2.2, RFC 3161
/// section 2.4.2), nonces usually 8 or 20.
const MAX_INTEGER: usize = 64;

/// The INTEGER `expected`, and no other.
pub(super) fn version(reader: &mut SliceReader<'_>, expected: u8) -> Result<(), der::Error> {
    match integer(reader)? {
        [found] if *found == expected => Ok(()),
        _ => Err(Tag::Integer.value_error().into()),
    }
}
