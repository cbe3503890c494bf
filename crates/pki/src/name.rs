//! Distinguished names and their text form.

use std::fmt::{self, Write as _};

use der::asn1::{AnyRef, BmpString, ObjectIdentifier};
use der::{Decode as _, Reader as _, SliceReader, Tag, Tagged as _};
use genten_primitives::Sha256Digest;
use genten_primitives::encoding::hex;

use crate::Oid;
use crate::asn1::{content, each, oid, read_all};

/// Longest text of a name, in bytes. Longer ones are shown by their digest.
pub const MAX_NAME_TEXT: usize = 1024;

/// A distinguished name as it stands in a certificate (RFC 5280 section 4.1.2.4). Names are equal when their DER is.
///
/// Text form: RFC 4514, the last RDN first, `CN=R11,O=Let's Encrypt,C=US`; the parts of one RDN joined by `+` in their
/// order. Attribute names are those of RFC 4514 section 3 and `serialNumber`, `emailAddress`,
/// `organizationIdentifier`; every other type is dotted decimal with its value as `#` and the hex of its DER, and so is a
/// value that is no text. Control characters are escaped as `\0A`, other Unicode stands as it is. A name that cannot be
/// read, or whose text is longer than [`MAX_NAME_TEXT`], is `sha256:` and the hex SHA-256 of its DER.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name<'c>(&'c [u8]);

impl<'c> Name<'c> {
    /// From the DER of a Name, SEQUENCE header included.
    pub(crate) fn from_der(der: &'c [u8]) -> Self {
        Self(der)
    }

    /// The DER, SEQUENCE header included.
    pub fn der(self) -> &'c [u8] {
        self.0
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match text(self.0) {
            Ok(text) if text.len() <= MAX_NAME_TEXT => f.write_str(&text),
            _ => write!(f, "sha256:{}", Sha256Digest::of(self.0)),
        }
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name({self})")
    }
}

fn text(name: &[u8]) -> Result<String, der::Error> {
    let mut rdns = Vec::new();
    read_all(name, |reader| {
        each(reader, |rdn| {
            rdns.push(read_all(content(rdn, Tag::Set)?, rdn_text)?);
            Ok(())
        })
    })?;
    rdns.reverse();
    Ok(rdns.join(","))
}

fn rdn_text(set: &mut SliceReader<'_>) -> Result<String, der::Error> {
    let mut text = String::new();
    while !set.is_finished() {
        if !text.is_empty() {
            text.push('+');
        }
        set.sequence(|attribute| push_attribute(attribute, &mut text))?;
    }
    Ok(text)
}

/// Appends `type=value`.
fn push_attribute(attribute: &mut SliceReader<'_>, out: &mut String) -> Result<(), der::Error> {
    let kind = oid(attribute)?;
    let value = attribute.tlv_bytes()?;
    match (short_name(&kind), directory_string(value)) {
        (Some(name), Some(text)) => {
            out.push_str(name);
            out.push('=');
            push_escaped(&text, out);
        }
        (Some(name), None) => push_hex(name, value, out),
        (None, _) => push_hex(&kind.to_string(), value, out),
    }
    Ok(())
}

fn push_hex(kind: &str, value: &[u8], out: &mut String) {
    out.push_str(kind);
    out.push_str("=#");
    out.push_str(&hex(value));
}

/// Attribute types with names of their own.
const SHORT_NAMES: [(ObjectIdentifier, &str); 12] = [
    (ObjectIdentifier::new_unwrap("2.5.4.3"), "CN"),
    (ObjectIdentifier::new_unwrap("2.5.4.7"), "L"),
    (ObjectIdentifier::new_unwrap("2.5.4.8"), "ST"),
    (ObjectIdentifier::new_unwrap("2.5.4.10"), "O"),
    (ObjectIdentifier::new_unwrap("2.5.4.11"), "OU"),
    (ObjectIdentifier::new_unwrap("2.5.4.6"), "C"),
    (ObjectIdentifier::new_unwrap("2.5.4.9"), "STREET"),
    (ObjectIdentifier::new_unwrap("0.9.2342.19200300.100.1.25"), "DC"),
    (ObjectIdentifier::new_unwrap("0.9.2342.19200300.100.1.1"), "UID"),
    (ObjectIdentifier::new_unwrap("2.5.4.5"), "serialNumber"),
    (ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.1"), "emailAddress"),
    (ObjectIdentifier::new_unwrap("2.5.4.97"), "organizationIdentifier"),
];

fn short_name(kind: &Oid) -> Option<&'static str> {
    SHORT_NAMES.iter().find(|(oid, _)| kind == oid).map(|(_, name)| *name)
}

/// The characters of a string value. TeletexString has no agreed character set beyond ASCII.
fn directory_string(value: &[u8]) -> Option<String> {
    let value = AnyRef::from_der(value).ok()?;
    let ascii_only = match value.tag() {
        Tag::Utf8String => false,
        Tag::PrintableString | Tag::Ia5String | Tag::NumericString | Tag::TeletexString => true,
        Tag::BmpString => return Some(BmpString::from_ucs2(value.value()).ok()?.chars().collect()),
        _ => return None,
    };
    let text = std::str::from_utf8(value.value()).ok()?;
    (!ascii_only || text.is_ascii()).then(|| text.to_owned())
}

/// RFC 4514 section 2.4.
fn push_escaped(text: &str, out: &mut String) {
    let last = text.len().saturating_sub(1);
    for (at, character) in text.char_indices() {
        match character {
            '"' | '+' | ',' | ';' | '<' | '>' | '\\' => out.extend(['\\', character]),
            ' ' if at == 0 || at == last => out.push_str("\\ "),
            '#' if at == 0 => out.push_str("\\#"),
            control if control.is_ascii_control() => {
                write!(out, "\\{:02X}", u32::from(control)).expect("a String takes any text");
            }
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(type, tag, value)` of one attribute, in DER.
    fn attribute(oid: &str, tag: u8, value: &[u8]) -> Vec<u8> {
        let oid: Oid = oid.parse().unwrap();
        tlv(0x30, &[tlv(0x06, oid.content()), tlv(tag, value)].concat())
    }

    fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = content.len();
        let header = match length {
            0..0x80 => vec![tag, length as u8],
            0x80..0x100 => vec![tag, 0x81, length as u8],
            _ => vec![tag, 0x82, (length >> 8) as u8, length as u8],
        };
        [header, content.to_vec()].concat()
    }

    /// A name of RDNs with one attribute each.
    fn shown(attributes: &[(&str, u8, &[u8])]) -> String {
        let rdns =
            attributes.iter().map(|(oid, tag, value)| tlv(0x31, &attribute(oid, *tag, value)));
        Name::from_der(&tlv(0x30, &rdns.collect::<Vec<_>>().concat())).to_string()
    }

    #[test]
    fn last_rdn_first() {
        let name = [
            ("2.5.4.6", 0x13, &b"US"[..]),
            ("2.5.4.10", 0x0c, b"Let's Encrypt"),
            ("2.5.4.3", 0x0c, b"R11"),
        ];
        assert_eq!(shown(&name), "CN=R11,O=Let's Encrypt,C=US");
        assert_eq!(shown(&[]), "");
    }

    #[test]
    fn several_attributes_in_one_rdn() {
        let both = [attribute("2.5.4.10", 0x0c, b"a"), attribute("2.5.4.3", 0x0c, b"b")].concat();
        let der = tlv(0x30, &tlv(0x31, &both));
        assert_eq!(Name::from_der(&der).to_string(), "O=a+CN=b");
    }

    #[test]
    fn values_cannot_forge_structure() {
        let cn = |value: &str| shown(&[("2.5.4.3", 0x0c, value.as_bytes())]);
        assert_eq!(cn("a,O=b"), r"CN=a\,O=b");
        assert_eq!(cn("a+b;c<d>e\"f\\g"), r#"CN=a\+b\;c\<d\>e\"f\\g"#);
        assert_eq!(cn(" a b "), r"CN=\ a b\ ");
        assert_eq!(cn(" "), r"CN=\ ");
        assert_eq!(cn("#a#"), r"CN=\#a#");
        assert_eq!(cn("a\nb\0\u{7f}"), r"CN=a\0Ab\00\7F");
        assert_eq!(cn("日本"), "CN=日本");
        assert_eq!(cn(""), "CN=");
    }

    #[test]
    fn string_types() {
        let cn = |tag, value: &[u8]| shown(&[("2.5.4.3", tag, value)]);
        assert_eq!(cn(0x1e, &[0x65, 0xe5, 0x67, 0x2c]), "CN=日本", "BMPString");
        assert_eq!(cn(0x14, b"plain"), "CN=plain", "TeletexString");
        assert_eq!(cn(0x14, &[0xe9]), "CN=#1401e9");
        assert_eq!(cn(0x13, "é".as_bytes()), "CN=#1302c3a9", "PrintableString is ASCII");
        assert_eq!(cn(0x0c, &[0xff]), "CN=#0c01ff", "not UTF-8");
        assert_eq!(cn(0x1e, &[0xd8, 0x00]), "CN=#1e02d800", "lone surrogate");
        assert_eq!(cn(0x02, &[5]), "CN=#020105", "INTEGER");
    }

    #[test]
    fn other_types_are_dotted() {
        assert_eq!(shown(&[("1.2.3", 0x0c, b"x")]), "1.2.3=#0c0178");
        assert_eq!(shown(&[("2.5.4.97", 0x0c, b"VATES-1")]), "organizationIdentifier=VATES-1");
    }

    #[test]
    fn long_or_broken_names_are_digests() {
        let long = |length: usize| shown(&[("2.5.4.3", 0x0c, &vec![b'a'; length])]);
        assert_eq!(long(MAX_NAME_TEXT - 3).len(), MAX_NAME_TEXT);
        assert!(long(MAX_NAME_TEXT - 2).starts_with("sha256:"));
        let broken = [0x30, 2, 5, 0];
        let digest = Sha256Digest::of(&broken);
        assert_eq!(Name::from_der(&broken).to_string(), format!("sha256:{digest}"));
    }
}
