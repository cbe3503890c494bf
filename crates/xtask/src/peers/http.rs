//! Requests to servers on this machine.

use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// An answer.
pub(super) struct Answer {
    pub(super) status: u16,
    /// The head from the status on, without the headers that are about the connection.
    pub(super) head: String,
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
    let head = head.split_once(' ')?.1;
    let status = head.split([' ', '\r']).next()?.parse().ok()?;
    let is_about_answer = |line: &&str| {
        let name = line.split(':').next().unwrap_or_default().to_ascii_lowercase();
        !["connection", "content-length", "transfer-encoding"].contains(&name.as_str())
    };
    let head = head.split("\r\n").filter(is_about_answer).collect::<Vec<_>>().join("\r\n");
    Some(Answer { status, head, body: answer[end + 4..].to_vec() })
}
