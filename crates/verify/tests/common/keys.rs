//! Keys made from their names.

use genten_jws::{Algorithm, Signer as _, key_id};
use genten_primitives::PublicKey;
use genten_testkit::SeedKey;
use serde_json::Value;

/// A key pair.
#[derive(Clone)]
pub(crate) struct Key(SeedKey);

/// The P-256 key of this name.
pub(crate) fn es256(name: &str) -> Key {
    Key(SeedKey::es256(name))
}

/// The Ed25519 key of this name.
pub(crate) fn ed25519(name: &str) -> Key {
    Key(SeedKey::ed25519(name))
}

impl Key {
    /// The same key for logs, authorities and certificates.
    pub(crate) fn seed(&self) -> &SeedKey {
        &self.0
    }

    pub(crate) fn public(&self) -> &PublicKey {
        self.0.public()
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        self.0.algorithm()
    }

    /// `did:key:…#…`
    pub(crate) fn did_key(&self) -> String {
        self.0.signer().key_id().to_string()
    }

    /// `did:jwk:…#0`
    pub(crate) fn did_jwk(&self) -> String {
        key_id::did_jwk(self.public()).unwrap().to_string()
    }

    pub(crate) fn jwk(&self) -> Value {
        serde_json::from_str(&self.public().to_jwk()).unwrap()
    }

    pub(crate) fn pem(&self) -> Vec<u8> {
        self.public().to_spki_pem().into_bytes()
    }

    pub(crate) fn secret_pem(&self) -> Vec<u8> {
        self.0.signer().key().to_pkcs8_pem().as_bytes().to_vec()
    }

    /// 64 bytes.
    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message)
    }
}

/// The other S of an ES256 signature: n - s.
pub(crate) fn other_s(signature: [u8; 64]) -> [u8; 64] {
    const ORDER: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    let order: [u8; 32] = genten_primitives::encoding::from_hex(ORDER).unwrap();
    let mut twin = signature;
    let mut borrow = 0_i16;
    for at in (0..32).rev() {
        let mut digit = i16::from(order[at]) - i16::from(signature[32 + at]) - borrow;
        borrow = i16::from(digit < 0);
        digit += 256 * borrow;
        twin[32 + at] = u8::try_from(digit).unwrap();
    }
    twin
}
