//! In-toto statements: which artifacts an attestation is about.

use genten_primitives::HashAlgorithm;
use genten_primitives::encoding::hex;
use genten_primitives::json::{self, Document, Limits, Value};

use super::{Artifact, MAX_SIGSTORE_BUNDLE};

/// The payload type of in-toto attestations.
const IN_TOTO: &str = "application/vnd.in-toto+json";

/// Most subjects that are looked at.
const MAX_SUBJECTS: usize = 4096;

/// Whether a statement is about an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// A subject has the artifact's digest.
    This,
    /// No subject has.
    Others,
    /// The subjects state digests by other functions than are known of the artifact, or are too many.
    NotComparable,
    /// The payload is no in-toto statement.
    NoStatement,
}

/// Compares the artifact with the subjects (in-toto Attestation Framework, Statement). A subject fits when it names a digest that
/// is known of the artifact, and none that differs.
pub(super) fn about(payload_type: &str, payload: &[u8], artifact: &Artifact) -> About {
    let Some(document) = statement(payload_type, payload) else { return About::NoStatement };
    let Some(subjects) = document.root().get("subject").and_then(Value::items) else {
        return About::NoStatement;
    };
    let mut are_others = (1..=MAX_SUBJECTS).contains(&subjects.len());
    for subject in subjects.take(MAX_SUBJECTS) {
        match fits(subject, artifact) {
            Some(true) => return About::This,
            Some(false) => {}
            None => are_others = false,
        }
    }
    if are_others { About::Others } else { About::NotComparable }
}

/// The URI that says what kind of statement it is.
pub(super) fn predicate_type(payload_type: &str, payload: &[u8]) -> Option<String> {
    let document = statement(payload_type, payload)?;
    Some(document.root().get("predicateType")?.as_str()?.into_owned())
}

fn statement<'p>(payload_type: &str, payload: &'p [u8]) -> Option<Document<'p>> {
    let limits = Limits { bytes: MAX_SIGSTORE_BUNDLE, depth: 64 };
    json::read_foreign(payload, limits).ok().filter(|_| payload_type == IN_TOTO)
}

/// `None` where no digest could be compared.
fn fits(subject: Value<'_>, artifact: &Artifact) -> Option<bool> {
    let stated = |hash: HashAlgorithm| subject.get("digest")?.get(hash.as_str())?.as_str();
    let compared = HashAlgorithm::ALL.into_iter().filter_map(|hash| {
        let (known, stated) = (artifact.digest(hash)?, stated(hash)?);
        Some(hex(known) == stated)
    });
    compared.reduce(|all, same| all && same)
}
