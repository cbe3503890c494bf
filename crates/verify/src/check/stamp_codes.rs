//! Codes for what can be wrong with timestamps.

use genten_pki::TimestampError;

use crate::Code;

pub(crate) fn code(error: &TimestampError) -> Code {
    use TimestampError as E;
    match error {
        E::Refused { .. } | E::TokenMissing => Code::TIMESTAMP_REFUSED,
        E::UnknownAuthority { .. } => Code::TIMESTAMP_UNKNOWN_AUTHORITY,
        E::EmbeddedSigner { .. }
        | E::EmbeddedStranger { .. }
        | E::EmbeddedCertificate { .. }
        | E::SigningCertificate { .. }
        | E::SigningCertificateIssuer => Code::TIMESTAMP_OTHER_CERTIFICATE,
        E::HashWeak { .. } | E::SignatureWeak { .. } => Code::TIMESTAMP_WEAK,
        E::HashNotCheckable { .. }
        | E::SignatureNotCheckable { .. }
        | E::PathNotCheckable { .. } => Code::TIMESTAMP_NOT_CHECKED,
        E::MessageDigest { .. } | E::Signature(_) | E::SignatureHash { .. } => {
            Code::TIMESTAMP_SIGNATURE
        }
        E::Validity { .. } => Code::TIMESTAMP_EXPIRED,
        E::OutsideWindow { .. } => Code::TIMESTAMP_OUTSIDE_WINDOW,
        E::Imprint { .. } | E::ImprintLength { .. } => Code::TIMESTAMP_OTHER_SIGNATURE,
        _ => Code::TIMESTAMP_MALFORMED,
    }
}
