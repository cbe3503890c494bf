//! What goes wrong when an entry is sent.

use serde_json::Value;

use super::answers;
use super::ledger::{Ledger, Taken};
use crate::log::Handing;
use crate::{Answer, NetFault, SeedKey};

/// What goes wrong with a request to take an entry.
///
/// Where nothing else is said, the log takes the entry, or finds it, as it should, and only the answer is wrong.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum WriteFault {
    /// Nothing.
    #[default]
    Honest,
    /// What every server can have.
    Net(NetFault),
    /// 405: the log takes nothing any more.
    Frozen,
    /// 409 with the index in the message only.
    ConflictWithoutHeader,
    /// 409 that does not say where the entry stands.
    ConflictWithoutIndex,
    /// 409 with the index of somebody else's entry.
    ConflictElsewhere,
    /// 201 with the entry of somebody else, and a proof that holds.
    OtherEntry,
    /// 201 with a proof that does not lead to the root.
    TamperedProof,
    /// 201 under a checkpoint that another key has signed in the log's name.
    ForeignKey,
    /// 201 by a log that was set back to half of its entries and took this one then. All is signed, and the proof holds; the
    /// checkpoint is smaller than the latest one. The log as it is read does not take the entry.
    Rollback,
    /// 201 in another tree of the same size under the same key. All is signed, and the proof holds.
    SplitView,
}

/// Lets the log take an entry; its answer, with the fault.
pub(super) fn answer(fault: &WriteFault, ledger: &mut Ledger, body: &[u8]) -> Answer {
    match fault {
        WriteFault::ConflictWithoutHeader => answers::duplicate_in_text(ledger.place(body)),
        WriteFault::ConflictWithoutIndex => {
            ledger.place(body);
            answers::duplicate_somewhere()
        }
        WriteFault::ConflictElsewhere => {
            ledger.place(body);
            answers::duplicate(ledger.place(b"entry of somebody else"))
        }
        WriteFault::OtherEntry => {
            ledger.place(body);
            let index = ledger.place(b"entry of somebody else");
            answers::created(&ledger.entry(index))
        }
        WriteFault::TamperedProof => answers::created(&tampered(ledger, body)),
        WriteFault::ForeignKey => answers::created(&signed_by_another(ledger, body)),
        WriteFault::Rollback => answers::created(&rolled_back(ledger, body)),
        WriteFault::SplitView => answers::created(&split(ledger, body)),
        _ => honest(ledger, body),
    }
}

fn honest(ledger: &mut Ledger, body: &[u8]) -> Answer {
    match ledger.take(body) {
        Taken::Now(index) => answers::created(&ledger.entry(index)),
        Taken::Before(index) => answers::duplicate(index),
    }
}

fn tampered(ledger: &mut Ledger, body: &[u8]) -> Value {
    ledger.grow_to(2);
    let index = ledger.place(body);
    let mut entry = ledger.entry(index);
    let root = entry["inclusionProof"]["rootHash"].clone();
    // A hash of the right form in the wrong place.
    entry["inclusionProof"]["hashes"][0] = root;
    entry
}

fn signed_by_another(ledger: &mut Ledger, body: &[u8]) -> Value {
    let index = ledger.place(body);
    let foreign = SeedKey::ed25519("foreign log");
    ledger.log.entry(index, &Handing { signer: Some(&foreign), ..Handing::default() })
}

fn rolled_back(ledger: &mut Ledger, body: &[u8]) -> Value {
    ledger.grow_to(3);
    let mut older = ledger.truncated(ledger.log.len() / 2);
    let index = older.place(body);
    older.entry(index)
}

fn split(ledger: &mut Ledger, body: &[u8]) -> Value {
    ledger.grow_to(2);
    let index = ledger.place(body);
    let other = if index == 0 { 1 } else { 0 };
    ledger.split_view(other).entry(index)
}
