//! Gets timestamps (RFC 3161 section 3.4: by HTTP), each verified before it is given out.

mod error;

use genten_pki::{MAX_TIMESTAMP, TimestampAuthority, TimestampRequest};
use genten_primitives::Timestamp;

pub use error::StampError;

use crate::{Answer, LogHttp, ServiceUrl};

const QUERY: &str = "application/timestamp-query";
const REPLY: &str = "application/timestamp-reply";

/// A client of a timestamp authority. Cheap enough to clone.
#[derive(Clone, Debug)]
pub struct TimestampClient {
    http: LogHttp,
    url: ServiceUrl,
    authorities: Vec<TimestampAuthority>,
}

/// A timestamp that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// The TimeStampToken, DER.
    pub token: Vec<u8>,
    /// Its time.
    pub time: Timestamp,
    /// The name of the authority, as the caller knows it.
    pub authority: String,
}

impl TimestampClient {
    /// Asks at this URL, which is a whole one, and believes these authorities.
    pub fn new(http: LogHttp, url: ServiceUrl, authorities: Vec<TimestampAuthority>) -> Self {
        Self { http, url, authorities }
    }

    /// The URL.
    pub fn url(&self) -> &ServiceUrl {
        &self.url
    }

    /// Has bytes stamped: those of a signature, as a log keeps it. The nonce must be a new random number for each request.
    /// Only a digest is sent.
    ///
    /// # Errors
    /// No answer, or none that grants a timestamp with this nonce over these bytes by one of the authorities.
    pub async fn stamp(&self, message: &[u8], nonce: u64) -> Result<Stamp, StampError> {
        let request = TimestampRequest::new(message, nonce);
        let answer = self.http.post(&self.url, QUERY, request.to_der(), MAX_TIMESTAMP).await?;
        check_head(&answer)?;
        match request.check_response(&answer.body, &self.authorities) {
            Ok((token, verified)) => Ok(Stamp {
                token: token.der().to_vec(),
                time: verified.time(),
                authority: verified.authority_name().to_owned(),
            }),
            Err(source) => Err(StampError::Wrong { source, reply: answer.body }),
        }
    }
}

/// Older authorities of Sigstore answer 201.
fn check_head(answer: &Answer) -> Result<(), StampError> {
    let (status, retry_after) = (answer.status, answer.retry_after);
    if !matches!(status, 200 | 201) {
        return Err(StampError::Status { status, retry_after });
    }
    match answer.media_type.as_deref() {
        Some(REPLY) => Ok(()),
        found => Err(StampError::MediaType { found: found.unwrap_or_default().to_owned() }),
    }
}
