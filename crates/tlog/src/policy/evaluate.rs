//! Whether enough witnesses have seen a checkpoint, and since when.

use super::{Group, Member, WitnessPolicy};
use crate::checkpoint::Checkpoint;

/// How a checkpoint stands to the quorum of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuorumResult {
    /// Whether the quorum holds. `quorum none` always does.
    pub met: bool,
    /// The earliest moment, in seconds since 1970, at which the cosignatures up to then meet the quorum: the checkpoint was
    /// there by then. None if the quorum does not hold, and for `quorum none`.
    pub time: Option<u64>,
    /// The witnesses that have cosigned, by their names in the policy, whether the quorum needs them or not.
    pub witnesses: Vec<String>,
}

impl WitnessPolicy {
    /// Counts the cosignatures of a checkpoint that was verified with [`witness_keys`](Self::witness_keys).
    ///
    /// Only the quorum is judged here, not whether the policy lists the log.
    pub fn evaluate(&self, checkpoint: &Checkpoint) -> QuorumResult {
        let mut times = Times { witnesses: Vec::new(), groups: Vec::new() };
        let mut witnesses = Vec::new();
        for witness in &self.witnesses {
            let mut found = checkpoint.cosignatures().iter();
            let time = found.find(|one| Some(one.key()) == witness.key()).map(|one| one.seconds());
            if time.is_some() {
                witnesses.push(witness.name.clone());
            }
            times.witnesses.push(time);
        }
        for group in &self.groups {
            let time = times.of_group(group);
            times.groups.push(time);
        }
        let time = self.quorum.and_then(|member| times.of(member));
        QuorumResult { met: self.quorum.is_none() || time.is_some(), time, witnesses }
    }
}

/// Since when witnesses and groups hold; none if they do not.
struct Times {
    witnesses: Vec<Option<u64>>,
    groups: Vec<Option<u64>>,
}

impl Times {
    fn of(&self, member: Member) -> Option<u64> {
        match member {
            Member::Group(at) => self.groups[at],
            Member::Witness(at) => self.witnesses[at],
        }
    }

    /// With k needed members, the time of the k-th earliest.
    fn of_group(&self, group: &Group) -> Option<u64> {
        let times = group.members.iter().filter_map(|member| self.of(*member));
        let mut times: Vec<_> = times.collect();
        times.sort_unstable();
        times.get(group.needed() - 1).copied()
    }
}
