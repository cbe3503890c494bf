//! What the embedded log costs: appends in batches, proofs, and one durable append beside the syncs that it needs.
//!
//! `cargo bench -p genten-store --bench log`

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a bench that cannot go on should panic"
)]

#[allow(dead_code, reason = "the tests use the rest")]
#[path = "../tests/log/kit.rs"]
mod kit;

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use kit::{log, log_of};

fn main() {
    appends_in_batches();
    entries_of_ten_thousand();
    one_append_beside_its_syncs();
}

/// Entries as a log of manifests has them: about 600 bytes.
fn bodies(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|number| format!("{number:0>600}").into_bytes()).collect()
}

fn appends_in_batches() {
    for batch in [1000, 10_000] {
        let (folder, bodies) = (tempfile::tempdir().unwrap(), bodies(batch));
        let log = log(folder.path());
        let start = Instant::now();
        for _ in 0..100_000 / batch {
            log.lock(None).unwrap().append(&bodies).unwrap();
        }
        println!("batches of {batch}: {:.0} appends/s", 100_000.0 / start.elapsed().as_secs_f64());
        let start = Instant::now();
        let checked = log.folder().check(&mut |_, _| {}).unwrap().size().get();
        println!("check: {:.0} entries/s", checked as f64 / start.elapsed().as_secs_f64());
    }
}

fn entries_of_ten_thousand() {
    let (folder, bodies) = (tempfile::tempdir().unwrap(), bodies(10_000));
    let log = log_of(folder.path(), 66_000);
    let appended = log.lock(None).unwrap().append(&bodies).unwrap();
    let start = Instant::now();
    for (position, body) in bodies.iter().enumerate() {
        appended.log_entry(position, body).unwrap();
    }
    println!("proof and JSON: {:?} each", start.elapsed() / 10_000);
}

/// One entry needs two files in folders that are there, and the checkpoint: three files and three folders to sync.
fn one_append_beside_its_syncs() {
    for size in [3, 40_000] {
        let folder = tempfile::tempdir().unwrap();
        let log = log_of(folder.path(), size);
        let bare = folder.path().join("bare");
        let names = ["a/1", "b/1", "1"].map(|name| bare.join(name));
        names.iter().for_each(|name| fs::create_dir_all(name.parent().unwrap()).unwrap());
        let bodies = bodies(1);
        let (mut appends, mut syncs) = (Vec::new(), Vec::new());
        for _ in 0..200 {
            let start = Instant::now();
            log.lock(None).unwrap().append(&bodies).unwrap();
            appends.push(start.elapsed());
            let start = Instant::now();
            names[..2].iter().for_each(|name| put(name, 8 << 10));
            names[..2].iter().for_each(|name| sync(name.parent().unwrap()));
            put(&names[2], 200);
            sync(&bare);
            syncs.push(start.elapsed());
        }
        let (append, syncs) = (median(appends), median(syncs));
        let ratio = append.as_secs_f64() / syncs.as_secs_f64();
        println!("from {size}: one append {append:?}, its syncs alone {syncs:?}, ratio {ratio:.2}");
    }
}

fn put(path: &Path, bytes: usize) {
    let temporary = path.with_extension("new");
    let mut file = File::create(&temporary).unwrap();
    file.write_all(&vec![7; bytes]).unwrap();
    file.sync_all().unwrap();
    fs::rename(temporary, path).unwrap();
}

fn sync(folder: &Path) {
    File::open(folder).unwrap().sync_all().unwrap();
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
