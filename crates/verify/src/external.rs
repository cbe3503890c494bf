//! Evidence of kinds that others define, judged by checkers that the caller registers.

use std::fmt;

use genten_manifest::{ExternalEvidence, UnverifiedManifest};

/// Judges external evidence of one media type: a TLSNotary presentation, an EAT of RATS, a signed HTTP message …
///
/// The evidence was found to be about the manifest and, where its bytes came along, to have the stated digest. A checker does
/// no more than look at both: no network, no clock, so that the report stays the same everywhere.
pub trait ExternalChecker: fmt::Debug + Send + Sync {
    /// The media type that it judges, as it stands in the evidence.
    fn media_type(&self) -> &str;

    /// Judges one item.
    fn check(&self, evidence: &ExternalEvidence, manifest: &UnverifiedManifest) -> ExternalOutcome;
}

/// What a checker found. The texts are for people and stand in the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExternalOutcome {
    /// It holds and supports the manifest.
    Holds(String),
    /// It contradicts the manifest, or itself.
    Contradicts(String),
    /// It could not be judged.
    NotChecked(String),
}
