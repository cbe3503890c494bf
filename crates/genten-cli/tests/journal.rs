//! The journal as users look into it, completions and manual pages.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

mod support;

use genten_primitives::Sha256Digest;
use genten_store::{BodyPlace, Durability, Entry, Home, LogState, LogStatus};
use support::{World, exists, manifest, member, time};

fn entry(number: u8, fetched: &str, url: &str) -> Entry {
    let mut id = [0xab; 32];
    id[31] = number;
    Entry {
        manifest_id: Sha256Digest::from_bytes(id),
        recorded_at: time(fetched),
        fetched_at: time(fetched),
        attested_at: None,
        url: url.to_owned(),
        final_url: None,
        revision: None,
        source_class: Some("static".to_owned()),
        capture: "recorded".to_owned(),
        key_id: "did:web:a.example#k".to_owned(),
        content_sha256: Sha256Digest::of(&[number]),
        content_bytes: Some(1),
        body_place: BodyPlace::None,
        bundle_path: None,
        manifest: Some(manifest(1)),
        log: LogStatus::default(),
    }
}

/// Three entries, the second with everything that an entry can have, the third from hostile hands.
fn with_entries() -> World {
    let world = World::new();
    let full = Entry {
        manifest_id: Sha256Digest::of(b"second"),
        attested_at: Some(time("2026-06-02T00:05:00Z")),
        final_url: Some("https://b.example/moved".to_owned()),
        revision: Some("rev 7".to_owned()),
        source_class: Some("revisioned".to_owned()),
        body_place: BodyPlace::Path("/srv/body".into()),
        bundle_path: Some("/srv/b.provenance.json".into()),
        manifest: None,
        log: LogStatus {
            state: LogState::Logged,
            log_id: Some("log.example#7".to_owned()),
            attempts: 2,
            ..LogStatus::default()
        },
        ..entry(2, "2026-06-02T00:00:00.125Z", "https://b.example/")
    };
    let hostile = Entry {
        source_class: None,
        ..entry(3, "2026-06-03T00:00:00Z", "https://c.example/\u{1b}[2J")
    };
    let journal = Home::open(world.home()).unwrap().journal(Durability::Normal).unwrap();
    for entry in [entry(1, "2026-06-01T00:00:00Z", "https://a.example/"), full, hostile] {
        journal.record(&entry).unwrap();
    }
    world
}

#[test]
fn a_list_has_a_line_an_entry_the_newest_first() {
    let world = with_entries();
    let text = world.genten(&["journal", "list"]).expect(0).stdout;
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    let columns = |line: usize| lines[line].split_whitespace().collect::<Vec<_>>();
    assert_eq!(columns(0), ["fetched", "class", "log", "manifest", "url"]);
    assert_eq!(columns(1)[..3], ["2026-06-03T00:00:00Z", "-", "none"]);
    let id = Sha256Digest::of(b"second").to_string();
    assert_eq!(
        columns(2),
        ["2026-06-02T00:00:00.125Z", "revisioned", "logged", &id[..12], "https://b.example/"]
    );
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn filters_select() {
    let world = with_entries();
    let number = |arguments: &[&str]| {
        let run = world.genten(&[&["journal", "list", "--json"], arguments].concat());
        run.expect(0).stdout.lines().count()
    };
    assert_eq!(number(&[]), 3);
    assert_eq!(number(&["--url", "b.example"]), 1);
    assert_eq!(number(&["--class", "static"]), 1);
    assert_eq!(number(&["--since", "2026-06-02T00:00:00Z"]), 2);
    assert_eq!(number(&["--until", "2026-06-02T00:00:00Z"]), 1);
    assert_eq!(number(&["--limit", "2"]), 2);
    assert_eq!(number(&["--url", "nowhere"]), 0);
    let wrong = world.genten(&["journal", "list", "--since", "2026-06-02"]).expect(2);
    assert!(wrong.stderr.contains("--since 2026-06-02: not a time like"), "{}", wrong.stderr);
}

#[test]
fn show_takes_the_beginning_of_an_id() {
    let world = with_entries();
    let id = Sha256Digest::of(b"second").to_string();
    for given in [&id[..6], &id[..63], &id] {
        let text = world.genten(&["journal", "show", given]).expect(0).stdout;
        for words in [
            &id,
            "https://b.example/moved",
            "rev 7",
            "/srv/body",
            "logged, log.example#7, sent 2 times",
        ] {
            assert!(text.contains(words), "{words}:\n{text}");
        }
    }
    let first = format!("{}01", "ab".repeat(31));
    let text = world.genten(&["journal", "show", &first]).expect(0).stdout;
    assert!(text.contains("mcp_signature"), "{text}");
    let json = world.genten(&["journal", "show", &id, "--json"]).expect(0).stdout;
    assert_eq!(member(&json, "bundle"), r#""/srv/b.provenance.json""#);
    assert_eq!(member(&json, "log"), r#"{"attempts":2,"log_id":"log.example#7","state":"logged"}"#);

    world.genten(&["journal", "show", "abababab"]).expect(2);
    world.genten(&["journal", "show", "ababa"]).expect(2);
    world.genten(&["journal", "show", "ABABAB"]).expect(2);
    let unknown = world.genten(&["journal", "show", "000000"]).expect(1);
    assert!(unknown.stderr.contains("no entry"), "{}", unknown.stderr);
    world.genten(&["journal", "show", &"0".repeat(64)]).expect(1);
}

#[test]
fn export_is_json_lines_with_the_manifests_as_signed() {
    let world = with_entries();
    let text = world.genten(&["journal", "export"]).expect(0).stdout;
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(member(lines[0], "fetched_at"), r#""2026-06-01T00:00:00Z""#);
    assert_eq!(member(lines[0], "manifest"), String::from_utf8(manifest(1)).unwrap());
    assert_eq!(member(lines[0], "content_bytes"), "1");
    assert!(!lines[1].contains(r#""manifest":"#), "{}", lines[1]);
    let newest = world.genten(&["journal", "export", "--limit", "2"]).expect(0).stdout;
    let newest: Vec<_> = newest.lines().collect();
    assert_eq!(newest, lines[1..]);
}

#[test]
fn looking_into_a_home_that_is_not_there_makes_none() {
    let world = World::new();
    let empty = world.genten(&["journal", "list"]).expect(0);
    assert_eq!(empty.stdout, "");
    assert!(empty.stderr.contains("no entry"), "{}", empty.stderr);
    world.genten(&["journal", "export"]).expect(0);
    world.genten(&["journal", "show", "000000"]).expect(1);
    assert!(!exists(&world.home()));
}

#[test]
fn completions_and_manual_pages_come_from_the_definition() {
    let world = World::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = world.genten(&["completions", shell]).expect(0).stdout;
        assert!(script.contains("journal"), "{shell}");
    }
    world.genten(&["completions", "cmd"]).expect(2);
    world.genten(&["man", "deep/man"]).expect(0);
    for page in ["genten.1", "genten-fetch.1", "genten-trust.1", "genten-trust-add-key.1"] {
        let text = world.read(&format!("deep/man/{page}"));
        assert!(text.contains(".TH genten"), "{page}: {text}");
    }
    assert!(!exists(&world.path("deep/man/genten-help.1")));
    world.genten(&["man", "deep/man"]).expect(0);
    world.write("file", "");
    world.genten(&["man", "file"]).expect(1);
}
