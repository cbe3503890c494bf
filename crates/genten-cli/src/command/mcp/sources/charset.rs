//! From bytes to text, as the signed `Content-Type` says, strictly.

use encoding_rs::{Encoding, UTF_8};

/// Why bytes are no text that can be cited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoText {
    #[error("the body is at hand only in its content coding")]
    Coded,
    #[error("its bytes are not {charset}, {by}")]
    Bytes { charset: String, by: &'static str },
    #[error("two charsets are stated for it")]
    Contradiction,
    #[error("it begins with the mark of {mark}, and the stated charset is {charset}")]
    Mark { mark: &'static str, charset: String },
    #[error("the server answered with status {0}, not with the document")]
    Status(u16),
    #[error("the stated charset is not known: {0}")]
    Unknown(String),
}

impl NoText {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Coded => "sources.coded",
            Self::Bytes { .. } => "sources.not-text",
            Self::Status(_) => "sources.status",
            Self::Contradiction | Self::Mark { .. } | Self::Unknown(_) => "sources.charset",
        }
    }
}

/// The text in bytes of this media type: by its `charset`, in the names of the Encoding Standard, or else UTF-8. A byte order mark
/// at the start is no part of it.
pub(super) fn text(bytes: Vec<u8>, media_type: &str) -> Result<String, NoText> {
    let Some(label) = charset(media_type)? else {
        return decode(&bytes, UTF_8, "UTF-8", "and no other charset is stated");
    };
    let is_ascii_label = ["us-ascii", "ascii"].iter().any(|name| label.eq_ignore_ascii_case(name));
    if is_ascii_label && !bytes.is_ascii() {
        return Err(NoText::Bytes { charset: label, by: STATED });
    }
    match Encoding::for_label_no_replacement(label.as_bytes()) {
        Some(encoding) => decode(&bytes, encoding, &label, STATED),
        None => Err(NoText::Unknown(label)),
    }
}

const STATED: &str = "as is stated";

fn decode(
    bytes: &[u8],
    encoding: &'static Encoding,
    charset: &str,
    by: &'static str,
) -> Result<String, NoText> {
    let charset = charset.to_owned();
    let start = match Encoding::for_bom(bytes) {
        None => 0,
        Some((mark, length)) if mark == encoding => length,
        Some((mark, _)) if by == STATED => {
            return Err(NoText::Mark { mark: mark.name(), charset });
        }
        Some(_) => return Err(NoText::Bytes { charset, by }),
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[start..]);
    text.map(|text| text.into_owned()).ok_or(NoText::Bytes { charset, by })
}

/// The parameter `charset` of a media type (RFC 9110 section 8.3.1).
fn charset(media_type: &str) -> Result<Option<String>, NoText> {
    let parameters = media_type.split(';').skip(1).filter_map(|one| one.split_once('='));
    let values = parameters
        .filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))
        .map(|(_, value)| value.trim().trim_matches('"').to_owned());
    let values: Vec<_> = values.collect();
    match values.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        _ => Err(NoText::Contradiction),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], media_type: &str) -> Result<String, &'static str> {
        text(bytes.to_vec(), media_type).map_err(|error| error.code())
    }

    /// 002-18: by the stated charset, or UTF-8, and never with a loss.
    #[test]
    fn a_text_is_read_as_is_stated_or_not_at_all() {
        let (shift_jis, euc_jp) = (b"\x96\x40", b"\xcb\xa1");
        for (bytes, media_type, expected) in [
            (&b"law"[..], "", Ok("law")),
            ("法".as_bytes(), "text/plain", Ok("法")),
            ("法".as_bytes(), "text/plain; charset=\"UTF-8\"", Ok("法")),
            ("\u{feff}法".as_bytes(), "text/plain", Ok("法")),
            (shift_jis, "text/html; charset=Shift_JIS", Ok("法")),
            (euc_jp, "text/html;CHARSET=euc-jp", Ok("法")),
            (b"\xff\xfe\xd5\x6c", "text/plain; charset=utf-16le", Ok("法")),
            (b"law", "text/plain; charset=us-ascii", Ok("law")),
            (shift_jis, "text/html", Err("sources.not-text")),
            (b"\xff\xfe\xd5\x6c", "text/plain", Err("sources.not-text")),
            (b"\x96", "text/html; charset=Shift_JIS", Err("sources.not-text")),
            ("法".as_bytes(), "text/plain; charset=us-ascii", Err("sources.not-text")),
            ("\u{feff}法".as_bytes(), "text/plain; charset=euc-jp", Err("sources.charset")),
            (b"law", "text/plain; charset=klingon", Err("sources.charset")),
            (b"law", "text/plain; charset=", Err("sources.charset")),
            (b"law", "text/plain; charset=iso-2022-kr", Err("sources.charset")),
            (b"law", "text/plain; charset=utf-8; charset=euc-jp", Err("sources.charset")),
        ] {
            assert_eq!(read(bytes, media_type), expected.map(str::to_owned), "{media_type}");
        }
    }
}
