//! Sigstore's documents and certificates: trusted roots, signing configs, and the short-lived certificates of Fulcio.
//!
//! [`TrustedRoot`] is what a verifier believes: logs, certificate authorities and timestamp authorities, each with the
//! window of time in which it may be believed. [`SigningConfig`] is where a signer finds services.
//! [`verify_signing_certificate`] takes a certificate of Fulcio and says whose it is.
//!
//! Both documents are protobuf JSON: unknown members are passed over and `null` is absent. Every window is a closed interval
//! that has a start; windows may overlap, and old entries stay.

mod authority;
mod fulcio;
mod log;
mod signing_config;
mod trusted_root;

pub use authority::{AuthoritySubject, TrustedAuthority};
pub use fulcio::{
    FulcioError, SigningCertificate, SigningIdentity, VerifiedSct, verify_signing_certificate,
};
pub use log::{TrustedLog, UnusableLog};
pub use signing_config::{
    Selector, Service, ServiceError, ServiceRule, SigningConfig, SigningConfigError,
};
pub use trusted_root::{MAX_TRUSTED_ROOT, TrustedRoot, TrustedRootError};
