//! DER, written without the code under test.

/// Tag, length, content.
///
/// # Panics
/// On a content of 64 KiB or more.
pub fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).expect("nothing here is that long").to_be_bytes();
    let header = match (content.len(), length) {
        (0..0x80, [_, low]) => vec![tag, low],
        (0x80..0x100, [_, low]) => vec![tag, 0x81, low],
        (_, [high, low]) => vec![tag, 0x82, high, low],
    };
    [header.as_slice(), content].concat()
}

/// A SEQUENCE of these parts.
pub fn seq(parts: &[&[u8]]) -> Vec<u8> {
    tlv(0x30, &parts.concat())
}

/// An OBJECT IDENTIFIER with this content.
pub fn oid(content: &[u8]) -> Vec<u8> {
    tlv(6, content)
}

/// An AlgorithmIdentifier without parameters.
pub fn algorithm(content: &[u8]) -> Vec<u8> {
    seq(&[&oid(content)])
}
