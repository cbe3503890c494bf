//! Signing many messages with one signer: the header is written once.

use genten_manifest::KeyId;
use genten_primitives::encoding::{base64, base64url, push_base64url};
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_primitives::signature::{self, Message};
use genten_primitives::{PublicKey, Sha256Digest};

use crate::compact::signing_input;
use crate::{Algorithm, AsyncSigner, SignError, Signature, Signer, Typ, key_id};

/// What the header says of the signer's certificate.
#[derive(Clone, Copy, Debug, Default)]
pub enum CertificateHint<'c> {
    /// The chain itself (DER, leaf first), `x5c`. It is covered by every signature and makes every message longer.
    Chain(&'c [Vec<u8>]),
    /// The digest of the leaf (DER), `x5t#S256`.
    Digest(Sha256Digest),
    /// Nothing.
    #[default]
    None,
}

/// Signs messages of one kind with one signer.
pub struct JwsSigner<S> {
    signer: S,
    algorithm: Algorithm,
    header: String,
}

impl<S: Signer> JwsSigner<S> {
    /// Prepares the header.
    ///
    /// # Errors
    /// The key is neither P-256 nor Ed25519; the key id, or the leaf of the chain, is for another key.
    pub fn new(signer: S, typ: Typ, certificate: CertificateHint<'_>) -> Result<Self, SignError> {
        let (key_id, key) = (signer.key_id(), signer.public_key());
        let algorithm = check(key_id, key, certificate)?;
        let header = write(algorithm, key_id, typ, certificate);
        Ok(Self { signer, algorithm, header })
    }

    /// Signs a payload.
    ///
    /// # Errors
    /// The signer is not able to sign.
    pub fn sign(&self, payload: &[u8]) -> Result<SignedMessage, SignError> {
        let input = signing_input(&self.header, payload);
        let signature = self.signer.sign(input.as_bytes())?;
        Ok(self.message(input, signature))
    }
}

impl<S: AsyncSigner> JwsSigner<S> {
    /// As [`new`](Self::new), for a signer that takes its time.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn new_async(
        signer: S,
        typ: Typ,
        certificate: CertificateHint<'_>,
    ) -> Result<Self, SignError> {
        let (key_id, key) = (signer.key_id(), signer.public_key());
        let algorithm = check(key_id, key, certificate)?;
        let header = write(algorithm, key_id, typ, certificate);
        Ok(Self { signer, algorithm, header })
    }

    /// Signs a payload, and checks what came back: a key that was rotated behind a service's name shows here, not at
    /// the reader.
    ///
    /// # Errors
    /// The signer is not able to sign, or its signature does not hold under its public key.
    pub async fn sign_async(&self, payload: &[u8]) -> Result<SignedMessage, SignError> {
        let input = signing_input(&self.header, payload);
        let signature = self.signer.sign(input.as_bytes()).await?;
        let message = self.message(input, signature);
        let (key, scheme) = (self.signer.public_key(), self.algorithm.scheme());
        signature::verify(key, scheme, Message::Bytes(message.input()), signature.as_bytes())
            .map_err(SignError::NotVerified)?;
        Ok(message)
    }
}

impl<S> JwsSigner<S> {
    /// The signer.
    pub fn signer(&self) -> &S {
        &self.signer
    }

    fn message(&self, input: String, signature: Signature) -> SignedMessage {
        let signature = match self.algorithm {
            Algorithm::EdDsa => signature,
            Algorithm::Es256 => signature.low_s(),
        };
        SignedMessage { input, header: self.header.len(), signature }
    }
}

/// A message and its signature.
#[derive(Clone, Debug)]
pub struct SignedMessage {
    input: String,
    header: usize,
    signature: Signature,
}

impl SignedMessage {
    /// `header..signature`.
    pub fn detached(&self) -> String {
        self.compact(&self.input[..self.header], "..")
    }

    /// `header.payload.signature`.
    pub fn attached(&self) -> String {
        self.compact(&self.input, ".")
    }

    fn compact(&self, start: &str, dots: &str) -> String {
        let mut jws = String::with_capacity(start.len() + dots.len() + 86);
        jws.push_str(start);
        jws.push_str(dots);
        push_base64url(self.signature.as_bytes(), &mut jws);
        jws
    }

    /// The signing input (RFC 7515 section 5.1).
    pub fn input(&self) -> &[u8] {
        self.input.as_bytes()
    }

    /// SHA-256 of the signing input: of a manifest its `manifest_id`.
    pub fn sha256(&self) -> Sha256Digest {
        Sha256Digest::of(self.input())
    }

    /// The signature.
    pub fn signature(&self) -> Signature {
        self.signature
    }
}

fn check(
    key_id: &KeyId,
    key: &PublicKey,
    certificate: CertificateHint<'_>,
) -> Result<Algorithm, SignError> {
    let unsupported = SignError::KeyUnsupported { key: key.kind() };
    let algorithm = Algorithm::of(key).ok_or(unsupported)?;
    key_id::expect_contained(key_id, key).map_err(SignError::KeyId)?;
    if let CertificateHint::Chain([leaf, ..]) = certificate {
        key_id::expect_certified(key_id, key, leaf).map_err(SignError::KeyId)?;
    }
    Ok(algorithm)
}

fn write(alg: Algorithm, kid: &KeyId, typ: Typ, certificate: CertificateHint<'_>) -> String {
    let mut header = ObjectWriter::new();
    header.string("alg", alg.as_str()).string("kid", kid.as_str()).string("typ", typ.as_str());
    match certificate {
        CertificateHint::Chain(chain) => {
            let mut x5c = ArrayWriter::new();
            for certificate in chain {
                x5c.string(&base64(certificate));
            }
            header.raw("x5c", &x5c.finish());
        }
        CertificateHint::Digest(digest) => {
            header.string("x5t#S256", &base64url(digest.as_bytes()));
        }
        CertificateHint::None => {}
    }
    base64url(&header.finish())
}
