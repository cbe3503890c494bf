//! The system's clock, in whole seconds.

use std::time::SystemTime;

use genten_primitives::Timestamp;

/// Now.
pub(crate) fn now() -> Timestamp {
    let now = Timestamp::from_system_time(SystemTime::now());
    let seconds = now.map(|now| now.as_millis().div_euclid(1000));
    seconds.and_then(Timestamp::from_seconds).expect("a system clock between the years 1 and 9999")
}
