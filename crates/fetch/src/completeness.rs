//! Whether a body came whole, judged by its framing and not by what an HTTP library calls success.
//!
//! A library reports a clean end in several cases where bytes can be missing: an h2 stream that is reset with
//! `NO_ERROR`, a GOAWAY in the middle of a body, a close-delimited body in clear text. See RFC 9112 section 6.3 and
//! RFC 9113 section 8.1.

use std::fmt;

use http::{HeaderMap, StatusCode, Version, header};

/// How much of the document the recorded bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// The framing shows that the body is whole.
    Complete,
    /// Known to be a part: a 206 answer, or a truncated body that the caller allowed.
    Partial,
    /// The framing cannot show it: end by closing a clear-text connection, or contradictory framing fields.
    Unverifiable,
}

impl Completeness {
    /// The word in a manifest's `http.completeness`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Unverifiable => "unverifiable",
        }
    }
}

/// How a body ended before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cut {
    /// The connection ended in the middle of the body.
    Closed,
    /// Chunk sizes, frames or lengths contradict each other.
    Malformed,
    /// The TLS connection ended without `close_notify`, so anybody on the way can have cut it.
    NoCloseNotify,
    /// The connection or stream was reset.
    Reset,
    /// The h2 stream ended without `END_STREAM`, politely (`NO_ERROR`, GOAWAY).
    Stopped,
    /// Fewer or more bytes than `Content-Length` says.
    WrongLength,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Closed => "the connection ended before the body did",
            Self::Malformed => "its framing is broken",
            Self::NoCloseNotify => "the TLS connection ended without close_notify",
            Self::Reset => "the connection was reset",
            Self::Stopped => "the server stopped the stream before its end",
            Self::WrongLength => "its length is not the Content-Length",
        })
    }
}

/// What the head of an answer says about the end of its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framing {
    pub(crate) version: Version,
    pub(crate) encrypted: bool,
    pub(crate) content_length: Option<u64>,
    transfer: Transfer,
    bodiless: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    None,
    Chunked,
    Other,
}

impl Framing {
    pub(crate) fn new(
        version: Version,
        status: StatusCode,
        headers: &HeaderMap,
        head_request: bool,
        encrypted: bool,
    ) -> Self {
        Self {
            version,
            encrypted,
            content_length: content_length(headers),
            transfer: transfer(headers),
            bodiless: head_request
                || status == StatusCode::NO_CONTENT
                || status == StatusCode::NOT_MODIFIED,
        }
    }

    /// Whether an answer like this has no body whatever its fields say (RFC 9110 section 6.4.1).
    pub(crate) fn is_bodiless(&self) -> bool {
        self.bodiless
    }

    /// Judges a body that ended without an error. `end_stream` is what the body says after its last frame.
    pub(crate) fn judge(&self, received: u64, end_stream: bool) -> Result<Completeness, Cut> {
        if self.version == Version::HTTP_2 {
            return self.judge_h2(received, end_stream);
        }
        match (self.transfer, self.content_length) {
            _ if self.bodiless => Ok(Completeness::Complete),
            // The library takes an end of a chunked body only from the last chunk.
            (Transfer::Chunked, None) => Ok(Completeness::Complete),
            (Transfer::None, Some(length)) if length == received => Ok(Completeness::Complete),
            (Transfer::None, Some(_)) => Err(Cut::WrongLength),
            // Close-delimited: the library insists on close_notify, and clear text has nothing like it.
            (Transfer::None, None) if self.encrypted => Ok(Completeness::Complete),
            _ => Ok(Completeness::Unverifiable),
        }
    }

    fn judge_h2(&self, received: u64, end_stream: bool) -> Result<Completeness, Cut> {
        match self.content_length {
            _ if !end_stream => Err(Cut::Stopped),
            Some(length) if length != received && !self.bodiless => Err(Cut::WrongLength),
            _ => Ok(Completeness::Complete),
        }
    }
}

/// The one length that all `Content-Length` fields agree on.
fn content_length(headers: &HeaderMap) -> Option<u64> {
    let mut lengths = members(headers, header::CONTENT_LENGTH).map(|text| text.parse::<u64>().ok());
    let first = lengths.next()??;
    lengths.all(|length| length == Some(first)).then_some(first)
}

fn transfer(headers: &HeaderMap) -> Transfer {
    let mut codings = members(headers, header::TRANSFER_ENCODING);
    match (codings.next(), codings.next()) {
        (None, _) if !headers.contains_key(header::TRANSFER_ENCODING) => Transfer::None,
        (Some(coding), None) if coding.eq_ignore_ascii_case("chunked") => Transfer::Chunked,
        _ => Transfer::Other,
    }
}

/// The comma-separated members of all fields with this name (RFC 9110 section 5.6.1).
fn members(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter();
    values.flat_map(|value| value.to_str().unwrap_or("?").split(',').map(str::trim))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framing(version: Version, fields: &[(&'static str, &str)], encrypted: bool) -> Framing {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().unwrap());
        }
        Framing::new(version, StatusCode::OK, &headers, false, encrypted)
    }

    #[test]
    fn h1_framings() {
        let cases: [(&[(&str, &str)], bool, _); 11] = [
            (&[("content-length", "5")], false, Ok(Completeness::Complete)),
            (&[("content-length", "6")], false, Err(Cut::WrongLength)),
            (&[("content-length", "5, 5")], true, Ok(Completeness::Complete)),
            (&[("content-length", "5"), ("content-length", "5")], true, Ok(Completeness::Complete)),
            (&[("transfer-encoding", "Chunked")], false, Ok(Completeness::Complete)),
            (
                &[("transfer-encoding", "chunked"), ("content-length", "5")],
                true,
                Ok(Completeness::Unverifiable),
            ),
            (&[("transfer-encoding", "gzip, chunked")], true, Ok(Completeness::Unverifiable)),
            (&[("transfer-encoding", "xchunked")], true, Ok(Completeness::Unverifiable)),
            (&[("transfer-encoding", "")], true, Ok(Completeness::Unverifiable)),
            (&[], true, Ok(Completeness::Complete)),
            (&[], false, Ok(Completeness::Unverifiable)),
        ];
        for (fields, encrypted, expected) in cases {
            let judged = framing(Version::HTTP_11, fields, encrypted).judge(5, false);
            assert_eq!(judged, expected, "{fields:?}");
        }
    }

    #[test]
    fn h2_needs_the_end_of_the_stream() {
        let framing = framing(Version::HTTP_2, &[("content-length", "5")], true);
        assert_eq!(framing.judge(5, true), Ok(Completeness::Complete));
        assert_eq!(framing.judge(5, false), Err(Cut::Stopped));
        assert_eq!(framing.judge(4, true), Err(Cut::WrongLength));
    }
}
