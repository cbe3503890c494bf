//! How long to wait before the next attempt. Pure: the number of attempts and the randomness are arguments.

use std::time::Duration;

/// What the first wait is below.
const BASE: Duration = Duration::from_secs(1);

/// Longest wait.
pub const MAX_DELAY: Duration = Duration::from_secs(60 * 60);

/// The wait after so many failed attempts in a row, from 1: between half of a limit and all of it ("equal jitter", so that many
/// clients do not come back together, and none at once). The limit doubles with every attempt, from one second to an hour. A
/// wait that the server asked for (`Retry-After`) comes first; an hour is the longest even then.
///
/// `random` is any number of 64 random bits.
///
/// ```
/// use std::time::Duration;
/// use genten_rekor::backoff::delay;
/// assert!(delay(1, u64::MAX, None) <= Duration::from_secs(1));
/// assert_eq!(delay(3, 0, None), Duration::from_secs(2));
/// assert_eq!(delay(3, 0, Some(Duration::from_secs(120))), Duration::from_secs(122));
/// ```
pub fn delay(attempts: u32, random: u64, retry_after: Option<Duration>) -> Duration {
    let doublings = attempts.saturating_sub(1).min(31);
    let limit = BASE.saturating_mul(1 << doublings).min(MAX_DELAY);
    let wait = limit / 2 + fraction(limit / 2, random);
    retry_after.unwrap_or_default().min(MAX_DELAY).saturating_add(wait).min(MAX_DELAY)
}

/// `whole * random / 2^64`
fn fraction(whole: Duration, random: u64) -> Duration {
    let nanos = (whole.as_nanos() * u128::from(random)) >> 64;
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn limits_double_up_to_an_hour() {
        let limits = [(0, 1), (1, 1), (2, 2), (3, 4), (12, 2048), (13, 3600), (u32::MAX, 3600)];
        for (attempts, limit) in limits {
            assert_eq!(delay(attempts, 0, None), seconds(limit) / 2);
            assert_eq!(delay(attempts, 1 << 63, None), seconds(limit) * 3 / 4);
            let longest = delay(attempts, u64::MAX, None);
            assert!(longest < seconds(limit) && longest > seconds(limit) * 99 / 100, "{attempts}");
        }
    }

    #[test]
    fn the_server_is_left_alone_as_long_as_it_wants_within_an_hour() {
        assert_eq!(delay(1, 0, Some(seconds(30))), seconds(30) + seconds(1) / 2);
        assert_eq!(delay(1, 0, Some(Duration::ZERO)), seconds(1) / 2);
        for wanted in [seconds(3600), seconds(86_400), Duration::MAX] {
            assert_eq!(delay(20, u64::MAX, Some(wanted)), MAX_DELAY);
        }
    }
}
