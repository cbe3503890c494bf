//! The one object behind text, JSON and exit status.

use std::borrow::Cow;
use std::fmt;

use genten_manifest::{KeyId, Subject, UnverifiedManifest};
use genten_primitives::{Sha256Digest, Timestamp};

use crate::sigstore::SigstoreReport;
use crate::{Code, Requirement};

/// What the evidence comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every required check passed.
    Accept,
    /// Nothing contradicts, but something required could not be established.
    Review {
        /// The highest-ranking check that could not be established.
        because: Code,
    },
    /// Something contradicts.
    Reject {
        /// The highest-ranking check that failed.
        because: Code,
    },
}

impl Verdict {
    /// `accept`, `review` or `reject`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Review { .. } => "review",
            Self::Reject { .. } => "reject",
        }
    }

    /// The reason of a verdict other than accept.
    pub const fn because(self) -> Option<Code> {
        match self {
            Self::Accept => None,
            Self::Review { because } | Self::Reject { because } => Some(because),
        }
    }

    /// The exit status of a program that reports this verdict: 0 accept, 1 reject, 3 review.
    pub const fn exit_status(self) -> u8 {
        match self {
            Self::Accept => 0,
            Self::Reject { .. } => 1,
            Self::Review { .. } => 3,
        }
    }
}

/// How one check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Was checked and holds.
    Passed,
    /// Was checked and does not hold.
    Failed,
    /// Could not be checked because something is not there.
    Missing,
    /// Is not there, and the policy does not ask for it.
    NotRequired,
    /// Is there, and this version cannot judge it.
    NotChecked,
}

impl Outcome {
    /// The word in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Missing => "missing",
            Self::NotRequired => "not-required",
            Self::NotChecked => "not-checked",
        }
    }
}

/// What a check does to the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing.
    None,
    /// Review.
    Review,
    /// Reject.
    Reject,
}

/// Both sides of a comparison, or a word more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Nothing more to say.
    #[default]
    None,
    /// Two digests.
    Digests {
        /// What the manifest says.
        expected: Sha256Digest,
        /// What was found.
        found: Sha256Digest,
    },
    /// Two times and the distance between them.
    Times {
        /// The bound.
        expected: Timestamp,
        /// What was found.
        found: Timestamp,
    },
    /// Two texts.
    Texts {
        /// What should be there.
        expected: String,
        /// What was found.
        found: String,
    },
    /// A word more.
    Text(Cow<'static, str>),
}

impl Detail {
    /// Both sides of the comparison.
    pub fn sides(&self) -> Option<(String, String)> {
        match self {
            Self::None | Self::Text(_) => None,
            Self::Digests { expected, found } => Some((expected.to_string(), found.to_string())),
            Self::Times { expected, found } => Some((expected.to_string(), found.to_string())),
            Self::Texts { expected, found } => Some((expected.clone(), found.clone())),
        }
    }

    /// The word more: for times the distance.
    pub fn text(&self) -> Option<Cow<'static, str>> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Times { expected, found } => Some(distance(found.millis_since(*expected)).into()),
            Self::None | Self::Digests { .. } | Self::Texts { .. } => None,
        }
    }
}

/// A distance in time for people: `61.000 s later`.
fn distance(millis: i64) -> String {
    let word = if millis < 0 { "earlier" } else { "later" };
    let (seconds, rest) = (millis.unsigned_abs() / 1000, millis.unsigned_abs() % 1000);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match seconds {
        0..600 => format!("{seconds}.{rest:03} s {word}"),
        600..86_400 => format!("{hours} h {minutes} min {word}"),
        _ => format!("{days} d {hours} h {word}"),
    }
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was found.
    pub code: Code,
    /// The policy's word for it, where it has one.
    pub requirement: Option<Requirement>,
    /// How it ended.
    pub outcome: Outcome,
    /// What it does to the verdict.
    pub effect: Effect,
    /// Whether the policy recommends it (`[should]`) and it was not met.
    pub recommended: bool,
    /// Both sides of the comparison.
    pub detail: Detail,
}

/// A warning or a fact that is no check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub code: Code,
    /// The particulars; text from the input, not yet made safe to print.
    pub text: String,
}

/// On whose word a claim stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The signer says so.
    Signed,
    /// The signer passes on what another program told it.
    Reported,
}

impl Basis {
    /// The word in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Signed => "signed",
            Self::Reported => "reported",
        }
    }
}

/// What is known of the signer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignerReport {
    /// The id in the manifest.
    pub id: KeyId,
    /// Whether the id itself was checked; otherwise it is only claimed.
    pub id_checked: bool,
    /// The key under which the signature holds.
    pub key: Option<SigningKey>,
    /// Why the key is trusted.
    pub trusted_by: Option<TrustedBy>,
}

/// A key that a signature was checked under.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningKey {
    /// RFC 7638 thumbprint.
    pub thumbprint: Sha256Digest,
    /// `ES256` or `EdDSA`.
    pub algorithm: &'static str,
}

/// An entry of a transparency log that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogReport {
    /// What was logged.
    pub subject: Subject,
    /// The log's origin.
    pub origin: String,
    /// The entry's index.
    pub index: u64,
    /// The witnesses that cosigned its checkpoint, where a policy's quorum is met.
    pub witnesses: Vec<String>,
    /// The smallest time by which the quorum was met.
    pub witnessed_by: Option<Timestamp>,
    /// Whether a trusted root of the kit names the log.
    pub is_of_trusted_root: bool,
    /// Whether the log only promised to hold it: nothing shows that it does.
    pub is_only_promised: bool,
}

impl LogReport {
    /// `promised` where nothing shows that the log holds it, `witnessed` where a quorum stands behind the log, `logged` where a
    /// trusted root of the kit names it; else `logged, unwitnessed`: it is the word of the log's owner.
    pub fn basis(&self) -> &'static str {
        match (self.witnesses.is_empty(), self.is_of_trusted_root) {
            _ if self.is_only_promised => "promised",
            (false, _) => "witnessed",
            (true, true) => "logged",
            (true, false) => "logged, unwitnessed",
        }
    }
}

/// A timestamp that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimestampReport {
    /// The time of the stamp.
    pub time: Timestamp,
    /// Who stamped.
    pub authority: String,
}

/// A moment before which the signer's signature existed, on the word of somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedTime {
    /// The moment.
    pub time: Timestamp,
    /// On what ground.
    pub basis: TimeBasis,
    /// Whose word it is.
    pub source: String,
}

/// On what ground a time is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBasis {
    /// A log promised inclusion then (Rekor v1).
    Logged,
    /// A timestamp authority of the kit stamped it.
    Timestamped,
    /// A quorum of witnesses had seen it.
    Witnessed,
}

impl TimeBasis {
    /// The word in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Logged => "logged",
            Self::Timestamped => "timestamped",
            Self::Witnessed => "witnessed",
        }
    }
}

/// Why a key is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustedBy {
    /// The caller gave the key.
    Key,
    /// The caller gave the id, which contains the key.
    SignerId,
    /// The trust kit lists key and id.
    Kit,
    /// A DID document in the trust kit lists the key under the id.
    DidDocument,
    /// A certificate under an authority of the trust kit.
    Authority(String),
}

impl fmt::Display for TrustedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key => f.write_str("a key that you gave"),
            Self::SignerId => f.write_str("a signer id that you gave"),
            Self::Kit => f.write_str("your trust kit"),
            Self::DidDocument => f.write_str("a DID document in your trust kit"),
            Self::Authority(name) => write!(f, "certificate authority {name:?} of your trust kit"),
        }
    }
}

/// What was decided, and everything that it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The verdict.
    pub verdict: Verdict,
    /// Every check.
    pub checks: Vec<Check>,
    /// Warnings and facts.
    pub notes: Vec<Note>,
    /// SHA-256 of the signing input: the manifest's identity.
    pub manifest_id: Option<Sha256Digest>,
    /// What the manifest says; `None` where it could not be read.
    pub manifest: Option<UnverifiedManifest>,
    /// Whether a trusted signer's valid signature stands behind the manifest. Otherwise all of it is only claimed.
    pub attested: bool,
    /// What is known of the signer.
    pub signer: Option<SignerReport>,
    /// What is known of a Sigstore bundle; `None` for manifests.
    pub sigstore: Option<SigstoreReport>,
    /// On whose word the facts stand.
    pub basis: Basis,
    /// Log entries that count.
    pub logs: Vec<LogReport>,
    /// Timestamps that hold.
    pub timestamps: Vec<TimestampReport>,
    /// The earliest trusted time that covers the signer's own signature.
    pub trusted_time: Option<TrustedTime>,
    /// The body that was compared.
    pub body: Option<BodyReport>,
    /// The time taken as now.
    pub now: Timestamp,
    /// The policy.
    pub policy: NamedDigest,
    /// Digest of the trust kit.
    pub kit_sha256: Option<Sha256Digest>,
}

/// A body that was compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyReport {
    /// Its digest.
    pub sha256: Sha256Digest,
    /// Its length in bytes.
    pub bytes: u64,
    /// Where it was found, for people; the caller knows.
    pub name: Option<String>,
}

/// A name and the digest of the text behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDigest {
    /// The name.
    pub name: String,
    /// The digest.
    pub sha256: Sha256Digest,
}

impl Report {
    /// The verdict that follows from checks: reject beats review beats accept, and of equals the higher rank is the
    /// reason.
    pub(crate) fn judge(checks: &[Check]) -> Verdict {
        let highest = |effect| {
            checks.iter().filter(|check| check.effect == effect).map(|check| check.code).min()
        };
        match (highest(Effect::Reject), highest(Effect::Review)) {
            (Some(because), _) => Verdict::Reject { because },
            (None, Some(because)) => Verdict::Review { because },
            // Nothing that was looked at is no reason to accept.
            (None, None) if checks.is_empty() => {
                Verdict::Review { because: Code::SIGNATURE_NOT_CHECKED }
            }
            (None, None) => Verdict::Accept,
        }
    }

    /// The check with this code.
    pub fn check(&self, code: Code) -> Option<&Check> {
        self.checks.iter().find(|check| check.code == code)
    }
}
