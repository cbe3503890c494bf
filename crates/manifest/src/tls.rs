//! The TLS facts of the connection and the story of the retrieval: members `tls` and `retrieval`.

use genten_primitives::Sha256Digest;

use crate::{ShortText, TlsTrust};

/// The connection that delivered the final answer. The signer's word: TLS proves nothing to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// Protocol version, such as `TLSv1.3`.
    pub version: Option<ShortText>,
    /// SHA-256 of the leaf's SubjectPublicKeyInfo.
    pub spki_sha256: Option<Sha256Digest>,
    /// The leaf's issuer, as text.
    pub issuer: Option<ShortText>,
    /// How the recorder judged the certificate.
    pub trust: Option<TlsTrust>,
    /// Whether a proxy stood between.
    pub proxy: Option<bool>,
}

/// Something unusual, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anomaly {
    /// What it was.
    pub kind: ShortText,
    /// How often, at least 1.
    pub count: u32,
}

/// How the content was obtained; only what was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retrieval {
    /// Requests sent, redirects included.
    pub requests: Option<u32>,
    /// Attempts, retries included.
    pub attempts: Option<u32>,
    /// Unusual events.
    pub anomalies: Vec<Anomaly>,
    /// Whether the content came from a cache; then `fetched_at` is the time of the network fetch.
    pub served_from_cache: Option<bool>,
}
