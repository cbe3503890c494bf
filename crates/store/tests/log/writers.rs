//! Several writers, and writers that are killed.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::Duration;

use genten_store::log::EmbeddedLog;
use genten_tlog::merkle::leaf_hash;
use genten_tlog::{BundleId, LeafIndex};

use crate::common::{child, orders, random, said, say, temporary_files};
use crate::kit::{Signer, code, entries, entry, expect_whole, log, reader};

/// All entries of a log, in order.
fn all_entries(folder: &Path) -> Vec<Vec<u8>> {
    let (folder, mut buffer) = (reader(folder), Vec::new());
    let checkpoint = folder.check(&mut |_, _| {}).unwrap();
    let mut tiles = folder.tiles(&checkpoint).unwrap();
    let bundles = (0..).map_while(|number| BundleId::at(number, checkpoint.size()));
    let mut all = Vec::new();
    for bundle in bundles {
        let bundle = folder.bundle(&mut tiles, bundle, &mut buffer).unwrap();
        all.extend(bundle.entries().iter().map(|entry| entry.to_vec()));
    }
    all
}

#[test]
fn threads_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(folder.path());
    let log = &log;
    let places: BTreeMap<u64, u64> = thread::scope(|scope| {
        let writers = [0_u64, 1000, 2000, 3000].map(|first| {
            scope.spawn(move || {
                let mut places = Vec::new();
                for begin in (first..first + 90).step_by(3) {
                    let appended = log.lock(None).unwrap().append(&entries(begin..begin + 3));
                    places.extend((appended.unwrap().first().get()..).zip(begin..begin + 3));
                }
                places
            })
        });
        writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    assert!(places.keys().copied().eq(0..360), "each place was given once");
    assert!(all_entries(folder.path()).into_iter().eq(places.into_values().map(entry)));
}

#[test]
fn a_log_is_read_while_it_grows() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(folder.path());
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut writer = log.lock(None).unwrap();
            for begin in (0..3000).step_by(30) {
                writer.append(&entries(begin..begin + 30)).unwrap();
            }
        });
        let mut last = 0;
        while !writer.is_finished() {
            let size = log.folder().check(&mut |_, _| {}).unwrap().size().get();
            assert!(size >= last);
            last = size;
        }
        writer.join().unwrap();
    });
    expect_whole(folder.path(), 3000);
}

#[test]
fn a_lock_that_stays_taken_is_an_error_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let writer = log(folder.path());
    let mut waiting = log(folder.path());
    waiting.set_patience(Duration::from_millis(20));
    let taken = writer.lock(None).unwrap();
    assert_eq!(code(waiting.lock(None)), "store.busy");
    expect_whole(folder.path(), 0);
    drop(taken);
    waiting.lock(None).unwrap();
}

/// Not a test of its own: the process that `processes_take_turns` starts twice.
#[test]
fn child_writer() {
    let Some(orders) = orders() else { return };
    let (first, folder) = orders.split_once(' ').unwrap();
    let first: u64 = first.parse().unwrap();
    let log = log(Path::new(folder));
    for number in first..first + 150 {
        let appended = log.lock(None).unwrap().append(&[entry(number)]).unwrap();
        say(&format!("{} {number}", appended.first()));
    }
}

#[test]
fn processes_take_turns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    // They race to make the log itself.
    let writers = [0, 1000].map(|first| {
        child("writers::child_writer", &format!("{first} {}", path.display())).spawn().unwrap()
    });
    let mut places = BTreeMap::new();
    for mut writer in writers {
        let lines = BufReader::new(writer.stdout.take().unwrap()).lines().map_while(Result::ok);
        places.extend(lines.filter_map(|line| said(&line).map(numbers)));
        assert!(writer.wait().unwrap().success());
    }
    assert!(places.keys().copied().eq(0..300), "each place was given once");
    assert!(all_entries(&path).into_iter().eq(places.into_values().map(entry)));
}

fn numbers(line: &str) -> (u64, u64) {
    let (first, second) = line.split_once(' ').unwrap();
    (first.parse().unwrap(), second.parse().unwrap())
}

/// Not a test of its own: the process that `a_killed_writer_loses_nothing` kills. What stands at an index in its log is the
/// entry with that number.
#[test]
fn child_victim() {
    let Some(folder) = orders() else { return };
    let log = log(Path::new(&folder));
    let mut known = None;
    loop {
        let mut writer = log.lock(known.as_deref()).unwrap();
        let first = writer.size().get();
        let count = if random(4) == 0 { random(600) } else { 1 + random(3) };
        let appended = writer.append(&entries(first..first + count)).unwrap();
        say(&format!("{first} {count}"));
        known = Some(appended.checkpoint().note().to_vec());
    }
}

/// `GENTEN_SOAK` sets the number of rounds.
#[test]
fn a_killed_writer_loses_nothing() {
    let rounds = std::env::var("GENTEN_SOAK").map_or(25, |rounds| rounds.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    for round in 0..rounds {
        // Every fifth round begins with no log at all, and often dies while it is made.
        let (age, patience) = (round % 5, if round % 5 == 0 { random(2) } else { random(12) });
        let path = folder.path().join(format!("log-{}", (round - age) / 5));
        let mut victim = child("writers::child_victim", path.to_str().unwrap()).spawn().unwrap();
        let acknowledged = kill_after(&mut victim, patience);
        examine(&path, acknowledged);
    }
}

/// Kills a writer at some moment after `patience` appends; gives the size of which it has spoken last.
fn kill_after(victim: &mut Child, patience: u64) -> u64 {
    let lines = BufReader::new(victim.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut sizes = lines.filter_map(|line| said(&line).map(numbers)).map(|(first, n)| first + n);
    let mut size = 0;
    for _ in 0..patience {
        size = sizes.next().expect("the victim writes until it is killed");
    }
    // Only spreads the moments of death; what is asserted does not depend on it.
    thread::sleep(Duration::from_micros(random(8000)));
    victim.kill().unwrap();
    victim.wait().unwrap();
    sizes.last().unwrap_or(size)
}

fn examine(folder: &Path, acknowledged: u64) {
    let log = EmbeddedLog::open_or_create(folder, Signer::boxed(1)).unwrap();
    let size = log.folder().checkpoint().unwrap().size().get();
    assert!(size >= acknowledged, "{acknowledged} were acknowledged, {size} are there");
    assert!(all_entries(folder).into_iter().eq((0..size).map(entry)), "each once, in order");
    let (wanted, from) = (HashSet::from([leaf_hash(&entry(size))]), acknowledged);
    let nowhere = log.folder().find(&log.folder().checkpoint().unwrap(), from, &wanted).unwrap();
    assert!(nowhere.is_empty());

    let mut writer = log.lock(None).unwrap();
    assert_eq!(temporary_files(folder), Vec::<std::path::PathBuf>::new());
    let appended = writer.append(&[entry(size)]).unwrap();
    let found = log.folder().find(appended.checkpoint(), from, &wanted).unwrap();
    assert_eq!(found[&leaf_hash(&entry(size))], LeafIndex::new(size).unwrap());
    expect_whole(folder, size + 1);
}
