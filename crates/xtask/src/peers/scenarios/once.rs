//! Every manifest once: in its bundle always, in the log as far as the log knows what it has.

use std::collections::HashSet;

use super::expect;
use crate::Outcome;
use crate::peers::log_server::LogServer;
use crate::peers::reading::repeated;
use crate::peers::user::User;

/// Each of these bundles holds one entry, each another one, and the log holds no entry that is in none of them, unless it is
/// one of these again. What the log holds more than once is listed.
pub(super) fn once_each(user: &User<'_>, bundles: &[String], log: &LogServer<'_>) -> Outcome {
    let mut places = HashSet::new();
    for bundle in bundles {
        let entries = user.entries(bundle)?;
        expect(&format!("entries in {bundle}"), entries.len(), 1)?;
        places.extend(entries.into_iter().map(|entry| entry.index));
    }
    expect("different entries in bundles", places.len(), bundles.len())?;
    let entries = log.entries()?;
    let surplus = tell_repeated(&entries);
    expect("different entries in the log", entries.len() - surplus, bundles.len())
}

/// Lists the entries that the log holds more than once; gives how many are too many.
pub(super) fn tell_repeated(entries: &[Vec<u8>]) -> usize {
    let repeated = repeated(entries);
    let surplus = repeated.iter().map(|places| places.len() - 1).sum();
    eprintln!("{} entries in the log, {surplus} of them once more", entries.len());
    for places in repeated {
        eprintln!(
            "  the same at {places:?}: the log took it again, since it finds what it has by best effort only (rekor-tiles)"
        );
    }
    surplus
}
