//! JSON Lines: one report a line, in order, whatever stands in the other lines.

use crate::common::{Ran, World, tampered};

fn first_words(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase())).collect()
}

#[test]
fn the_order_is_that_of_the_lines_on_any_number_of_cores() {
    let world = World::new();
    let lines: Vec<_> = (0..400_u32)
        .map(|n| {
            let manifest = world.manifest(&n.to_le_bytes());
            if n % 7 == 3 { tampered(&manifest) } else { manifest.to_json() }
        })
        .collect();
    world.write("list.jsonl", lines.join(&b'\n'));
    let run = |jobs| world.verify(&["list.jsonl", "--key", "key.pem", "--jobs", jobs]).expect(1);
    let one = run("1");
    let heads = first_words(&one);
    assert_eq!(heads.len(), 400);
    for (n, head) in heads.iter().enumerate() {
        let verdict = if n % 7 == 3 { "REJECT" } else { "ACCEPT" };
        assert!(head.starts_with(&format!("{verdict} list.jsonl:{}: ", n + 1)), "{head}");
    }
    for jobs in ["2", "3", "16"] {
        assert!(run(jobs).stdout == one.stdout, "{jobs} jobs differ");
    }
}

#[test]
fn a_line_says_nothing_of_the_others() {
    let world = World::new();
    let manifest = String::from_utf8(world.manifest(b"body").to_json()).unwrap();
    let broken = manifest.replace("\"fetched_at\"", "\"fetched_at\":\"x\",\"fetched_at\"");
    let list = format!("{broken}\n\n{manifest}\r\n  \n{{\"a\":1}}\nrubbish\n{manifest}");
    world.write("list.jsonl", list);
    world
        .verify(&["list.jsonl", "--key", "key.pem"])
        .expect(1)
        .says("REJECT list.jsonl:1: ")
        .says("[json.duplicate-member]")
        .says("ACCEPT list.jsonl:3: ")
        .says("ACCEPT list.jsonl:7: ")
        .says("5 inputs: 2 accepted (2 without their content), 2 without verdict, 1 rejected")
        .complains("list.jsonl:5: ")
        .complains("list.jsonl:6: ");
}

#[test]
fn bundles_and_manifests_stand_side_by_side() {
    let world = World::new();
    let manifest = world.manifest(b"body");
    let bundle = String::from_utf8(crate::common::bundle(&manifest)).unwrap().replace('\n', "");
    world.write("list.jsonl", [bundle.as_bytes(), &manifest.to_json()].join(&b'\n'));
    world.verify(&["list.jsonl", "--key", "key.pem"]).expect(0).says("2 inputs: 2 accepted");
}

#[test]
fn a_line_that_is_too_long_is_one_bad_line() {
    let world = World::new();
    let manifest = String::from_utf8(world.manifest(b"body").to_json()).unwrap();
    let long = manifest.replace("static", &"s".repeat(2 << 20));
    world.write("list.jsonl", format!("{manifest}\n{long}\n{manifest}\n"));
    world
        .verify(&["list.jsonl", "--key", "key.pem"])
        .expect(1)
        .says("REJECT list.jsonl:2: ")
        .says("[json.too-large]")
        .says("ACCEPT list.jsonl:3: ");
}

#[test]
fn a_list_of_something_else_gives_one_complaint() {
    let world = World::new();
    world.write("log.jsonl", "{\"level\":\"info\"}\n".repeat(50));
    let ran = world.verify(&["log.jsonl"]).expect(2).complains("[input.unknown-kind]");
    assert_eq!(ran.stderr.matches("verify: ").count(), 1, "{ran:#?}");
}

#[test]
fn one_body_belongs_to_one_manifest() {
    let world = World::new();
    let manifest = world.manifest(b"body").to_json();
    world.write("list.jsonl", [manifest.as_slice(), &manifest].join(&b'\n'));
    world.write("m.json", &manifest);
    world.write("body", "body");
    let one_body = |words: &[&str]| {
        let words = [words, &["--key", "key.pem", "--body", "body"]].concat();
        world.verify(&words).expect(2).complains("[input.one-body]");
    };
    one_body(&["list.jsonl"]);
    one_body(&["m.json", "m.json"]);
    one_body(&["."]);
}
