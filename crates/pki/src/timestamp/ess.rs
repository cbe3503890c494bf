//! The signed attributes that bind a signature to the signer's certificate: signingCertificateV2 (RFC 5035 section 3) and
//! its forerunner signingCertificate (RFC 2634 section 5.4).

use der::{Reader as _, SliceReader, Tag};
use sha1::{Digest as _, Sha1};

use super::hash::{HashAlgorithm, HashValue, NamedHash};
use super::identity::Identity;
use super::tag::{constructed, integer, next_is, optional};
use super::{TimestampError, TimestampPart};
use crate::Certificate;
use crate::asn1::{content, each, read_all};

/// The first certificate of such an attribute: the signer's.
#[derive(Clone, Debug)]
pub(super) struct EssCertificate {
    algorithm: EssHash,
    hash: HashValue,
    issuer_serial: Option<IssuerSerial>,
}

/// `IssuerSerial ::= SEQUENCE { issuer GeneralNames, serialNumber }`
#[derive(Clone, Debug)]
struct IssuerSerial {
    /// Content of the GeneralNames.
    names: Box<[u8]>,
    /// Content of the INTEGER.
    serial: Box<[u8]>,
}

#[derive(Clone, Debug)]
enum EssHash {
    /// SHA-1 by definition of the old attribute.
    Old,
    Named(NamedHash),
}

impl EssCertificate {
    /// `SigningCertificateV2 ::= SEQUENCE { certs SEQUENCE OF SEQUENCE { hashAlgorithm DEFAULT SHA-256, certHash,
    /// issuerSerial OPTIONAL }, policies SEQUENCE OPTIONAL }`
    ///
    /// A SHA-256 that is written out is taken too: whoever may choose the spelling signs it.
    pub(super) fn read_v2(value: &[u8]) -> Result<Self, der::Error> {
        Self::read(value, |fields| match next_is(fields, Tag::Sequence)? {
            true => NamedHash::read(fields).map(EssHash::Named),
            false => Ok(EssHash::Named(NamedHash::Known(HashAlgorithm::Sha256))),
        })
    }

    /// `SigningCertificate`: the same without hashAlgorithm.
    pub(super) fn read_old(value: &[u8]) -> Result<Self, der::Error> {
        Self::read(value, |_| Ok(EssHash::Old))
    }

    fn read<'d>(
        value: &'d [u8],
        algorithm: fn(&mut SliceReader<'d>) -> Result<EssHash, der::Error>,
    ) -> Result<Self, der::Error> {
        let mut first = None;
        read_all(value, |reader| {
            reader.sequence(|fields| {
                each(fields, |certificate| {
                    let read = certificate.sequence(|fields| Self::read_one(fields, algorithm))?;
                    first.get_or_insert(read);
                    Ok(())
                })?;
                optional(fields, Tag::Sequence).map(drop) // policies
            })
        })?;
        first.ok_or_else(|| Tag::Sequence.length_error().into())
    }

    fn read_one<'d>(
        fields: &mut SliceReader<'d>,
        algorithm: fn(&mut SliceReader<'d>) -> Result<EssHash, der::Error>,
    ) -> Result<Self, der::Error> {
        let (algorithm, hash) = (algorithm(fields)?, HashValue::read(fields)?);
        let issuer_serial = optional(fields, Tag::Sequence)?;
        let issuer_serial = issuer_serial.map(|pair| read_all(pair, read_issuer_serial));
        Ok(Self { algorithm, hash, issuer_serial: issuer_serial.transpose()? })
    }

    /// Whether the attribute means this certificate.
    pub(super) fn check(
        &self,
        certificate: &Certificate,
        identity: &Identity,
    ) -> Result<(), TimestampError> {
        let calculated = match &self.algorithm {
            // Nothing rests on SHA-1 here: the certificate comes from the trust kit, and the attribute can only speak
            // against it.
            EssHash::Old => HashValue::new(&Sha1::digest(certificate.der())),
            EssHash::Named(named) => {
                named.usable(TimestampPart::SigningCertificate)?.hash(certificate.der())
            }
        };
        if calculated != self.hash {
            let expected = self.hash.clone();
            return Err(TimestampError::SigningCertificate { expected, calculated });
        }
        match &self.issuer_serial {
            Some(pair) if !pair.is_of(certificate, identity) => {
                Err(TimestampError::SigningCertificateIssuer)
            }
            _ => Ok(()),
        }
    }
}

impl IssuerSerial {
    fn is_of(&self, certificate: &Certificate, identity: &Identity) -> bool {
        self.serial == identity.serial && is_issuer(&self.names, certificate)
    }
}

fn read_issuer_serial(fields: &mut SliceReader<'_>) -> Result<IssuerSerial, der::Error> {
    let names = content(fields, Tag::Sequence)?.into();
    Ok(IssuerSerial { names, serial: integer(fields)?.into() })
}

/// Whether the GeneralNames are the certificate's issuer, as directoryName, and nothing else (RFC 5035 section 5).
fn is_issuer(names: &[u8], certificate: &Certificate) -> bool {
    let name = read_all(names, |reader| content(reader, constructed(4)));
    name.is_ok_and(|name| name == certificate.issuer().der())
}
