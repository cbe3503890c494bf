//! What goes wrong with the requests to a server: in which order, and how.

mod gate;
mod refusal;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use gate::Gate;
pub use refusal::{Refusal, RetryAfter};

use crate::answer::{Answer, End};
use crate::http1;

/// The faults of one kind of requests. Clones are the same list.
///
/// ```
/// use genten_testkit::{Faults, NetFault, WriteFault};
/// let faults = Faults::<WriteFault>::default();
/// faults.next([WriteFault::Net(NetFault::Reset), WriteFault::Honest]);
/// faults.always(WriteFault::Frozen);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Faults<F>(Arc<Mutex<Plan<F>>>);

#[derive(Debug, Default)]
struct Plan<F> {
    next: VecDeque<F>,
    always: F,
}

impl<F: Clone + Default> Faults<F> {
    /// The next requests meet these, one each, behind those that were given before.
    pub fn next(&self, faults: impl IntoIterator<Item = F>) {
        self.plan().next.extend(faults);
    }

    /// All requests meet this one, once none is left that was given for the next ones.
    pub fn always(&self, fault: F) {
        self.plan().always = fault;
    }

    /// From now on, nothing goes wrong.
    pub fn clear(&self) {
        *self.plan() = Plan::default();
    }

    pub(crate) fn take(&self) -> F {
        let mut plan = self.plan();
        plan.next.pop_front().unwrap_or_else(|| plan.always.clone())
    }

    fn plan(&self) -> MutexGuard<'_, Plan<F>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A fault that every server can have.
///
/// A server that refuses connections is one that has [stopped listening](crate::LogServer::stop_listening).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NetFault {
    /// The connection is reset, and nothing is done.
    Reset,
    /// The server refuses, and nothing is done.
    Refuse(Refusal),
    /// It is done, but the answer is a refusal: a proxy lost patience.
    RefuseAfterwards(Refusal),
    /// It is done, but the connection ends before the answer.
    CutBeforeAnswer,
    /// It is done, but the connection ends in the middle of the answer's body.
    CutInAnswer,
    /// It is done, but the answer comes so much later, by the clock of the runtime.
    Delay(Duration),
    /// It is done, but the answer comes only when the gate is opened.
    Hold(Gate),
    /// It is done, but the answer's body is its first half, framed as if it were all.
    Malformed,
    /// It is done, but the answer's body has so many bytes: spaces follow what is right.
    Oversize(usize),
}

impl NetFault {
    /// What becomes of a request that `act` would answer.
    pub(crate) fn apply(self, act: impl FnOnce() -> Answer) -> Answer {
        match self {
            Self::Reset => Answer::raw([], End::Reset),
            Self::Refuse(refusal) => refusal.answer(),
            Self::RefuseAfterwards(refusal) => {
                act();
                refusal.answer()
            }
            Self::CutBeforeAnswer => {
                act();
                Answer::raw([], End::Fin)
            }
            Self::CutInAnswer => http1::cut(&act()),
            Self::Delay(time) => act().after(time),
            Self::Hold(gate) => act().held_by(gate),
            Self::Malformed => with_body(act(), |body| body.truncate(body.len() / 2)),
            Self::Oversize(bytes) => with_body(act(), |body| body.resize(bytes, b' ')),
        }
    }
}

/// The same answer with another body.
pub(crate) fn with_body(answer: Answer, change: impl FnOnce(&mut Vec<u8>)) -> Answer {
    let mut body = answer.content.to_vec();
    change(&mut body);
    answer.body(body)
}
