//! The one JWS profile of Genten: who signed what, as a detached compact JWS (RFC 7515) with ES256 or EdDSA.
//!
//! - [`Jws`] reads `header..signature` strictly; [`Jws::over`] joins it with the payload that it covers, and
//!   [`SignedBytes::verify`] checks it under one key. What came out is a [`SignatureChecked`].
//! - [`ManifestSigner`] turns claims into a signed manifest with any [`Signer`], or with an [`AsyncSigner`] whose key
//!   lives in an HSM or KMS. [`LocalSigner`] is the signer that holds its key itself.
//! - [`key_id`] finds the key behind an `mcp_key_id`: in the id, in a DID document, or in a certificate.
//!
//! The algorithm always comes from the key. No key that a message brings along is ever used.

mod algorithm;
mod compact;
mod error;
mod header;
pub mod key_id;
mod local;
mod manifest_signer;
mod prepared;
mod secret;
mod signature;
mod signer;

pub use algorithm::Algorithm;
pub use compact::{Jws, MAX_JWS_BYTES, SignatureChecked, SignedBytes};
pub use error::{HeaderError, JwsError};
pub use header::{Header, MAX_HEADER_BYTES, Typ};
pub use local::{CheckpointKey, ContentLogKey, LocalSigner};
pub use manifest_signer::ManifestSigner;
pub use prepared::{CertificateHint, JwsSigner, SignedMessage};
pub use secret::{SecretKey, SecretKeyError};
pub use signature::Signature;
pub use signer::{AsyncSigner, BoxFuture, ContentLogSigner, Immediate, SignError, Signer};
