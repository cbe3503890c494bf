//! Certificates (RFC 5280 section 4.1), read once and kept with their DER.

use std::fmt;
use std::ops::Range;

use der::asn1::{AnyRef, BitStringRef, GeneralizedTime, OctetStringRef, UtcTime};
use der::{Encode as _, Reader as _, SliceReader, Tag};
use genten_primitives::key::{KeyError, KeyKind};
use genten_primitives::signature::ecdsa_twin;
use genten_primitives::{PublicKey, Sha256Digest, Timestamp};

use crate::asn1::{content, each, offset, oid, optional, read_all, span};
use crate::extensions::{Extensions, KeyUsage, SubjectAltNames};
use crate::{Name, Oid, SignatureAlgorithm};

/// Largest certificate that is read, in bytes of DER.
pub const MAX_CERTIFICATE: usize = 64 * 1024;

/// A certificate that could be read. Nothing about it has been verified.
///
/// Only DER is read, versions 1 to 3. Two certificates are equal when their DER is.
#[derive(Clone)]
pub struct Certificate {
    der: Vec<u8>,
    layout: Layout,
    validity: Validity,
    algorithm: SignatureAlgorithm,
    extensions: Extensions,
}

/// Where the parts stand in the DER.
#[derive(Clone)]
struct Layout {
    tbs: Range<usize>,
    issuer: Range<usize>,
    subject: Range<usize>,
    spki: Range<usize>,
    signature: Range<usize>,
}

/// The time in which a certificate may be used, both ends included, with a resolution of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// First moment.
    pub not_before: Timestamp,
    /// Last second; it belongs to the validity as a whole.
    pub not_after: Timestamp,
}

/// Why some bytes are not one certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The same extension twice (RFC 5280 section 4.2 forbids it).
    #[error("certificate has the extension {oid} twice")]
    DuplicateExtension {
        /// The extension.
        oid: Oid,
    },
    /// An extension that matters here is not the DER of its type.
    #[error("certificate extension {oid} is malformed")]
    Extension {
        /// The extension.
        oid: Oid,
    },
    /// Not the DER of exactly one certificate.
    #[error("not the DER of one certificate (byte {offset})")]
    Malformed {
        /// Where reading stopped.
        offset: u32,
    },
    /// The signed part names another signature algorithm than the signature does (RFC 5280 section 4.1.1.2).
    #[error("certificate names two signature algorithms")]
    SignatureAlgorithmMismatch,
    /// More bytes than [`MAX_CERTIFICATE`].
    #[error("certificate of {length} bytes, of at most {MAX_CERTIFICATE}")]
    TooLarge {
        /// Its length in bytes.
        length: usize,
    },
    /// The validity ends before it begins.
    #[error("certificate is valid until {} and not before {}", .0.not_after, .0.not_before)]
    Validity(Validity),
}

impl Certificate {
    /// Reads the DER of one certificate.
    ///
    /// # Errors
    /// Anything but the DER of exactly one certificate, trailing bytes included; repeated or malformed extensions.
    pub fn from_der(der: &[u8]) -> Result<Self, CertificateError> {
        if der.len() > MAX_CERTIFICATE {
            return Err(CertificateError::TooLarge { length: der.len() });
        }
        let parts = read_all(der, certificate)
            .map_err(|error| CertificateError::Malformed { offset: offset(&error) })?;
        parts.check(der)
    }

    /// The DER.
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// SHA-256 of the DER: the certificate's fingerprint.
    pub fn sha256(&self) -> Sha256Digest {
        Sha256Digest::of(&self.der)
    }

    /// The SHA-256 of this certificate and of its twins: certificates with the same content, whose ECDSA signature is the
    /// other one of the same two numbers. Everybody can make them, and they verify alike, so that a certificate which is
    /// known by its digest is known by all of these.
    pub fn fingerprints(&self) -> Vec<Sha256Digest> {
        let twin =
            |kind| ecdsa_twin(self.signature(), kind).and_then(|twin| self.signed_with(&twin));
        let twins = [KeyKind::P256, KeyKind::P384].into_iter().filter_map(twin);
        [self.sha256()].into_iter().chain(twins.map(|der| Sha256Digest::of(&der))).collect()
    }

    /// The DER of a certificate with this content and another signature.
    fn signed_with(&self, signature: &[u8]) -> Option<Vec<u8>> {
        let after_content = &self.der[self.layout.tbs.end..];
        let algorithm = SliceReader::new(after_content).ok()?.tlv_bytes().ok()?;
        let signature = BitStringRef::from_bytes(signature).ok()?.to_der().ok()?;
        let content = [self.tbs_der(), algorithm, &signature].concat();
        AnyRef::new(Tag::Sequence, &content).ok()?.to_der().ok()
    }

    /// The DER of the TBSCertificate, the bytes that are signed.
    pub fn tbs_der(&self) -> &[u8] {
        &self.der[self.layout.tbs.clone()]
    }

    /// The DER of the SubjectPublicKeyInfo as it stands in the certificate.
    pub fn spki_der(&self) -> &[u8] {
        &self.der[self.layout.spki.clone()]
    }

    /// SHA-256 of the SubjectPublicKeyInfo.
    pub fn spki_sha256(&self) -> Sha256Digest {
        Sha256Digest::of(self.spki_der())
    }

    /// The subject's key, for signature checks.
    ///
    /// # Errors
    /// A key of a kind that is not supported, or one that breaks its algorithm's rules.
    pub fn public_key(&self) -> Result<PublicKey, KeyError> {
        PublicKey::from_spki_der(self.spki_der())
    }

    /// Who signed the certificate, by its own word.
    pub fn issuer(&self) -> Name<'_> {
        Name::from_der(&self.der[self.layout.issuer.clone()])
    }

    /// Whom the certificate is about.
    pub fn subject(&self) -> Name<'_> {
        Name::from_der(&self.der[self.layout.subject.clone()])
    }

    /// When the certificate may be used.
    pub fn validity(&self) -> Validity {
        self.validity
    }

    /// Whether the basic constraints say that this is a CA.
    pub fn is_ca(&self) -> bool {
        self.extensions.is_ca
    }

    /// What the key may be used for; `None` without the extension.
    pub fn key_usage(&self) -> Option<KeyUsage> {
        self.extensions.key_usage
    }

    /// The purposes in the extended key usage, in order; `None` without the extension, never empty.
    pub fn extended_key_usage(&self) -> Option<&[Oid]> {
        self.extensions.extended_key_usage.as_deref()
    }

    /// The subject's alternative names.
    pub fn subject_alt_names(&self) -> &SubjectAltNames {
        &self.extensions.subject_alt_names
    }

    /// Whether the name constraints restrict URIs, which no library checks for us.
    pub fn constrains_uris(&self) -> bool {
        self.extensions.constrains_uris
    }

    /// The embedded SignedCertificateTimestampList (RFC 6962 section 3.3) as bytes, for [`SctList`](crate::SctList).
    pub fn sct_list(&self) -> Option<&[u8]> {
        self.extensions.sct_list.as_deref()
    }

    /// Whether this is a precertificate (RFC 6962 section 3.1): logged before the certificate and never used in TLS.
    pub fn is_precertificate(&self) -> bool {
        self.extensions.is_precertificate
    }

    /// How the certificate is signed.
    pub fn signature_algorithm(&self) -> &SignatureAlgorithm {
        &self.algorithm
    }

    /// The signature over [`tbs_der`](Self::tbs_der).
    pub fn signature(&self) -> &[u8] {
        &self.der[self.layout.signature.clone()]
    }

    /// Whether issuer and subject are the same name.
    pub fn is_self_issued(&self) -> bool {
        self.issuer() == self.subject()
    }
}

impl Validity {
    /// Whether `at` lies in the validity.
    ///
    /// ```
    /// # use genten_pki::Validity;
    /// let time = |text: &str| text.parse().unwrap();
    /// let validity = Validity { not_before: time("2026-01-01T00:00:00Z"), not_after: time("2026-03-31T23:59:59Z") };
    /// assert!(validity.covers(time("2026-03-31T23:59:59.999Z")));
    /// assert!(!validity.covers(time("2026-04-01T00:00:00Z")));
    /// ```
    pub fn covers(self, at: Timestamp) -> bool {
        at >= self.not_before && at.millis_since(self.not_after) < 1000
    }

    /// The time that lies in both, or `None`.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let both = Self {
            not_before: self.not_before.max(other.not_before),
            not_after: self.not_after.min(other.not_after),
        };
        (both.not_before <= both.not_after).then_some(both)
    }
}

/// A certificate's parts before the rules between them are checked.
struct Parts<'d> {
    layout: Layout,
    validity: Validity,
    signed_algorithm: &'d [u8],
    algorithm: &'d [u8],
    extensions: Vec<(Oid, &'d [u8])>,
}

impl Parts<'_> {
    fn check(self, der: &[u8]) -> Result<Certificate, CertificateError> {
        if self.signed_algorithm != self.algorithm {
            return Err(CertificateError::SignatureAlgorithmMismatch);
        }
        if self.validity.not_before > self.validity.not_after {
            return Err(CertificateError::Validity(self.validity));
        }
        let algorithm = SignatureAlgorithm::from_identifier(self.algorithm)
            .map_err(|error| CertificateError::Malformed { offset: offset(&error) })?;
        Ok(Certificate {
            der: der.to_vec(),
            layout: self.layout,
            validity: self.validity,
            algorithm,
            extensions: Extensions::read(&self.extensions)?,
        })
    }
}

/// `Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm, signatureValue BIT STRING }`
fn certificate<'d>(reader: &mut SliceReader<'d>) -> Result<Parts<'d>, der::Error> {
    reader.sequence(|fields| {
        let tbs = span(&mut fields.clone(), Tag::Sequence)?;
        let mut parts = fields.sequence(|fields| to_be_signed(fields))?;
        parts.layout.tbs = tbs;
        parts.algorithm = content(fields, Tag::Sequence)?;
        let signature = span(&mut fields.clone(), Tag::BitString)?;
        let bits: BitStringRef<'_> = fields.decode()?;
        let bytes = bits.as_bytes().ok_or_else(|| Tag::BitString.value_error().to_error())?;
        parts.layout.signature = signature.end - bytes.len()..signature.end;
        Ok(parts)
    })
}

/// The fields of a TBSCertificate.
fn to_be_signed<'d>(fields: &mut SliceReader<'d>) -> Result<Parts<'d>, der::Error> {
    let version = optional(fields, 0)?.map_or(Ok(0), |field| read_all(field.value(), version))?;
    span(fields, Tag::Integer)?; // serialNumber
    let signed_algorithm = content(fields, Tag::Sequence)?;
    let issuer = span(fields, Tag::Sequence)?;
    let validity = validity(fields)?;
    let subject = span(fields, Tag::Sequence)?;
    let spki = span(fields, Tag::Sequence)?;
    optional(fields, 1)?; // issuerUniqueID
    optional(fields, 2)?; // subjectUniqueID
    let extensions = match optional(fields, 3)? {
        Some(list) if version == 2 => read_all(list.value(), extensions)?,
        Some(list) => return Err(list.header().tag().unexpected_error(None).to_error()),
        None => Vec::new(),
    };
    let layout = Layout { tbs: 0..0, issuer, subject, spki, signature: 0..0 };
    Ok(Parts { layout, validity, signed_algorithm, algorithm: signed_algorithm, extensions })
}

/// 1 for v2, 2 for v3; v1 is never written (DEFAULT).
fn version(reader: &mut SliceReader<'_>) -> Result<u8, der::Error> {
    match reader.decode()? {
        version @ (1 | 2) => Ok(version),
        _ => Err(Tag::Integer.value_error().to_error()),
    }
}

/// `Validity ::= SEQUENCE { notBefore Time, notAfter Time }`
fn validity(fields: &mut SliceReader<'_>) -> Result<Validity, der::Error> {
    fields.sequence(|times| Ok(Validity { not_before: time(times)?, not_after: time(times)? }))
}

fn time(times: &mut SliceReader<'_>) -> Result<Timestamp, der::Error> {
    let since_epoch = match Tag::peek(times)? {
        Tag::UtcTime => times.decode::<UtcTime>()?.to_unix_duration(),
        _ => times.decode::<GeneralizedTime>()?.to_unix_duration(),
    };
    whole_seconds(since_epoch.as_secs())
        .ok_or_else(|| Tag::GeneralizedTime.value_error().to_error())
}

/// A time in seconds after 1970, as certificates write their times.
pub(crate) fn whole_seconds(since_epoch: u64) -> Option<Timestamp> {
    i64::try_from(since_epoch).ok().and_then(Timestamp::from_seconds)
}

/// `Extensions ::= SEQUENCE OF SEQUENCE { extnID, critical BOOLEAN DEFAULT FALSE, extnValue OCTET STRING }`
fn extensions<'d>(reader: &mut SliceReader<'d>) -> Result<Vec<(Oid, &'d [u8])>, der::Error> {
    let mut list = Vec::new();
    each(reader, |element| {
        element.sequence(|fields| {
            let oid = oid(fields)?;
            if Tag::peek(fields)? == Tag::Boolean {
                let _critical: bool = fields.decode()?;
            }
            let value: &'d OctetStringRef = fields.decode()?;
            list.push((oid, value.as_bytes()));
            Ok(())
        })
    })?;
    Ok(list)
}

impl PartialEq for Certificate {
    fn eq(&self, other: &Self) -> bool {
        self.der == other.der
    }
}

impl Eq for Certificate {}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate")
            .field("sha256", &self.sha256())
            .field("subject", &self.subject())
            .field("issuer", &self.issuer())
            .finish_non_exhaustive()
    }
}
