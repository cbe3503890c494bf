//! Strict base64 (RFC 4648 sections 4 and 5) and lower-case hexadecimal.
//!
//! Every value has exactly one accepted spelling: no white space, no missing or extra padding, no non-zero trailing bits,
//! no upper-case hex. What decodes encodes back to the same text.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// Why a text is not the one spelling of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// Not base64 with padding (RFC 4648 section 4), or not its canonical spelling.
    #[error("not canonical base64 with padding")]
    Base64,
    /// Not base64url without padding (RFC 4648 section 5), or not its canonical spelling.
    #[error("not canonical base64url without padding")]
    Base64Url,
    /// Not an even number of lower-case hexadecimal digits.
    #[error("not lower-case hexadecimal")]
    Hex,
    /// Decodes to another number of bytes than the value has.
    #[error("decodes to another length than {expected} bytes")]
    Length {
        /// Bytes that the value has.
        expected: usize,
    },
}

/// Base64 with padding (RFC 4648 section 4).
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes behind base64 with padding.
///
/// ```
/// use genten_primitives::encoding::{base64, from_base64};
/// assert_eq!(from_base64(&base64(b"raw")).unwrap(), b"raw");
/// assert!(from_base64("cmF3 ").is_err());
/// ```
pub fn from_base64(text: &str) -> Result<Vec<u8>, EncodingError> {
    STANDARD.decode(text).map_err(|_| EncodingError::Base64)
}

/// Base64url without padding (RFC 4648 section 5).
pub fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Appends base64url without padding to a text under construction.
pub fn push_base64url(bytes: &[u8], out: &mut String) {
    URL_SAFE_NO_PAD.encode_string(bytes, out);
}

/// The bytes behind base64url without padding.
///
/// ```
/// use genten_primitives::encoding::from_base64url;
/// assert_eq!(from_base64url("_w").unwrap(), [0xff]);
/// assert!(from_base64url("_x").is_err(), "the two left-over bits must be zero");
/// assert!(from_base64url("_w==").is_err());
/// ```
pub fn from_base64url(text: &str) -> Result<Vec<u8>, EncodingError> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| EncodingError::Base64Url)
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

/// Exactly `N` bytes from `2 * N` lower-case hexadecimal digits.
pub fn from_hex<const N: usize>(text: &str) -> Result<[u8; N], EncodingError> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return Err(EncodingError::Length { expected: N });
    }
    let (mut bytes, mut all) = ([0; N], 0);
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let (high, low) = (VALUES[usize::from(pair[0])], VALUES[usize::from(pair[1])]);
        *byte = high << 4 | low;
        all |= high | low;
    }
    if all < 16 { Ok(bytes) } else { Err(EncodingError::Hex) }
}

/// The value of each digit, and 255 for bytes that are none. A table, because guessing whether a digit is a letter costs more.
const VALUES: [u8; 256] = {
    let mut values = [255; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_has_one_spelling() {
        for bad in
            ["QQ", "QQ=", "QQ===", "QR==", " QQ==", "QQ==\n", "Q Q=", "_w==", "=", "QQ==QQ=="]
        {
            assert_eq!(from_base64(bad), Err(EncodingError::Base64), "{bad:?}");
        }
        assert_eq!(from_base64("QQ=="), Ok(b"A".to_vec()));
        assert_eq!(from_base64(""), Ok(Vec::new()));
    }

    #[test]
    fn base64url_has_one_spelling() {
        for bad in ["QQ==", "QR", "+w", "/w", "Q", "QQ\n", "Q.Q", "QQ "] {
            assert_eq!(from_base64url(bad), Err(EncodingError::Base64Url), "{bad:?}");
        }
        assert_eq!(from_base64url("QQ"), Ok(b"A".to_vec()));
    }

    #[test]
    fn hex_has_one_spelling() {
        assert_eq!(hex(&[0, 0x9f, 0xff]), "009fff");
        assert_eq!(from_hex::<3>("009fff"), Ok([0, 0x9f, 0xff]));
        assert_eq!(from_hex::<3>("009fFF"), Err(EncodingError::Hex));
        assert_eq!(from_hex::<3>("009ff"), Err(EncodingError::Length { expected: 3 }));
        assert_eq!(from_hex::<2>("00 f"), Err(EncodingError::Hex));
    }
}
