//! The HTTP/1.1 side of a site: small, and obedient to answers that break the rules.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use crate::answer::{Answer, End, Framing, SeenRequest};

/// Largest request head.
const MAX_HEAD: usize = 64 * 1024;

/// Largest request body.
const MAX_BODY: usize = 64 << 20;

/// Reads one request; `None` when the client left without one, or speaks something else.
pub(crate) async fn read_request<S: AsyncRead + Unpin>(
    stream: &mut S,
) -> io::Result<Option<SeenRequest>> {
    let mut bytes = Vec::new();
    let head_length = loop {
        if let Some(at) = find(&bytes, b"\r\n\r\n") {
            break at;
        }
        // Something else than HTTP, such as TLS, never gets to the end of a head.
        if bytes.first().is_some_and(|byte| !byte.is_ascii_alphabetic()) {
            return Ok(None);
        }
        if bytes.len() > MAX_HEAD || stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    };
    let mut body = bytes.split_off(head_length + 4);
    let Some(mut request) = parse_head(&bytes[..head_length]) else { return Ok(None) };
    let length = request.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    if length > MAX_BODY {
        return Ok(None);
    }
    while body.len() < length {
        if stream.read_buf(&mut body).await? == 0 {
            return Ok(None);
        }
    }
    request.body = body;
    Ok(Some(request))
}

pub(crate) fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn parse_head(head: &[u8]) -> Option<SeenRequest> {
    let text: String = head.iter().copied().map(char::from).collect();
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().chars().map(|c| c as u8).collect()));
    Some(SeenRequest {
        protocol: "http/1.1",
        method: first.next()?.to_owned(),
        target: first.next()?.to_owned(),
        headers: headers.collect(),
        body: Vec::new(),
    })
}

/// Writes an answer and says how the connection is to end. A HEAD request gets no body.
pub(crate) async fn write_answer<S: AsyncWrite + Unpin>(
    stream: &mut S,
    answer: Answer,
    is_head: bool,
) -> io::Result<End> {
    if let Some(raw) = answer.raw {
        stream.write_all(&raw).await?;
        stream.flush().await?;
        return Ok(answer.end);
    }
    stream.write_all(&head(&answer)).await?;
    if !is_head {
        for piece in answer.content.pieces() {
            write_piece(stream, &piece, answer.framing).await?;
        }
        if let (Framing::Chunked(_), End::Clean) = (answer.framing, answer.end) {
            stream.write_all(b"0\r\n\r\n").await?;
        }
    }
    stream.flush().await?;
    Ok(answer.end)
}

/// The answer as it looks when the connection ends in the middle of its body.
pub(crate) fn cut(answer: &Answer) -> Answer {
    let body = answer.content.to_vec();
    let bytes = [head(answer).as_slice(), &body[..body.len() / 2]].concat();
    Answer::raw(bytes, End::Fin)
}

fn head(answer: &Answer) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {} Answer\r\n", answer.status).into_bytes();
    for (name, value) in &answer.headers {
        head.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    match answer.framing {
        // These have no body and no length (RFC 9110 section 8.6).
        _ if matches!(answer.status, 100..=199 | 204) => {}
        Framing::Length => {
            head.extend(format!("content-length: {}\r\n", answer.content.len()).into_bytes());
        }
        Framing::Chunked(_) => head.extend(b"transfer-encoding: chunked\r\n"),
        Framing::Close => head.extend(b"connection: close\r\n"),
    }
    head.extend(b"\r\n");
    head
}

async fn write_piece<S: AsyncWrite + Unpin>(
    stream: &mut S,
    piece: &[u8],
    framing: Framing,
) -> io::Result<()> {
    let Framing::Chunked(size) = framing else { return stream.write_all(piece).await };
    for chunk in piece.chunks(size.max(1)) {
        let size = format!("{:x}\r\n", chunk.len());
        stream.write_all(&[size.as_bytes(), chunk, b"\r\n"].concat()).await?;
    }
    Ok(())
}
