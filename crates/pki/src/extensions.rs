//! The certificate extensions that decide something here (RFC 5280 section 4.2, RFC 6962 section 3.3).

use std::net::IpAddr;

use der::asn1::{AnyRef, BitStringRef, ObjectIdentifier, OctetStringRef};
use der::{Reader as _, SliceReader, Tag, Tagged as _};

use crate::asn1::{context_number, each, oid, optional, read_all};
use crate::{CertificateError, Oid};

/// What the known extensions of one certificate say. Unknown ones are passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extensions {
    pub(crate) is_ca: bool,
    pub(crate) key_usage: Option<KeyUsage>,
    pub(crate) extended_key_usage: Option<Vec<Oid>>,
    pub(crate) subject_alt_names: SubjectAltNames,
    pub(crate) constrains_uris: bool,
    pub(crate) sct_list: Option<Vec<u8>>,
    pub(crate) is_precertificate: bool,
}

/// Names in the subjectAltName extension (RFC 5280 section 4.2.1.6), each kind in the certificate's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubjectAltNames {
    /// DNS names as written, wildcards included.
    pub dns: Vec<String>,
    /// IP addresses of 4 or 16 bytes.
    pub ip: Vec<IpAddr>,
    /// URIs as written.
    pub uri: Vec<String>,
    /// How many names there are of other kinds (mail addresses, directory names …) or in an encoding that their kind does
    /// not allow (a DNS name or URI beyond ASCII, an address of other length).
    pub others: usize,
}

/// The keyUsage extension (RFC 5280 section 4.2.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyUsage {
    /// The key may sign things other than certificates and revocation lists.
    pub digital_signature: bool,
    /// The key may sign certificates.
    pub key_cert_sign: bool,
}

const KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.15");
pub(crate) const SUBJECT_ALT_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.17");
const BASIC_CONSTRAINTS: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.19");
const NAME_CONSTRAINTS: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.30");
const EXTENDED_KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37");
pub(crate) const SCT_LIST: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.3.6.1.4.1.11129.2.4.2");
const CT_POISON: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.11129.2.4.3");

impl Extensions {
    /// Reads pairs of identifier and content (the bytes in the extnValue).
    pub(crate) fn read(list: &[(Oid, &[u8])]) -> Result<Self, CertificateError> {
        let mut known = Self::default();
        for (at, (oid, value)) in list.iter().enumerate() {
            if list[..at].iter().any(|(earlier, _)| earlier == oid) {
                return Err(CertificateError::DuplicateExtension { oid: oid.clone() });
            }
            known
                .read_one(oid, value)
                .map_err(|_| CertificateError::Extension { oid: oid.clone() })?;
        }
        Ok(known)
    }

    fn read_one(&mut self, oid: &Oid, value: &[u8]) -> Result<(), der::Error> {
        match oid {
            oid if *oid == BASIC_CONSTRAINTS => self.is_ca = read_all(value, is_ca)?,
            oid if *oid == KEY_USAGE => self.key_usage = Some(read_all(value, key_usage)?),
            oid if *oid == EXTENDED_KEY_USAGE => {
                self.extended_key_usage = Some(read_all(value, purposes)?);
            }
            oid if *oid == SUBJECT_ALT_NAME => {
                self.subject_alt_names = read_all(value, subject_alt_names)?;
            }
            oid if *oid == NAME_CONSTRAINTS => {
                self.constrains_uris = read_all(value, constrains_uris)?;
            }
            oid if *oid == SCT_LIST => {
                let list = read_all(value, |reader| reader.decode::<&OctetStringRef>())?;
                self.sct_list = Some(list.as_bytes().to_vec());
            }
            oid if *oid == CT_POISON => self.is_precertificate = true,
            _ => {}
        }
        Ok(())
    }
}

/// `BasicConstraints ::= SEQUENCE { cA BOOLEAN DEFAULT FALSE, pathLenConstraint INTEGER OPTIONAL }`
fn is_ca(reader: &mut SliceReader<'_>) -> Result<bool, der::Error> {
    reader.sequence(|fields| {
        let is_ca = match fields.is_finished() || Tag::peek(fields)? != Tag::Boolean {
            true => false,
            false => fields.decode()?,
        };
        if !fields.is_finished() {
            Tag::peek(fields)?.assert_eq(Tag::Integer)?;
            fields.tlv_bytes()?;
        }
        Ok(is_ca)
    })
}

fn key_usage(reader: &mut SliceReader<'_>) -> Result<KeyUsage, der::Error> {
    let bits: BitStringRef<'_> = reader.decode()?;
    let bit = |position| bits.get(position).unwrap_or(false);
    Ok(KeyUsage { digital_signature: bit(0), key_cert_sign: bit(5) })
}

/// `ExtKeyUsageSyntax ::= SEQUENCE SIZE (1..MAX) OF KeyPurposeId`
fn purposes(reader: &mut SliceReader<'_>) -> Result<Vec<Oid>, der::Error> {
    let mut purposes = Vec::new();
    each(reader, |element| {
        purposes.push(oid(element)?);
        Ok(())
    })?;
    match purposes.is_empty() {
        true => Err(Tag::Sequence.length_error().into()),
        false => Ok(purposes),
    }
}

fn subject_alt_names(reader: &mut SliceReader<'_>) -> Result<SubjectAltNames, der::Error> {
    let mut names = SubjectAltNames::default();
    each(reader, |element| {
        names.add(element.decode()?);
        Ok(())
    })?;
    Ok(names)
}

impl SubjectAltNames {
    fn add(&mut self, name: AnyRef<'_>) {
        let ascii = || std::str::from_utf8(name.value()).ok().filter(|text| text.is_ascii());
        match (context_number(name.tag()), ascii(), ip_address(name.value())) {
            (Some(2), Some(dns), _) => self.dns.push(dns.to_owned()),
            (Some(6), Some(uri), _) => self.uri.push(uri.to_owned()),
            (Some(7), _, Some(ip)) => self.ip.push(ip),
            _ => self.others += 1,
        }
    }
}

fn ip_address(bytes: &[u8]) -> Option<IpAddr> {
    let v4 = <[u8; 4]>::try_from(bytes).map(IpAddr::from);
    v4.or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from)).ok()
}

/// Whether a permitted or excluded subtree is of URIs (RFC 5280 section 4.2.1.10).
fn constrains_uris(reader: &mut SliceReader<'_>) -> Result<bool, der::Error> {
    reader.sequence(|fields| {
        let mut found = false;
        for number in [0, 1] {
            if let Some(subtrees) = optional(fields, number)? {
                found |= read_all(subtrees.value(), any_uri_base)?;
            }
        }
        Ok(found)
    })
}

fn any_uri_base(subtrees: &mut SliceReader<'_>) -> Result<bool, der::Error> {
    let mut found = false;
    while !subtrees.is_finished() {
        subtrees.sequence(|subtree| {
            let base: AnyRef<'_> = subtree.decode()?;
            found |= context_number(base.tag()) == Some(6);
            for minimum_or_maximum in [0, 1] {
                optional(subtree, minimum_or_maximum)?;
            }
            Ok::<_, der::Error>(())
        })?;
    }
    Ok(found)
}
