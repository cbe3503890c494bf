//! Asking for a timestamp (RFC 3161 section 2.4.1) and checking the answer, without a network.

use der::Encode as _;
use genten_primitives::{Sha256Digest, encoding};

use super::hash::{HashAlgorithm, HashValue};
use super::{TimestampAuthority, TimestampError, TimestampToken, VerifiedTimestamp};

/// A TimeStampReq: SHA-256 of the bytes to stamp, a nonce, and the wish to get the signer's certificate along.
///
/// It is sent by POST as `application/timestamp-query`; the answer is `application/timestamp-reply`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimestampRequest {
    imprint: Sha256Digest,
    nonce: u64,
}

/// Why an answer is not one to this request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimestampResponseError {
    /// The token itself is not accepted, or was not granted.
    #[error(transparent)]
    Timestamp(#[from] TimestampError),
    /// The token has no nonce: it may be an old one.
    #[error("timestamp has no nonce instead of {expected:x}")]
    NonceMissing {
        /// The request's.
        expected: u64,
    },
    /// The token was made for another request.
    #[error("timestamp has the nonce {found} instead of {expected:x}")]
    Nonce {
        /// The request's.
        expected: u64,
        /// The token's: lower-case hexadecimal of its DER content.
        found: String,
    },
    /// The token is by another hash algorithm than the request.
    #[error("timestamp is over a hash by {found} instead of SHA-256")]
    ImprintAlgorithm {
        /// The token's.
        found: HashAlgorithm,
    },
}

impl TimestampRequest {
    /// A request to stamp `message`. The nonce must be a new random number for each request.
    pub fn new(message: &[u8], nonce: u64) -> Self {
        Self { imprint: Sha256Digest::of(message), nonce }
    }

    /// The DER of the TimeStampReq: `SEQUENCE { version 1, messageImprint, nonce, certReq TRUE }`.
    ///
    /// ```
    /// use genten_pki::TimestampRequest;
    /// let request = TimestampRequest::new(b"signature", 0x5eed).to_der();
    /// assert_eq!(request.len(), 2 + request[1] as usize);
    /// ```
    pub fn to_der(&self) -> Vec<u8> {
        let nonce = self.nonce_der();
        let length = VERSION_AND_IMPRINT.len() + 32 + nonce.len() + CERT_REQ.len();
        let length = u8::try_from(length).expect("at most 69 bytes");
        let mut der = vec![0x30, length];
        der.extend(VERSION_AND_IMPRINT);
        der.extend(self.imprint.as_bytes());
        der.extend(nonce);
        der.extend(CERT_REQ);
        der
    }

    /// Checks an answer to this request: it grants a token with this nonce for these bytes, and the token holds
    /// ([`TimestampToken::verify`]).
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check_response(
        &self,
        response: &[u8],
        authorities: &[TimestampAuthority],
    ) -> Result<(TimestampToken, VerifiedTimestamp), TimestampResponseError> {
        let token = TimestampToken::from_der(response)?;
        self.check_nonce(&token)?;
        self.check_algorithm(&token)?;
        let imprint = |_| HashValue::new(self.imprint.as_bytes());
        let verified = token.verify_imprint(authorities, &imprint)?;
        Ok((token, verified))
    }

    fn check_nonce(&self, token: &TimestampToken) -> Result<(), TimestampResponseError> {
        let expected = self.nonce;
        let found = token.info.nonce.as_ref();
        let found = found.ok_or(TimestampResponseError::NonceMissing { expected })?;
        match **found == self.nonce_der()[2..] {
            true => Ok(()),
            false => {
                let found = encoding::hex(found);
                Err(TimestampResponseError::Nonce { expected, found })
            }
        }
    }

    /// A hash by any other algorithm than the one asked for has not been calculated.
    fn check_algorithm(&self, token: &TimestampToken) -> Result<(), TimestampResponseError> {
        match token.info.algorithm.usable(super::TimestampPart::Imprint)? {
            HashAlgorithm::Sha256 => Ok(()),
            found => Err(TimestampResponseError::ImprintAlgorithm { found }),
        }
    }

    fn nonce_der(&self) -> Vec<u8> {
        self.nonce.to_der().expect("an INTEGER of at most nine bytes")
    }
}

/// `INTEGER 1, SEQUENCE { SEQUENCE { id-sha256, NULL }, OCTET STRING`, the 32 bytes of the hash left out.
const VERSION_AND_IMPRINT: &[u8] =
    &[2, 1, 1, 0x30, 49, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 32];

/// `BOOLEAN TRUE`
const CERT_REQ: &[u8] = &[1, 1, 0xff];
