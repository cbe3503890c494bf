//! The bytes: given, beside the manifest, or in a folder.

use std::os::unix::fs::symlink;

use crate::common::{World, bundle, claims};
use genten_primitives::Sha256Digest;

#[test]
fn the_file_beside_the_manifest_is_compared() {
    let world = World::new();
    world.fetched("page.html", b"body");
    let run = || world.verify(&["page.html.provenance.json", "--key", "key.pem"]);
    run().expect(0).says("page.html is, byte for byte, what the signer says it fetched");
    world.write("page.html", "bode");
    run().expect(1).says("[content.other-bytes]");
    world.write("page.html", "bod");
    run().expect(1).says("[content.shorter]");
    std::fs::remove_file(world.path("page.html")).unwrap();
    run().expect(0).says("the content was NOT compared");
    // What lies there was not named by anybody, so that a link could lead anywhere.
    world.write("elsewhere", "other");
    symlink("elsewhere", world.path("page.html")).unwrap();
    run().expect(2).complains("page.html: a link, not a regular file");
    std::fs::remove_file(world.path("page.html")).unwrap();
    std::fs::create_dir(world.path("page.html")).unwrap();
    run().expect(2).complains("page.html: a folder, not a regular file");
}

/// White space between manifests must not make a body be passed over.
#[test]
fn a_list_has_a_body_beside_it_too() {
    let world = World::new();
    let line = world.manifest(b"body").to_json();
    world.write("page.html.provenance.json", [&line[..], b"\n", &line, b"\n"].concat());
    world.write("page.html", "body");
    let run = || world.verify(&["page.html.provenance.json", "--key", "key.pem"]);
    run().expect(0).says("page.html is, byte for byte,");
    world.write("page.html", "bode");
    run().expect(1).says("[content.other-bytes]");
}

#[test]
fn a_body_that_was_given_counts_before_the_one_beside() {
    let world = World::new();
    world.fetched("page.html", b"body");
    world.write("other", "other");
    let run =
        |body| world.verify(&["page.html.provenance.json", "--key", "key.pem", "--body", body]);
    run("other").expect(1).says("compared  other, 5 bytes");
    run("page.html").expect(0);
    run("absent").expect(2).complains("verify: absent: ");
    run(".").expect(2).complains("[input.unreadable]");
}

#[test]
fn the_decoded_form_is_named_as_such() {
    let world = World::new();
    let mut facts = claims("https://a.example.org/", b"coded").finish().unwrap();
    let http = facts.http.as_mut().unwrap();
    http.content_encoding = "gzip".parse().ok();
    http.decoded_sha256 = Some(Sha256Digest::of(b"decoded"));
    let manifest = world.signer.sign(facts).unwrap();
    world.write("m.json", bundle(&manifest));
    world.write("coded", "coded");
    world.write("decoded", "decoded");
    let run = |body| world.verify(&["m.json", "--key", "key.pem", "--body", body]);
    run("coded").expect(0).says("coded is, byte for byte, what the signer says it fetched");
    run("decoded").expect(0).says("decoded is the decoded form of what the signer says it fetched");
}

#[test]
fn bodies_are_found_by_their_content() {
    let world = World::new();
    for n in 0..5_u8 {
        world.bundle(&format!("m/{n}.provenance.json"), &[n]);
        world.write(&format!("bodies/deep/{}", 9 - n), [n]);
    }
    world.write("bodies/stray", "nobody's");
    let run = |words: &[&str]| {
        let common = ["m", "--key", "key.pem", "--bodies", "bodies", "--jobs", "3"];
        world.verify(&[&common, words].concat())
    };
    let ran = run(&[])
        .expect(0)
        .says("compared  bodies/deep/7, 1 bytes")
        .says("no manifest covers these files:\n  bodies/stray\n");
    assert_eq!(ran.stdout.matches("is, byte for byte, what the signer says it fetched").count(), 5);
    run(&["--format", "jsonl"]).expect(0).complains("bodies/stray: no manifest covers it");

    std::fs::remove_file(world.path("bodies/deep/7")).unwrap();
    run(&[]).expect(3).says("REVIEW m/2.provenance.json: ").says("[content.not-found]");
    world
        .verify(&["m", "--key", "key.pem", "--bodies", "none"])
        .expect(2)
        .complains("verify: none: ");
    world.verify(&["m", "--key", "key.pem", "--bodies", "key.pem"]).expect(2);
}

#[test]
fn a_file_beside_the_manifest_is_compared_although_there_is_a_folder() {
    let world = World::new();
    world.fetched("page", b"body");
    world.write("bodies/copy", "body");
    world.write("page", "another body");
    let run = || world.verify(&["page.provenance.json", "--key", "key.pem", "--bodies", "bodies"]);
    run()
        .expect(1)
        .says("compared  page, 12 bytes")
        .says("no manifest covers these files:\n  bodies/copy");
    std::fs::remove_file(world.path("page")).unwrap();
    run().expect(0).says("compared  bodies/copy");
}

#[test]
fn manifests_in_the_folder_of_bodies_are_no_bodies() {
    let world = World::new();
    world.fetched("archive/page", b"body");
    let ran = world.verify(&["archive", "--key", "key.pem", "--bodies", "archive"]).expect(0);
    assert!(!ran.stdout.contains("no manifest covers"), "{ran:#?}");

    let list = world.manifest(b"body").to_json();
    world.write("archive/manifests.jsonl", [&*list, &*list].join(&b'\n'));
    world.write("archive/a.jsonl", "{\"row\":1}\n{\"row\":2}\n");
    world.write("archive/b.jsonl", "{\"row\":1}\n");
    world.write("archive/c.jsonl", "[1]\n[2]\n");
    world.write("archive/d.jsonl", "");
    world.write("archive/e.provenance.json", [0, 1, 2]);
    let expected = ["a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl", "e.provenance.json"];
    let listed: String = expected.map(|name| format!("  archive/{name}\n")).concat();
    world
        .verify(&["archive/page.provenance.json", "--key", "key.pem", "--bodies", "archive"])
        .expect(0)
        .says(&format!("no manifest covers these files:\n{listed}"));
}

#[test]
fn a_forged_manifest_covers_nothing() {
    let world = World::new();
    world.write("m.json", crate::common::tampered(&world.manifest(b"body")));
    world.write("bodies/page", "body");
    world
        .verify(&["m.json", "--key", "key.pem", "--bodies", "bodies"])
        .expect(1)
        .says("no manifest covers these files:\n  bodies/page");
}
