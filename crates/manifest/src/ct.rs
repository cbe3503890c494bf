//! What Certificate Transparency says of the upstream's certificate: `ct_log_proof`.

use std::fmt;
use std::str::FromStr;

use genten_primitives::encoding::{base64url, from_base64url};

/// `sct-list:` or `tlog-proof:` and base64url. Only the envelope is read here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CtLogProof {
    /// A TLS-encoded SignedCertificateTimestampList (RFC 6962 section 3.3): promises of inclusion.
    SctList(Vec<u8>),
    /// A C2SP tlog-proof file for the certificate's leaf in a static CT log: inclusion.
    TlogProof(Vec<u8>),
}

/// The text is no `ct_log_proof`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither sct-list: nor tlog-proof: followed by base64url without padding")]
pub struct CtLogProofError;

impl FromStr for CtLogProof {
    type Err = CtLogProofError;

    fn from_str(text: &str) -> Result<Self, CtLogProofError> {
        let (kind, encoded) = text.split_once(':').ok_or(CtLogProofError)?;
        let bytes = from_base64url(encoded).map_err(|_| CtLogProofError)?;
        match kind {
            _ if bytes.is_empty() => Err(CtLogProofError),
            "sct-list" => Ok(Self::SctList(bytes)),
            "tlog-proof" => Ok(Self::TlogProof(bytes)),
            _ => Err(CtLogProofError),
        }
    }
}

impl fmt::Display for CtLogProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SctList(bytes) => write!(f, "sct-list:{}", base64url(bytes)),
            Self::TlogProof(bytes) => write!(f, "tlog-proof:{}", base64url(bytes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_and_encoding_are_strict() {
        assert_eq!("sct-list:AAE".parse(), Ok(CtLogProof::SctList(vec![0, 1])));
        assert_eq!(CtLogProof::TlogProof(vec![255]).to_string(), "tlog-proof:_w");
        for bad in ["sct-list:", "sct-list:AAE=", "sct-list:AAF", "sct:AAE", "AAE", "sct-list:+w"] {
            assert_eq!(bad.parse::<CtLogProof>(), Err(CtLogProofError), "{bad}");
        }
    }
}
