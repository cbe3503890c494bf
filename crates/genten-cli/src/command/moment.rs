//! The system's clock, in whole seconds.

use std::time::{SystemTime, UNIX_EPOCH};

use genten_primitives::Timestamp;

/// Now.
pub(super) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    from_seconds(seconds).expect("a system clock before the year 10000")
}

/// The moment so many seconds after 1970-01-01T00:00:00Z, printed without a fraction; `None` outside the years 1 to 9999.
pub(super) fn from_seconds(seconds: i64) -> Option<Timestamp> {
    let epoch: Timestamp = "1970-01-01T00:00:00Z".parse().expect("a well-formed time");
    epoch.checked_add_millis(seconds.checked_mul(1000)?)
}
