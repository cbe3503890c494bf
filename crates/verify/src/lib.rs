//! The verdict: evidence, trust, policy and a time go in, a [`Report`] comes out.
//!
//! Nothing here touches a network, a clock, a file or the environment. The same inputs give the same report, on any
//! machine, in any year. What cannot be established is never passed over: it is a check with the outcome `missing` or
//! `not-checked`, and where the policy asks for it, the verdict is `review`.
//!
//! ```
//! use genten_verify::{Body, Policy, Trust, Verifier};
//!
//! let verifier = Verifier::new(Trust::default(), Policy::built_in("basic").unwrap());
//! let now = "2026-11-30T08:15:00Z".parse().unwrap();
//! let report = verifier.verify_bytes(b"{}", &Body::NotGiven, now);
//! assert_eq!(report.verdict.as_str(), "reject");
//! assert_eq!(report.verdict.because().unwrap().as_str(), "manifest.missing-member");
//! ```

pub mod answer;
mod check;
mod code;
mod entry;
mod external;
mod findings;
pub mod input;
pub mod kit;
mod logs;
mod memory;
mod policy;
mod render;
mod report;
mod requirement;
pub mod sigstore;
mod trust_key;
mod verifier;
mod words;

pub use code::Code;
pub use external::{ExternalChecker, ExternalOutcome};
pub use genten_primitives::Printable;
pub use input::{Input, InputError, InputKind, UnknownInput, detect};
pub use kit::{KitError, TrustKit};
pub use policy::{CrossSite, MAX_POLICY_BYTES, Policy, PolicyClass, PolicyError, PolicyLimits};
pub use render::{TextLevel, TextOptions};
pub use report::{
    Basis, BodyReport, Check, Detail, Effect, LogReport, NamedDigest, Note, Outcome, Report,
    SignerReport, SigningKey, TimeBasis, TimestampReport, TrustedBy, TrustedTime, Verdict,
};
pub use requirement::{Requirement, Requirements, UnknownRequirement};
pub use trust_key::{
    MAX_KEY_BYTES, TrustKeyError, TrustedSigner, TrustedSignerError, keys_from_file,
};
pub use verifier::{Body, Trust, Verifier};
