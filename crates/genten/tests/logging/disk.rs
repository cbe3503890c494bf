//! A full disk, for real. It needs root on Linux; elsewhere the tests say that they skipped.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use genten::jws::Algorithm;
use genten::store::Home;
use genten::{Flush, LogTarget, home_log};

use crate::producer::signer;
use crate::reader::Reader;
use crate::world::World;

/// A mounted file system of two megabytes.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(folder: &Path) -> Option<Self> {
        std::fs::create_dir_all(folder).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m,mode=0700", "genten-test"]).arg(folder);
        if mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
            return Some(Self(folder.to_owned()));
        }
        eprintln!("SKIPPED: no file system could be mounted (root is needed)");
        None
    }

    /// Leaves no space at all.
    fn fill(&self) {
        std::fs::write(self.0.join("filler"), vec![1; 4 << 20]).unwrap_err();
    }

    fn free(&self) {
        std::fs::remove_file(self.0.join("filler")).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("--lazy").arg(&self.0).status());
    }
}

#[tokio::test]
async fn the_homes_own_log_goes_on_when_there_is_space_again() {
    let world = World::new().await;
    let Some(disk) = SmallDisk::mount(&world.path("home/log")) else { return };
    let signer = signer(Algorithm::Es256, 1);
    let producer = world.producer_of(world.builder().log(LogTarget::Home).signer(signer));
    producer.attest_alone(1).await;
    assert_eq!(producer.flush_all().await.logged, 2);
    disk.fill();
    producer.attest_alone(2).await;
    producer.attest_batched(3).await;
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.error.unwrap().code()), (0, "store.disk-full"));
    assert_eq!(producer.codes(&LogTarget::Home), ["store.disk-full"]);

    disk.free();
    world.advance(3600);
    assert_eq!(producer.flush_due().await.logged, 3);
    let log = home_log(&Home::open(world.path("home")).unwrap()).unwrap();
    let key = log.folder().key().clone();
    let reader = Reader::of(&producer.genten, &[key], world.tsa.tsa());
    for saved in producer.saved() {
        assert_eq!(reader.verdict(&saved.bundle(), &["log"], world.now()), "accept");
    }
    assert_eq!(log.folder().checkpoint().unwrap().size().get(), 5, "each entry once");
    world.expect_quiet(&producer).await;
}

#[tokio::test]
async fn bundles_on_a_full_disk_keep_no_others_waiting() {
    let world = World::new().await;
    let Some(disk) = SmallDisk::mount(&world.path("small")) else { return };
    let producer = world.producer();
    let there = producer.attest_batched(1).await;
    let small = disk.0.join("bundle.json");
    move_file(&there.path, &small);
    let journal = producer.genten.journal().unwrap();
    journal.update_bundle_path(&there.id, &small).unwrap();
    producer.attest_batched(2).await;
    disk.fill();
    let before = std::fs::read(&small).unwrap();
    let report = producer.flush(Flush::All).await;
    assert_eq!((report.logged(), report.completed, report.unwritten), (1, 1, 1));
    assert!(!report.is_complete());
    let error = report.unwritten_because.unwrap();
    assert_eq!(error.code(), "store.disk-full");
    assert!(error.to_string().contains("bundle.json"), "{error}");
    assert_eq!(std::fs::read(&small).unwrap(), before);

    disk.free();
    assert_eq!(producer.flush(Flush::Due).await.completed, 1);
    move_file(&small, &there.path);
    world.expect_arrived(&producer);
}

/// To another file system.
fn move_file(from: &Path, to: &Path) {
    std::fs::copy(from, to).unwrap();
    std::fs::remove_file(from).unwrap();
}
