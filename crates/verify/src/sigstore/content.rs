//! The signature of a bundle: over an artifact's digest, or over an envelope (DSSE).

use genten_primitives::key::KeyKind;
use genten_primitives::signature::{Message, Scheme, SignatureError, verify};
use genten_primitives::{HashAlgorithm, PublicKey};

use super::statement::{About, about, predicate_type};
use super::{Artifact, SignedContent};

/// What is signed, as far as it is known without trusting the bundle.
pub(super) struct Content<'b> {
    pub(super) signed: &'b SignedContent,
    pub(super) artifact: Option<&'b Artifact>,
    /// The pre-authentication encoding of an envelope.
    pae: Option<Vec<u8>>,
}

/// Why a signature is not shown to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ContentFault {
    /// The artifact's digest by the right function is not known.
    DigestNeeded,
    /// The signature does not hold, or cannot be checked.
    Signature(SignatureError),
}

/// How artifact and bundle go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// No artifact was given.
    NotGiven,
    /// The bundle is about the artifact.
    Same,
    /// The bundle is about something else.
    Other,
    /// The envelope holds no statement about artifacts.
    NoStatement,
    /// The statement names digests by other functions.
    NotComparable,
}

impl<'b> Content<'b> {
    pub(super) fn new(signed: &'b SignedContent, artifact: Option<&'b Artifact>) -> Self {
        let pae = match signed {
            SignedContent::Envelope { payload_type, payload, .. } => {
                Some(pre_authentication_encoding(payload_type, payload))
            }
            SignedContent::Message { .. } => None,
        };
        Self { signed, artifact, pae }
    }

    /// The digest by this function of what is signed: of the envelope, of the artifact, or, without one, the bundle's hint. An
    /// artifact that was given is never taken for what the bundle says.
    pub(super) fn digest(&self, hash: HashAlgorithm) -> Option<Vec<u8>> {
        if let Some(pae) = &self.pae {
            return Some(hash.digest(pae));
        }
        match self.artifact {
            Some(artifact) => artifact.digest(hash),
            None => self.hint(hash),
        }
        .map(<[u8]>::to_vec)
    }

    fn hint(&self, hash: HashAlgorithm) -> Option<&[u8]> {
        match self.signed {
            SignedContent::Message { digest: Some((hinted, digest)), .. } if *hinted == hash => {
                Some(digest)
            }
            _ => None,
        }
    }

    /// The digest by this function of the payload alone, which logs of version 1 keep.
    pub(super) fn payload_digest(&self, hash: HashAlgorithm) -> Option<Vec<u8>> {
        match self.signed {
            SignedContent::Envelope { payload, .. } => Some(hash.digest(payload)),
            SignedContent::Message { .. } => self.digest(hash),
        }
    }

    pub(super) fn is_envelope(&self) -> bool {
        self.pae.is_some()
    }

    /// Whether the hint is another digest than the artifact's.
    pub(super) fn contradicts_hint(&self) -> bool {
        let differs = |hash| {
            let known = self.artifact.and_then(|artifact| artifact.digest(hash));
            known.zip(self.hint(hash)).is_some_and(|(known, hint)| known != hint)
        };
        HashAlgorithm::ALL.into_iter().any(differs)
    }

    /// Compares the artifact with the subjects of the statement. For a message, the signature is the comparison.
    pub(super) fn compare(&self) -> Comparison {
        let Some(artifact) = self.artifact else { return Comparison::NotGiven };
        match self.signed {
            SignedContent::Message { .. } => Comparison::Same,
            SignedContent::Envelope { payload_type, payload, .. } => {
                match about(payload_type, payload, artifact) {
                    About::This => Comparison::Same,
                    About::Others => Comparison::Other,
                    About::NoStatement => Comparison::NoStatement,
                    About::NotComparable => Comparison::NotComparable,
                }
            }
        }
    }

    /// What kind of statement it is, if it is one.
    pub(super) fn predicate_type(&self) -> Option<String> {
        match self.signed {
            SignedContent::Envelope { payload_type, payload, .. } => {
                predicate_type(payload_type, payload)
            }
            SignedContent::Message { .. } => None,
        }
    }

    /// The same content without the artifact: what the bundle itself says it is about.
    pub(super) fn without_artifact(&self) -> Self {
        Self { signed: self.signed, artifact: None, pae: self.pae.clone() }
    }

    /// Checks the signature under a key, by whichever of the key's schemes it was made.
    pub(super) fn verify(&self, key: &PublicKey) -> Result<(), ContentFault> {
        let mut fault = ContentFault::DigestNeeded;
        for scheme in schemes(key.kind(), self.is_envelope()) {
            let result = match (&self.pae, scheme) {
                (Some(pae), Scheme::Ed25519) => {
                    verify(key, *scheme, Message::Bytes(pae), self.signed.signature())
                }
                _ => {
                    let Some(digest) = self.digest(scheme.hash()) else { continue };
                    verify(key, *scheme, Message::Prehash(&digest), self.signed.signature())
                }
            };
            match result {
                Ok(()) => return Ok(()),
                Err(error) => fault = ContentFault::Signature(error),
            }
        }
        match self.lacks_digest(key.kind()) {
            true => Err(ContentFault::DigestNeeded),
            false => Err(fault),
        }
    }

    /// Whether the signature may be over a digest that is not known: by the hash function that the bundle names, or, if it
    /// names none, by any of the key's.
    fn lacks_digest(&self, key: KeyKind) -> bool {
        let named = match self.signed {
            SignedContent::Message { digest, .. } => digest.as_ref().map(|(hash, _)| *hash),
            SignedContent::Envelope { .. } => None,
        };
        let hashes = schemes(key, self.is_envelope()).iter().map(|scheme| scheme.hash());
        hashes
            .filter(|hash| named.is_none_or(|named| named == *hash))
            .any(|hash| self.digest(hash).is_none())
    }
}

/// How a key of this kind signs, the usual way last: its error is told. The key decides; a bundle has no say.
fn schemes(kind: KeyKind, is_envelope: bool) -> &'static [Scheme] {
    match kind {
        KeyKind::P256 => &[Scheme::EcdsaSha256Der],
        KeyKind::P384 => &[Scheme::EcdsaSha256Der, Scheme::EcdsaSha384Der],
        KeyKind::Ed25519 if is_envelope => &[Scheme::Ed25519ph, Scheme::Ed25519],
        KeyKind::Ed25519 => &[Scheme::Ed25519ph],
        _ => &[Scheme::RsaPkcs1Sha512, Scheme::RsaPkcs1Sha384, Scheme::RsaPkcs1Sha256],
    }
}

/// What an envelope's signature covers (DSSE protocol).
fn pre_authentication_encoding(payload_type: &str, payload: &[u8]) -> Vec<u8> {
    let head = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the DSSE protocol.
    #[test]
    fn what_an_envelope_signs() {
        let pae = pre_authentication_encoding("http://example.com/HelloWorld", b"hello world");
        assert_eq!(pae, b"DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    }

    /// The artifact is known by another digest than the one that the signature is over: what the bundle says of that one is
    /// no word on the artifact.
    #[test]
    fn a_given_artifact_is_never_replaced_by_the_hint() {
        let hint = HashAlgorithm::Sha512.digest(b"signed");
        let signed = SignedContent::Message {
            digest: Some((HashAlgorithm::Sha512, hint.clone())),
            signature: vec![1],
        };
        let given = "sha256:0000000000000000000000000000000000000000000000000000000000000000";
        let artifact = given.parse().unwrap();
        let content = Content::new(&signed, Some(&artifact));
        assert_eq!(content.digest(HashAlgorithm::Sha512), None);
        let key = PublicKey::ed25519_from_bytes(&[1; 32]).unwrap();
        assert_eq!(content.verify(&key), Err(ContentFault::DigestNeeded));
        assert_eq!(content.without_artifact().digest(HashAlgorithm::Sha512), Some(hint));
    }
}
