//! One token, read and not yet believed.

use der::asn1::ObjectIdentifier;
use genten_primitives::{Timestamp, encoding};

use super::cms::{self, Attribute, SIGNED_DATA, SignedData, SignerId};
use super::ess::EssCertificate;
use super::hash::{HashValue, NamedHash};
use super::info::{Info, info};
use super::{MAX_ATTRIBUTES, MAX_EMBEDDED, MAX_TIMESTAMP, TimestampError as E, TimestampSigner};
use crate::asn1::{oid, read_all};
use crate::{Name, Oid};

/// A TimeStampToken (RFC 3161 section 2.4.2) that could be read. Nothing about it has been verified: what it tells is for
/// display only.
#[derive(Clone, Debug)]
pub struct TimestampToken {
    der: Box<[u8]>,
    pub(super) content: Box<[u8]>,
    pub(super) info: Info,
    pub(super) embedded: Vec<Box<[u8]>>,
    pub(super) signer: SignerId,
    pub(super) digest_algorithm: NamedHash,
    /// What is signed: the attributes with the tag of a SET.
    pub(super) signed: Box<[u8]>,
    pub(super) message_digest: HashValue,
    pub(super) certificates: Vec<EssCertificate>,
    /// Content of the AlgorithmIdentifier.
    pub(super) signature_algorithm: Box<[u8]>,
    pub(super) signature: Box<[u8]>,
}

const TST_INFO: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");
const CONTENT_TYPE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.3");
const MESSAGE_DIGEST: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.4");
const SIGNING_CERTIFICATE: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.12");
const SIGNING_CERTIFICATE_V2: ObjectIdentifier =
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.2.47");

impl TimestampToken {
    /// Reads a TimeStampResp that grants a token, or a bare TimeStampToken.
    ///
    /// # Errors
    /// Anything but the DER of exactly one of them; a refusal; another content than a TSTInfo; other than one signer; signed
    /// attributes that are missing, repeated or of several values.
    pub fn from_der(bytes: &[u8]) -> Result<Self, E> {
        if bytes.len() > MAX_TIMESTAMP {
            return Err(E::TooLarge { length: bytes.len() });
        }
        let der = granted(bytes)?;
        let (kind, content) = read(cms::content_info(der))?;
        if kind != SIGNED_DATA {
            return Err(E::NotSignedData { found: kind });
        }
        Self::from_signed_data(der, &read(cms::signed_data(content))?)
    }

    fn from_signed_data(der: &[u8], data: &SignedData<'_>) -> Result<Self, E> {
        let content = content(data)?;
        let info = read(info(content))?;
        if let Some(oid) = info.critical.clone() {
            return Err(E::CriticalExtension { oid });
        }
        let found = data.certificates.len();
        if found > MAX_EMBEDDED {
            return Err(E::TooManyCertificates { found });
        }
        let [signer] = data.signers[..] else {
            return Err(E::SignerCount { found: data.signers.len() });
        };
        let signer = read(cms::signer_info(signer))?;
        let tagged = signer.attributes.ok_or(E::AttributesMissing)?;
        let attributes = Attributes::read(tagged)?;
        attributes.check_content_type()?;
        Ok(Self {
            der: der.into(),
            content: content.into(),
            info,
            embedded: data.certificates.iter().map(|&der| der.into()).collect(),
            digest_algorithm: read(read_all(signer.digest_algorithm, NamedHash::read))?,
            signed: as_set(tagged),
            message_digest: read(read_all(attributes.need(MESSAGE_DIGEST)?, HashValue::read))?,
            certificates: attributes.signing_certificates()?,
            signature_algorithm: signer.signature_algorithm.into(),
            signature: signer.signature.into(),
            signer: signer.signer,
        })
    }

    /// The DER of the TimeStampToken, without the answer around it.
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// The time that the token claims, rounded up to a millisecond.
    pub fn claimed_time(&self) -> Timestamp {
        self.info.gen_time.ceiling
    }

    /// Whom the token names as its signer.
    pub fn claimed_signer(&self) -> TimestampSigner {
        match &self.signer {
            SignerId::IssuerAndSerial { issuer, serial } => TimestampSigner::IssuerAndSerial {
                issuer: Name::from_der(issuer).to_string(),
                serial: encoding::hex(serial),
            },
            SignerId::SubjectKeyId(id) => TimestampSigner::SubjectKeyId { id: encoding::hex(id) },
        }
    }

    /// The policy that the token claims (RFC 3161 section 2.4.2).
    pub fn claimed_policy(&self) -> &Oid {
        &self.info.policy
    }
}

fn read<T>(result: Result<T, der::Error>) -> Result<T, E> {
    result.map_err(|error| E::malformed(&error))
}

/// The token in an answer that grants it. With status 1 the authority changed something: whatever it was, the token is
/// checked like any other.
fn granted(bytes: &[u8]) -> Result<&[u8], E> {
    let answer = read(cms::answer(bytes))?;
    match answer.status {
        0 | 1 => answer.token.ok_or(E::TokenMissing),
        status => Err(E::Refused { status }),
    }
}

fn content<'d>(data: &SignedData<'d>) -> Result<&'d [u8], E> {
    match data.content {
        _ if data.content_type != TST_INFO => {
            Err(E::NotTimestamp { found: data.content_type.clone() })
        }
        Some(content) => Ok(content),
        None => Err(E::ContentMissing),
    }
}

/// Signed is the DER of a SET, not of the field `[0]` that holds it (RFC 5652 section 5.4).
fn as_set(tagged: &[u8]) -> Box<[u8]> {
    const SET: u8 = 0x31;
    let mut signed: Box<[u8]> = tagged.into();
    if let Some(tag) = signed.first_mut() {
        *tag = SET;
    }
    signed
}

/// Signed attributes, each there once and with one value.
struct Attributes<'d>(Vec<(Oid, &'d [u8])>);

impl<'d> Attributes<'d> {
    fn read(tagged: &'d [u8]) -> Result<Self, E> {
        let list = read(cms::attributes(tagged))?;
        let found = list.len();
        if found > MAX_ATTRIBUTES {
            return Err(E::TooManyAttributes { found });
        }
        let mut attributes = Self(Vec::with_capacity(found));
        for attribute in list {
            attributes.add(read(cms::attribute(attribute))?)?;
        }
        Ok(attributes)
    }

    fn add(&mut self, (oid, values): Attribute<'d>) -> Result<(), E> {
        match values[..] {
            _ if self.0.iter().any(|(known, _)| *known == oid) => Err(E::AttributeRepeated { oid }),
            [value] => {
                self.0.push((oid, value));
                Ok(())
            }
            _ => Err(E::AttributeValues { oid, found: values.len() }),
        }
    }

    fn find(&self, kind: ObjectIdentifier) -> Option<&'d [u8]> {
        self.0.iter().find(|(oid, _)| *oid == kind).map(|(_, value)| *value)
    }

    fn need(&self, kind: ObjectIdentifier) -> Result<&'d [u8], E> {
        self.find(kind).ok_or_else(|| E::AttributeMissing { oid: kind.into() })
    }

    fn check_content_type(&self) -> Result<(), E> {
        let found = read(read_all(self.need(CONTENT_TYPE)?, oid))?;
        if found == TST_INFO { Ok(()) } else { Err(E::ContentTypeAttribute { found }) }
    }

    /// Of the new kind and of the old: at least one, and what is there must hold.
    fn signing_certificates(&self) -> Result<Vec<EssCertificate>, E> {
        let new = self.find(SIGNING_CERTIFICATE_V2).map(EssCertificate::read_v2);
        let old = self.find(SIGNING_CERTIFICATE).map(EssCertificate::read_old);
        if new.is_none() && old.is_none() {
            return Err(E::AttributeMissing { oid: SIGNING_CERTIFICATE_V2.into() });
        }
        new.into_iter().chain(old).map(read).collect()
    }
}
