//! The HTTP/2 side of a site: hyper for ordinary answers, bare frames for the others.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame as BodyFrame, SizeHint};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::answer::{Answer, End, Framing, Pieces, SeenRequest};
use crate::frames::{self, Frame};
use crate::serve::Shared;

/// Serves one connection with ordinary answers.
pub(crate) async fn serve<S>(stream: S, shared: Arc<Shared>)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let service = service_fn(move |request: http::Request<Incoming>| {
        let shared = Arc::clone(&shared);
        async move { answer(request, &shared).await }
    });
    // A client that goes away in the middle is part of the test, not an error of the site.
    let _ = hyper::server::conn::http2::Builder::new(TokioExecutor::new())
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

async fn answer(
    request: http::Request<Incoming>,
    shared: &Arc<Shared>,
) -> Result<http::Response<PieceBody>, hyper::Error> {
    let (parts, body) = request.into_parts();
    let seen = SeenRequest {
        protocol: "h2",
        method: parts.method.to_string(),
        target: parts.uri.path_and_query().map(ToString::to_string).unwrap_or_default(),
        headers: parts
            .headers
            .iter()
            .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
            .collect(),
        body: body.collect().await?.to_bytes().to_vec(),
    };
    let is_head = seen.method == "HEAD";
    Ok(response(shared.answer(seen).await, is_head))
}

fn response(answer: Answer, is_head: bool) -> http::Response<PieceBody> {
    let length = answer.content.len();
    let mut response = http::Response::new(PieceBody {
        pieces: (!is_head).then(|| answer.content.pieces()),
        hangs: answer.end == End::Hang,
    });
    *response.status_mut() =
        http::StatusCode::from_u16(answer.status).unwrap_or(http::StatusCode::IM_A_TEAPOT);
    for (name, value) in &answer.headers {
        // Names and values that HTTP/2 cannot carry are left out; bare frames can send them.
        let name = http::HeaderName::try_from(name.as_str());
        if let (Ok(name), Ok(value)) = (name, http::HeaderValue::from_bytes(value)) {
            response.headers_mut().append(name, value);
        }
    }
    if answer.framing == Framing::Length && answer.status != 204 {
        response.headers_mut().insert(http::header::CONTENT_LENGTH, length.into());
    }
    response
}

struct PieceBody {
    pieces: Option<Pieces>,
    hangs: bool,
}

impl Body for PieceBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<BodyFrame<Bytes>, Infallible>>> {
        match self.pieces.as_mut().and_then(Iterator::next) {
            Some(piece) => Poll::Ready(Some(Ok(BodyFrame::data(piece)))),
            // Nobody wakes this body again: it hangs until the client resets the stream.
            None if self.hangs => Poll::Pending,
            None => Poll::Ready(None),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

/// Answers the first request of one connection with bare frames.
pub(crate) async fn serve_frames<S>(stream: &mut S, script: &[Frame]) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    stream.write_all(&frames::settings()).await?;
    stream.flush().await?;
    wait_for_request(stream).await?;
    stream.write_all(&frames::settings_ack()).await?;
    for frame in script {
        stream.write_all(&frame.0).await?;
        stream.flush().await?;
    }
    Ok(())
}

/// Reads until the end of the header block of a request.
async fn wait_for_request<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<()> {
    let mut preface = [0; 24];
    stream.read_exact(&mut preface).await?;
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head).await?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        stream.read_exact(&mut payload).await?;
        let (kind, flags) = (head[3], head[4]);
        if matches!(kind, frames::HEADERS | frames::CONTINUATION)
            && flags & frames::END_HEADERS != 0
        {
            return Ok(());
        }
    }
}
