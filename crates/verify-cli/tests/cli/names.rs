//! File names are text from elsewhere.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::common::{NOW, Ran, World};

fn verify(world: &World, name: &OsStr, words: &[&str]) -> Ran {
    Ran::of(world.command().arg(name).args(words).args(["--at", NOW]).output().unwrap())
}

#[test]
fn a_name_cannot_speak_to_the_terminal() {
    let world = World::new();
    let hostile = "\u{1b}[2J\nACCEPT x\u{202e}\u{7}";
    world.write("key.pem", crate::common::pem(&world.signer));
    world.fetched(hostile, b"body");
    let name = format!("{hostile}.provenance.json");
    let folder = verify(&world, OsStr::new("."), &["--key", "key.pem", "--bodies", "."]);
    let file = verify(&world, OsStr::new(&name), &[]).expect(3);
    world.write(&name, "{}");
    let complaint = verify(&world, OsStr::new(&name), &[]).expect(2);
    let absent = verify(&world, OsStr::new(&format!("{hostile}.absent")), &[]).expect(2);
    let option = verify(&world, OsStr::new(&format!("--{hostile}")), &[]).expect(2);
    for ran in [folder, file, complaint, absent, option] {
        let said = format!("{}{}", ran.stdout, ran.stderr);
        let is_obeyed = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!said.contains(is_obeyed), "{said:?}");
        assert!(!said.lines().any(|line| line.starts_with("ACCEPT x")), "{said}");
    }
}

#[test]
fn a_suggested_command_never_holds_a_name_that_the_shell_would_obey() {
    let world = World::new();
    world.fetched("a b;$(id)'", b"body");
    let plain = verify(&world, OsStr::new("a b;$(id)'.provenance.json"), &[]).expect(3);
    plain.says(r"verify 'a b;$(id)'\''.provenance.json' --signer did:key:");
    world.fetched("a\nb", b"body");
    let ran = verify(&world, OsStr::new("a\nb.provenance.json"), &[]).expect(3);
    assert!(!ran.stdout.contains("--signer did:"), "{ran:#?}");
}

#[test]
fn a_name_need_not_be_text() {
    let world = World::new();
    let manifest = world.manifest(b"body").to_json();
    let name = OsStr::from_bytes(b"d/\xff\xfe.provenance.json");
    std::fs::create_dir(world.path("d")).unwrap();
    let path = world.path("").join(name);
    if std::fs::write(&path, &manifest).is_err() {
        eprintln!("SKIPPED: this file system takes text only");
        return;
    }
    std::fs::write(path.with_file_name(OsStr::from_bytes(b"\xff\xfe")), b"body").unwrap();
    verify(&world, name, &["--key", "key.pem"])
        .expect(0)
        .says("is, byte for byte, what the signer says it fetched");
    verify(&world, OsStr::new("d"), &["--key", "key.pem", "--format", "json"]).expect(0);
    let body = ["--key", "key.pem", "--body", "d"];
    verify(&world, OsStr::from_bytes(b"\xff"), &body).expect(2);
}

#[test]
fn a_document_is_not_taken_for_its_manifest() {
    let world = World::new();
    for body in ["one line", "several\nlines\n", "{\"json\":true}", ""] {
        world.fetched("law.txt", body.as_bytes());
        let ran = world.verify(&["law.txt", "--key", "key.pem"]).expect(2);
        ran.complains("its manifest is the file law.txt.provenance.json")
            .complains("[input.unknown-kind]");
    }
    world.write("alone.txt", "no manifest beside it");
    let ran = world.verify(&["alone.txt", "--key", "key.pem"]).expect(2);
    assert!(!ran.stderr.contains("its manifest is"), "{ran:?}");
}
