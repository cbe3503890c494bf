//! Several real processes on one home, and processes that are killed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod common;

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout};
use std::time::Duration;

use common::{body, child, entry, files, id, orders, random, said, say, temporary_files};
use genten_primitives::Sha256Digest;
use genten_store::atomic::{self, Mode};
use genten_store::{Durability, Filter, Home, Recorded};

/// Not a test of its own: the process that `two_processes_share_a_home` starts twice.
#[test]
fn child_recorder() {
    let Some(orders) = orders() else { return };
    let (first, home) = orders.split_once(' ').unwrap();
    let first: u64 = first.parse().unwrap();
    let home = Home::open(home).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    for number in first..first + 500 {
        home.bodies().put(&body(number)).unwrap();
        if journal.record(&entry(number)).unwrap() == Recorded::Inserted {
            say(&number.to_string());
        }
    }
}

#[test]
fn two_processes_share_a_home() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("home");
    // They begin with the same 250 manifests in common, and race to make the home itself.
    let mut writers = [0, 250].map(|first| {
        child("child_recorder", &format!("{first} {}", root.display())).spawn().unwrap()
    });
    let inserted = writers.each_mut().map(|writer| heard(writer.stdout.take().unwrap()));
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }

    let numbers: Vec<u64> = inserted.into_iter().flatten().collect();
    assert_eq!(numbers.len(), 750, "each manifest counts as inserted once");
    assert_eq!(BTreeSet::from_iter(numbers), (0..750).collect());
    let home = Home::open(&root).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    journal.check().unwrap();
    let listed = journal.list(&Filter::default()).unwrap().map(Result::unwrap);
    assert!(listed.eq((0..750).map(entry)), "nothing lost, nothing doubled");
    assert_eq!(temporary_files(&root), Vec::<&Path>::new());
}

fn heard(output: ChildStdout) -> Vec<u64> {
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    lines.filter_map(|line| said(&line).map(|number| number.parse().unwrap())).collect()
}

/// Not a test of its own: the process that `a_killed_writer_leaves_everything_consistent` kills.
#[test]
fn child_victim() {
    let Some(orders) = orders() else { return };
    let (first, home) = orders.split_once(' ').unwrap();
    let home = Home::open(home).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    for number in first.parse::<u64>().unwrap().. {
        home.bodies().put(&body(number)).unwrap();
        let bundle = home.root().join(format!("{}.provenance.json", number % 3));
        atomic::replace(&bundle, &sealed(number), Mode::Shared).unwrap();
        home.create_key(&format!("{number}.pem"), &sealed(number)).unwrap();
        journal.record(&entry(number)).unwrap();
        say(&number.to_string());
    }
}

/// Bytes that betray every change: their own digest comes first.
fn sealed(number: u64) -> Vec<u8> {
    let body = body(number);
    [Sha256Digest::of(&body).as_bytes().as_slice(), &body].concat()
}

fn is_whole(bytes: &[u8]) -> bool {
    bytes.split_at_checked(32).is_some_and(|(seal, body)| Sha256Digest::of(body).as_bytes() == seal)
}

/// `GENTEN_KILLS` sets the number of rounds.
#[test]
fn a_killed_writer_leaves_everything_consistent() {
    let rounds = std::env::var("GENTEN_KILLS").map_or(25, |rounds| rounds.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let mut next = 0;
    for round in 0..rounds {
        if round % 50 == 0 {
            next = 0;
        }
        let old = folder.path().join(format!("old-{}", round / 50));
        // Every third round begins with no home at all, and mostly dies while it is made.
        if round % 3 == 0 {
            let fresh = folder.path().join(format!("fresh-{round}"));
            kill_and_examine(&fresh, 0, random(2));
        } else {
            next = kill_and_examine(&old, next, random(20));
        }
    }
}

/// Kills a writer at some moment after it has recorded `patience` entries more; gives the first number that is free.
fn kill_and_examine(root: &Path, first: u64, patience: u64) -> u64 {
    let mut victim = child("child_victim", &format!("{first} {}", root.display())).spawn().unwrap();
    let acknowledged = kill_after(&mut victim, patience);
    if !root.is_dir() {
        assert!(acknowledged.is_empty());
        return first;
    }
    examine(root, first, &acknowledged)
}

fn kill_after(victim: &mut Child, patience: u64) -> Vec<u64> {
    let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut acknowledged = Vec::new();
    while (acknowledged.len() as u64) < patience {
        let line = lines.next().expect("the victim writes until it is killed");
        acknowledged.extend(said(&line).map(|number| number.parse::<u64>().unwrap()));
    }
    // Only spreads the moments of death; what is asserted does not depend on it.
    std::thread::sleep(Duration::from_micros(random(8000)));
    victim.kill().unwrap();
    victim.wait().unwrap();
    acknowledged
        .extend(lines.filter_map(|line| said(&line).map(|number| number.parse::<u64>().unwrap())));
    acknowledged
}

fn examine(root: &Path, first: u64, acknowledged: &[u64]) -> u64 {
    let home = Home::open(root).unwrap();
    let journal = home.journal(Durability::Normal).unwrap();
    journal.check().unwrap();
    for number in acknowledged {
        assert!(journal.get(&id(*number)).unwrap().is_some(), "entry {number} was acknowledged");
    }
    let mut count = 0;
    for (found, number) in journal.list(&Filter::default()).unwrap().zip(0..) {
        let found = found.unwrap();
        assert_eq!(found, entry(number));
        home.bodies().open_checked(&found.content_sha256).unwrap();
        count += 1;
    }
    assert!(count >= first + acknowledged.len() as u64, "nothing is lost");

    home.sweep(Duration::ZERO).unwrap();
    assert_eq!(temporary_files(root), Vec::<&Path>::new());
    examine_files(&home);
    // The last one may have left its key, but no row.
    let next_key = home.key_path(&format!("{count}.pem")).unwrap();
    if next_key.exists() {
        std::fs::remove_file(next_key).unwrap();
    }
    count
}

/// Whatever has a final name is complete.
fn examine_files(home: &Home) {
    for (path, bytes) in files(home.root()) {
        let place = path.strip_prefix(home.root()).unwrap().to_str().unwrap().replace('/', "");
        if let Some(digest) = place.strip_prefix("bodies") {
            assert_eq!(Sha256Digest::of(&bytes).to_string(), digest);
        } else if !place.starts_with("journal.db") {
            assert!(is_whole(&bytes), "{} is incomplete", path.display());
        }
    }
}
