//! Kits that name logs, authorities and lists.

use crate::makers::{log_key, policy, stamping_certificate, vectors, witness_key};
use crate::support::{World, member, with_kit};

const CT_LIST: &str = r#"{"version":"3.1", "log_list_timestamp":"2026-11-01T00:00:00Z",
  "operators":[{"name":"Op","logs":[{"description":"A log","log_id":"LOG_ID","key":"KEY","mmd":86400,
    "url":"https://ct.example/log/","state":{"usable":{"timestamp":"2026-01-01T00:00:00Z"}}}]}]}"#;

/// A list of one log, made at a time.
pub(crate) fn ct_list(time: &str) -> String {
    let spki = crate::support::key(9);
    let spki = spki.public_key().to_spki_der();
    let id = genten_primitives::Sha256Digest::of(spki);
    let base64 = genten_primitives::encoding::base64;
    CT_LIST
        .replace("2026-11-01T00:00:00Z", time)
        .replace("LOG_ID", &base64(id.as_bytes()))
        .replace("KEY", &base64(spki))
}

#[track_caller]
fn refuses(world: &World, arguments: &[&str], words: &str) {
    let before = world.read("kit.json");
    let run = world.genten(&[&["trust"], arguments].concat());
    assert!(run.status != 0 && run.stderr.contains(words), "{words}\n{}", run.stderr);
    assert_eq!(world.read("kit.json"), before, "nothing was written");
}

#[test]
fn a_trusted_root_is_kept_word_for_word() {
    let Some(path) = vectors("rekor-live/trusted_root.json") else { return };
    let root = std::fs::read_to_string(path).unwrap();
    let world = with_kit();
    world.write("root.json", &root);
    let added = world.trust(&["add-root", "kit.json", "root.json"]);
    assert!(added.stdout.contains("now trusts 1 log (rekor-local) and 1 timestamp authority"));
    assert!(added.stdout.contains("authorise no signer of manifests"), "{}", added.stdout);
    assert!(world.read("kit.json").contains(root.trim()), "word for word");
    assert_eq!(world.kit("kit.json").sigstore_trusted_roots().len(), 1);
    assert_eq!(world.kit("kit.json").timestamp_authorities().len(), 1);
    refuses(&world, &["add-root", "kit.json", "root.json"], "has this trusted root already");
}

#[test]
fn what_is_no_trusted_root_is_refused() {
    let world = with_kit();
    for (text, words) in [
        ("{", "[json."),
        ("{}", "mediaType"),
        (r#"{"mediaType":"application/x"}"#, "is not the media type of a trusted root"),
    ] {
        world.write("root.json", text);
        refuses(&world, &["add-root", "kit.json", "root.json"], words);
    }
    refuses(&world, &["add-root", "kit.json", "missing.json"], "missing.json");
}

#[test]
fn the_parts_of_a_root_that_are_of_no_use_are_told() {
    let Some(path) = vectors("rekor-live/trusted_root.json") else { return };
    let root = std::fs::read_to_string(path).unwrap();
    let world = with_kit();
    world.write("root.json", root.replace("SHA2_256", "SHA2_512"));
    let added = world.trust(&["add-root", "kit.json", "root.json"]);
    assert!(added.stdout.contains("now trusts 0 logs"), "{}", added.stdout);
    let words = "the log http://rekor-local:3000 is of no use here: log does not use SHA2_256";
    assert!(added.stderr.contains(words), "{}", added.stderr);
}

#[test]
fn a_policy_is_kept_word_for_word() {
    let world = with_kit();
    world.write("policy.txt", policy());
    let added = world.trust(&["add-log", "kit.json", "policy.txt"]);
    let words = "now trusts log.example/2026, as far as these have seen it: w1";
    assert!(added.stdout.contains(words), "{}", added.stdout);
    assert_eq!(added.stderr, "");
    let kit: serde_json::Value = serde_json::from_str(&world.read("kit.json")).unwrap();
    assert_eq!(kit["tlog_policies"][0], policy(), "with its comment");
    refuses(&world, &["add-log", "kit.json", "policy.txt"], "has this policy already");
    world.write("other.txt", policy().replace("quorum w1", "quorum none"));
    let other = world.trust(&["add-log", "kit.json", "other.txt"]);
    assert!(
        other.stderr.contains("lists log.example/2026 too; the quorums of both"),
        "{}",
        other.stderr
    );
}

/// From a file or as it is typed.
#[test]
fn a_bare_key_is_its_owners_own_word() {
    let vkey = log_key().to_vkey();
    for given in ["log.vkey", &vkey] {
        let world = with_kit();
        world.write("log.vkey", format!("{vkey}\n"));
        let added = world.trust(&["add-log", "kit.json", given]);
        assert!(
            added.stdout.contains("now takes the word of log.example/2026"),
            "{}",
            added.stdout
        );
        assert!(added.stderr.contains("its owner's own word"), "{}", added.stderr);
        let kit: serde_json::Value = serde_json::from_str(&world.read("kit.json")).unwrap();
        assert_eq!(kit["tlog_policies"][0], format!("log {vkey}\nquorum none\n"));
    }
}

#[test]
fn what_names_no_log_is_refused() {
    let world = with_kit();
    let witness = witness_key().to_vkey();
    for (text, words) in [
        (witness.clone(), "Witnesses stand in a policy"),
        (format!("witness w1 {witness}\nquorum w1\n"), "lists no log"),
        ("PRIVATE+KEY+log.example+1234abcd+AZ".to_owned(), "private key belongs to the log alone"),
        (
            "log.example+00000000+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx".to_owned(),
            "log.vkey",
        ),
        ("log x\n".to_owned(), "line 1"),
        (policy().replace("quorum w1\n", ""), "quorum"),
    ] {
        world.write("log.vkey", text);
        refuses(&world, &["add-log", "kit.json", "log.vkey"], words);
    }
    world.write("log.vkey", b"\xff+a+b");
    refuses(&world, &["add-log", "kit.json", "log.vkey"], "not a text in UTF-8");
}

#[test]
fn a_timestamp_authority_has_a_name_and_a_window() {
    let world = with_kit();
    world.write("tsa.pem", stamping_certificate().0);
    let window = ["--from", "2026-01-01T00:00:00Z", "--until", "2027-01-01T00:00:00Z"];
    let arguments = ["add-tsa", "kit.json", "tsa.pem", "--name", "Example TSA"];
    let added = world.trust(&[&arguments[..], &window].concat());
    assert!(
        added.stdout.contains("now believes the timestamps of Example TSA"),
        "{}",
        added.stdout
    );
    let kit = world.kit("kit.json");
    let authority = &kit.timestamp_authorities()[0];
    assert_eq!(authority.until().unwrap().to_string(), "2027-01-01T00:00:00Z");
    refuses(&world, &arguments, "named Example TSA already");
    let again = world.trust(&["add-tsa", "kit.json", "tsa.pem", "--name", "B"]);
    assert!(again.stderr.contains("the same certificate stands in the kit under Example TSA too"));
}

#[test]
fn what_stamps_nothing_is_refused() {
    let world = with_kit();
    let certified = crate::support::certified("https://mcp.example.org/news", 2050);
    let (stamping, key) = stamping_certificate();
    for (text, words) in [
        (certified.leaf_pem.clone(), "is not for timestamping alone"),
        (certified.root_pem, "belongs to a CA"),
        (format!("{stamping}{}", certified.leaf_pem), "is not followed by its issuer's"),
        (key, "Keep the private key private"),
        ("hello".to_owned(), "[key.certificate]"),
    ] {
        world.write("tsa.pem", text);
        refuses(&world, &["add-tsa", "kit.json", "tsa.pem", "--name", "A"], words);
    }
    world.write("tsa.pem", stamping);
    let window = ["--from", "2027-01-01T00:00:00Z", "--until", "2026-01-01T00:00:00Z"];
    let arguments = [&["add-tsa", "kit.json", "tsa.pem", "--name", "A"][..], &window].concat();
    refuses(&world, &arguments, "lies before");
    refuses(&world, &["add-tsa", "kit.json", "tsa.pem"], "--name");
}

#[test]
fn a_list_takes_the_place_of_an_older_one() {
    let world = with_kit();
    world.write("list.json", ct_list("2026-11-01T00:00:00Z"));
    let added = world.trust(&["add-ct", "kit.json", "list.json"]);
    let words = "log list 3.1 of 2026-11-01T00:00:00Z: 1 log of 1 operator, 1 usable";
    assert!(added.stdout.contains(words), "{}", added.stdout);
    assert!(world.read("kit.json").contains(&ct_list("2026-11-01T00:00:00Z")), "word for word");
    refuses(&world, &["add-ct", "kit.json", "list.json"], "has this list already");
    world.write("old.json", ct_list("2026-10-01T00:00:00Z"));
    refuses(&world, &["add-ct", "kit.json", "old.json"], "the list in the kit is newer");
    world.write("new.json", ct_list("2026-11-02T00:00:00Z"));
    let replaced = world.trust(&["add-ct", "kit.json", "new.json", "--json"]).stdout;
    assert_eq!(member(&replaced, "log_list_timestamp"), r#""2026-11-02T00:00:00Z""#);
    assert_eq!(world.read("kit.json").matches("log_list_timestamp").count(), 1);
}

#[test]
fn what_is_no_list_is_refused() {
    let world = with_kit();
    for (text, words) in [
        ("{}".to_owned(), "operators"),
        (r#"{"operators":[]}"#.to_owned(), "names no log"),
        (ct_list("2026-11-01T00:00:00Z").replace("usable", "lovely"), "known state"),
    ] {
        world.write("list.json", text);
        refuses(&world, &["add-ct", "kit.json", "list.json"], words);
    }
    world.write("list.json", ct_list("2024-01-01T00:00:00Z"));
    let old = world.trust(&["add-ct", "kit.json", "list.json"]);
    assert!(old.stderr.contains("older than 70 days"), "{}", old.stderr);
}
