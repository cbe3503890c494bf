//! What the client of logs keeps of them and reads beside proofs.

use std::time::Duration;

use genten_primitives::Timestamp;
use genten_rekor::{FollowState, ServiceUrl, retry_after};

/// A state that was read is written and read again as the same.
pub(crate) fn follow_state(bytes: &[u8]) -> bool {
    let Ok(state) = FollowState::from_json(bytes) else { return false };
    let text = state.to_json();
    let again = FollowState::from_json(&text).expect("what was written can be read");
    assert_eq!((&again, &again.to_json()), (&state, &text));
    true
}

/// Seconds are taken at their word; a date is never further away than the calendar goes.
pub(crate) fn wait(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let now: Timestamp = "2026-11-30T08:15:00Z".parse().expect("a time");
    let Some(wait) = retry_after(text, now) else { return false };
    if let Ok(seconds) = text.parse() {
        assert_eq!(wait, Duration::from_secs(seconds));
    } else {
        assert!(text.ends_with(" GMT") && wait < Duration::from_secs(10_000 * 366 * 86_400));
    }
    true
}

/// A path below a URL stays with its host; nothing that is shown holds a secret of the query.
pub(crate) fn service_url(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(url) = text.parse::<ServiceUrl>() else { return false };
    let below = url.below("api/v2/log/entries");
    assert_eq!(below.host(), url.host());
    let shown = url.to_string();
    assert!(!shown.contains('?') && !shown.contains('#'), "{shown}");
    assert!(shown.parse::<ServiceUrl>().is_ok(), "{shown}");
    true
}
