//! Answers: status, the few fields that matter, and a body within its limit.

use std::time::{Duration, SystemTime};

use genten_primitives::Timestamp;
use genten_tlog::LeafIndex;
use reqwest::Response;
use reqwest::header::{self, HeaderMap};

use super::retry_after::{http_date, retry_after};
use super::{HttpError, coding};

/// Most bytes of a page beside a status that is none of success.
const MAX_WORDS: usize = 1 << 16;

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
    /// The body, without its content coding; of an answer without success at most its first 64 KiB, and nothing where they cannot
    /// be decoded.
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
    let body = match response.status().is_success() {
        true => whole(host, response, &coding, limit).await?,
        false => words(host, response, &coding).await?,
    };
    Ok(Answer {
        status,
        media_type: field(&headers, header::CONTENT_TYPE.as_str()).map(essence),
        retry_after: field(&headers, header::RETRY_AFTER.as_str())
            .and_then(|value| retry_after(value, now(&headers)?)),
        log_index: field(&headers, "x-log-index").and_then(|value| value.parse().ok()),
        body,
    })
}

/// The whole body, which is no longer than `limit`.
async fn whole(
    host: &str,
    response: Response,
    coding: &str,
    limit: usize,
) -> Result<Vec<u8>, HttpError> {
    let wire_limit = coding::wire_limit(coding, limit);
    let body = beginning(host, response, wire_limit + 1).await?;
    if body.len() > wire_limit {
        return Err(HttpError::TooLarge { host: host.to_owned(), limit: wire_limit });
    }
    coding::undo(coding, body, limit)
        .map_err(|source| HttpError::Coding { host: host.to_owned(), source })
}

/// What stands beside a status that says what was not done, as far as it can be read: the status is the answer, however long the
/// page is that people are shown.
async fn words(host: &str, response: Response, coding: &str) -> Result<Vec<u8>, HttpError> {
    let body = beginning(host, response, MAX_WORDS).await?;
    Ok(coding::undo(coding, body, MAX_WORDS).unwrap_or_default())
}

/// The body up to `limit`.
async fn beginning(host: &str, mut response: Response, limit: usize) -> Result<Vec<u8>, HttpError> {
    let mut body = Vec::new();
    let broken = |error| HttpError::of_exchange(host, error);
    while body.len() < limit
        && let Some(piece) = response.chunk().await.map_err(broken)?
    {
        body.extend_from_slice(&piece[..piece.len().min(limit - body.len())]);
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
