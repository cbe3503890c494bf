//! Small helpers over the strict DER reader.

use std::ops::Range;

use der::asn1::AnyRef;
use der::{Reader as _, SliceReader, Tag, Tagged as _};

use crate::Oid;

/// Reads `bytes` as exactly what `read` takes from them; nothing may be left over.
pub(crate) fn read_all<'d, T>(
    bytes: &'d [u8],
    read: impl FnOnce(&mut SliceReader<'d>) -> Result<T, der::Error>,
) -> Result<T, der::Error> {
    let mut reader = SliceReader::new(bytes)?;
    let value = read(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// The elements of a SEQUENCE, each handed to `element`.
pub(crate) fn each<'d>(
    sequence: &mut SliceReader<'d>,
    mut element: impl FnMut(&mut SliceReader<'d>) -> Result<(), der::Error>,
) -> Result<(), der::Error> {
    sequence.sequence(|reader| {
        while !reader.is_finished() {
            element(reader)?;
        }
        Ok(())
    })
}

/// Where the next element stands in the whole input, header included. The element must have the tag `tag`.
pub(crate) fn span(reader: &mut SliceReader<'_>, tag: Tag) -> Result<Range<usize>, der::Error> {
    Tag::peek(reader)?.assert_eq(tag)?;
    let start = position(reader)?;
    reader.tlv_bytes()?;
    Ok(start..position(reader)?)
}

/// The content of the next element, which must have the tag `tag`.
pub(crate) fn content<'d>(reader: &mut SliceReader<'d>, tag: Tag) -> Result<&'d [u8], der::Error> {
    let element: AnyRef<'d> = reader.decode()?;
    element.tag().assert_eq(tag)?;
    Ok(element.value())
}

/// The object identifier that comes next.
pub(crate) fn oid(reader: &mut SliceReader<'_>) -> Result<Oid, der::Error> {
    content(reader, Tag::ObjectIdentifier).map(Oid::from_content)
}

/// The next element, if it is one of the context-specific number `number`.
pub(crate) fn optional<'d>(
    reader: &mut SliceReader<'d>,
    number: u32,
) -> Result<Option<AnyRef<'d>>, der::Error> {
    if reader.is_finished() || context_number(Tag::peek(reader)?) != Some(number) {
        return Ok(None);
    }
    reader.decode().map(Some)
}

/// The number of a context-specific tag.
pub(crate) fn context_number(tag: Tag) -> Option<u32> {
    match tag {
        Tag::ContextSpecific { number, .. } => Some(number.value()),
        _ => None,
    }
}

/// Where a DER reader stopped.
pub(crate) fn offset(error: &der::Error) -> u32 {
    error.position().map_or(0, u32::from)
}

fn position(reader: &SliceReader<'_>) -> Result<usize, der::Error> {
    usize::try_from(reader.position())
}
