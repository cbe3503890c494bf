//! What a policy can ask for.

use std::fmt;
use std::str::FromStr;

/// One word of a policy's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Requirement {
    /// The signature is valid.
    Signature,
    /// The signer is trusted.
    Signer,
    /// The given body is the one that was fetched.
    Content,
    /// A transparency log holds the manifest.
    Log,
    /// A transparency log holds the content's digest.
    LogContent,
    /// A trusted time covers the signer's signature.
    Time,
    /// Witnesses saw the log's checkpoint.
    Witness,
    /// A public certificate authority vouched for the upstream.
    TlsCertificate,
    /// Certificate Transparency logs know the upstream's certificate.
    Ct,
    /// The upstream's revision is stated.
    Revision,
    /// An archive kept a copy.
    Archive,
    /// The whole saved result is the one that was signed.
    Result,
    /// The result answers the given call.
    Request,
    /// Evidence of a kind that others define was checked.
    External,
}

/// The text is no requirement word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a requirement word")]
pub struct UnknownRequirement;

impl Requirement {
    /// Every word.
    pub const ALL: [Self; 14] = [
        Self::Signature,
        Self::Signer,
        Self::Content,
        Self::Log,
        Self::LogContent,
        Self::Time,
        Self::Witness,
        Self::TlsCertificate,
        Self::Ct,
        Self::Revision,
        Self::Archive,
        Self::Result,
        Self::Request,
        Self::External,
    ];

    /// The word as it stands in a policy.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Signature => "signature",
            Self::Signer => "signer",
            Self::Content => "content",
            Self::Log => "log",
            Self::LogContent => "log.content",
            Self::Time => "time",
            Self::Witness => "witness",
            Self::TlsCertificate => "tls-certificate",
            Self::Ct => "ct",
            Self::Revision => "revision",
            Self::Archive => "archive",
            Self::Result => "result",
            Self::Request => "request",
            Self::External => "external",
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Requirement {
    type Err = UnknownRequirement;

    fn from_str(text: &str) -> Result<Self, UnknownRequirement> {
        Self::ALL.into_iter().find(|word| word.as_str() == text).ok_or(UnknownRequirement)
    }
}

/// A set of requirements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requirements(u16);

impl Requirements {
    /// No requirement.
    pub const NONE: Self = Self(0);

    /// Whether the set holds the word.
    pub const fn contains(self, word: Requirement) -> bool {
        self.0 & (1 << word as u16) != 0
    }

    /// This set and one word more.
    #[must_use]
    pub const fn with(self, word: Requirement) -> Self {
        Self(self.0 | 1 << word as u16)
    }

    /// What either set holds.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The words, in the order of [`Requirement::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Requirement> {
        Requirement::ALL.into_iter().filter(move |word| self.contains(*word))
    }
}

impl FromIterator<Requirement> for Requirements {
    fn from_iter<I: IntoIterator<Item = Requirement>>(words: I) -> Self {
        words.into_iter().fold(Self::NONE, Self::with)
    }
}
