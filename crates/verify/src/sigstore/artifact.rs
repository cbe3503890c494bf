//! The file that a bundle is about: its digests.

use std::io::{self, Read};
use std::str::FromStr;

use genten_primitives::HashAlgorithm;
use genten_primitives::digest::Digests;
use genten_primitives::encoding::{from_hex, hex};

/// What is known of an artifact: all digests where the file was read, one where only that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact(Known);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Known {
    Digest(HashAlgorithm, Vec<u8>),
    File(Digests),
}

/// The text is no digest of an artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not sha256:, sha384: or sha512: and the digest in lower-case hexadecimal")]
pub struct ArtifactError;

impl Artifact {
    /// The artifact that a reader gives.
    ///
    /// # Errors
    /// The reader's.
    pub fn of_reader(reader: impl Read) -> io::Result<Self> {
        Digests::of_reader(reader).map(|digests| Self(Known::File(digests)))
    }

    /// The digest by this function, if it is known.
    pub fn digest(&self, hash: HashAlgorithm) -> Option<&[u8]> {
        match &self.0 {
            Known::Digest(known, digest) if *known == hash => Some(digest),
            Known::Digest(..) => None,
            Known::File(digests) => Some(digests.get(hash)),
        }
    }

    /// The digest as it is shown: that by SHA-256 where there are several.
    pub(crate) fn shown(&self) -> String {
        let hash = match &self.0 {
            Known::Digest(hash, _) => *hash,
            Known::File(_) => HashAlgorithm::Sha256,
        };
        format!("{}:{}", hash.as_str(), hex(self.digest(hash).unwrap_or_default()))
    }
}

impl FromStr for Artifact {
    type Err = ArtifactError;

    fn from_str(text: &str) -> Result<Self, ArtifactError> {
        let (name, digits) = text.split_once(':').ok_or(ArtifactError)?;
        let hash = HashAlgorithm::ALL.into_iter().find(|hash| hash.as_str() == name);
        let hash = hash.ok_or(ArtifactError)?;
        let digest = match hash {
            HashAlgorithm::Sha256 => from_hex::<32>(digits).map(Vec::from),
            HashAlgorithm::Sha384 => from_hex::<48>(digits).map(Vec::from),
            HashAlgorithm::Sha512 => from_hex::<64>(digits).map(Vec::from),
        };
        let digest = digest.map_err(|_| ArtifactError)?;
        Ok(Self(Known::Digest(hash, digest)))
    }
}
