//! Answers: status, the few fields that matter, and a body within its limit.

use std::time::{Duration, SystemTime};

use genten_primitives::Timestamp;
use genten_tlog::LeafIndex;
use reqwest::Response;
use reqwest::header::{self, HeaderMap};

use super::retry_after::{http_date, retry_after};
use super::{HttpError, coding};

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// `Content-Type` in lower case, without parameters.
    pub media_type: Option<String>,
    /// How long the server wants to be left alone (`Retry-After`).
    pub retry_after: Option<Duration>,
    /// `x-log-index`: where a log says that an entry is.
    pub log_index: Option<LeafIndex>,
    /// The body, without its content coding.
    pub body: Vec<u8>,
}

pub(super) async fn read(
    host: &str,
    response: Response,
    limit: usize,
) -> Result<Answer, HttpError> {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let coding = field(&headers, header::CONTENT_ENCODING.as_str()).unwrap_or_default();
    let coding = coding.to_ascii_lowercase();
    let body = body(host, response, coding::wire_limit(&coding, limit)).await?;
    let body = coding::undo(&coding, body, limit)
        .map_err(|source| HttpError::Coding { host: host.to_owned(), source })?;
    Ok(Answer {
        status,
        media_type: field(&headers, header::CONTENT_TYPE.as_str()).map(essence),
        retry_after: field(&headers, header::RETRY_AFTER.as_str())
            .and_then(|value| retry_after(value, now(&headers)?)),
        log_index: field(&headers, "x-log-index").and_then(|value| value.parse().ok()),
        body,
    })
}

async fn body(host: &str, mut response: Response, limit: usize) -> Result<Vec<u8>, HttpError> {
    let mut body = Vec::new();
    let broken = |error| HttpError::of_exchange(host, error);
    while let Some(piece) = response.chunk().await.map_err(broken)? {
        if body.len() + piece.len() > limit {
            return Err(HttpError::TooLarge { host: host.to_owned(), limit });
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

fn field<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

fn essence(content_type: &str) -> String {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().to_ascii_lowercase()
}

/// By the server's own clock where it shows one: a wait until a date is then right whatever the clock here says.
fn now(headers: &HeaderMap) -> Option<Timestamp> {
    let date = field(headers, header::DATE.as_str()).and_then(http_date);
    date.or_else(|| Timestamp::from_system_time(SystemTime::now()))
}
