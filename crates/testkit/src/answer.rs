//! What a site is asked and what it answers.

use std::time::Duration;

use crate::faults::Gate;

/// A request that a site has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRequest {
    /// `http/1.1` or `h2`.
    pub protocol: &'static str,
    /// The method.
    pub method: String,
    /// Path and query, as sent.
    pub target: String,
    /// The fields; on HTTP/2 without the pseudo-header fields.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
}

impl SeenRequest {
    /// The value of the first field with this name (lower case), as text.
    pub fn header(&self, name: &str) -> Option<String> {
        let found = self.headers.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.iter().copied().map(char::from).collect())
    }
}

/// What a site answers.
#[derive(Clone, Debug)]
pub struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) content: Content,
    pub(crate) framing: Framing,
    pub(crate) end: End,
    pub(crate) raw: Option<Vec<u8>>,
    wait: Option<Wait>,
}

/// What an answer waits for before its first byte.
#[derive(Clone, Debug)]
enum Wait {
    Time(Duration),
    Gate(Gate),
}

/// The bytes of a body.
#[derive(Clone, Debug)]
pub enum Content {
    /// These.
    Bytes(Vec<u8>),
    /// `piece`, so many times over: a large body without large memory.
    Repeated {
        /// The bytes that are repeated.
        piece: Vec<u8>,
        /// How often.
        times: u64,
    },
}

/// How HTTP/1.1 frames a body. HTTP/2 has its own framing; there `Length` sends `content-length` too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// In chunks of this many bytes.
    Chunked(usize),
    /// Until the end of the connection.
    Close,
    /// By `Content-Length`.
    Length,
}

/// What happens to the connection after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It ends as the protocol wants, with `close_notify` over TLS.
    Clean,
    /// TCP ends, without `close_notify` over TLS.
    Fin,
    /// Nothing more comes until the client goes away.
    Hang,
    /// TCP is reset.
    Reset,
}

impl Answer {
    /// An answer with this status and an empty body.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            content: Content::Bytes(Vec::new()),
            framing: Framing::Length,
            end: End::Clean,
            raw: None,
            wait: None,
        }
    }

    /// Status 200 with this body.
    pub fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::status(200).body(body)
    }

    /// A redirect with this status and `Location`.
    pub fn redirect(status: u16, location: impl Into<Vec<u8>>) -> Self {
        Self::status(status).header("location", location)
    }

    /// Exactly these bytes on an HTTP/1.1 connection, head included, and then `end`.
    pub fn raw(bytes: impl Into<Vec<u8>>, end: End) -> Self {
        Self { raw: Some(bytes.into()), end, ..Self::status(0) }
    }

    /// Adds a field.
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// With this body.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.content = Content::Bytes(body.into());
        self
    }

    /// With this content as body.
    pub fn content(mut self, content: Content) -> Self {
        self.content = content;
        self
    }

    /// Framed like this.
    pub fn framing(mut self, framing: Framing) -> Self {
        self.framing = framing;
        self
    }

    /// Ending like this (HTTP/1.1).
    pub fn end(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    /// Sent so much later, by the clock of the runtime.
    pub fn after(mut self, time: Duration) -> Self {
        self.wait = Some(Wait::Time(time));
        self
    }

    /// Sent when the gate is open.
    pub fn held_by(mut self, gate: Gate) -> Self {
        self.wait = Some(Wait::Gate(gate));
        self
    }

    /// Until it may be sent.
    pub(crate) async fn is_due(&self) {
        match &self.wait {
            None => {}
            Some(Wait::Time(time)) => tokio::time::sleep(*time).await,
            Some(Wait::Gate(gate)) => gate.passed().await,
        }
    }
}

impl Content {
    /// The pieces of the body, none larger than the largest piece that was given.
    pub(crate) fn pieces(self) -> Pieces {
        match self {
            Self::Bytes(bytes) => {
                Pieces { left: u64::from(!bytes.is_empty()), piece: bytes.into() }
            }
            Self::Repeated { piece, times } => Pieces { left: times, piece: piece.into() },
        }
    }

    pub(crate) fn to_vec(&self) -> Vec<u8> {
        self.clone().pieces().flatten().collect()
    }

    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Repeated { piece, times } => piece.len() as u64 * times,
        }
    }
}

/// The pieces of a body, one after the other.
pub(crate) struct Pieces {
    piece: bytes::Bytes,
    left: u64,
}

impl Iterator for Pieces {
    type Item = bytes::Bytes;

    fn next(&mut self) -> Option<bytes::Bytes> {
        self.left = self.left.checked_sub(1)?;
        Some(self.piece.clone())
    }
}
