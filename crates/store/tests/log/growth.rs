//! Trees of all shapes, and the files that they are in.

use std::collections::BTreeSet;
use std::path::Path;

use genten_store::log::LogError;
use genten_tlog::merkle::{leaf_hash, root};
use genten_tlog::rekor::{LogEntry, RekorLog};
use genten_tlog::tile::all_tiles;
use genten_tlog::{BundleId, TreeSize};

use crate::common::files;
use crate::kit::{code, entries, entry, expect_whole, key, leaves, log, log_of, reader, size};

/// Where tiles and bundles begin and end.
const SIZES: [u64; 9] = [0, 1, 255, 256, 257, 65_535, 65_536, 65_537, 70_000];

fn names(folder: &Path) -> BTreeSet<String> {
    let names = files(folder).into_keys();
    names.map(|path| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned()).collect()
}

/// The files of a log that had checkpoints of these sizes, the last of which it has now.
fn expected(sizes: &[u64]) -> BTreeSet<String> {
    let mut expected =
        BTreeSet::from(["log.vkey", "checkpoint", ".state/lock", ".state/door"].map(str::to_owned));
    let now = files_of(size(*sizes.last().unwrap()));
    for old in sizes.iter().map(|leaves| files_of(size(*leaves))) {
        let is_kept = |name: &String| match name.split_once(".p/") {
            Some((full, _)) => !now.contains(full),
            None => true,
        };
        expected.extend(old.into_iter().filter(is_kept));
    }
    expected
}

fn files_of(size: TreeSize) -> BTreeSet<String> {
    let bundles = (0..).map_while(|number| BundleId::at(number, size));
    all_tiles(size).map(|tile| tile.to_string()).chain(bundles.map(|it| it.to_string())).collect()
}

#[test]
fn a_log_of_any_size_made_at_once() {
    for size in SIZES {
        let folder = tempfile::tempdir().unwrap();
        log_of(folder.path(), size);
        expect_whole(folder.path(), size);
        assert_eq!(names(folder.path()), expected(&[0, size]));
    }
}

#[test]
fn a_log_that_passes_through_all_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(folder.path());
    for (step, end) in SIZES.iter().enumerate().skip(1) {
        let begin = SIZES[step - 1];
        let mut writer = log.lock(None).unwrap();
        let appended = writer.append(&entries(begin..*end)).unwrap();
        assert_eq!((appended.first().get(), writer.size().get()), (begin, *end));
        expect_whole(folder.path(), *end);
        assert_eq!(names(folder.path()), expected(&SIZES[..=step]));
    }
}

#[test]
fn a_log_that_grows_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(folder.path());
    let mut writer = log.lock(None).unwrap();
    let (all, sizes): (_, Vec<u64>) = (leaves(300), (0..=300).collect());
    for number in 0..300 {
        let appended = writer.append(&[entry(number)]).unwrap();
        let end = usize::try_from(number).unwrap() + 1;
        assert_eq!(appended.checkpoint().root(), root(&all[..end]));
        if [1, 2, 255, 256, 257, 300].contains(&end) {
            assert_eq!(names(folder.path()), expected(&sizes[..=end]));
        }
    }
    expect_whole(folder.path(), 300);
}

#[test]
fn appended_entries_are_proven_without_reading() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(folder.path());
    let mut end = 0;
    for count in [1, 2, 253, 1, 255, 513, 1, 64_510, 3, 600] {
        let mut writer = log.lock(None).unwrap();
        let appended = writer.append(&entries(end..end + count)).unwrap();
        assert_eq!(appended.count() as u64, count);
        for position in (0..appended.count()).step_by(1 + appended.count() / 1000) {
            let number = end + position as u64;
            let proof = appended.inclusion(position).unwrap();
            assert_eq!(proof.index().get(), number);
            appended.checkpoint().includes(leaf_hash(&entry(number)), &proof).unwrap();
        }
        assert_eq!(appended.inclusion(appended.count()), None);
        let first = reader(folder.path()).inclusion(appended.checkpoint(), appended.first());
        assert_eq!(appended.inclusion(0).unwrap(), first.unwrap());
        end += count;
    }
}

#[test]
fn an_entry_is_written_as_a_log_hands_it_out() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_of(folder.path(), 1000);
    let appended = log.lock(None).unwrap().append(&entries(1000..1300)).unwrap();
    let body = entry(1007);
    let json = appended.log_entry(7, &body).unwrap();
    let logged = LogEntry::read(&json).unwrap().verify(&body, &RekorLog::of_key(key()), &[]);
    assert_eq!(logged.unwrap().index().get(), 1007);
    assert_eq!(appended.log_entry(8, &body), None, "another entry stands there");
    assert_eq!(appended.log_entry(300, &body), None);
}

#[test]
fn entries_of_all_lengths() {
    let folder = tempfile::tempdir().unwrap();
    let log = log(folder.path());
    let mut writer = log.lock(None).unwrap();
    let all = [vec![], vec![7; 65_535], vec![], vec![8]];
    writer.append(&all).unwrap();
    let before = files(folder.path());
    let error = writer.append(&[vec![1], vec![9; 65_536]]).unwrap_err();
    assert!(matches!(error, LogError::EntryTooLong { position: 1, limit: 65_535, found: 65_536 }));
    assert_eq!(files(folder.path()), before, "nothing was written");
    assert_eq!(code(writer.append(&[vec![9; 65_536]])), "log.entry-too-long");

    let (folder, mut buffer) = (reader(folder.path()), Vec::new());
    let checkpoint = folder.check(&mut |_, _| {}).unwrap();
    let mut tiles = folder.tiles(&checkpoint).unwrap();
    let bundle = BundleId::at(0, checkpoint.size()).unwrap();
    assert_eq!(folder.bundle(&mut tiles, bundle, &mut buffer).unwrap().entries(), all);
}

/// Each file and what tells whether it was written anew.
#[cfg(unix)]
fn inodes(folder: &Path) -> std::collections::BTreeMap<String, u64> {
    use std::os::unix::fs::MetadataExt as _;
    let inode = |name: &String| folder.join(name).metadata().unwrap().ino();
    names(folder).into_iter().map(|name| (name.clone(), inode(&name))).collect()
}

#[cfg(unix)]
#[test]
fn an_append_writes_only_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_of(folder.path(), 66_000);
    let before = inodes(folder.path());
    log.lock(None).unwrap().append(&entries(66_000..66_001)).unwrap();
    let written =
        inodes(folder.path()).into_iter().filter(|(name, inode)| before.get(name) != Some(inode));
    let written: Vec<_> = written.map(|(name, _)| name).collect();
    assert_eq!(written, ["checkpoint", "tile/0/257.p/209", "tile/entries/257.p/209"]);
}

#[test]
fn to_append_nothing_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_of(folder.path(), 300);
    let before = files(folder.path());
    let appended = log.lock(None).unwrap().append(&[[0_u8; 0]; 0]).unwrap();
    assert_eq!((appended.first().get(), appended.count()), (300, 0));
    assert_eq!(appended.checkpoint().size().get(), 300);
    assert_eq!(appended.inclusion(0), None);
    assert_eq!(files(folder.path()), before);
}
