//! What was changed in the folder, by a failing disk or by somebody.

use std::fs;
use std::path::{Path, PathBuf};

use genten_store::log::LogError;
use tempfile::TempDir;

use crate::common::{files, temporary_files};
use crate::kit::{code, entries, expect_whole, log, log_of, reader};

/// A log with full and partial tiles, and the files that its tree consists of.
fn log_with_files() -> (TempDir, Vec<(PathBuf, Vec<u8>)>) {
    let folder = tempfile::tempdir().unwrap();
    log_of(folder.path(), 600);
    let signed = |path: &Path| {
        let name = path.strip_prefix(folder.path()).unwrap();
        name.starts_with("tile") || name == Path::new("checkpoint")
    };
    let files: Vec<_> = files(folder.path()).into_iter().filter(|(path, _)| signed(path)).collect();
    assert_eq!(files.len(), 8);
    (folder, files)
}

/// Which file an error is about; the folder, where several tiles are at fault together.
fn place(error: &LogError) -> &Path {
    match error {
        LogError::Checkpoint { path, .. }
        | LogError::Tile { path, .. }
        | LogError::TileMissing { path } => path,
        other => panic!("another cause: {other}"),
    }
}

/// Puts these bytes in place of a file of the log; the check says that it is this one.
#[track_caller]
fn expect_found(folder: &Path, path: &Path, damaged: &[u8]) {
    fs::write(path, damaged).unwrap();
    let error = reader(folder).check(&mut |_, _| {}).unwrap_err();
    assert!(path.starts_with(place(&error)), "{error} is about {}", path.display());
}

#[test]
fn any_flipped_bit_is_found() {
    let (folder, files) = log_with_files();
    for (path, bytes) in files {
        let last = bytes.len() - 1;
        for position in (0..bytes.len()).step_by(89).chain([last]) {
            let mut damaged = bytes.clone();
            damaged[position] ^= 1 << (position % 8);
            expect_found(folder.path(), &path, &damaged);
        }
        fs::write(&path, bytes).unwrap();
    }
    expect_whole(folder.path(), 600);
}

#[test]
fn a_file_of_another_length_is_found() {
    let (folder, files) = log_with_files();
    for (path, bytes) in files {
        let longer = [&bytes[..], b"\0"].concat();
        for damaged in [&bytes[1..], &bytes[..bytes.len() - 1], b"", &longer, &vec![0; 20 << 20]] {
            expect_found(folder.path(), &path, damaged);
        }
        fs::write(&path, bytes).unwrap();
    }
    expect_whole(folder.path(), 600);
}

#[test]
fn a_missing_tile_is_found() {
    let (folder, files) = log_with_files();
    for (path, bytes) in files.into_iter().filter(|(path, _)| !path.ends_with("checkpoint")) {
        fs::remove_file(&path).unwrap();
        let error = reader(folder.path()).check(&mut |_, _| {}).unwrap_err();
        assert_eq!((error.code(), place(&error)), ("log.folder.tile-missing", &*path));
        fs::create_dir(&path).unwrap();
        assert_eq!(code(reader(folder.path()).check(&mut |_, _| {})), "store.not-a-file");
        fs::remove_dir(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    expect_whole(folder.path(), 600);
}

#[test]
fn nothing_is_appended_to_a_damaged_edge() {
    let (folder, _) = log_with_files();
    let log = log(folder.path());
    let cases = [
        ("checkpoint", "log.folder.checkpoint"),
        ("tile/0/002.p/88", "log.folder.tile"),
        ("tile/1/000.p/2", "log.folder.tile"),
        ("tile/entries/002.p/88", "log.folder.tile"),
    ];
    for (name, expected) in cases {
        let path = folder.path().join(name);
        let bytes = fs::read(&path).unwrap();
        let mut damaged = bytes.clone();
        damaged[40] ^= 1;
        fs::write(&path, &damaged).unwrap();
        assert_eq!(code(log.lock(None)), expected);
        assert!(log.lock(None).unwrap_err().hint().contains("genten log check"));
        fs::write(&path, bytes).unwrap();
    }
    log.lock(None).unwrap().append(&entries(600..700)).unwrap();
    expect_whole(folder.path(), 700);
}

#[test]
fn what_lies_beyond_the_checkpoint_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let log = log_of(folder.path(), 300);
    // As an append left it that was killed before its checkpoint was in place.
    for name in ["tile/0/001", "tile/entries/001", "tile/0/002.p/5", "tile/entries/002.p/5"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"rubbish").unwrap();
    }
    fs::write(folder.path().join(".state/.genten-tmp-1-2-3"), b"half").unwrap();
    expect_whole(folder.path(), 300);
    let mut writer = log.lock(None).unwrap();
    assert_eq!(temporary_files(folder.path()), Vec::<PathBuf>::new());
    for (begin, end) in [(300, 310), (310, 517), (517, 520)] {
        writer.append(&entries(begin..end)).unwrap();
        expect_whole(folder.path(), end);
    }
}

#[test]
fn whether_a_checkpoint_was_put_in_place_is_read_from_the_folder() {
    let [folder, twin] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let log = log_of(folder.path(), 300);
    log_of(twin.path(), 310);
    let checkpoint = folder.path().join("checkpoint");
    let old = fs::read(&checkpoint).unwrap();
    let new = fs::read(twin.path().join("checkpoint")).unwrap();
    for (left_behind, size) in [(old, 300), (new, 310)] {
        let mut writer = log.lock(None).unwrap();
        fs::remove_file(&checkpoint).unwrap();
        fs::create_dir(&checkpoint).unwrap();
        assert_eq!(code(writer.append(&entries(300..310))), "store.not-a-file");
        fs::remove_dir(&checkpoint).unwrap();
        fs::write(&checkpoint, left_behind).unwrap();
        let appended = writer.append(&entries(size..size)).unwrap();
        assert_eq!(appended.first().get(), size);
        assert_eq!(writer.size().get(), size);
    }
    expect_whole(folder.path(), 310);
}
