//! Bare HTTP/2 frames (RFC 9113 section 6), for answers that no honest server gives.

/// One frame, as bytes.
#[derive(Clone, Debug)]
pub struct Frame(pub(crate) Vec<u8>);

const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
pub(crate) const CONTINUATION: u8 = 9;

const END_STREAM: u8 = 1;
pub(crate) const END_HEADERS: u8 = 4;
const ACK: u8 = 1;

/// The stream of a client's first request.
const STREAM: u32 = 1;

impl Frame {
    /// HEADERS with a status and fields for the first request.
    pub fn headers(status: u16, fields: &[(&str, &str)], end_stream: bool) -> Self {
        let mut block = Vec::new();
        literal(&mut block, ":status", &status.to_string());
        for (name, value) in fields {
            literal(&mut block, name, value);
        }
        Self(frame(HEADERS, END_HEADERS | end_flag(end_stream), STREAM, &block))
    }

    /// HEADERS with trailer fields, which end the stream.
    pub fn trailers(fields: &[(&str, &str)]) -> Self {
        let mut block = Vec::new();
        for (name, value) in fields {
            literal(&mut block, name, value);
        }
        Self(frame(HEADERS, END_HEADERS | END_STREAM, STREAM, &block))
    }

    /// DATA of the first request's stream.
    pub fn data(bytes: &[u8], end_stream: bool) -> Self {
        Self(frame(DATA, end_flag(end_stream), STREAM, bytes))
    }

    /// RST_STREAM with an error code (RFC 9113 section 7) for the first request's stream.
    pub fn reset(code: u32) -> Self {
        Self(frame(RST_STREAM, 0, STREAM, &code.to_be_bytes()))
    }

    /// GOAWAY with the last stream that is served, and an error code.
    pub fn go_away(last_stream: u32, code: u32) -> Self {
        Self(frame(GOAWAY, 0, 0, &[last_stream.to_be_bytes(), code.to_be_bytes()].concat()))
    }
}

pub(crate) fn settings() -> Vec<u8> {
    frame(SETTINGS, 0, 0, &[])
}

pub(crate) fn settings_ack() -> Vec<u8> {
    frame(SETTINGS, ACK, 0, &[])
}

fn end_flag(end_stream: bool) -> u8 {
    if end_stream { END_STREAM } else { 0 }
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = &(payload.len() as u32).to_be_bytes()[1..];
    [length, &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A field as HPACK literal without indexing, with a new name and no Huffman code (RFC 7541 section 6.2.2).
fn literal(block: &mut Vec<u8>, name: &str, value: &str) {
    block.push(0);
    string(block, name);
    string(block, value);
}

/// A string literal: its length in a seven-bit prefix integer (RFC 7541 sections 5.1 and 5.2), then its bytes.
fn string(block: &mut Vec<u8>, text: &str) {
    match text.len() {
        short @ 0..=126 => block.push(short as u8),
        long => {
            block.push(127);
            let mut rest = long - 127;
            while rest >= 128 {
                block.push((rest % 128) as u8 | 128);
                rest /= 128;
            }
            block.push(rest as u8);
        }
    }
    block.extend(text.as_bytes());
}
