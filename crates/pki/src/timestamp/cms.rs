//! The outer layers of a timestamp: TimeStampResp (RFC 3161 section 2.4.2) and CMS signed data (RFC 5652 section 5), as
//! structure. What must hold between the parts is checked elsewhere.

use der::asn1::ObjectIdentifier;
use der::{Reader as _, SliceReader, Tag};

use super::hash::NamedHash;
use super::tag::{constructed, elements, integer, next_is, optional, primitive, version};
use crate::Oid;
use crate::asn1::{content, oid, read_all};

pub(super) const SIGNED_DATA: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.7.2");

/// An answer of an authority, or what stands for one: a bare token was granted.
pub(super) struct Answer<'d> {
    pub(super) status: u8,
    pub(super) token: Option<&'d [u8]>,
}

/// `SignedData ::= SEQUENCE { version, digestAlgorithms, encapContentInfo, certificates [0] OPTIONAL, crls [1] OPTIONAL,
/// signerInfos }`
pub(super) struct SignedData<'d> {
    pub(super) content_type: Oid,
    /// The octets of eContent, without tag and length.
    pub(super) content: Option<&'d [u8]>,
    /// The DER of each X.509 certificate; attribute certificates and the like are passed over.
    pub(super) certificates: Vec<&'d [u8]>,
    /// The DER of each SignerInfo.
    pub(super) signers: Vec<&'d [u8]>,
}

/// `SignerInfo ::= SEQUENCE { version, sid, digestAlgorithm, signedAttrs [0] OPTIONAL, signatureAlgorithm, signature,
/// unsignedAttrs [1] OPTIONAL }`
pub(super) struct SignerInfo<'d> {
    pub(super) signer: SignerId,
    /// The DER of the AlgorithmIdentifier.
    pub(super) digest_algorithm: &'d [u8],
    /// The DER of the attributes, tag `[0]` included.
    pub(super) attributes: Option<&'d [u8]>,
    /// The content of the AlgorithmIdentifier.
    pub(super) signature_algorithm: &'d [u8],
    pub(super) signature: &'d [u8],
}

/// `SignerIdentifier ::= CHOICE { issuerAndSerialNumber, subjectKeyIdentifier [0] }`
#[derive(Clone, Debug)]
pub(super) enum SignerId {
    IssuerAndSerial {
        /// DER of the Name.
        issuer: Box<[u8]>,
        /// Content of the INTEGER.
        serial: Box<[u8]>,
    },
    SubjectKeyId(Box<[u8]>),
}

/// A signed attribute: its type and the DER of its values.
pub(super) type Attribute<'d> = (Oid, Vec<&'d [u8]>);

/// Reads a TimeStampResp or a bare ContentInfo: the one begins with a SEQUENCE, the other with an identifier.
pub(super) fn answer(bytes: &[u8]) -> Result<Answer<'_>, der::Error> {
    read_all(bytes, |reader| {
        let mut fields = SliceReader::new(content(reader, Tag::Sequence)?)?;
        if next_is(&fields, Tag::ObjectIdentifier)? {
            return Ok(Answer { status: 0, token: Some(bytes) });
        }
        let status = read_all(fields.tlv_bytes()?, |reader| reader.sequence(status_info))?;
        let token = if fields.is_finished() { None } else { Some(fields.tlv_bytes()?) };
        fields.finish()?;
        Ok(Answer { status, token })
    })
}

/// `PKIStatusInfo ::= SEQUENCE { status INTEGER, statusString SEQUENCE OPTIONAL, failInfo BIT STRING OPTIONAL }`
fn status_info(fields: &mut SliceReader<'_>) -> Result<u8, der::Error> {
    let status = fields.decode()?;
    for tag in [Tag::Sequence, Tag::BitString] {
        optional(fields, tag)?;
    }
    Ok(status)
}

/// `ContentInfo ::= SEQUENCE { contentType, content [0] EXPLICIT }`: type and content.
pub(super) fn content_info(token: &[u8]) -> Result<(Oid, &[u8]), der::Error> {
    read_all(token, |reader| {
        reader.sequence(|fields| Ok((oid(fields)?, content(fields, constructed(0))?)))
    })
}

pub(super) fn signed_data(bytes: &[u8]) -> Result<SignedData<'_>, der::Error> {
    read_all(bytes, |reader| {
        reader.sequence(|fields| {
            version(fields, 3)?;
            digest_algorithms(content(fields, Tag::Set)?)?;
            let (content_type, inner) = fields.sequence(encapsulated)?;
            let bag = optional(fields, constructed(0))?.unwrap_or_default();
            optional(fields, constructed(1))?; // crls: of no use to a check without network
            Ok(SignedData {
                content_type,
                content: inner,
                certificates: certificates(bag)?,
                signers: elements(content(fields, Tag::Set)?)?,
            })
        })
    })
}

/// A hint for readers in one pass; what counts stands beside the signature.
fn digest_algorithms(set: &[u8]) -> Result<(), der::Error> {
    elements(set)?.into_iter().try_for_each(|one| read_all(one, NamedHash::read).map(drop))
}

/// The certificates among the elements of `SET OF CertificateChoices` (RFC 5652 section 10.2.2).
fn certificates(set: &[u8]) -> Result<Vec<&[u8]>, der::Error> {
    let mut certificates = elements(set)?;
    let is_choice = |der: &&[u8]| matches!(der.first(), Some(0x30 | 0xa0..=0xa3));
    if !certificates.iter().all(is_choice) {
        return Err(Tag::Set.value_error().into());
    }
    certificates.retain(|der| der.first() == Some(&0x30));
    Ok(certificates)
}

/// `EncapsulatedContentInfo ::= SEQUENCE { eContentType, eContent [0] EXPLICIT OCTET STRING OPTIONAL }`
fn encapsulated<'d>(fields: &mut SliceReader<'d>) -> Result<(Oid, Option<&'d [u8]>), der::Error> {
    let kind = oid(fields)?;
    let octets = |explicit| read_all(explicit, |reader| content(reader, Tag::OctetString));
    Ok((kind, optional(fields, constructed(0))?.map(octets).transpose()?))
}

pub(super) fn signer_info(bytes: &[u8]) -> Result<SignerInfo<'_>, der::Error> {
    read_all(bytes, |reader| {
        reader.sequence(|fields| {
            let signer = signer_id(fields)?;
            Tag::peek(fields)?.assert_eq(Tag::Sequence)?;
            let digest_algorithm = fields.tlv_bytes()?;
            let signed = next_is(fields, constructed(0))?;
            let attributes = if signed { Some(fields.tlv_bytes()?) } else { None };
            let signature_algorithm = content(fields, Tag::Sequence)?;
            let signature = content(fields, Tag::OctetString)?;
            optional(fields, constructed(1))?; // unsignedAttrs
            Ok(SignerInfo { signer, digest_algorithm, attributes, signature_algorithm, signature })
        })
    })
}

/// Version and sid: the version says which of the two kinds follows (RFC 5652 section 5.3).
fn signer_id(fields: &mut SliceReader<'_>) -> Result<SignerId, der::Error> {
    match integer(fields)? {
        [1] => fields.sequence(issuer_and_serial),
        [3] => Ok(SignerId::SubjectKeyId(content(fields, primitive(0))?.into())),
        _ => Err(Tag::Integer.value_error().into()),
    }
}

/// `IssuerAndSerialNumber ::= SEQUENCE { issuer Name, serialNumber }`
fn issuer_and_serial(id: &mut SliceReader<'_>) -> Result<SignerId, der::Error> {
    Tag::peek(id)?.assert_eq(Tag::Sequence)?;
    Ok(SignerId::IssuerAndSerial { issuer: id.tlv_bytes()?.into(), serial: integer(id)?.into() })
}

/// The DER of each element of `SET OF Attribute`, which stands behind its own tag and length.
pub(super) fn attributes(bytes: &[u8]) -> Result<Vec<&[u8]>, der::Error> {
    elements(read_all(bytes, |reader| content(reader, constructed(0)))?)
}

/// `Attribute ::= SEQUENCE { attrType, attrValues SET }`
pub(super) fn attribute(der: &[u8]) -> Result<Attribute<'_>, der::Error> {
    read_all(der, |reader| {
        reader.sequence(|fields| Ok((oid(fields)?, elements(content(fields, Tag::Set)?)?)))
    })
}
