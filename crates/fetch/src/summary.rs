//! What is odd about an exchange, for people (warnings) and for statistics (anomalies).

use http::StatusCode;

use crate::body::BodyRecord;
use crate::completeness::Completeness;
use crate::decoding::DecodeFailure;
use crate::exchange::{Anomaly, AnomalyKind, Decoded, Hop, Retrieval, Warning};
use crate::run::Head;

/// Fields of which an answer may have one, and which are recorded.
const SINGLE: [&str; 6] =
    ["age", "content-disposition", "content-type", "date", "etag", "last-modified"];

pub(crate) fn warnings(head: &Head, body: &BodyRecord) -> Vec<Warning> {
    let headers = &head.parts.headers;
    let repeated = SINGLE.into_iter().filter(|name| headers.get_all(*name).iter().nth(1).is_some());
    let mut warnings: Vec<_> = repeated.map(|name| Warning::RepeatedField { name }).collect();
    if body.content_bytes > 0 && has_no_body(head.parts.status) {
        warnings.push(Warning::UnexpectedBody { status: head.parts.status.as_u16() });
    }
    if let Some(Err(failure)) = &body.decoded {
        warnings.push(Warning::Coding(failure.clone()));
    }
    warnings
}

fn has_no_body(status: StatusCode) -> bool {
    matches!(status.as_u16(), 204 | 205 | 304)
}

/// The recorder sends each request once, so attempts are requests.
pub(crate) fn retrieval(
    hops: &[Hop],
    head: &Head,
    completeness: Completeness,
    decoded: &Option<Result<Decoded, DecodeFailure>>,
) -> Retrieval {
    let requests = hops.len() as u64 + 1;
    let was_cut =
        completeness == Completeness::Partial && head.parts.status != StatusCode::PARTIAL_CONTENT;
    let is_malformed = was_cut || matches!(decoded, Some(Err(_)));
    let kinds = answer_kind(head.parts.status)
        .into_iter()
        .chain(is_malformed.then_some(AnomalyKind::MalformedBody));
    let anomalies = kinds.map(|kind| Anomaly { kind, count: 1 }).collect();
    Retrieval { requests, attempts: requests, anomalies }
}

fn answer_kind(status: StatusCode) -> Option<AnomalyKind> {
    match status.as_u16() {
        429 => Some(AnomalyKind::RateLimited),
        400..=499 => Some(AnomalyKind::Http4xx),
        500..=599 => Some(AnomalyKind::Http5xx),
        _ => None,
    }
}
