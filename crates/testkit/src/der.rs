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

/// An INTEGER that is not negative.
pub fn integer(number: u64) -> Vec<u8> {
    let bytes = number.to_be_bytes();
    let content = &bytes[(number.leading_zeros() as usize / 8).min(7)..];
    let sign: &[u8] = if content[0] & 0x80 == 0 { &[] } else { &[0] };
    tlv(2, &[sign, content].concat())
}

/// Tag and content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'b> {
    /// The tag, one byte.
    pub tag: u8,
    /// What it holds.
    pub content: &'b [u8],
}

/// The elements that these bytes are, one behind the other; `None` where a length leads beyond the end.
pub fn elements(mut bytes: &[u8]) -> Option<Vec<Element<'_>>> {
    let mut elements = Vec::new();
    while let [tag, rest @ ..] = bytes {
        let (length, rest) = match rest {
            [short @ 0..=0x7f, rest @ ..] => (usize::from(*short), rest),
            [0x81, length, rest @ ..] => (usize::from(*length), rest),
            [0x82, high, low, rest @ ..] => (usize::from(u16::from_be_bytes([*high, *low])), rest),
            _ => return None,
        };
        let (content, rest) = rest.split_at_checked(length)?;
        elements.push(Element { tag: *tag, content });
        bytes = rest;
    }
    Some(elements)
}
