//! One signature in a chain: the issuer's key over the signed part of a certificate.

use genten_primitives::key::KeyError;
use genten_primitives::signature::{Message, Scheme, SignatureError, verify};

use crate::{Certificate, SignatureAlgorithm};

/// Why the signature on a certificate is not accepted as its issuer's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IssuerSignatureError {
    /// Another key made the signature, or it covers other bytes.
    #[error("issuer's signature does not verify")]
    Invalid(#[source] SignatureError),
    /// The issuer's key breaks the rules of its algorithm.
    #[error("issuer's key is unusable")]
    Key(#[source] KeyError),
    /// This build or this library has no way to check it: nothing is known about the signature.
    #[error("no check for signatures by {algorithm} under this key")]
    NotCheckable {
        /// The algorithm that the certificate names.
        algorithm: SignatureAlgorithm,
    },
    /// By MD5, SHA-1 or the like.
    #[error("signature algorithm {algorithm} is broken")]
    Weak {
        /// The algorithm that the certificate names.
        algorithm: SignatureAlgorithm,
    },
}

impl Certificate {
    /// Checks that the key of `issuer` signed this certificate. Names, validity and rights of the issuer are not looked
    /// at.
    ///
    /// # Errors
    /// A signature that does not verify, or that cannot be checked.
    pub fn verify_signature(&self, issuer: &Self) -> Result<(), IssuerSignatureError> {
        let algorithm = self.signature_algorithm().clone();
        let scheme = match algorithm {
            SignatureAlgorithm::Known(scheme) => scheme,
            SignatureAlgorithm::Weak(_) => return Err(IssuerSignatureError::Weak { algorithm }),
            SignatureAlgorithm::Other(_) => {
                return Err(IssuerSignatureError::NotCheckable { algorithm });
            }
        };
        self.verify_scheme(issuer, scheme).map_err(|error| error.or_not_checkable(algorithm))
    }

    fn verify_scheme(&self, issuer: &Self, scheme: Scheme) -> Result<(), IssuerSignatureError> {
        let key = issuer.public_key().map_err(IssuerSignatureError::Key)?;
        verify(&key, scheme, Message::Bytes(self.tbs_der()), self.signature())
            .map_err(IssuerSignatureError::Invalid)
    }
}

impl IssuerSignatureError {
    /// Tells "cannot say" from "no".
    fn or_not_checkable(self, algorithm: SignatureAlgorithm) -> Self {
        match self {
            Self::Key(KeyError::CurveUnsupported | KeyError::Unsupported) => {
                Self::NotCheckable { algorithm }
            }
            Self::Invalid(error) if error.is_not_checkable() => Self::NotCheckable { algorithm },
            error => error,
        }
    }
}
