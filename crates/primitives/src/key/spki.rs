//! SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7, RFC 5480, RFC 8410, RFC 3279 section 2.3.1).

use der::asn1::{AnyRef, BitStringRef, ObjectIdentifier};
use der::{Decode as _, Encode as _};
use ed25519_dalek::VerifyingKey as Ed25519Key;
use p256::pkcs8::spki::{AlgorithmIdentifierRef, SubjectPublicKeyInfoRef};

use super::rsa::RsaNumbers;
use super::{KeyError, KeyKind, Material};

const EC_PUBLIC_KEY: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const SECP256R1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");
const SECP384R1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.34");
const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
const RSA_ENCRYPTION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");

pub(super) fn read(der: &[u8]) -> Result<Material, KeyError> {
    let spki = SubjectPublicKeyInfoRef::from_der(der)
        .map_err(|error| KeyError::SpkiDer { offset: offset(&error) })?;
    let whole_bytes = KeyError::SpkiDer { offset: 0 };
    let key = spki.subject_public_key.as_bytes().ok_or(whole_bytes)?;
    let parameters = spki.algorithm.parameters;
    match spki.algorithm.oid {
        EC_PUBLIC_KEY => read_ec(parameters, key),
        ED25519 if parameters.is_none() => ed25519_from_slice(key),
        RSA_ENCRYPTION if parameters == Some(AnyRef::NULL) => {
            RsaNumbers::from_pkcs1(key).map(Material::Rsa)
        }
        ED25519 | RSA_ENCRYPTION => Err(KeyError::SpkiDer { offset: 0 }),
        _ => Err(KeyError::Unsupported),
    }
}

fn read_ec(parameters: Option<AnyRef<'_>>, point: &[u8]) -> Result<Material, KeyError> {
    match parameters.and_then(|any| any.decode_as::<ObjectIdentifier>().ok()) {
        Some(SECP256R1) => p256(point),
        Some(SECP384R1) => p384(point),
        _ => Err(KeyError::CurveUnsupported),
    }
}

/// Where a DER reader stopped.
pub(super) fn offset(error: &der::Error) -> u32 {
    error.position().map_or(0, u32::from)
}

pub(super) fn p256(point: &[u8]) -> Result<Material, KeyError> {
    let wrong = KeyError::Point { curve: KeyKind::P256 };
    match is_plain_point(point, 32) {
        true => {
            p256::ecdsa::VerifyingKey::from_sec1_bytes(point).map(Material::P256).map_err(|_| wrong)
        }
        false => Err(wrong),
    }
}

pub(super) fn p384(point: &[u8]) -> Result<Material, KeyError> {
    let wrong = KeyError::Point { curve: KeyKind::P384 };
    match is_plain_point(point, 48) {
        true => {
            p384::ecdsa::VerifyingKey::from_sec1_bytes(point).map(Material::P384).map_err(|_| wrong)
        }
        false => Err(wrong),
    }
}

/// Compressed or uncompressed (SEC1 section 2.3.3): neither the hybrid nor the compact form, nor the point at infinity.
fn is_plain_point(point: &[u8], coordinate: usize) -> bool {
    match point.first() {
        Some(2 | 3) => point.len() == 1 + coordinate,
        Some(4) => point.len() == 1 + 2 * coordinate,
        _ => false,
    }
}

fn ed25519_from_slice(key: &[u8]) -> Result<Material, KeyError> {
    key.try_into().map_err(|_| KeyError::Ed25519NotOnCurve).and_then(ed25519)
}

/// The rules of `verify_strict`, checked once here instead of at each signature.
pub(super) fn ed25519(bytes: &[u8; 32]) -> Result<Material, KeyError> {
    let key = Ed25519Key::from_bytes(bytes).map_err(|_| KeyError::Ed25519NotOnCurve)?;
    if key.is_weak() {
        return Err(KeyError::Ed25519SmallOrder);
    }
    if key.to_edwards().compress().as_bytes() != bytes {
        return Err(KeyError::Ed25519NonCanonical);
    }
    Ok(Material::Ed25519(key))
}

pub(super) fn write(material: &Material) -> Vec<u8> {
    encode(material).expect("a key of at most 8192 bits fits DER")
}

fn encode(material: &Material) -> Result<Vec<u8>, der::Error> {
    match material {
        Material::Ed25519(key) => encode_parts(ED25519, None, key.as_bytes()),
        Material::P256(key) => {
            let point = key.to_sec1_point(false);
            encode_parts(EC_PUBLIC_KEY, Some((&SECP256R1).into()), point.as_bytes())
        }
        Material::P384(key) => {
            let point = key.to_sec1_point(false);
            encode_parts(EC_PUBLIC_KEY, Some((&SECP384R1).into()), point.as_bytes())
        }
        Material::Rsa(numbers) => {
            encode_parts(RSA_ENCRYPTION, Some(AnyRef::NULL), &numbers.to_pkcs1()?)
        }
    }
}

fn encode_parts(
    oid: ObjectIdentifier,
    parameters: Option<AnyRef<'_>>,
    key: &[u8],
) -> Result<Vec<u8>, der::Error> {
    let algorithm = AlgorithmIdentifierRef { oid, parameters };
    let subject_public_key = BitStringRef::from_bytes(key)?;
    SubjectPublicKeyInfoRef { algorithm, subject_public_key }.to_der()
}
