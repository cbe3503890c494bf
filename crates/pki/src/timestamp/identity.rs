//! What tells a certificate apart in CMS, and what its extensions say of timestamping.

use der::asn1::{BitStringRef, ObjectIdentifier};
use der::{Reader as _, SliceReader, Tag};

use super::cms::SignerId;
use super::tag::{integer, next_is};
use crate::asn1::{content, each, oid, optional, read_all};
use crate::{Certificate, Oid};

/// Parts of a certificate that only timestamps ask for.
#[derive(Clone, Debug, Default)]
pub(super) struct Identity {
    /// Content of the INTEGER.
    pub(super) serial: Box<[u8]>,
    pub(super) key_id: Option<Box<[u8]>>,
    /// Whether the extended key usage is there and critical.
    pub(super) critical_purposes: bool,
    /// Whether a key usage, if there is one, has digitalSignature or nonRepudiation.
    pub(super) may_sign: bool,
}

const SUBJECT_KEY_ID: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.14");
const KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.15");
const EXTENDED_KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37");

impl Identity {
    pub(super) fn of(certificate: &Certificate) -> Result<Self, der::Error> {
        read_all(certificate.tbs_der(), |reader| reader.sequence(read))
    }

    /// Whether a token that names this signer means the certificate.
    pub(super) fn is(&self, certificate: &Certificate, signer: &SignerId) -> bool {
        match signer {
            SignerId::IssuerAndSerial { issuer, serial } => {
                *serial == self.serial && **issuer == *certificate.issuer().der()
            }
            SignerId::SubjectKeyId(id) => self.key_id.as_ref() == Some(id),
        }
    }

    fn add(&mut self, oid: &Oid, is_critical: bool, value: &[u8]) -> Result<(), der::Error> {
        if *oid == SUBJECT_KEY_ID {
            self.key_id = Some(read_all(value, |reader| content(reader, Tag::OctetString))?.into());
        } else if *oid == KEY_USAGE {
            let bits: BitStringRef<'_> = read_all(value, |reader| reader.decode())?;
            self.may_sign = [0, 1].iter().any(|bit| bits.get(*bit) == Some(true));
        } else if *oid == EXTENDED_KEY_USAGE {
            self.critical_purposes = is_critical;
        }
        Ok(())
    }
}

/// The fields of a TBSCertificate (RFC 5280 section 4.1), which has been read before.
fn read(fields: &mut SliceReader<'_>) -> Result<Identity, der::Error> {
    optional(fields, 0)?; // version
    let serial = integer(fields)?.into();
    let mut identity = Identity { serial, may_sign: true, ..Identity::default() };
    for _signature_issuer_validity_subject_key in 0..5 {
        fields.tlv_bytes()?;
    }
    for unique_id in [1, 2] {
        optional(fields, unique_id)?;
    }
    if let Some(list) = optional(fields, 3)? {
        read_all(list.value(), |reader| {
            each(reader, |one| one.sequence(|one| extension(one, &mut identity)))
        })?;
    }
    Ok(identity)
}

fn extension(fields: &mut SliceReader<'_>, identity: &mut Identity) -> Result<(), der::Error> {
    let oid = oid(fields)?;
    let is_critical = next_is(fields, Tag::Boolean)? && fields.decode::<bool>()?;
    identity.add(&oid, is_critical, content(fields, Tag::OctetString)?)
}
