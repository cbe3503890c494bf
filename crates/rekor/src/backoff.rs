//! When to try again.

use std::time::Duration;

/// First delay at most, and the longest that is ever waited.
const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(3600);

/// How long to wait after so many attempts, the first counted as 1: a random time up to a bound that doubles with every
/// attempt, from a second to an hour, so that those who failed together do not come back together. A server that says when it
/// wants to be asked again is not asked earlier, and not waited for longer than an hour.
///
/// `random` must be a new random number each time.
pub fn backoff(attempts: u32, random: u64, retry_after: Option<Duration>) -> Duration {
    let doublings = attempts.saturating_sub(1).min(12);
    let bound = FIRST.saturating_mul(1 << doublings).min(LONGEST);
    let share = random as f64 / u64::MAX as f64;
    let delay = bound.mul_f64(share).max(FIRST / 10);
    match retry_after {
        Some(after) => (after + delay.min(FIRST)).min(LONGEST),
        None => delay,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_up_to_an_hour() {
        for (attempts, seconds) in
            [(0, 1), (1, 1), (2, 2), (5, 16), (12, 2048), (13, 3600), (u32::MAX, 3600)]
        {
            assert_eq!(backoff(attempts, u64::MAX, None), Duration::from_secs(seconds));
            assert_eq!(backoff(attempts, 0, None), FIRST / 10, "nobody is asked at once");
        }
    }

    #[test]
    fn a_server_that_wants_to_be_left_alone_is() {
        let after = Duration::from_secs(120);
        assert!((0..=64).all(|shift| backoff(
            1,
            u64::MAX.checked_shr(shift).unwrap_or(0),
            Some(after)
        ) >= after));
        assert_eq!(backoff(1, 0, Some(Duration::MAX / 2)), LONGEST, "but not for ever");
    }
}
