//! Sigstore bundles: the same evidence, logs and authorities, about artifacts of others.

mod artifact;
mod bundle;
mod certificate;
mod content;
mod entry;
mod evidence;
mod statement;
mod verify;

pub use artifact::{Artifact, ArtifactError};
pub use bundle::{
    BundleVersion, KeyMaterial, MAX_SIGSTORE_BUNDLE, SignedContent, SigstoreBundle, SigstoreError,
};
pub use certificate::CertificateIdentity;

/// What is asked about a bundle.
#[derive(Clone, Copy, Debug, Default)]
pub struct SigstoreQuestion<'q> {
    /// The file that the bundle is said to be about.
    pub artifact: Option<&'q Artifact>,
    /// Whose certificate it must be; not needed where the key is given.
    pub identity: Option<&'q CertificateIdentity>,
}

/// What is signed where it is no envelope.
pub(crate) const MESSAGE: &str = "message";

/// What is known of a bundle, for the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigstoreReport {
    /// What is signed: `message`, or the type of an envelope's payload.
    pub content: String,
    /// What kind of statement an attestation makes (in-toto `predicateType`); its words are not read.
    pub predicate_type: Option<String>,
    /// The digest of the artifact that was compared, with the name of its hash function.
    pub artifact: Option<String>,
    /// RFC 7638 thumbprint of the key under which the signature holds.
    pub thumbprint: Option<genten_primitives::Sha256Digest>,
    /// Whom the certificate names; believed only where the report says that the certificate holds.
    pub identities: Vec<String>,
    /// Who vouched for that name.
    pub issuer: Option<String>,
}
