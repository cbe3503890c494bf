//! A full disk and missing rights, for real. Both need root on Linux; elsewhere the tests say that they skipped.

use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use genten_testkit::{Answer, Content};

use crate::world::{Run, World, names};

/// A mounted file system of a few pages.
struct SmallDisk(PathBuf);

const PAGE: usize = 4096;

impl SmallDisk {
    fn mount(folder: PathBuf, pages: usize) -> Option<Self> {
        std::fs::create_dir(&folder).unwrap();
        let size = format!("size={},mode=0700", pages * PAGE);
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &size, "genten-test"]).arg(&folder);
        if mount.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
            return Some(Self(folder));
        }
        eprintln!("SKIPPED: no file system could be mounted (root is needed)");
        None
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("--lazy").arg(&self.0).status());
    }
}

#[test]
fn a_body_that_does_not_fit_leaves_nothing() {
    let world = World::new();
    let Some(disk) = SmallDisk::mount(world.path("disk"), 64) else { return };
    let content = Content::Repeated { piece: vec![b'x'; PAGE], times: 256 };
    let site = world.serving([("/doc", Answer::status(200).content(content))]);
    let run = world.fetch(&[&site.url("/doc"), "-o", "disk"]).expect(1);
    run.talks("[fetch.sink.full]").talks("free space");
    assert_eq!(names(&disk.0), [""; 0]);
    assert!(world.journal().is_empty());
}

/// The body fits to the last page, so that the bundle beside it does not.
#[test]
fn a_bundle_that_does_not_fit_leaves_no_body_without_it() {
    let world = World::new();
    let Some(disk) = SmallDisk::mount(world.path("disk"), 16) else { return };
    let site = world.serving([("/doc", Answer::ok(vec![b'x'; 16 * PAGE]))]);
    let run = world.fetch(&[&site.url("/doc"), "-o", "disk"]).expect(1);
    run.talks("[store.disk-full]");
    assert_eq!(names(&disk.0), [""; 0]);
}

#[test]
fn a_home_on_a_full_disk_signs_nothing() {
    let world = World::new();
    let Some(disk) = SmallDisk::mount(world.home(), 96) else { return };
    let site = world.serving([("/doc", Answer::ok("x"))]);
    let filler = disk.0.join("filler");
    std::fs::write(&filler, vec![1; 97 * PAGE]).unwrap_err();
    world.fetch(&[&site.url("/doc")]).expect(1).talks("[store.disk-full]");
    assert_eq!(world.files(), [""; 0]);
    std::fs::remove_file(filler).unwrap();
    world.fetch(&[&site.url("/doc")]).expect(0);
    world.accepts("doc");
}

const NOBODY: u32 = 65_534;

/// Runs a program as a user without rights. `None` where nobody can become another user.
fn as_nobody(command: &mut Command) -> Option<Run> {
    let program = Path::new(command.get_program());
    // A folder on the way to the program may be closed to others.
    let reachable = program.ancestors().skip(1).all(|folder| {
        std::fs::metadata(folder).is_ok_and(|data| data.permissions().mode() & 0o001 != 0)
    });
    let probe = Command::new("true").uid(NOBODY).gid(NOBODY).status();
    if !reachable || !probe.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: another user cannot start this program");
        return None;
    }
    Some(Run::of(command.uid(NOBODY).gid(NOBODY)))
}

#[test]
fn a_home_that_cannot_be_read_or_written_is_named() {
    let world = World::new();
    if chown(world.work(), Some(0), None).is_err() {
        return eprintln!("SKIPPED: not root, so no other user to become");
    }
    let outside = world.work().parent().unwrap().to_owned();
    std::fs::set_permissions(&outside, std::fs::Permissions::from_mode(0o755)).unwrap();
    world.genten(&["key", "new"]).expect(0);
    for words in [&["key", "list"][..], &["key", "show"], &["fetch", "https://localhost/"]] {
        let Some(run) = as_nobody(&mut world.command(words)) else { return };
        let run = run.expect(1).talks("[store.permission]");
        run.talks(world.home().to_str().unwrap());
    }
    // A new home below a folder of others.
    let words = ["--home", outside.to_str().unwrap(), "key", "new"];
    let Some(run) = as_nobody(&mut world.command(&words)) else { return };
    run.expect(1).talks("[store.permission]");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let world = World::new();
    if chown(world.work(), Some(0), None).is_err() {
        return eprintln!("SKIPPED: not root, so no other user to become");
    }
    let outside = world.work().parent().unwrap().to_owned();
    std::fs::set_permissions(&outside, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir(world.home()).unwrap();
    chown(world.home(), Some(NOBODY), Some(NOBODY)).unwrap();
    let site = world.serving([("/doc", Answer::ok("x"))]);
    let Some(run) = as_nobody(&mut world.fetch_command(&[&site.url("/doc")])) else { return };
    run.expect(1).talks("[fetch.sink]").talks("permission");
    assert_eq!(world.files(), [""; 0]);
}
