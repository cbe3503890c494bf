//! Content codings (RFC 9110 section 8.4) removed on the fly, for a second digest.
//!
//! The recorded bytes are the coded ones. A failure here is a fact about the answer, never a failure of the fetch.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::write::MultiGzDecoder;
use genten_primitives::Sha256;

use crate::exchange::Decoded;

mod inflate;

use inflate::Inflate;

/// Why a body has no decoded digest although a content coding was declared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeFailure {
    /// Grows beyond any honest size: a decompression bomb, or a larger document than allowed for.
    #[error("grows beyond {limit} bytes")]
    Bomb {
        /// Decoded bytes that were allowed for this body.
        limit: u64,
    },
    /// Not in the declared coding, damaged, or cut short.
    #[error("not valid {coding}")]
    Malformed {
        /// The coding.
        coding: &'static str,
    },
    /// More codings on top of each other than anybody needs.
    #[error("more than {MAX_CODINGS} content codings")]
    TooMany,
    /// A coding that is not known here.
    #[error("the content coding {0:?} is unknown")]
    Unknown(String),
}

/// How far a body may grow when its content coding is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeLimits {
    /// Most decoded bytes.
    pub bytes: u64,
    /// Most decoded bytes per received byte, once `grace` is exceeded.
    pub ratio: u64,
    /// Decoded bytes that are fine whatever the ratio.
    pub grace: u64,
}

impl Default for DecodeLimits {
    /// 64 GiB, and beyond 64 MiB at most 200 times the received bytes.
    fn default() -> Self {
        Self { bytes: 64 << 30, ratio: 200, grace: 64 << 20 }
    }
}

impl DecodeLimits {
    fn for_received(&self, received: u64) -> u64 {
        self.bytes.min(self.grace.max(received.saturating_mul(self.ratio)))
    }
}

const MAX_CODINGS: usize = 3;

/// The window that RFC 9659 allows for the coding zstd: 8 MiB.
const ZSTD_WINDOW_LOG: u32 = 23;

/// Pieces in which bytes go through the decoders, so that limits are checked between them.
pub(crate) const PIECE: usize = 16 * 1024;

/// Removes the codings of one body and hashes what comes out.
pub(crate) struct Decoder {
    state: Result<Stage, DecodeFailure>,
    limits: DecodeLimits,
    received: u64,
    allowed: Allowed,
}

impl Decoder {
    /// A decoder for the value of `Content-Encoding`; `None` when it declares no coding.
    pub(crate) fn new(content_encoding: &str, limits: DecodeLimits) -> Option<Self> {
        let codings: Vec<&str> = content_encoding
            .split(',')
            .map(str::trim)
            .filter(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"))
            .collect();
        let allowed = Allowed::default();
        let state = stages(&codings, &allowed);
        (!codings.is_empty()).then_some(Self { state, limits, received: 0, allowed })
    }

    /// Takes the next piece of the coded body, best of at most [`PIECE`] bytes.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        self.received += piece.len() as u64;
        self.allowed.set(self.limits.for_received(self.received));
        let Ok(stage) = &mut self.state else { return };
        if let Err(error) = stage.write_all(piece) {
            self.state = Err(failure(error, stage.coding()));
        }
    }

    /// Whether nothing more can come of this decoder.
    pub(crate) fn has_failed(&self) -> bool {
        self.state.is_err()
    }

    /// What the body was without its codings.
    pub(crate) fn finish(self) -> Result<Decoded, DecodeFailure> {
        let tail = self.state?.finish()?;
        Ok(Decoded { sha256: tail.hasher.finish(), bytes: tail.written })
    }
}

fn stages(codings: &[&str], allowed: &Allowed) -> Result<Stage, DecodeFailure> {
    if codings.len() > MAX_CODINGS {
        return Err(DecodeFailure::TooMany);
    }
    // The last coding was applied last, so it comes off first and feeds the one before it.
    let tail = Stage::Tail(Tail::default());
    codings.iter().try_fold(tail, |inner, coding| Stage::new(coding, Link::new(inner, allowed)))
}

/// One coding that comes off, or the end of the line.
enum Stage {
    Brotli(Box<brotli::DecompressorWriter<Link>>),
    Deflate(Box<Inflate>),
    Gzip(Box<MultiGzDecoder<Link>>),
    Tail(Tail),
    Zstd(Box<zstd::stream::write::Decoder<'static, Link>>),
}

impl Stage {
    fn new(coding: &str, next: Link) -> Result<Self, DecodeFailure> {
        Ok(match coding.to_ascii_lowercase().as_str() {
            "br" => Self::Brotli(Box::new(brotli::DecompressorWriter::new(next, PIECE))),
            "deflate" => Self::Deflate(Box::new(Inflate::new(next))),
            "gzip" | "x-gzip" => Self::Gzip(Box::new(MultiGzDecoder::new(next))),
            "zstd" => Self::Zstd(Box::new(zstd_decoder(next)?)),
            _ => return Err(DecodeFailure::Unknown(coding.to_owned())),
        })
    }

    fn coding(&self) -> &'static str {
        match self {
            Self::Brotli(_) => "br",
            Self::Deflate(_) => "deflate",
            Self::Gzip(_) => "gzip",
            Self::Tail(_) => "identity",
            Self::Zstd(_) => "zstd",
        }
    }

    /// Ends this coding and all behind it.
    fn finish(self) -> Result<Tail, DecodeFailure> {
        let coding = self.coding();
        let damaged = |error| failure(error, coding);
        let next = match self {
            Self::Tail(tail) => return Ok(tail),
            Self::Brotli(mut decoder) => {
                decoder.close().map_err(damaged)?;
                decoder.into_inner().map_err(|_| DecodeFailure::Malformed { coding })?
            }
            Self::Deflate(decoder) => decoder.finish().map_err(damaged)?,
            Self::Gzip(decoder) => decoder.finish().map_err(damaged)?,
            Self::Zstd(decoder) => decoder.finish().map_err(damaged)?,
        };
        next.stage.finish()
    }
}

impl Write for Stage {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Brotli(decoder) => decoder.write(bytes),
            Self::Deflate(decoder) => decoder.write(bytes),
            Self::Gzip(decoder) => decoder.write(bytes),
            Self::Tail(tail) => tail.write(bytes),
            Self::Zstd(decoder) => decoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn zstd_decoder(next: Link) -> Result<zstd::stream::write::Decoder<'static, Link>, DecodeFailure> {
    let unusable = |_| DecodeFailure::Malformed { coding: "zstd" };
    let mut raw = zstd::stream::raw::Decoder::new().map_err(unusable)?;
    raw.set_parameter(zstd::stream::raw::DParameter::WindowLogMax(ZSTD_WINDOW_LOG))
        .map_err(unusable)?;
    Ok(zstd::stream::write::Decoder::with_decoder(next, raw))
}

/// The failure behind an error of a decoder: one that a later stage already named, or damage in this coding.
fn failure(error: io::Error, coding: &'static str) -> DecodeFailure {
    let named = error.into_inner().and_then(|inner| inner.downcast::<DecodeFailure>().ok());
    named.map_or(DecodeFailure::Malformed { coding }, |named| *named)
}

/// The decoded bytes that are allowed at this moment, shared by all links of a chain.
#[derive(Clone, Default)]
struct Allowed(Arc<AtomicU64>);

impl Allowed {
    fn set(&self, bytes: u64) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Passes decoded bytes on to the next stage, as long as they are not too many.
struct Link {
    stage: Box<Stage>,
    written: u64,
    allowed: Allowed,
}

impl Link {
    fn new(stage: Stage, allowed: &Allowed) -> Self {
        Self { stage: Box::new(stage), written: 0, allowed: allowed.clone() }
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.written += bytes.len() as u64;
        let limit = self.allowed.get();
        if self.written > limit {
            return Err(io::Error::other(DecodeFailure::Bomb { limit }));
        }
        let coding = self.stage.coding();
        let written = self.stage.write_all(bytes);
        written.map_err(|error| io::Error::other(failure(error, coding)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The digest of what came out.
#[derive(Default)]
struct Tail {
    hasher: Sha256,
    written: u64,
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(bytes);
        self.written += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use genten_primitives::Sha256Digest;

    use super::*;

    const LIMITS: DecodeLimits = DecodeLimits { bytes: 1 << 20, ratio: 200, grace: 1 << 16 };

    fn text() -> Vec<u8> {
        (0..5000).flat_map(|n: u32| format!("line {n}\n").into_bytes()).collect()
    }

    fn decode(coding: &str, body: &[u8]) -> Result<Decoded, DecodeFailure> {
        let mut decoder = Decoder::new(coding, LIMITS).unwrap();
        body.chunks(7).for_each(|piece| decoder.push(piece));
        decoder.finish()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn br(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = brotli::CompressorWriter::new(&mut out, 4096, 5, 20);
        encoder.write_all(bytes).unwrap();
        drop(encoder);
        out
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Name, encoded text.
    fn codings() -> [(&'static str, &'static str, Vec<u8>); 7] {
        let text = text();
        [
            ("gzip", "gzip", gzip(&text)),
            ("X-GZIP", "gzip", gzip(&text)),
            ("deflate", "deflate", zlib(&text)),
            ("deflate", "deflate", deflate(&text)),
            ("br", "br", br(&text)),
            ("zstd", "zstd", zstd(&text)),
            ("identity, gzip", "gzip", gzip(&text)),
        ]
    }

    #[test]
    fn every_coding_comes_off() {
        let plain = Decoded { sha256: Sha256Digest::of(&text()), bytes: text().len() as u64 };
        for (name, _, body) in codings() {
            assert_eq!(decode(name, &body), Ok(plain), "{name}");
        }
        let twice = zstd(&gzip(&text()));
        assert_eq!(decode("gzip, zstd", &twice), Ok(plain));
        let members = [gzip(b"one "), gzip(b"two")].concat();
        assert_eq!(decode("gzip", &members).unwrap().sha256, Sha256Digest::of(b"one two"));
    }

    #[test]
    fn every_cut_and_every_surplus_is_a_failure() {
        for (name, coding, body) in codings() {
            let malformed = Err(DecodeFailure::Malformed { coding });
            for cut in [1, 2, 3, 10, body.len() / 2, body.len() - 1] {
                assert_eq!(decode(name, &body[..cut]), malformed, "{name} cut at {cut}");
            }
            let surplus = [&body[..], b"surplus surplus surplus"].concat();
            assert_eq!(decode(name, &surplus), malformed, "{name} with surplus");
        }
    }

    #[test]
    fn damage_is_a_failure() {
        // Raw deflate data has no check of its own.
        let checked = codings().into_iter().filter(|(.., body)| *body != deflate(&text()));
        for (name, coding, mut body) in checked {
            let middle = body.len() / 2;
            body[middle..middle + 8].fill(0xff);
            assert!(decode(name, &body).is_err(), "{name}");
            let nonsense = decode(name, b"<html>not coded at all</html>");
            assert_eq!(nonsense, Err(DecodeFailure::Malformed { coding }), "{name}");
        }
    }

    #[test]
    fn bombs_stop_at_the_limit() {
        let zeros = vec![0; 4 << 20];
        for (name, bomb) in [
            ("gzip", gzip(&zeros)),
            ("deflate", zlib(&zeros)),
            ("br", br(&zeros)),
            ("zstd", zstd(&zeros)),
            ("gzip, gzip", gzip(&gzip(&zeros))),
        ] {
            assert!(matches!(decode(name, &bomb), Err(DecodeFailure::Bomb { .. })), "{name}");
        }
        // The inner text is small; what grows is the layer between.
        let between = gzip(&[gzip(b"x"), vec![0; 4 << 20]].concat());
        assert!(decode("gzip, gzip", &between).is_err());
    }

    #[test]
    fn unknown_codings_have_a_name() {
        assert!(Decoder::new("identity", LIMITS).is_none());
        assert!(Decoder::new("", LIMITS).is_none());
        assert_eq!(decode("compress", b""), Err(DecodeFailure::Unknown("compress".into())));
        assert_eq!(decode("gzip,gzip,gzip,gzip", b""), Err(DecodeFailure::TooMany));
    }

    #[test]
    fn a_window_beyond_the_rule_is_refused() {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(24).unwrap();
        encoder.write_all(&text()).unwrap();
        let body = encoder.finish().unwrap();
        assert_eq!(decode("zstd", &body), Err(DecodeFailure::Malformed { coding: "zstd" }));
    }

    proptest::proptest! {
        /// No bytes make a decoder panic.
        #[test]
        fn decoders_survive_anything(
            coding in proptest::sample::select(vec!["gzip", "deflate", "br", "zstd", "gzip, br"]),
            body in proptest::collection::vec(proptest::num::u8::ANY, 0..400),
        ) {
            let mut decoder = Decoder::new(coding, LIMITS).unwrap();
            body.chunks(13).for_each(|piece| decoder.push(piece));
            let _ = decoder.finish();
        }
    }
}
