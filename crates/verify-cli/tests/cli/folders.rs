//! Folders: everything in them, in one order, and nothing outside them.

use std::os::unix::fs::symlink;

use crate::common::World;

#[test]
fn everything_below_is_verified_in_the_order_of_names() {
    let world = World::new();
    for name in ["d/b", "d/a/z", "d/a/a", "d/c"] {
        world.fetched(name, name.as_bytes());
    }
    let manifest = world.manifest(b"x").to_json();
    world.write("d/a/list.jsonl", [manifest.as_slice(), &manifest].join(&b'\n'));
    world.write("d/other.json", "{}");
    let ran = world.verify(&["d", "--key", "key.pem", "--jobs", "3"]).expect(0);
    let firsts: Vec<_> = ran.stdout.lines().filter(|line| line.starts_with("ACCEPT")).collect();
    let names: Vec<_> = firsts.iter().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(
        names,
        [
            "d/a/a.provenance.json:",
            "d/a/list.jsonl:1:",
            "d/a/list.jsonl:2:",
            "d/a/z.provenance.json:",
            "d/b.provenance.json:",
            "d/c.provenance.json:"
        ]
    );
    assert!(ran.stdout.ends_with("\n6 inputs: 6 accepted (2 without their content)\n"));
}

#[test]
fn a_folder_without_manifests_is_no_verdict() {
    let world = World::new();
    world.write("empty/readme.txt", "nothing here");
    world.verify(&["empty"]).expect(2).complains("verify: empty: no *.provenance.json");
    world.fetched("good", b"body");
    let words = ["empty", "good.provenance.json", "--key", "key.pem"];
    world.verify(&words).expect(2).says("ACCEPT good").complains("verify: empty: ");
}

#[test]
fn links_lead_nowhere() {
    let world = World::new();
    world.fetched("outside/secret", b"body");
    world.fetched("d/good", b"body");
    symlink("../outside", world.path("d/folder")).unwrap();
    symlink("../outside/secret.provenance.json", world.path("d/link.provenance.json")).unwrap();
    symlink("..", world.path("d/loop")).unwrap();
    symlink("../outside/secret", world.path("d/unremarkable")).unwrap();
    let ran = world
        .verify(&["d", "--key", "key.pem"])
        .expect(0)
        .complains("d/folder: passed over: a link")
        .complains("d/link.provenance.json: passed over: a link")
        .complains("d/loop: passed over: a link");
    assert!(!ran.stdout.contains("secret") && !ran.stderr.contains("unremarkable"), "{ran:#?}");

    symlink(
        "../outside/secret.provenance.json",
        world.write("only/x", "").with_file_name("y.provenance.json"),
    )
    .unwrap();
    world.verify(&["only"]).expect(2).complains("[input.empty]");
}

#[test]
fn a_part_that_cannot_be_read_is_no_verdict() {
    let world = World::new();
    world.fetched("d/good", b"body");
    let closed = world.write("d/closed/x", "").with_file_name("");
    std::fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o0)).unwrap();
    if std::fs::read_dir(&closed).is_ok() {
        eprintln!("SKIPPED: this user may read everything");
        return;
    }
    world.verify(&["d", "--key", "key.pem"]).expect(2).complains("verify: d/closed").says("ACCEPT");
}

#[test]
fn depth_is_no_matter() {
    let world = World::new();
    let deep = format!("{}good", "d/".repeat(300));
    world.fetched(&deep, b"body");
    world.verify(&["d", "--key", "key.pem"]).expect(0);
}
