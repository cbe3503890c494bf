//! What the caller adds to the facts of a fetch.

use genten_manifest::{RequestBinding, SourceClass};
use genten_primitives::Sha256Digest;

use crate::RevisionFrom;

/// What is signed beside the recorded facts. Everything is optional, and nothing is invented.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// How the source behaves over time.
    pub class: Option<SourceClass>,
    /// Where the source's revision is found.
    pub revision: Option<RevisionFrom>,
    /// Digest of the whole result that will carry the manifest.
    pub result_sha256: Option<Sha256Digest>,
    /// The call that the result answers.
    pub request: Option<RequestBinding>,
    /// Members of your own: reverse-DNS name and JSON.
    pub extensions: Vec<(String, Vec<u8>)>,
}
