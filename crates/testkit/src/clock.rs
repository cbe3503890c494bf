//! A clock that shows what it was set to.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use genten_primitives::Timestamp;

/// A clock that moves only when told. Clones show the same time.
///
/// ```
/// use genten_testkit::Clock;
/// let clock = Clock::at("2026-11-30T08:00:00.000Z".parse().unwrap());
/// clock.advance_millis(1500);
/// assert_eq!(clock.now().to_string(), "2026-11-30T08:00:01.500Z");
/// ```
#[derive(Clone, Debug)]
pub struct Clock(Arc<AtomicI64>);

impl Clock {
    /// A clock that shows `time`.
    pub fn at(time: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(time.as_millis())))
    }

    /// What the clock shows.
    pub fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
            .expect("only valid times are ever set")
    }

    /// Sets the clock.
    pub fn set(&self, time: Timestamp) {
        self.0.store(time.as_millis(), Ordering::SeqCst);
    }

    /// Moves the clock, also back. At the ends of the calendar (years 1 and 9999) it stands still.
    pub fn advance_millis(&self, millis: i64) {
        if let Some(time) = self.now().checked_add_millis(millis) {
            self.set(time);
        }
    }
}
