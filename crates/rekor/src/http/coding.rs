//! The content coding of answers: none, or gzip.

use std::io::Read as _;

use flate2::read::MultiGzDecoder;

/// Most bytes that come out of one byte of gzip, once there are more than [`GRACE`].
const MAX_RATIO: usize = 200;

/// Bytes that may come out whatever the ratio.
const GRACE: usize = 1 << 20;

/// Why a body cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodingError {
    /// More comes out than any honest answer has.
    #[error("gzip that grows beyond {limit} bytes")]
    Bomb {
        /// Bytes that were allowed.
        limit: usize,
    },
    /// Not gzip, damaged or cut short.
    #[error("not valid gzip")]
    Malformed,
    /// A coding that was not asked for.
    #[error("content coding {found:?}")]
    Unknown {
        /// The value of `Content-Encoding`.
        found: String,
    },
}

/// Bytes that may come over the wire for `limit` decoded ones: what cannot be compressed grows a little in gzip.
pub(super) fn wire_limit(coding: &str, limit: usize) -> usize {
    match coding {
        "" | "identity" => limit,
        _ => limit.saturating_add(limit / 1000).saturating_add(64),
    }
}

/// The body without its coding, which is named in lower case.
pub(super) fn undo(coding: &str, body: Vec<u8>, limit: usize) -> Result<Vec<u8>, CodingError> {
    match coding {
        "" | "identity" => Ok(body),
        "gzip" | "x-gzip" => gunzip(&body, limit),
        _ => Err(CodingError::Unknown { found: coding.to_owned() }),
    }
}

fn gunzip(coded: &[u8], limit: usize) -> Result<Vec<u8>, CodingError> {
    let limit = limit.min(coded.len().saturating_mul(MAX_RATIO).max(GRACE));
    let mut plain = Vec::new();
    MultiGzDecoder::new(coded)
        .take(limit as u64 + 1)
        .read_to_end(&mut plain)
        .map_err(|_| CodingError::Malformed)?;
    if plain.len() <= limit { Ok(plain) } else { Err(CodingError::Bomb { limit }) }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(plain: &[u8], level: Compression) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), level);
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn gzip_is_undone_up_to_the_limit() {
        let plain: Vec<u8> = (0..=255).cycle().take(10_000).collect();
        let coded = gzip(&plain, Compression::best());
        assert_eq!(undo("gzip", coded.clone(), 10_000), Ok(plain.clone()));
        assert_eq!(undo("x-gzip", coded.clone(), 10_000), Ok(plain.clone()));
        assert_eq!(undo("gzip", coded, 9_999), Err(CodingError::Bomb { limit: 9_999 }));
        let both = [gzip(b"one", Compression::best()), gzip(b"two", Compression::best())].concat();
        assert_eq!(undo("gzip", both, 100), Ok(b"onetwo".to_vec()));
        assert_eq!(undo("", plain.clone(), 1), Ok(plain), "its length was checked as it came");
    }

    #[test]
    fn stored_bytes_grow_no_more_than_the_wire_may_carry() {
        for length in [0, 1, 8_192, 1 << 20] {
            let plain = vec![7; length];
            let coded = gzip(&plain, Compression::none());
            assert!(coded.len() <= wire_limit("gzip", length), "{length}");
            assert_eq!(wire_limit("identity", length), length);
        }
    }

    #[test]
    fn bombs_damage_and_other_codings_are_refused() {
        let bomb = gzip(&vec![0; 64 << 20], Compression::best());
        let allowed = (bomb.len() * MAX_RATIO).max(GRACE);
        assert_eq!(undo("gzip", bomb, 1 << 30), Err(CodingError::Bomb { limit: allowed }));
        let whole = gzip(b"entries", Compression::best());
        for broken in [&whole[..whole.len() - 1], b"entries", b""] {
            assert_eq!(undo("gzip", broken.to_vec(), 100), Err(CodingError::Malformed));
        }
        let found = "br".to_owned();
        assert_eq!(undo("br", Vec::new(), 100), Err(CodingError::Unknown { found }));
    }
}
