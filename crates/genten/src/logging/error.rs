//! What can go wrong on the way into a log.

use std::io;
use std::path::PathBuf;

use genten_jws::SignError;
use genten_manifest::ManifestError;
use genten_pki::CtLogListError;
use genten_store::StoreError;

use super::LogFileError;
use crate::KeyError;

/// Why something could not be queued for a log or sent to it. What was queued stays queued.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// Another process is sending to the log.
    #[error("another process is sending to the log {log}")]
    Busy {
        /// Its name.
        log: String,
    },
    /// Contents are to be logged, and there is no key for that.
    #[error("no content log key: the key that signs manifests signs no digest that others choose")]
    ContentKeyMissing,
    /// Whoever follows the log here has seen that it signed two trees that contradict each other.
    #[error("the log {origin} was caught: it has signed two trees that contradict each other")]
    Caught {
        /// The log.
        origin: String,
    },
    /// The list of logs of Certificate Transparency is of no use.
    #[error("not a list of certificate transparency logs")]
    CtLogList(#[source] CtLogListError),
    /// A file could not be read.
    #[error("{} cannot be read", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The checkpoint of the log that the journal remembers does not verify.
    #[error("what the journal remembers of the log {origin} is damaged")]
    HeadDamaged {
        /// The log.
        origin: String,
        /// What is wrong with it.
        source: genten_tlog::CheckpointError,
    },
    /// The log cannot be followed.
    #[error(transparent)]
    Follow(#[from] genten_rekor::FollowError),
    /// It is not known where the log is read.
    #[error("it is not known where the log is read")]
    NoReadUrl,
    /// The home's own log cannot be read or written.
    #[error("the log of this home cannot be used")]
    Folder(#[source] genten_store::log::LogError),
    /// The file that describes the log is of no use.
    #[error(transparent)]
    LogFile(#[from] LogFileError),
    /// A key could not be read or made.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The path of a file that describes a log is not Unicode.
    #[error("{} is not valid Unicode", path.display())]
    PathNotUnicode {
        /// The path.
        path: PathBuf,
    },
    /// There is no home with a journal to queue in.
    #[error("logging needs a home with a journal: what is to be logged must not be forgotten")]
    NoJournal,
    /// Nothing is known of the log that could be given up.
    #[error("nothing is known of the log {origin}")]
    NotKnown {
        /// The log.
        origin: String,
    },
    /// What the journal holds for a bundle cannot stand in one.
    #[error("the evidence in the journal is no evidence")]
    Evidence(#[source] ManifestError),
    /// Nothing that is known of the log speaks against it, so that it is not given up unasked.
    #[error("nothing that is known here speaks against the log {origin}")]
    Sound {
        /// The log.
        origin: String,
    },
    /// The home's own log is there, and its key is not.
    #[error("{} is missing, the key of this home's own log", path.display())]
    OwnKeyMissing {
        /// The file of the key.
        path: PathBuf,
    },
    /// The home's own log is never given up.
    #[error("the home's own log must go on from what it has signed")]
    OwnLog,
    /// The signer makes pure Ed25519 signatures only.
    #[error("the signer makes no Ed25519ph signatures, and logs take no others of an Ed25519 key")]
    NoPrehash,
    /// The signer failed.
    #[error(transparent)]
    Sign(#[from] SignError),
    /// An Ed25519 manifest can be logged by its signer only.
    #[error(
        "an Ed25519 manifest is logged with another signature of its own key, which is not here"
    )]
    SignerMissing,
    /// The outbox or a bundle could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The manifest's signature does not hold.
    #[error("the manifest's signature does not hold")]
    WrongSignature(#[source] genten_jws::JwsError),
    /// The key of the signature is of a kind that no log takes.
    #[error("no log takes signatures of a {kind} key")]
    KeyKind {
        /// Its kind.
        kind: genten_primitives::key::KeyKind,
    },
}

impl LogError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "log.busy",
            Self::Caught { .. } => "log.caught",
            Self::ContentKeyMissing => "log.no-content-key",
            Self::CtLogList(_) => "log.ct-list",
            Self::Evidence(_) => "log.evidence",
            Self::File { .. } | Self::PathNotUnicode { .. } => "log.file",
            Self::Folder(error) => error.code(),
            Self::Follow(error) => error.code(),
            Self::HeadDamaged { .. } => "log.head-damaged",
            Self::NoReadUrl => "log.no-read-url",
            Self::Key(error) => error.code(),
            Self::LogFile(error) => error.code(),
            Self::NoJournal => "log.no-journal",
            Self::NotKnown { .. } => "log.not-known",
            Self::OwnKeyMissing { .. } => "log.key-missing",
            Self::OwnLog => "log.own",
            Self::Sound { .. } => "log.sound",
            Self::NoPrehash => "log.no-prehash",
            Self::Sign(_) => "signer.failed",
            Self::SignerMissing => "log.signer-missing",
            Self::WrongSignature(error) => error.code(),
            Self::Store(error) => error.code(),
            Self::KeyKind { .. } => "log.key-kind",
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Busy { .. } => "Wait until it is done, or end it.".to_owned(),
            Self::Caught { .. } => {
                "Nothing of it is believed here any more: use another log. The two checkpoints are in `evidence/`.".to_owned()
            }
            Self::ContentKeyMissing => {
                "Give GentenBuilder::content_log_key (KeyRing::content_log_key makes one), or log no contents.".to_owned()
            }
            Self::CtLogList(_) => {
                "Give a log list of version 3 as it is published, whole and unchanged.".to_owned()
            }
            Self::Evidence(_) => "Restore the journal from a backup.".to_owned(),
            Self::File { .. } => "Check the path and that you may read it.".to_owned(),
            Self::Folder(error) => error.hint().to_string(),
            Self::Follow(error) => error.hint().to_owned(),
            Self::HeadDamaged { .. } => {
                "Keep a copy of the journal, then restore it from a backup; nothing was sent.".to_owned()
            }
            Self::NoReadUrl => "Add read_url to the file that describes the log.".to_owned(),
            Self::Key(error) => error.hint().to_owned(),
            Self::LogFile(error) => error.hint().to_owned(),
            Self::NoJournal => "Give GentenBuilder::home, and leave without_journal out.".to_owned(),
            Self::NotKnown { .. } => {
                "Name the file that describes the log as it was known: by origin and key.".to_owned()
            }
            Self::OwnKeyMissing { .. } => {
                "Restore the key from a backup. If it is lost, move the folder log/ of the home away and begin a new log; the old evidence stays good.".to_owned()
            }
            Self::OwnLog => {
                "Begin a new one: move the folder log/ and keys/log.key of the home away; the old evidence stays good.".to_owned()
            }
            Self::Sound { .. } => {
                "Whoever sends to it or follows it would see if it had been set back. If you know that it was begun anew, ask for it all the same.".to_owned()
            }
            Self::NoPrehash => "Use a signer that implements sign_ed25519ph, or an ES256 key.".to_owned(),
            Self::PathNotUnicode { .. } => "Give the file a name in Unicode.".to_owned(),
            Self::Sign(_) => "Check the key or the service that holds it.".to_owned(),
            Self::SignerMissing => "Log it where its key is.".to_owned(),
            Self::Store(error) => error.hint().to_owned(),
            Self::WrongSignature(_) => "Nobody would take such a manifest; get it again.".to_owned(),
            Self::KeyKind { .. } => "Sign with a P-256 or an Ed25519 key.".to_owned(),
        }
    }
}
