//! What can be wrong with a policy.

use crate::note::{NoteKeyError, NoteKeyKind};

/// Which line of a policy breaks which rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the policy is not accepted")]
pub struct PolicyError {
    /// Which line, from 1; for what is missing, the last one.
    pub line: usize,
    /// What is wrong with it.
    #[source]
    pub fault: PolicyFault,
}

/// What is wrong with a line of a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyFault {
    /// The same public key for a second log or witness, or a key that cannot be told from another by name and id.
    #[error("key {name:?} stands in the policy already")]
    DuplicateKey {
        /// The name of the second key.
        name: String,
    },
    /// A second witness or group of one name.
    #[error("name {name:?} is defined twice")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// More or fewer fields than such a line has.
    #[error("{found} fields after {keyword:?}")]
    FieldCount {
        /// The keyword of the line.
        keyword: &'static str,
        /// Fields after it.
        found: usize,
    },
    /// A control character other than tab and line feed.
    #[error("forbidden byte {found:#04x}")]
    ForbiddenByte {
        /// The byte.
        found: u8,
    },
    /// A key that cannot be read.
    #[error("key is not accepted")]
    Key(#[from] NoteKeyError),
    /// A key of a kind that logs do not sign with.
    #[error("{kind} key for a log")]
    LogKeyKind {
        /// The kind.
        kind: NoteKeyKind,
    },
    /// A name that is a member of two groups, or twice of one: it would count twice.
    #[error("{name:?} is a member already")]
    MemberTwice {
        /// The name.
        name: String,
    },
    /// No line tells the quorum.
    #[error("no quorum")]
    NoQuorum,
    /// A name with a meaning of its own.
    #[error("name {name:?} is reserved")]
    ReservedName {
        /// The name.
        name: String,
    },
    /// A second quorum.
    #[error("a second quorum")]
    SecondQuorum,
    /// A threshold that is not `all`, `any` or a decimal number from 1.
    #[error("threshold {found:?} is malformed")]
    Threshold {
        /// The threshold given.
        found: String,
    },
    /// A threshold that can never be met.
    #[error("{found} of {members} members")]
    ThresholdBeyondMembers {
        /// Members of the group.
        members: usize,
        /// The threshold given.
        found: usize,
    },
    /// More bytes than are read.
    #[error("{found} bytes are more than {limit}")]
    TooLong {
        /// Bytes that are read at most.
        limit: usize,
        /// Bytes given.
        found: usize,
    },
    /// More lines than are read.
    #[error("more than {limit} lines")]
    TooManyLines {
        /// Lines that are read at most.
        limit: usize,
    },
    /// A name that no line above defines.
    #[error("name {name:?} is not defined above")]
    UndefinedName {
        /// The name.
        name: String,
    },
    /// A line that begins with another word than log, witness, group and quorum.
    #[error("unknown keyword {found:?}")]
    UnknownKeyword {
        /// The word.
        found: String,
    },
    /// A key of a kind that witnesses do not sign with.
    #[error("{kind} key for a witness")]
    WitnessKeyKind {
        /// The kind.
        kind: NoteKeyKind,
    },
}
