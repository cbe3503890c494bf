//! PEM texts of exactly one block (RFC 7468, "strict").
//!
//! Nothing may stand before or after the block, one line feed at the end excepted; lines have 64 characters.

use der::pem;

/// Why a text is not one strict PEM block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PemError {
    /// A label, line or character that RFC 7468 does not allow, or base64 that is not canonical.
    #[error("pem block is malformed")]
    Malformed,
    /// The text does not start with `-----BEGIN `.
    #[error("text does not start with a pem block")]
    NotPem,
    /// More than one block in the text.
    #[error("text holds several pem blocks")]
    Several,
}

const BEGIN: &str = "-----BEGIN ";

/// The label of the block (`PUBLIC KEY`). The block itself is not decoded.
///
/// # Errors
/// A text that is not one block.
pub fn label(text: &str) -> Result<&str, PemError> {
    let rest = text.strip_prefix(BEGIN).ok_or(PemError::NotPem)?;
    let (label, body) = rest.split_once("-----").ok_or(PemError::Malformed)?;
    let one_line = !label.contains(['\r', '\n']);
    match (one_line, body.contains(BEGIN)) {
        (true, false) => Ok(label),
        (true, true) => Err(PemError::Several),
        (false, _) => Err(PemError::Malformed),
    }
}

/// The bytes in the block. Where they are secret the caller wipes them.
///
/// # Errors
/// A text that is not one strict block.
pub fn decode(text: &str) -> Result<Vec<u8>, PemError> {
    label(text)?;
    pem::decode_vec(text.as_bytes()).map(|(_, bytes)| bytes).map_err(|_| PemError::Malformed)
}

/// One block with lines of 64 characters, ended by a line feed.
pub fn encode(label: &str, bytes: &[u8]) -> String {
    pem::encode_string(label, pem::LineEnding::LF, bytes)
        .expect("labels are upper-case constants and keys are short")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_block_only() {
        let block = encode("PUBLIC KEY", &[7; 60]);
        assert_eq!(label(&block), Ok("PUBLIC KEY"));
        assert_eq!(decode(&block), Ok(vec![7; 60]));
        assert_eq!(decode(&block.replace('\n', "\r\n")), Ok(vec![7; 60]));
        assert_eq!(decode(&format!("{block}{block}")), Err(PemError::Several));
        assert_eq!(decode(&format!("key:\n{block}")), Err(PemError::NotPem));
        assert_eq!(decode(&format!("\n{block}")), Err(PemError::NotPem));
        assert_eq!(decode(""), Err(PemError::NotPem));
        for bad in [
            format!("{block}\n"),
            format!("{block}text"),
            block.replace("BwcH\n", "BwcH \n"),
            block.replace("END PUBLIC", "END PRIVATE"),
            block.replace("BwcH", "Bwc="),
            block.replacen("BwcH", "Proc-Type: 4,ENCRYPTED\n\nBwcH", 1),
            "-----BEGIN PUBLIC KEY".to_owned(),
            "-----BEGIN PUBLIC\nKEY-----".to_owned(),
        ] {
            assert_eq!(decode(&bad), Err(PemError::Malformed), "{bad}");
        }
    }
}
