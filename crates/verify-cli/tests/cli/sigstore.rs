//! Sigstore bundles: what `--artifact` takes, and what is asked.

use std::fs;
use std::path::Path;

use crate::common::{Ran, World};

const IDENTITY: &str = "https://github.example/project/workflow";
const ISSUER: &str = "https://issuer.example";

fn world() -> World {
    of_case("good-sigstore-certificate")
}

/// The files of one case of the repository's test data.
fn of_case(name: &str) -> World {
    let world = World::new();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/verify").join(name);
    for entry in fs::read_dir(case).unwrap() {
        let path = entry.unwrap().path();
        world.write(path.file_name().unwrap().to_str().unwrap(), fs::read(&path).unwrap());
    }
    world
}

fn verify(world: &World, artifact: &str, identity: &str) -> Ran {
    world.verify(&[
        "bundle.sigstore.json",
        "--artifact",
        artifact,
        "--trust",
        "trust.json",
        "--certificate-identity",
        identity,
        "--certificate-oidc-issuer",
        ISSUER,
    ])
}

#[test]
fn an_artifact_is_a_file_or_a_digest() {
    let world = world();
    let report = verify(&world, "artifact.bin", IDENTITY).expect(0).says("ACCEPT").stdout;
    let digest = report.lines().find_map(|line| Some(&line[line.find("sha256:")?..]));
    let digest: String = digest.unwrap().chars().take(7 + 64).collect();
    verify(&world, &digest, IDENTITY).expect(0).says("ACCEPT");
    let other = [&digest[..70], if digest.ends_with('0') { "1" } else { "0" }].concat();
    verify(&world, &other, IDENTITY).expect(1);
    world.write("other.bin", "other");
    verify(&world, "other.bin", IDENTITY).expect(1);
    verify(&world, "absent.bin", IDENTITY).expect(2).complains("[input.not-found]");
    verify(&world, &digest[..70], IDENTITY).expect(2).complains("[input.artifact-digest]");
    verify(&world, "sha1:00", IDENTITY).expect(2).complains("[input.artifact-digest]");
}

/// The members of a JSON object have no order, and attestations can be long.
#[test]
fn a_long_bundle_may_say_last_what_it_is() {
    let world = world();
    let bundle = fs::read_to_string(world.path("bundle.sigstore.json")).unwrap();
    let (media_type, rest) = bundle.strip_prefix('{').unwrap().split_once(',').unwrap();
    assert!(media_type.starts_with("\"mediaType\""), "{media_type}");
    let members = rest.trim_end().strip_suffix('}').unwrap();
    let padded = |length: usize| format!("{{{members},{}{media_type}}}", " ".repeat(length));
    for length in [0, 1 << 20, 7 << 20] {
        world.write("bundle.sigstore.json", padded(length));
        verify(&world, "artifact.bin", IDENTITY).expect(0).says("ACCEPT");
    }
    world.write("bundle.sigstore.json", padded(8 << 20));
    verify(&world, "artifact.bin", IDENTITY).expect(1).says("[json.too-large]");
    world.write("other.json", format!("{{\"a\":1,{}\"b\":2}}", " ".repeat(2 << 20)));
    world.verify(&["other.json"]).expect(2).complains("[json.too-large]");
}

#[test]
fn another_identity_is_refused() {
    let world = world();
    verify(&world, "artifact.bin", "https://github.example/other").expect(1).says("REJECT");
    for near in [&IDENTITY[..IDENTITY.len() - 1], &format!("{IDENTITY}/"), &IDENTITY.to_uppercase()]
    {
        verify(&world, "artifact.bin", near).expect(1).says("[sigstore.other-identity]");
    }
    let bundle = ["bundle.sigstore.json", "--artifact", "artifact.bin", "--trust", "trust.json"];
    world.verify(&bundle).expect(3);
}

/// The first line says what was signed, and what a log did.
#[test]
fn the_first_line_says_no_more_than_was_checked() {
    let first_line = |name: &str, policy: &str| {
        let run = of_case(name).verify(&[
            "bundle.sigstore.json",
            "--artifact",
            "artifact.bin",
            "--key",
            "key.pem",
            "--trust",
            "trust.json",
            "--policy",
            policy,
        ]);
        run.expect(0).stdout.lines().next().unwrap().to_owned()
    };
    let attested = first_line("good-sigstore-dsse", "basic");
    assert!(attested.contains("a statement about this file was signed with a key that you gave"));
    assert!(attested.contains("and the signature was logged"), "{attested}");
    let promised = first_line("good-sigstore-v1-promise", "policy.toml");
    assert!(promised.contains("this file was signed"), "{promised}");
    assert!(promised.contains("and a log promised to hold the signature"), "{promised}");
}
