//! The body of the final answer: counted, hashed, decoded and stored in one pass.

use std::pin::Pin;

use bytes::Bytes;
use genten_primitives::{Sha256, Sha256Digest, Timestamp};
use http::{StatusCode, header};
use http_body::Body as _;

use crate::classify;
use crate::completeness::{Completeness, Cut};
use crate::decoding::{DecodeFailure, Decoder, PIECE};
use crate::error::{FetchError, Waiting};
use crate::exchange::{Body, Decoded};
use crate::fields::{self, Fields};
use crate::idle::{Elapsed, Idle};
use crate::range::ContentRange;
use crate::recorder::Inner;
use crate::request::Request;
use crate::run::Head;
use crate::sink::{OpenSink, Sink};

/// What became of a body.
pub(crate) struct BodyRecord {
    pub(crate) completeness: Completeness,
    pub(crate) range: Option<String>,
    pub(crate) content_sha256: Sha256Digest,
    pub(crate) content_bytes: u64,
    pub(crate) decoded: Option<Result<Decoded, DecodeFailure>>,
    pub(crate) trailers: Fields,
    pub(crate) fetched_at: Timestamp,
    pub(crate) body: Body,
}

/// Refuses answers whose body need not be read to know that it is not what was asked for.
pub(crate) fn check_head(request: &Request, head: &Head) -> Result<(), FetchError> {
    match head.parts.status {
        StatusCode::SWITCHING_PROTOCOLS => Err(FetchError::Protocol {
            host: head.peer.to_string(),
            source: "another protocol was offered that was not asked for".into(),
        }),
        StatusCode::PARTIAL_CONTENT if request.range.is_none() && !request.allow_partial => {
            Err(FetchError::PartialAnswer)
        }
        _ => Ok(()),
    }
}

/// Reads the body into the sink.
pub(crate) async fn record(
    recorder: &Inner,
    request: &Request,
    head: &Head,
    content: reqwest::Body,
    sink: Sink<'_>,
) -> Result<BodyRecord, FetchError> {
    let limit = request.max_bytes.into_iter().chain(sink.limit()).min();
    let announced = head.framing.content_length.filter(|_| !head.framing.is_bodiless());
    if let Some(limit) = limit.filter(|limit| announced > Some(*limit)) {
        return Err(FetchError::TooLarge { limit, announced });
    }
    let mut reading = Reading {
        recorder,
        idle: Idle::new(request.idle_timeout),
        limit,
        content,
        sink: OpenSink::open(sink, announced).await?,
        hasher: Sha256::new(),
        received: 0,
        decoder: decoder(recorder, head),
        trailers: Fields::default(),
        last_byte_at: recorder.clock.now(),
    };
    let ended = reading.read_all().await?;
    let judged = reading.judge(head, ended);
    reading.finish(request, head, judged).await
}

/// A part of a coded document does not decode by itself, so only whole ones are tried.
fn decoder(recorder: &Inner, head: &Head) -> Option<Decoder> {
    if head.parts.status == StatusCode::PARTIAL_CONTENT || head.framing.is_bodiless() {
        return None;
    }
    let coding = Fields::new(&head.parts.headers).content_encoding()?;
    Decoder::new(&coding, recorder.decode_limits)
}

struct Reading<'a, 'w> {
    recorder: &'a Inner,
    idle: Idle,
    limit: Option<u64>,
    content: reqwest::Body,
    sink: OpenSink<'w>,
    hasher: Sha256,
    received: u64,
    decoder: Option<Decoder>,
    trailers: Fields,
    last_byte_at: Timestamp,
}

impl Reading<'_, '_> {
    /// Reads to the end; the inner error is how the body broke off.
    async fn read_all(&mut self) -> Result<Result<(), Cut>, FetchError> {
        while let Some(frame) = self.next_frame().await? {
            let frame = match frame {
                Ok(frame) => frame,
                Err(error) => return Ok(Err(classify::cut(&error))),
            };
            match frame.into_data() {
                Ok(data) => self.take(data).await?,
                Err(frame) => {
                    self.trailers = frame.trailers_ref().map(Fields::new).unwrap_or_default();
                }
            }
        }
        Ok(Ok(()))
    }

    async fn next_frame(
        &mut self,
    ) -> Result<Option<Result<http_body::Frame<Bytes>, reqwest::Error>>, FetchError> {
        let content = &mut self.content;
        let next = self.idle.wait_for(|context| Pin::new(&mut *content).poll_frame(context)).await;
        let waiting_for = Waiting::Body;
        next.map_err(|Elapsed| FetchError::Timeout { waiting_for, limit: self.idle.limit() })
    }

    async fn take(&mut self, data: Bytes) -> Result<(), FetchError> {
        self.last_byte_at = self.recorder.clock.now();
        self.received += data.len() as u64;
        if let Some(limit) = self.limit.filter(|limit| self.received > *limit) {
            return Err(FetchError::TooLarge { limit, announced: None });
        }
        self.hasher.update(&data);
        self.decode(&data).await;
        self.sink.write(&data).await
    }

    /// A small piece can decode to much, so other tasks get a turn between pieces.
    async fn decode(&mut self, data: &[u8]) {
        let Some(decoder) = &mut self.decoder else { return };
        for piece in data.chunks(PIECE) {
            decoder.push(piece);
            if decoder.has_failed() {
                return;
            }
            tokio::task::consume_budget().await;
        }
    }

    fn judge(&self, head: &Head, ended: Result<(), Cut>) -> Result<Completeness, Cut> {
        match ended {
            Ok(()) => head.framing.judge(self.received, self.content.is_end_stream()),
            // The library takes an empty last frame for a contradiction to the Content-Length of a 304.
            Err(Cut::Malformed) if head.framing.is_bodiless() && self.received == 0 => {
                Ok(Completeness::Complete)
            }
            Err(cut) => Err(cut),
        }
    }

    async fn finish(
        self,
        request: &Request,
        head: &Head,
        judged: Result<Completeness, Cut>,
    ) -> Result<BodyRecord, FetchError> {
        let announced = head.framing.content_length;
        if let (Err(cut), false) = (judged, request.allow_partial) {
            return Err(FetchError::Truncated { received: self.received, announced, cut });
        }
        let part = content_range(head);
        if let (Some(part), false) = (part, request.allow_partial) {
            check_part(part, self.received)?;
        }
        let is_part = head.parts.status == StatusCode::PARTIAL_CONTENT;
        let range = match judged {
            Ok(_) => part,
            Err(_) if is_part => part.and_then(|part| part.cut(self.received)),
            Err(_) => ContentRange::beginning(self.received, announced),
        };
        Ok(BodyRecord {
            completeness: judged.ok().filter(|_| !is_part).unwrap_or(Completeness::Partial),
            range: range.map(|range| range.to_string()),
            content_sha256: self.hasher.finish(),
            content_bytes: self.received,
            decoded: self.decoder.filter(|_| self.received > 0).map(Decoder::finish),
            trailers: self.trailers,
            fetched_at: self.last_byte_at,
            body: self.sink.finish().await?,
        })
    }
}

/// `Content-Range` of a 206 answer.
fn content_range(head: &Head) -> Option<ContentRange> {
    if head.parts.status != StatusCode::PARTIAL_CONTENT {
        return None;
    }
    let field = head.parts.headers.get(header::CONTENT_RANGE)?;
    ContentRange::parse(&fields::text(field))
}

fn check_part(part: ContentRange, received: u64) -> Result<(), FetchError> {
    if part.bytes() == received {
        return Ok(());
    }
    Err(FetchError::RangeMismatch { announced: part.bytes(), received })
}
