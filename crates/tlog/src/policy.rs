//! Which logs are trusted, and which witnesses must have seen a checkpoint (C2SP tlog-policy).
//!
//! ```text
//! log <vkey> [<url>]
//! witness <name> <vkey> [<url>]
//! group <name> all|any|<k> <member>...
//! quorum <name>|none
//! ```

mod error;
mod evaluate;
mod parse;

pub use error::{PolicyError, PolicyFault};
pub use evaluate::QuorumResult;

use std::fmt;

use crate::checkpoint::LogIdentity;
use crate::note::NoteKey;

/// Largest policy that is read, in bytes.
pub const MAX_POLICY: usize = 64 << 10;

/// Most lines of a policy.
pub const MAX_POLICY_LINES: usize = 1024;

/// A policy. Its text form is written with logs first, then witnesses, groups and the quorum; comments are lost.
///
/// ```
/// use genten_tlog::WitnessPolicy;
/// let text = "witness w1 w1.example+c70b890f+BBh0lPXxXH+aKK/sfICZzGSyivDqnL26jrGDybT0Q677\n\
///             witness w2 w2.example+5b2ecde1+BBu4qGy1JiCywGi1qFdtBhR6VR99QLhByv6s6UE3DFQg\n\
///             group both all w1 w2\n\
///             quorum both\n";
/// let policy = WitnessPolicy::parse(text).unwrap();
/// assert_eq!(policy.to_string(), text);
/// assert!(!policy.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessPolicy {
    logs: Vec<PolicyLog>,
    witnesses: Vec<PolicyWitness>,
    groups: Vec<Group>,
    quorum: Option<Member>,
    warnings: Vec<PolicyWarning>,
}

/// A log of a policy: the name of its key is its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyLog {
    key: NoteKey,
    url: Option<String>,
}

/// A witness of a policy: its name there is independent of the name of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWitness {
    name: String,
    /// As written, where the key is of a kind that nothing here can check.
    key: Result<NoteKey, String>,
    url: Option<String>,
}

/// What was accepted although it should have been written otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PolicyWarning {
    /// A witness was given with a key of kind 0x01; the key of kind 0x04 is taken, whose id differs.
    LogKeyAsWitness {
        /// The name of the witness in the policy.
        name: String,
    },
    /// A witness with a key of kind 0x06 (ML-DSA-44), whose cosignatures nothing here can check: it never counts.
    Uncheckable {
        /// The name of the witness in the policy.
        name: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    name: String,
    threshold: Threshold,
    members: Vec<Member>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threshold {
    All,
    Any,
    /// From 1 to the number of members.
    Of(usize),
}

/// By position; a group's members stand before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Group(usize),
    Witness(usize),
}

impl WitnessPolicy {
    /// Reads a policy of at most 64 KiB and 1,024 lines.
    ///
    /// # Errors
    /// The first rule of C2SP tlog-policy that a line breaks.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        parse::parse(text)
    }

    /// The logs, in order. There may be none, where the log is known otherwise.
    pub fn logs(&self) -> &[PolicyLog] {
        &self.logs
    }

    /// The log of this origin with all its keys; `None` if the policy does not list it.
    pub fn log(&self, origin: &str) -> Option<LogIdentity> {
        let logs = self.logs.iter().filter(|log| log.origin() == origin);
        // Without any key there is no identity; everything else was checked when the policy was read.
        LogIdentity::new(origin, logs.map(|log| log.key.clone()).collect()).ok()
    }

    /// The witnesses, in order.
    pub fn witnesses(&self) -> &[PolicyWitness] {
        &self.witnesses
    }

    /// The keys of the witnesses, for [`UnverifiedCheckpoint::verify`](crate::UnverifiedCheckpoint::verify).
    pub fn witness_keys(&self) -> Vec<NoteKey> {
        self.witnesses.iter().filter_map(PolicyWitness::key).cloned().collect()
    }

    /// Whether no witness is asked for: `quorum none`.
    pub fn is_none(&self) -> bool {
        self.quorum.is_none()
    }

    /// Who must have seen a checkpoint, for people: `2 of 3: w1, w2, (1 of 2: w3, w4)`; `None` for `quorum none`.
    pub fn quorum_text(&self) -> Option<String> {
        self.quorum.map(|member| match member {
            Member::Group(at) => self.group_text(&self.groups[at]),
            Member::Witness(at) => self.witnesses[at].name.clone(),
        })
    }

    /// A group stands in one other at most, and after its members, so that this ends.
    fn group_text(&self, group: &Group) -> String {
        let member = |member: &Member| match member {
            Member::Group(at) => ["(", &self.group_text(&self.groups[*at]), ")"].concat(),
            Member::Witness(at) => self.witnesses[*at].name.clone(),
        };
        let members: Vec<_> = group.members.iter().map(member).collect();
        let numbers = [group.needed().to_string(), members.len().to_string()].join(" of ");
        [numbers, members.join(", ")].join(": ")
    }

    /// What was accepted although it should have been written otherwise.
    pub fn warnings(&self) -> &[PolicyWarning] {
        &self.warnings
    }

    fn name(&self, member: Member) -> &str {
        match member {
            Member::Group(at) => &self.groups[at].name,
            Member::Witness(at) => &self.witnesses[at].name,
        }
    }
}

impl PolicyLog {
    /// Its origin: the name of its key.
    pub fn origin(&self) -> &str {
        self.key.name()
    }

    /// Its key.
    pub fn key(&self) -> &NoteKey {
        &self.key
    }

    /// Where it is, as written.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }
}

impl PolicyWitness {
    /// Its name in the policy.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its key, of kind 0x04; `None` for one of a kind that nothing here can check.
    pub fn key(&self) -> Option<&NoteKey> {
        self.key.as_ref().ok()
    }

    /// The text of its key.
    pub fn vkey(&self) -> String {
        self.key.as_ref().map_or_else(Clone::clone, NoteKey::to_vkey)
    }

    /// Where it takes checkpoints, as written.
    pub fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }
}

impl Group {
    /// How many members must hold.
    fn needed(&self) -> usize {
        match self.threshold {
            Threshold::All => self.members.len(),
            Threshold::Any => 1,
            Threshold::Of(count) => count,
        }
    }
}

impl fmt::Display for WitnessPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for log in &self.logs {
            write_line(f, &["log", &log.key.to_vkey()], log.url())?;
        }
        for witness in &self.witnesses {
            write_line(f, &["witness", &witness.name, &witness.vkey()], witness.url())?;
        }
        for group in &self.groups {
            let names = group.members.iter().map(|member| self.name(*member));
            let names = names.collect::<Vec<_>>().join(" ");
            write_line(f, &["group", &group.name, &group.threshold.to_string()], Some(&names))?;
        }
        write_line(f, &["quorum", self.quorum.map_or("none", |member| self.name(member))], None)
    }
}

fn write_line(f: &mut fmt::Formatter<'_>, fields: &[&str], more: Option<&str>) -> fmt::Result {
    f.write_str(&fields.join(" "))?;
    if let Some(more) = more {
        write!(f, " {more}")?;
    }
    f.write_str("\n")
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Any => f.write_str("any"),
            Self::Of(count) => count.fmt(f),
        }
    }
}
