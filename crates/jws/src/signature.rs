//! The 64 bytes of a signature.

use genten_primitives::encoding;
use p256::ecdsa;

use crate::JwsError;

/// R and S of ES256 (RFC 7518 section 3.4), or an Ed25519 signature: 64 bytes.
///
/// Never an identifier: another signature over the same bytes by the same key can be made by anybody (ES256) or by the
/// signer (EdDSA).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature([u8; 64]);

impl Signature {
    /// A signature whose 64 bytes are known.
    pub const fn from_bytes(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// An ES256 signature from ASN.1 DER, as HSMs and OpenSSL make it.
    ///
    /// # Errors
    /// Not one strict DER ECDSA-Sig-Value for P-256.
    pub fn from_der(der: &[u8]) -> Result<Self, JwsError> {
        let signature = ecdsa::Signature::from_der(der).map_err(|_| JwsError::SignatureDer)?;
        Ok(Self(signature.to_bytes().into()))
    }

    /// The 64 bytes.
    pub const fn as_bytes(&self) -> &[u8; 64] {
        &self.0
    }

    /// An ES256 signature as ASN.1 DER, the form that logs and timestamps take; `None` where R or S is zero or not below
    /// the order of the curve.
    pub fn to_der(&self) -> Option<Vec<u8>> {
        let signature = ecdsa::Signature::from_slice(&self.0).ok()?;
        Some(signature.to_der().as_bytes().to_vec())
    }

    /// The twin of an ES256 signature with the smaller S.
    pub(crate) fn low_s(self) -> Self {
        match ecdsa::Signature::from_slice(&self.0) {
            Ok(signature) => Self(signature.normalize_s().to_bytes().into()),
            Err(_) => self,
        }
    }

    /// From the last part of a compact JWS.
    pub(crate) fn decode(text: &str) -> Result<Self, JwsError> {
        let bytes = encoding::from_base64url(text).map_err(|_| JwsError::SignatureEncoding)?;
        match <[u8; 64]>::try_from(bytes.as_slice()) {
            Ok(bytes) => Ok(Self(bytes)),
            Err(_) if is_der_sequence(&bytes) => Err(JwsError::SignatureDer),
            Err(_) => Err(JwsError::SignatureLength { found: bytes.len() }),
        }
    }
}

/// `30 len …`: what an ECDSA signature looks like that was not turned into R and S.
fn is_der_sequence(bytes: &[u8]) -> bool {
    matches!(bytes, [0x30, length, rest @ ..] if usize::from(*length) == rest.len())
}
