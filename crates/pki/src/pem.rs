//! Certificates in PEM text (RFC 7468).

use genten_primitives::encoding::from_base64;

use crate::{Certificate, CertificateError};

/// Largest PEM text that is read, in bytes.
pub const MAX_PEM: usize = 1024 * 1024;

/// Why a text is not a series of PEM certificates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PemError {
    /// A block holds something else than one certificate.
    #[error("pem block {index} is not a certificate")]
    Certificate {
        /// Which block, counted from 0.
        index: usize,
        /// What is wrong with it.
        source: CertificateError,
    },
    /// No block at all.
    #[error("no pem certificate in the text")]
    Empty,
    /// A block of another type: a key, a request, a `TRUSTED CERTIFICATE` …
    #[error("pem block {index} holds {found:?} instead of a certificate")]
    Label {
        /// Which block, counted from 0.
        index: usize,
        /// Its label.
        found: String,
    },
    /// A block that RFC 7468 does not allow, or boundary lines that do not pair.
    #[error("pem block {index} is malformed")]
    Malformed {
        /// Which block, counted from 0.
        index: usize,
    },
    /// A private key, which belongs in no file of certificates.
    #[error("pem block {index} holds a private key")]
    PrivateKey {
        /// Which block, counted from 0.
        index: usize,
    },
    /// More bytes than [`MAX_PEM`].
    #[error("pem text of {length} bytes, of at most {MAX_PEM}")]
    TooLarge {
        /// Its length in bytes.
        length: usize,
    },
}

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";

/// All certificates of a PEM text, in order; at least one. Text between the blocks is passed over (RFC 7468 section 2), as
/// `openssl s_client -showcerts` writes it; a block of any other type is an error, whatever it holds. Lines may have any
/// length, as files in use do, but base64 has one spelling.
///
/// # Errors
/// A text without certificates, with other blocks, or with malformed blocks.
pub fn certificates_from_pem(text: &str) -> Result<Vec<Certificate>, PemError> {
    if text.len() > MAX_PEM {
        return Err(PemError::TooLarge { length: text.len() });
    }
    let mut certificates = Vec::new();
    let mut rest = text;
    while let Some((block, after)) = next_block(rest, certificates.len())? {
        certificates.push(read_block(block, certificates.len())?);
        rest = after;
    }
    if certificates.is_empty() { Err(PemError::Empty) } else { Ok(certificates) }
}

/// The next block, from its BEGIN line to the end of its END line, and what follows it.
fn next_block(text: &str, index: usize) -> Result<Option<(&str, &str)>, PemError> {
    let malformed = PemError::Malformed { index };
    let Some(start) = boundary(text) else { return Ok(None) };
    let block = &text[start..];
    if !block.starts_with(BEGIN) {
        return Err(malformed);
    }
    let end = block.find(END).ok_or_else(|| malformed.clone())?;
    let length = end + block[end..].find('\n').unwrap_or(block.len() - end);
    Ok(Some((block[..length].trim_end_matches('\r'), &block[length..])))
}

/// Where the first line begins that starts like a boundary.
fn boundary(text: &str) -> Option<usize> {
    let lines = text.split_inclusive('\n');
    lines
        .scan(0, |start, line| Some((std::mem::replace(start, *start + line.len()), line)))
        .find(|(_, line)| line.starts_with("-----"))
        .map(|(start, _)| start)
}

fn read_block(block: &str, index: usize) -> Result<Certificate, PemError> {
    let malformed = || PemError::Malformed { index };
    let (label, body) = label_and_body(block).ok_or_else(malformed)?;
    if label.ends_with("PRIVATE KEY") {
        return Err(PemError::PrivateKey { index });
    }
    if label != "CERTIFICATE" {
        return Err(PemError::Label { index, found: label.to_owned() });
    }
    let base64: String = body.lines().collect();
    let der = from_base64(&base64).map_err(|_| malformed())?;
    Certificate::from_der(&der).map_err(|source| PemError::Certificate { index, source })
}

/// The label that both boundaries have, and the lines between them.
fn label_and_body(block: &str) -> Option<(&str, &str)> {
    let (label, rest) = block.strip_prefix(BEGIN)?.split_once("-----")?;
    let (body, end) = rest.rsplit_once(END)?;
    let (one_line, lines) =
        (!label.contains('\n'), body.starts_with(['\r', '\n']) && body.ends_with('\n'));
    (one_line && lines && end.strip_suffix("-----") == Some(label)).then_some((label, body))
}

#[cfg(test)]
mod tests {
    use genten_primitives::key::pem;

    use super::*;

    fn block(label: &str) -> String {
        pem::encode(label, &[7; 60])
    }

    #[test]
    fn other_blocks_have_errors_of_their_own() {
        let error = |text: &str| certificates_from_pem(text).unwrap_err();
        assert_eq!(error(""), PemError::Empty);
        assert_eq!(error("just text"), PemError::Empty);
        for key in ["PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"] {
            assert_eq!(error(&block(key)), PemError::PrivateKey { index: 0 });
        }
        for other in ["PUBLIC KEY", "TRUSTED CERTIFICATE", "CERTIFICATE REQUEST", "X509 CRL"] {
            assert_eq!(error(&block(other)), PemError::Label { index: 0, found: other.to_owned() });
        }
        assert!(matches!(error(&block("CERTIFICATE")), PemError::Certificate { index: 0, .. }));
        let long = " ".repeat(MAX_PEM + 1);
        assert_eq!(error(&long), PemError::TooLarge { length: MAX_PEM + 1 });
    }

    #[test]
    fn broken_blocks_are_malformed() {
        let good = block("CERTIFICATE");
        for bad in [
            good.replace("-----END", "----END"),
            good.replace("END CERTIFICATE", "END KEY"),
            good.replace("BwcH", "Bw=H"),
            good.replacen("BwcH", " BwcH", 1),
            "-----END CERTIFICATE-----\n".to_owned(),
            "-----BEGIN CERTIFICATE-----".to_owned(),
            format!("-----BEGIN CERTIFICATE-----\n{good}"),
            good.replace("\n-----END", "-----END"),
            good.replacen("-----\n", "-----", 1),
            good.trim_end().to_owned() + "trailing",
        ] {
            let error = certificates_from_pem(&bad).unwrap_err();
            assert_eq!(error, PemError::Malformed { index: 0 }, "{bad}");
        }
    }
}
