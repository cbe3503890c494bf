//! Requests to servers on this machine.

use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// An answer.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

/// `GET` or `POST` over HTTP/1.0, whose answers end where the connection ends.
pub(super) fn send(
    method: &str,
    port: u16,
    path: &str,
    media_type: &str,
    body: &[u8],
) -> Result<Answer, Box<dyn Error>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n"
    )?;
    stream.write_all(body)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    parse(&answer).ok_or_else(|| format!("no HTTP answer from port {port}").into())
}

fn parse(answer: &[u8]) -> Option<Answer> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer { status, body: answer[end + 4..].to_vec() })
}
