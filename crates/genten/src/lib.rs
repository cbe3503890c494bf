//! Sign what you fetched, so that anybody can check it later, without a network and without trusting you for more than
//! your word.
//!
//! ```no_run
//! use genten::Genten;
//!
//! # async fn example() -> Result<(), genten::Error> {
//! let genten = Genten::builder().home("/var/lib/my-server").build()?;
//! let attested = genten.fetch("https://www.rfc-editor.org/rfc/rfc9421.txt").await?;
//! std::fs::write("rfc9421.txt.provenance.json", attested.bundle().to_json()).expect("disk");
//! # Ok(())
//! # }
//! ```
//!
//! - [`Genten::fetch`] makes the request itself and signs what it recorded.
//! - [`Genten::attest`] signs facts that another program tells; [`Genten::attest_cached`] signs an earlier fetch again,
//!   with its own time.
//! - [`with_provenance`] wraps a handler so that everything it returns carries a manifest.
//! - [`Verifier`] judges what others made.

mod attested;
mod builder;
mod error;
mod facts;
mod fetching;
mod genten;
mod journal;
mod keys;
#[cfg(feature = "log")]
mod logging;
mod revision;
mod signer;
mod terms;
mod wrapper;

pub use attested::Attested;
pub use builder::GentenBuilder;
pub use error::{Error, ResultError};
pub use facts::Facts;
pub use fetching::Fetch;
pub use genten::Genten;
pub use genten_fetch as fetch;
pub use genten_jws as jws;
pub use genten_manifest as manifest;
pub use genten_mcp as mcp;
pub use genten_primitives as primitives;
#[cfg(feature = "log")]
pub use genten_rekor as rekor;
pub use genten_store as store;
#[cfg(feature = "log")]
pub use genten_tlog as tlog;
pub use genten_verify as verify;
pub use genten_verify::{Body, Policy, Report, Trust, TrustKit, Verdict, Verifier};
pub use keys::{KeyError, KeyRing, NewKeyId, StoredKey, id_in_chain};
#[cfg(feature = "log")]
pub use logging::{
    Alarm, Alone, CertificateFlush, Flush, FlushReport, Followed, Following, Forget, Forgotten,
    LogError, LogFileError, LogFlush, LogRules, LogService, LogTarget, Look, Lost, Submitter,
    complete_bundle, follow, forget, home_log, is_of_described_log, look,
};
pub use revision::{RevisionError, RevisionFrom};
pub use terms::Terms;
pub use wrapper::{Handled, WithProvenance, with_provenance};

/// The examples of the papers are tests.
#[cfg(doctest)]
mod papers {
    #[doc = include_str!("../../../docs/embedding.md")]
    struct Embedding;
    #[doc = include_str!("../../../README.md")]
    struct Readme;
}
