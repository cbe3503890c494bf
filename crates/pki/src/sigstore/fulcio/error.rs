//! Why a signing certificate shows nobody's identity.

use genten_primitives::{Sha256Digest, Timestamp};

use crate::sigstore::UnusableLog;
use crate::{CertificateError, ChainError, MAX_CHAIN, Oid, SctError, SctVerifyError, Window};

/// Why a signing certificate shows nobody's identity: one variant per rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FulcioError {
    /// The authority's window in the trusted root does not contain the time. Everything else about its path holds.
    #[error("authority is trusted {window}, not at {at}")]
    AuthorityWindow {
        /// The time.
        at: Timestamp,
        /// The authority's window.
        window: Window,
    },
    /// The certificate is one of a CA.
    #[error("signing certificate belongs to a CA")]
    CaAsLeaf,
    /// The certificate cannot be read.
    #[error("signing certificate is unreadable")]
    Certificate(#[source] CertificateError),
    /// A certificate beside it in the bundle that cannot be read.
    #[error("certificate {index} beside the signing certificate is unreadable")]
    ChainCertificate {
        /// Which one, counted from 0.
        index: usize,
        /// What is wrong with it.
        source: CertificateError,
    },
    /// The certificate's validity was over.
    #[error("signing certificate expired at {not_after}, before {at}")]
    Expired {
        /// The time.
        at: Timestamp,
        /// End of the validity.
        not_after: Timestamp,
    },
    /// An identity in the subjectAltName is malformed.
    #[error("subject alternative name is malformed")]
    IdentityMalformed,
    /// No mail address, URI or user name of Fulcio in the subjectAltName.
    #[error("signing certificate names nobody")]
    IdentityMissing,
    /// A certificate of the authority was no longer valid.
    #[error("certificate of the authority expired at {not_after}, before {at}")]
    IssuerExpired {
        /// The time.
        at: Timestamp,
        /// End of the validity.
        not_after: Timestamp,
    },
    /// The two extensions that name the token's issuer differ.
    #[error("signing certificate names the token issuers {old:?} and {new:?}")]
    IssuersDiffer {
        /// By 1.3.6.1.4.1.57264.1.1.
        old: String,
        /// By 1.3.6.1.4.1.57264.1.8.
        new: String,
    },
    /// An extension that names the token's issuer is malformed.
    #[error("extension {oid} is malformed")]
    IssuerMalformed {
        /// The extension.
        oid: Oid,
    },
    /// A certificate of the authority was not valid yet.
    #[error("certificate of the authority is not valid before {not_before}, after {at}")]
    IssuerNotYetValid {
        /// The time.
        at: Timestamp,
        /// Beginning of the validity.
        not_before: Timestamp,
    },
    /// The certificate has a key usage without digitalSignature.
    #[error("signing certificate may not sign by its key usage")]
    KeyUsage,
    /// No time was given: a short-lived certificate without one shows nothing.
    #[error("no time at which the certificate was used")]
    NoTime,
    /// The certificate has no extended key usage codeSigning.
    #[error("signing certificate is not for code signing")]
    NotForCodeSigning,
    /// The certificate was not valid yet.
    #[error("signing certificate is not valid before {not_before}, after {at}")]
    NotYetValid {
        /// The time.
        at: Timestamp,
        /// Beginning of the validity.
        not_before: Timestamp,
    },
    /// The path to an authority is broken in another way.
    #[error("path to the authority does not hold")]
    Path(#[source] ChainError),
    /// A precertificate (RFC 6962 section 3.1), which is never used.
    #[error("signing certificate is a precertificate")]
    Precertificate,
    /// The bundle carries a root certificate.
    #[error("certificate {index} beside the signing certificate is a root")]
    RootInChain {
        /// Which one, counted from 0.
        index: usize,
    },
    /// An SCT of a known log does not verify.
    #[error("sct of the log {log_id} does not hold")]
    SctInvalid {
        /// The log.
        log_id: Sha256Digest,
        /// What is wrong.
        source: SctVerifyError,
    },
    /// The list of SCTs is malformed.
    #[error("list of scts is malformed")]
    SctList(#[source] SctError),
    /// All SCTs are of logs that the trusted root does not hold.
    #[error("log {log_id} is not in the trusted root")]
    SctLogUnknown {
        /// The first such log.
        log_id: Sha256Digest,
    },
    /// The log is known, and its key cannot be used.
    #[error("log {log_id} cannot be checked")]
    SctLogUnusable {
        /// The log.
        log_id: Sha256Digest,
        /// Why.
        source: UnusableLog,
    },
    /// The SCT verifies, and its time is outside of the log's window.
    #[error("log {log_id} is trusted {window}, its sct has {timestamp} ms")]
    SctLogWindow {
        /// The log.
        log_id: Sha256Digest,
        /// The SCT's time in milliseconds since 1970.
        timestamp: u64,
        /// The log's window.
        window: Window,
    },
    /// No embedded SCT.
    #[error("signing certificate has no sct")]
    SctMissing,
    /// This build cannot check the signatures of the log.
    #[error("scts of the log {log_id} cannot be checked by this build")]
    SctNotCheckable {
        /// The log.
        log_id: Sha256Digest,
    },
    /// All SCTs are of versions other than 1.
    #[error("scts are of unknown versions")]
    SctVersionUnknown,
    /// More certificates than [`MAX_CHAIN`].
    #[error("chain of {found} certificates, of at most {MAX_CHAIN}")]
    TooManyCertificates {
        /// How many there are.
        found: usize,
    },
    /// No authority of the trusted root issued the certificate.
    #[error("no path to an authority of the trusted root")]
    UnknownIssuer,
}
