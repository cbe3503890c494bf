//! Files that are whole or absent, keys, bodies and the home's folders.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod common;

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, SystemTime};

use common::temporary_files;
use genten_primitives::Sha256Digest;
use genten_store::atomic::{self, AtomicFile, Mode, TEMPORARY_PREFIX};
use genten_store::{Bodies, Home, StoreError};

const HOUR: Duration = Duration::from_secs(3600);

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|item| item.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    std::os::unix::fs::MetadataExt::mode(&fs::metadata(path).unwrap()) & 0o7777
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn nothing_is_seen_before_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a");
    let mut file = AtomicFile::beside(&target, Mode::Shared).unwrap();
    file.append(b"first ").unwrap();
    assert!(!target.exists());
    file.append(b"second").unwrap();
    file.replace().unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"first second");
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn a_file_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a");
    let mut file = AtomicFile::beside(&target, Mode::Shared).unwrap();
    file.append(b"half").unwrap();
    assert_eq!(temporary_files(folder.path()).len(), 1);
    drop(file);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_new_file_never_overwrites() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a");
    fs::write(&target, b"old").unwrap();
    let error = atomic::create_new(&target, b"new", Mode::Private).unwrap_err();
    assert!(matches!(&error, StoreError::AlreadyExists { path } if *path == target), "{error}");
    assert_eq!(fs::read(&target).unwrap(), b"old");
    fs::create_dir(folder.path().join("folder")).unwrap();
    let error = atomic::create_new(&folder.path().join("folder"), b"", Mode::Private).unwrap_err();
    assert_eq!(error.code(), "store.already-exists");
    assert_eq!(names(folder.path()), ["a", "folder"]);
}

#[test]
fn of_many_who_make_one_file_one_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..50 {
        let target = folder.path().join(format!("{round}.pem"));
        let together = Barrier::new(8);
        let make = |writer: u8| {
            together.wait();
            atomic::create_new(&target, &[writer; 4000], Mode::Private)
        };
        let results = thread::scope(|scope| {
            let writers = [0, 1, 2, 3, 4, 5, 6, 7].map(|writer| scope.spawn(move || make(writer)));
            writers.map(|writer| writer.join().unwrap())
        });
        let winners: Vec<_> =
            (0..8_u8).filter(|writer| results[usize::from(*writer)].is_ok()).collect();
        assert_eq!(winners.len(), 1);
        assert_eq!(fs::read(&target).unwrap(), [winners[0]; 4000], "the file is the winner's");
        let losers = results.iter().filter_map(|result| result.as_ref().err());
        assert!(losers.map(StoreError::code).all(|code| code == "store.already-exists"));
    }
    assert_eq!(temporary_files(folder.path()), Vec::<&Path>::new());
}

#[test]
fn readers_see_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a");
    atomic::replace(&target, &[0; 50_000], Mode::Shared).unwrap();
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 1..=50 {
                atomic::replace(&target, &[round; 50_000], Mode::Shared).unwrap();
            }
        });
        while !writer.is_finished() {
            let bytes = fs::read(&target).unwrap();
            assert_eq!(bytes, [bytes[0]; 50_000]);
        }
    });
}

#[cfg(unix)]
#[test]
fn permissions_are_as_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("a");
    atomic::create_new(&target, b"", Mode::Private).unwrap();
    assert_eq!(mode(&target), 0o600);
    atomic::replace(&target, b"", Mode::Shared).unwrap();
    assert_eq!(mode(&target), 0o600, "an existing file keeps its permissions");
    set_mode(&target, 0o640);
    atomic::replace(&target, b"", Mode::Shared).unwrap();
    assert_eq!(mode(&target), 0o640);
    atomic::replace(&target, b"", Mode::Private).unwrap();
    assert_eq!(mode(&target), 0o600);
}

#[cfg(unix)]
#[test]
fn symbolic_links_stay() {
    let folder = tempfile::tempdir().unwrap();
    let [real, link] = ["far/real", "link"].map(|name| folder.path().join(name));
    fs::create_dir(folder.path().join("far")).unwrap();
    fs::write(&real, b"old").unwrap();
    std::os::unix::fs::symlink("far/real", &link).unwrap();
    atomic::replace(&link, b"new", Mode::Shared).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&real).unwrap(), b"new");
    assert_eq!(names(&folder.path().join("far")), ["real"]);

    let dangling = folder.path().join("dangling");
    std::os::unix::fs::symlink("nowhere", &dangling).unwrap();
    let error = atomic::create_new(&dangling, b"key", Mode::Private).unwrap_err();
    assert_eq!(error.code(), "store.already-exists", "a link must not lead a key elsewhere");
}

#[test]
fn what_stands_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), b"").unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    let code = |name: &str| {
        atomic::replace(&folder.path().join(name), b"", Mode::Shared).unwrap_err().code()
    };
    assert_eq!(code("missing/a"), "store.not-found");
    assert_eq!(code("file/a"), "store.not-a-directory");
    assert_eq!(code("folder"), "store.not-a-file");
    assert_eq!(code(".."), "store.not-a-file");
    assert_eq!(names(folder.path()), ["file", "folder"]);
}

/// A temporary file as a killed writer leaves it, last written `age` ago.
fn left_over(folder: &Path, name: &str, age: Duration) {
    let file = File::create(folder.join(format!("{TEMPORARY_PREFIX}{name}"))).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
}

#[test]
fn sweeping_removes_only_what_is_dead_and_old() {
    let folder = tempfile::tempdir().unwrap();
    left_over(folder.path(), "old", 2 * HOUR);
    left_over(folder.path(), "young", HOUR / 2);
    fs::create_dir(folder.path().join(format!("{TEMPORARY_PREFIX}folder"))).unwrap();
    fs::write(folder.path().join("data"), b"").unwrap();
    let living = AtomicFile::beside(&folder.path().join("b"), Mode::Shared).unwrap();

    assert_eq!(atomic::sweep(folder.path(), HOUR).unwrap(), 1);
    assert_eq!(atomic::sweep(folder.path(), Duration::ZERO).unwrap(), 1, "the young one");
    living.replace().unwrap();
    assert_eq!(names(folder.path()), [&format!("{TEMPORARY_PREFIX}folder"), "b", "data"]);
}

#[test]
fn opening_a_home_sweeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(folder.path()).unwrap();
    for place in [home.root(), &home.keys(), &home.root().join("bodies")] {
        left_over(place, "old", 2 * HOUR);
        left_over(place, "young", HOUR / 2);
    }
    drop(Home::open(folder.path()).unwrap());
    assert_eq!(temporary_files(folder.path()).len(), 3);
    assert_eq!(home.sweep(Duration::ZERO).unwrap(), 3);
}

#[test]
fn a_home_is_made_once_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("new/home");
    let home = Home::open(&root).unwrap();
    assert_eq!(names(&root), ["bodies", "keys"]);
    drop(home.journal(genten_store::Durability::Normal).unwrap());
    assert_eq!(names(&root), ["bodies", "journal.db", "keys"], "a closed journal is one file");
    Home::open(&root).unwrap();
    assert_eq!(home.config(), root.join("config.toml"));
    assert_eq!(home.log(), root.join("log"));

    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    for place in [file.clone(), file.join("home")] {
        let error = Home::open(&place).unwrap_err();
        assert_eq!(error.code(), "store.not-a-directory", "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_home_is_private() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(folder.path().join("home")).unwrap();
    let journal = home.journal(genten_store::Durability::Normal).unwrap();
    journal.record(&common::entry(1)).unwrap();
    let digest = home.bodies().put(b"body").unwrap();
    for folder in [home.root(), &home.keys(), &home.root().join("bodies")] {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
    }
    for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
        assert_eq!(mode(&home.root().join(name)), 0o600, "{name}");
    }
    assert_eq!(mode(&home.bodies().path(&digest)), 0o600);

    set_mode(home.root(), 0o755);
    set_mode(&home.keys(), 0o755);
    Home::open(home.root()).unwrap();
    assert_eq!(mode(&home.keys()), 0o700);
    assert_eq!(mode(home.root()), 0o755, "the user may open the home itself");
}

#[test]
fn keys_are_new_and_stay_in_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(folder.path()).unwrap();
    let path = home.create_key("signer-1.pem", b"secret").unwrap();
    assert_eq!(path, home.keys().join("signer-1.pem"));
    #[cfg(unix)]
    assert_eq!(mode(&path), 0o600);
    assert_eq!(
        home.create_key("signer-1.pem", b"other").unwrap_err().code(),
        "store.already-exists"
    );
    assert_eq!(fs::read(&path).unwrap(), b"secret");
    for name in
        ["", ".", "..", ".hidden", "a/b", "../a", "a\\b", "a b", "a\0", "ключ", &"a".repeat(129)]
    {
        assert_eq!(home.create_key(name, b"").unwrap_err().code(), "store.key-name", "{name:?}");
    }
}

fn new_bodies(folder: &Path) -> Bodies {
    Bodies::open(folder.join("bodies")).unwrap()
}

#[test]
fn a_body_is_found_by_its_digest() {
    let folder = tempfile::tempdir().unwrap();
    let bodies = new_bodies(folder.path());
    let digest = bodies.put(b"abc").unwrap();
    assert_eq!(digest, Sha256Digest::of(b"abc"));
    let shard = folder.path().join("bodies/ba");
    assert_eq!(names(&shard), ["7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"]);
    let mut read = Vec::new();
    bodies.open_checked(&digest).unwrap().read_to_end(&mut read).unwrap();
    assert_eq!(read, b"abc");

    assert_eq!(bodies.put(b"abc").unwrap(), digest);
    assert_eq!(names(&shard).len(), 1);
    let missing = Sha256Digest::of(b"missing");
    assert!(!bodies.contains(&missing));
    assert_eq!(bodies.open_body(&missing).unwrap_err().code(), "store.not-found");
}

#[test]
fn a_body_may_come_in_any_way() {
    let folder = tempfile::tempdir().unwrap();
    let bodies = new_bodies(folder.path());
    let bytes = vec![7; 200_001];
    let stored = bodies.put_reader(bytes.as_slice()).unwrap();
    assert_eq!((stored.digest, stored.bytes), (Sha256Digest::of(&bytes), 200_001));

    let mut writer = bodies.writer().unwrap();
    bytes.chunks(999).for_each(|piece| writer.append(piece).unwrap());
    assert_eq!(writer.finish().unwrap(), stored);
    assert_eq!(bodies.put_reader(io::empty()).unwrap().digest, Sha256Digest::of(b""));
    assert_eq!(temporary_files(folder.path()), Vec::<&Path>::new());
}

#[test]
fn a_file_is_moved_in() {
    let folder = tempfile::tempdir().unwrap();
    let bodies = new_bodies(folder.path());
    let source = folder.path().join("download");
    for round in ["new", "known"] {
        fs::write(&source, b"downloaded").unwrap();
        let stored = bodies.put_file(&source).unwrap();
        assert_eq!((stored.digest, stored.bytes), (Sha256Digest::of(b"downloaded"), 10), "{round}");
        assert!(!source.exists());
        bodies.open_checked(&stored.digest).unwrap();
        #[cfg(unix)]
        assert_eq!(mode(&bodies.path(&stored.digest)), 0o600);
    }
    assert_eq!(bodies.put_file(&source).unwrap_err().code(), "store.not-found");
    assert_eq!(bodies.put_file(folder.path()).unwrap_err().code(), "store.not-a-file");
}

#[cfg(unix)]
#[test]
fn a_file_with_a_second_name_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    let bodies = new_bodies(folder.path());
    let [source, second] = ["source", "second"].map(|name| folder.path().join(name));
    fs::write(&source, b"shared").unwrap();
    fs::hard_link(&source, &second).unwrap();
    let stored = bodies.put_file(&source).unwrap();
    fs::write(&second, b"SHARED").unwrap();
    bodies.open_checked(&stored.digest).unwrap();
    assert!(!source.exists());
}

#[test]
fn a_failing_reader_stores_nothing() {
    struct Cut(bool);
    impl io::Read for Cut {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer[0] = 1;
            if std::mem::replace(&mut self.0, true) {
                Err(io::ErrorKind::NotFound.into())
            } else {
                Ok(1)
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let bodies = new_bodies(folder.path());
    assert_eq!(bodies.put_reader(Cut(false)).unwrap_err().code(), "store.reader");
    assert_eq!(names(&folder.path().join("bodies")), [""; 0]);
}

#[test]
fn damage_is_found_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let bodies = new_bodies(folder.path());
    let digest = bodies.put(b"original").unwrap();
    fs::write(bodies.path(&digest), b"0riginal").unwrap();
    bodies.open_body(&digest).unwrap();
    match bodies.open_checked(&digest).unwrap_err() {
        StoreError::BodyDamaged { expected, calculated, .. } => {
            assert_eq!((expected, calculated), (digest, Sha256Digest::of(b"0riginal")));
        }
        other => panic!("{other}"),
    }
    fs::write(bodies.path(&digest), b"cut").unwrap();
    bodies.put(b"original").unwrap();
    bodies.open_checked(&digest).unwrap();
}
