//! Signature algorithms of certificates.

use std::fmt;

use der::Reader as _;
use der::asn1::ObjectIdentifier;
use genten_primitives::signature::Scheme;
use rustls_pki_types::{AlgorithmIdentifier, alg_id};

use crate::Oid;
use crate::asn1::{oid, read_all};

/// How a certificate is signed, as far as this crate can judge it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureAlgorithm {
    /// One that can be checked: ECDSA with SHA-256 or SHA-384, Ed25519, and (with the feature `aws-lc`) RSA PKCS#1 with
    /// SHA-256, SHA-384 or SHA-512.
    Known(Scheme),
    /// One that cannot: RSA-PSS, ECDSA with SHA-512, Ed448, or a known one with parameters that do not belong to it.
    Other(Oid),
    /// MD2, MD4, MD5 or SHA-1: a signature by it shows nothing.
    Weak(Oid),
}

/// The whole AlgorithmIdentifier decides, parameters included (RFC 5758 section 3.2, RFC 8410, RFC 4055 section 5).
const KNOWN: [(AlgorithmIdentifier, Scheme); 6] = [
    (alg_id::ECDSA_SHA256, Scheme::EcdsaSha256Der),
    (alg_id::ECDSA_SHA384, Scheme::EcdsaSha384Der),
    (alg_id::ED25519, Scheme::Ed25519),
    (alg_id::RSA_PKCS1_SHA256, Scheme::RsaPkcs1Sha256),
    (alg_id::RSA_PKCS1_SHA384, Scheme::RsaPkcs1Sha384),
    (alg_id::RSA_PKCS1_SHA512, Scheme::RsaPkcs1Sha512),
];

const WEAK: [ObjectIdentifier; 8] = [
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.2"), // md2WithRSAEncryption
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.3"), // md4WithRSAEncryption
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.4"), // md5WithRSAEncryption
    ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.5"), // sha1WithRSAEncryption
    ObjectIdentifier::new_unwrap("1.3.14.3.2.3"),         // md5WithRSA (OIW)
    ObjectIdentifier::new_unwrap("1.3.14.3.2.29"),        // sha1WithRSASignature (OIW)
    ObjectIdentifier::new_unwrap("1.2.840.10040.4.3"),    // dsa-with-sha1
    ObjectIdentifier::new_unwrap("1.2.840.10045.4.1"),    // ecdsa-with-SHA1
];

impl SignatureAlgorithm {
    /// From the content of an AlgorithmIdentifier, its SEQUENCE header left out.
    pub(crate) fn from_identifier(content: &[u8]) -> Result<Self, der::Error> {
        let known = KNOWN.iter().find(|(identifier, _)| identifier.as_ref() == content);
        if let Some((_, scheme)) = known {
            return Ok(Self::Known(*scheme));
        }
        let oid = leading_oid(content)?;
        let weak = WEAK.iter().any(|weak| oid == *weak);
        Ok(if weak { Self::Weak(oid) } else { Self::Other(oid) })
    }
}

fn leading_oid(content: &[u8]) -> Result<Oid, der::Error> {
    read_all(content, |reader| {
        let oid = oid(reader)?;
        if !reader.is_finished() {
            reader.tlv_bytes()?; // parameters
        }
        Ok(oid)
    })
}

impl fmt::Display for SignatureAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(scheme) => write!(f, "{scheme}"),
            Self::Other(oid) | Self::Weak(oid) => write!(f, "{oid}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_part_of_the_algorithm() {
        let ecdsa = alg_id::ECDSA_SHA256;
        let read = |content: &[u8]| SignatureAlgorithm::from_identifier(content);
        assert_eq!(read(ecdsa.as_ref()), Ok(SignatureAlgorithm::Known(Scheme::EcdsaSha256Der)));
        let with_null = read(&[ecdsa.as_ref(), &[5, 0]].concat()).unwrap();
        assert_eq!(with_null, SignatureAlgorithm::Other("1.2.840.10045.4.3.2".parse().unwrap()));
        assert!(read(&[ecdsa.as_ref(), &[5, 0, 5, 0]].concat()).is_err());
        assert!(read(&[5, 0]).is_err());
        assert!(read(&[]).is_err());
    }

    #[test]
    fn sha1_is_weak_and_pss_is_other() {
        let sha1 = "1.2.840.113549.1.1.5".parse::<Oid>().unwrap();
        let identifier = [&[6, 9], sha1.content(), &[5, 0]].concat();
        let read = SignatureAlgorithm::from_identifier(&identifier).unwrap();
        assert_eq!(read, SignatureAlgorithm::Weak(sha1));
        assert_eq!(read.to_string(), "1.2.840.113549.1.1.5");
        let pss = SignatureAlgorithm::from_identifier(alg_id::RSA_PSS_SHA256.as_ref()).unwrap();
        assert_eq!(pss.to_string(), "1.2.840.113549.1.1.10");
    }
}
