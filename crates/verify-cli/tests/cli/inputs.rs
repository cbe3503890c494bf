//! What a file is, and files that are none.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{NOW, Ran, World, tool};

fn with_stdin(world: &World, words: &[&str], input: &[u8]) -> Ran {
    let mut command = world.command();
    command.args(words).args(["--at", NOW]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
fn standard_input_is_an_input() {
    let world = World::new();
    let manifest = world.manifest(b"body").to_json();
    let lines = [manifest.as_slice(), &manifest].join(&b'\n');
    let run =
        |words: &[&str], input| with_stdin(&world, &[words, &["--key", "key.pem"]].concat(), input);
    run(&["-"], &manifest).expect(0).says("ACCEPT -: ");
    run(&["-"], &lines).expect(0).says("ACCEPT -:1: ").says("ACCEPT -:2: ");
    run(&["-"], b"").expect(2).complains("verify: -: the input is empty [input.empty]");
    world.write("body", "body");
    run(&["-", "--body", "body"], &manifest)
        .expect(0)
        .says("body is, byte for byte, what the signer says it fetched");
    world.write("m.json", &manifest);
    run(&["m.json", "--body", "-"], b"body").expect(0).says("compared  -, 4 bytes");
    with_stdin(&world, &["-"], &manifest).expect(3).says("verify - --signer did:key:");
}

#[test]
fn only_a_regular_file_is_read() {
    let world = World::new();
    world.verify(&["/dev/zero"]).expect(2).complains("[input.not-regular]");
    world.verify(&["/dev/full"]).expect(2).complains("[input.not-regular]");
    if !tool("mkfifo") {
        return;
    }
    let fifo = world.path("pipe.provenance.json");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    world
        .verify(&["pipe.provenance.json"])
        .expect(2)
        .complains("a pipe, socket or device, not a regular file [input.not-regular]")
        .complains("Send it to standard input");
    world.fetched("good", b"body");
    world
        .verify(&[".", "--key", "key.pem"])
        .expect(0)
        .complains("pipe.provenance.json: passed over: a pipe, socket or device");
}

#[test]
fn a_link_that_was_named_is_followed() {
    let world = World::new();
    world.fetched("good", b"body");
    std::os::unix::fs::symlink("good.provenance.json", world.path("link.json")).unwrap();
    world.verify(&["link.json", "--key", "key.pem"]).expect(0);
}

/// A file that takes no room on the disk.
fn sparse(world: &World, name: &str, start: &str, length: u64) {
    let path = world.write(name, start);
    File::options().write(true).open(path).unwrap().set_len(length).unwrap();
}

#[test]
fn a_huge_file_is_not_read() {
    let world = World::new();
    sparse(&world, "huge.json", "", 1 << 40);
    sparse(&world, "huge-manifest.json", "{\"source_url\":\"", 1 << 40);
    world.verify(&["huge.json"]).expect(2).complains("[json.too-large]");
    world.verify(&["huge-manifest.json"]).expect(1).says("[json.too-large]");
    let big = format!("{{\"source_url\":\"https://{}/\"}}", "a".repeat(70_000));
    world.write("big.json", big);
    world.verify(&["big.json"]).expect(1).says("[manifest.too-large]");
}

/// Runs the program with 64 MiB of address space.
fn in_little_memory(world: &World, words: &[&str]) -> Option<Ran> {
    let program = env!("CARGO_BIN_EXE_verify");
    let limited = "ulimit -v 65536 && exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, program]).args(words).args(["--at", NOW, "--jobs", "1"]);
    command.current_dir(world.path("")).env_clear();
    let Ok(output) = command.output() else {
        eprintln!("SKIPPED: no POSIX shell to limit the memory with");
        return None;
    };
    Some(Ran::of(output))
}

#[test]
fn memory_is_bounded_whatever_the_size() {
    let world = World::new();
    let manifest = String::from_utf8(world.manifest(b"").to_json()).unwrap();
    sparse(&world, "list.jsonl", &format!("{manifest}\n"), 96 << 20);
    sparse(&world, "body", "", 96 << 20);
    world.write("m.json", &manifest);
    if let Some(ran) = in_little_memory(&world, &["list.jsonl", "--key", "key.pem"]) {
        ran.expect(2).says("ACCEPT list.jsonl:1").complains("list.jsonl:2: ");
    }
    if let Some(ran) = in_little_memory(&world, &["m.json", "--key", "key.pem", "--body", "body"]) {
        ran.expect(1).says("[content.other-bytes]");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let world = World::new();
    if cfg!(target_os = "linux") {
        // A regular file whose first page gives an input/output error, for root too.
        world.verify(&["/proc/self/mem"]).expect(2).complains("[input.unreadable]");
    }
    let path = world.fetched("good", b"body");
    let nobody = std::os::unix::fs::PermissionsExt::from_mode(0o0);
    std::fs::set_permissions(&path, nobody).unwrap();
    if File::open(&path).is_ok() {
        eprintln!("SKIPPED: this user may read everything");
        return;
    }
    world
        .verify(&["good.provenance.json"])
        .expect(2)
        .complains("verify: good.provenance.json: cannot be read: ")
        .complains("[input.unreadable]");
}
