//! The ProvenanceManifest: what was fetched, from where, when, as whom; and the bundle that carries its evidence.
//!
//! Reading is strict and lossless: [`UnverifiedManifest::read`] names the rule, the path and the byte of the first fault,
//! and keeps the canonical bytes of what was received, so that members which this version does not know stay covered by
//! the signature. Writing goes through [`ClaimsBuilder`] and types that keep the rules of each member; what they leave open
//! (numbers in range, noncharacters in texts) the reader refuses, so a producer reads what it has made.
//!
//! Nothing in here has been verified. Verification is the work of `genten-verify`.

mod bundle;
mod claims;
mod contradiction;
mod ct;
mod error;
mod evidence;
mod http;
mod key_id;
mod log_id;
mod read;
mod request;
mod text;
mod tls;
mod url;
mod words;
mod write;

pub use bundle::{BUNDLE_MEDIA_TYPE, Bundle, MAX_BUNDLE_BYTES, MAX_EVIDENCE, UnverifiedBundle};
pub use claims::{Claims, ClaimsBuilder, Manifest, UnverifiedManifest};
pub use contradiction::Contradiction;
pub use ct::{CtLogProof, CtLogProofError};
pub use error::{ManifestError, ManifestRule};
pub use evidence::{
    BatchEvidence, Evidence, EvidenceKind, ExternalEvidence, LogEvidence, Subject,
    TimestampEvidence, TlsChain,
};
pub use http::{Header, Http, HttpRequest, Redirect};
pub use key_id::{KeyId, KeyIdError, KeyIdKind};
pub use log_id::{TransparencyLogId, TransparencyLogIdError};
pub use request::{Bound, FetchPosition, Nonce, NonceError, RequestBinding};
pub use text::{HeaderName, HeaderText, ShortText, TextError};
pub use tls::{Anomaly, Retrieval, Tls};
pub use url::{SourceUrl, SourceUrlError};
pub use words::{Capture, Completeness, Protocol, SourceClass, TlsTrust, UnknownWord};

/// Largest manifest, in bytes as received.
pub const MAX_MANIFEST_BYTES: usize = 64 << 10;
