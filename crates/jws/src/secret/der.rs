//! PKCS#8 (RFC 5958) and SEC1 (RFC 5915) private keys.

use der::asn1::{ObjectIdentifier, OctetStringRef};
use der::{Decode as _, Encode as _};
use genten_primitives::PublicKey;
use p256::pkcs8::spki::AlgorithmIdentifierRef;
use p256::pkcs8::{DecodePrivateKey as _, EncodePrivateKey as _, PrivateKeyInfoRef};
use zeroize::Zeroizing;

use super::{Material, SecretKey, SecretKeyError};

const EC_PUBLIC_KEY: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const ED25519: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.101.112");
const SECP256R1: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");

pub(super) fn read_pkcs8(der: &[u8]) -> Result<SecretKey, SecretKeyError> {
    let info = PrivateKeyInfoRef::from_der(der).map_err(|_| SecretKeyError::Der)?;
    match info.algorithm.oid {
        ED25519 => read_ed25519(&info),
        EC_PUBLIC_KEY if info.algorithm.parameters_oid() != Ok(SECP256R1) => {
            Err(SecretKeyError::Unsupported)
        }
        EC_PUBLIC_KEY => {
            // Refuses a public key beside it that is not its own.
            let key = p256::SecretKey::from_pkcs8_der(der).map_err(|_| SecretKeyError::Der)?;
            Ok(SecretKey::p256(key.into()))
        }
        _ => Err(SecretKeyError::Unsupported),
    }
}

/// RFC 8410 section 7: an OCTET STRING within the OCTET STRING.
fn read_ed25519(info: &PrivateKeyInfoRef<'_>) -> Result<SecretKey, SecretKeyError> {
    let inner = <&OctetStringRef>::from_der(info.private_key.as_bytes())
        .map_err(|_| SecretKeyError::Der)?;
    let bytes = <&[u8; 32]>::try_from(inner.as_bytes()).map_err(|_| SecretKeyError::Der)?;
    if info.algorithm.parameters.is_some() {
        return Err(SecretKeyError::Der);
    }
    let key = SecretKey::ed25519(ed25519_dalek::SigningKey::from_bytes(bytes));
    let Some(public) = &info.public_key else { return Ok(key) };
    let public = public.as_bytes().and_then(|bytes| bytes.try_into().ok());
    let public = public.and_then(|bytes| PublicKey::ed25519_from_bytes(bytes).ok());
    key.expect_public(&public.ok_or(SecretKeyError::PublicKeyMismatch)?)
}

pub(super) fn read_sec1(der: &[u8]) -> Result<SecretKey, SecretKeyError> {
    let key = p256::SecretKey::from_sec1_der(der).map_err(|_| SecretKeyError::Der)?;
    Ok(SecretKey::p256(key.into()))
}

pub(super) fn write_pkcs8(material: &Material) -> Zeroizing<Vec<u8>> {
    encode(material).expect("keys of 32 bytes fit DER")
}

fn encode(material: &Material) -> Result<Zeroizing<Vec<u8>>, p256::pkcs8::Error> {
    match material {
        Material::EdDsa(key) => {
            let inner = Zeroizing::new(OctetStringRef::new(key.as_bytes())?.to_der()?);
            let algorithm = AlgorithmIdentifierRef { oid: ED25519, parameters: None };
            let info = PrivateKeyInfoRef::new(algorithm, OctetStringRef::new(&inner)?);
            Ok(Zeroizing::new(info.to_der()?))
        }
        Material::Es256(key) => Ok(p256::SecretKey::from(key).to_pkcs8_der()?.to_bytes()),
    }
}
