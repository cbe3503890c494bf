//! Whom to trust and what to ask: a verdict never rests on a guess about either.

use crate::common::{World, pem, secret, signer, signer_as};
use genten_jws::{Algorithm, Signer};

fn world() -> World {
    let world = World::new();
    world.fetched("good", b"body");
    world
}

#[test]
fn keys_come_in_several_forms() {
    let world = world();
    let key = world.signer.signer().public_key().clone();
    world.write("key.jwk", key.to_jwk());
    world.write(
        "set.json",
        format!(
            "{{\"keys\":[{},{}]}}",
            signer(Algorithm::Es256, 2).signer().public_key().to_jwk(),
            key.to_jwk()
        ),
    );
    world.write("other.pem", pem(&signer(Algorithm::EdDsa, 2)));
    let run = |words: &[&str]| world.verify(&[&["good.provenance.json"], words].concat());
    run(&["--key", "key.jwk"]).expect(0);
    run(&["--key", "set.json"]).expect(0);
    run(&["--key", "other.pem"]).expect(3).says("[signer.not-trusted]");
    run(&["--key", "other.pem", "--key", "key.pem"]).expect(0);
}

#[test]
fn a_private_key_is_refused_with_a_warning() {
    let world = world();
    let key = secret(Algorithm::EdDsa, 1);
    world.write("private.pem", key.to_pkcs8_pem().as_bytes());
    world.write("private.jwk", key.to_jwk().as_bytes());
    for name in ["private.pem", "private.jwk"] {
        let ran = world.verify(&["good.provenance.json", "--key", name]).expect(2);
        let ran = ran.complains("keep it private").complains("[key.private]");
        assert!(ran.stdout.is_empty(), "{ran:#?}");
    }
}

#[test]
fn what_gives_no_key_is_no_verdict() {
    let world = world();
    world.write("empty", "");
    world.write("text", "ssh-ed25519 AAAA");
    world.write("set", "{\"keys\":[]}");
    world.write("large", vec![b' '; (1 << 20) + 1]);
    for (name, code) in [
        ("absent", "input.not-found"),
        (".", "input.unreadable"),
        ("empty", "key.format"),
        ("text", "key.format"),
        ("set", "key.empty"),
        ("large", "key.too-large"),
        ("good.provenance.json", "key.malformed"),
        ("/dev/zero", "key.too-large"),
    ] {
        let ran = world.verify(&["good.provenance.json", "--key", name]).expect(2);
        ran.complains(&format!("verify: {name}: ")).complains(code);
    }
    for id in ["did:web:a.example#1", "nonsense", "did:key:z6Mk", "https://a.example/"] {
        world
            .verify(&["good.provenance.json", "--signer", id])
            .expect(2)
            .complains("[key.signer-id]");
    }
}

#[test]
fn policies_are_names_or_files() {
    let world = world();
    let run = |policy: &str| {
        world.verify(&["good.provenance.json", "--key", "key.pem", "--policy", policy])
    };
    run("basic").expect(0).says("policy    basic, sha256 ");
    run("mcp11").expect(0).says("policy    mcp11, sha256 ");
    run("high-trust").expect(3).says("[log.missing]");
    run("low-trust").expect(2).complains("[policy.unknown]");
    let head = "version = 1\nname = \"mine\"\n";
    world.write(
        "mine.toml",
        format!("{head}[require]\ndefault = [\"signature\", \"signer\", \"revision\"]\n"),
    );
    run("mine.toml").expect(3).says("[revision.missing]").says("policy    mine, sha256 ");
    for text in [
        "",
        "version = 2\nname = \"x\"",
        &format!("{head}[require]\ndefault = []"),
        &format!("{head}[require]\ndefault = [\"signature\", \"signer\"]\nsurprise = 1"),
        &format!("{head}[require]\ndefault = [\"signature\", \"signer\", \"luck\"]"),
        &format!("{head}{}", "# long\n".repeat(10_000)),
    ] {
        world.write("broken.toml", text);
        let ran = run("broken.toml").expect(2).complains("[policy.malformed]");
        assert!(ran.stdout.is_empty(), "{ran:#?}");
    }
    world.write("broken.toml", b"name = \"\xff\"");
    run("broken.toml").expect(2).complains("not UTF-8 text [policy.malformed]");
}

#[test]
fn a_trust_kit_is_read_whole_or_not_at_all() {
    let world = world();
    let web = signer_as(Algorithm::Es256, 4, "did:web:mcp.example.org#key-1");
    let manifest = crate::common::manifest(&web, "https://a.example.org/", b"body");
    world.write("web.json", manifest.to_json());
    let kit = |more: &str| {
        format!(
            r#"{{"media_type":"application/vnd.genten.trust-kit+json;version=1","signers":[{{"key_id":"did:web:mcp.example.org#key-1","public_key":{},"status":"active"{more}}}]}}"#,
            web.signer().public_key().to_jwk()
        )
    };
    let run = |text: &str| {
        world.write("kit.json", text);
        world.verify(&["web.json", "--trust", "kit.json"])
    };
    run(&kit("")).expect(0).says("known from your trust kit").says("trust kit sha256 ");
    run(&kit(r#","valid_until":"2026-01-01T00:00:00Z""#)).expect(3);
    for text in [
        String::new(),
        "{}".to_owned(),
        kit(r#","surprise":1"#),
        kit(r#","valid_until":"soon""#),
        kit("").replace("active", "revoked"),
        format!("{}{}", kit(""), " ".repeat(9 << 20)),
    ] {
        let ran = run(&text).expect(2).complains("[kit.malformed]");
        assert!(ran.stdout.is_empty(), "{ran:#?}");
    }
    world.verify(&["web.json", "--trust", "absent"]).expect(2).complains("[input.not-found]");
    world.verify(&["web.json"]).expect(3).says("[signer.unknown]");
}

#[test]
fn the_environment_changes_nothing() {
    let world = world();
    let variables =
        ["VERIFY_KEY", "VERIFY_POLICY", "GENTEN_HOME", "HOME", "SSLKEYLOGFILE", "RUST_LOG"];
    let mut command = world.command();
    command.args(["good.provenance.json", "--at", crate::common::NOW]);
    let plain = command.output().unwrap();
    command.envs(variables.map(|name| (name, "key.pem")));
    assert_eq!(command.output().unwrap(), plain);
}

#[test]
fn no_number_of_jobs_is_too_large() {
    let world = World::new();
    world.fetched("a", b"a");
    world.fetched("b", b"b");
    for jobs in ["1", "100000", "18446744073709551615"] {
        let files = ["a.provenance.json", "b.provenance.json"];
        world.verify(&[&files[..], &["--key", "key.pem", "--jobs", jobs]].concat()).expect(0);
    }
}

/// A file beside --explain would be taken for verified.
#[test]
fn explaining_does_not_pass_for_verifying() {
    let world = World::new();
    world.fetched("a", b"a");
    world
        .verify(&["a.provenance.json", "--key", "key.pem", "--explain"])
        .expect(2)
        .complains("--explain");
}
