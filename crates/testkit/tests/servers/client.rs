//! A client that shows what came over the wire.

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// What came until the connection ended.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let at = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8(bytes[..at].to_vec()).ok()?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some(Self { status, head, body: bytes[at + 4..].to_vec() })
    }

    /// Names in lower case, with values.
    pub(crate) fn headers(&self) -> Vec<(&str, &str)> {
        self.head.split("\r\n").filter_map(|line| line.split_once(": ")).collect()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers().into_iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// Whether all of the body came that the head says.
    pub(crate) fn is_whole(&self) -> bool {
        self.header("content-length") == Some(&*self.body.len().to_string())
    }
}

/// Sends a request and reads to the end of the connection; an error is also an end without an answer.
pub(crate) async fn request(method: &str, url: &str, body: &[u8]) -> io::Result<Reply> {
    send(method, url, "application/json", body).await
}

pub(crate) async fn get(url: &str) -> Reply {
    request("GET", url, b"").await.unwrap()
}

pub(crate) async fn post(url: &str, kind: &str, body: &[u8]) -> io::Result<Reply> {
    send("POST", url, kind, body).await
}

async fn send(method: &str, url: &str, kind: &str, body: &[u8]) -> io::Result<Reply> {
    let rest = url.strip_prefix("http://").unwrap();
    let (authority, path) = rest.split_once('/').unwrap();
    let mut tcp = TcpStream::connect(authority.replace("localhost", "127.0.0.1")).await?;
    let length = body.len();
    let head = format!(
        "{method} /{path} HTTP/1.1\r\nhost: {authority}\r\ncontent-type: {kind}\r\n\
         content-length: {length}\r\n\r\n"
    );
    tcp.write_all(&[head.as_bytes(), body].concat()).await?;
    let mut bytes = Vec::new();
    tcp.read_to_end(&mut bytes).await?;
    Reply::parse(&bytes).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}
