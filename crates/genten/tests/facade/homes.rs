//! What stays in a home: journal, bodies and keys; and several users of one home.

use std::collections::HashSet;

use genten::fetch::{Request, Sink};
use genten::store::{BodyPlace, Entry, Filter, Order};
use genten::{Attested, Facts, Fetch, Genten};
use genten_testkit::{Answer, HttpsSite};

use crate::support::{NOW, World, is_found_below, read_back, signer, time, verdict};

fn rows(genten: &Genten) -> Vec<Entry> {
    let all = Filter { order: Order::OldestFirst, ..Filter::default() };
    genten.journal().unwrap().list(&all).unwrap().map(Result::unwrap).collect()
}

fn row(genten: &Genten, attested: &Attested) -> Entry {
    genten.journal().unwrap().get(&attested.manifest_id).unwrap().unwrap()
}

/// 001-14
#[tokio::test]
async fn every_signed_manifest_is_one_row() {
    let world = World::new();
    let site = world.answering(Answer::ok("the bytes")).await;
    let folder = tempfile::tempdir().unwrap();
    let genten = world.at_home(folder.path());
    let recorded = genten.fetch(site.url("/a?page=2")).await.unwrap();
    let facts = Facts::of_body("https://laws.example/1", NOW, b"the law").unwrap();
    let reported = genten.attest(&facts).await.unwrap();
    world.clock.advance_millis(120_000);
    let cached = genten.attest_cached(&recorded, &Default::default()).await.unwrap();

    assert_eq!(rows(&genten).len(), 3);
    let entry = row(&genten, &recorded);
    let claims = read_back(&recorded);
    assert_eq!(entry.url, claims.source_url.as_str());
    assert_eq!((entry.final_url, entry.revision, entry.source_class), (None, None, None));
    assert_eq!((entry.fetched_at, entry.recorded_at), (time(NOW), time(NOW)));
    assert_eq!((entry.attested_at, entry.capture.as_str()), (None, "recorded"));
    assert_eq!(entry.key_id, genten.key_id().as_str());
    assert_eq!((entry.content_sha256, entry.content_bytes), (claims.content_sha256, Some(9)));
    assert_eq!((entry.body_place, entry.bundle_path), (BodyPlace::None, None));
    assert_eq!(entry.manifest, Some(recorded.manifest.to_json()));
    assert_eq!(row(&genten, &reported).capture, "reported");
    let entry = row(&genten, &cached);
    assert_eq!(entry.attested_at, Some(world.clock.now()));
    assert_eq!((entry.fetched_at, entry.recorded_at), (time(NOW), world.clock.now()));
}

#[tokio::test]
async fn the_same_manifest_is_recorded_once() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let genten = world.at_home(folder.path());
    let facts = Facts::of_body("https://laws.example/1", NOW, b"the law").unwrap();
    let first = genten.attest(&facts).await.unwrap();
    let again = genten.attest(&facts).await.unwrap();
    assert_eq!(first.manifest_id, again.manifest_id);
    assert_eq!(rows(&genten).len(), 1);
}

#[tokio::test]
async fn a_failed_fetch_leaves_no_row() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let genten = world.at_home(folder.path());
    let stranger = HttpsSite::builder()
        .identity(world.authority.issue_for("elsewhere.example").unwrap())
        .start()
        .await
        .unwrap();
    let error = genten.fetch(stranger.url("/")).await.unwrap_err();
    assert_eq!(error.code(), "fetch.tls.wrong-host");
    assert!(rows(&genten).is_empty());
}

/// The journal is read by more people than the bundles.
#[tokio::test]
async fn secrets_in_urls_stay_out_of_the_journal_wherever_they_stand() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let site = world
        .site()
        .route("/direct?token=s3cret", Answer::ok("1"))
        .route("/to-secret", Answer::redirect(302, "/direct?token=s3cret"))
        .route("/over-secret", Answer::redirect(302, "/middle?sig=s3cret"))
        .route("/middle?sig=s3cret", Answer::redirect(302, "/end"))
        .route("/end", Answer::ok("2"))
        .start()
        .await
        .unwrap();
    let genten = world.at_home(folder.path());
    for (path, url, final_url) in [
        ("/direct?token=s3cret", "/direct?token=…", None),
        ("/to-secret", "/to-secret", Some("/direct?token=…")),
        ("/over-secret", "/over-secret", Some("/end")),
    ] {
        let attested = genten.fetch(site.url(path)).await.unwrap();
        let entry = row(&genten, &attested);
        assert_eq!(entry.url, site.url(url));
        assert_eq!(entry.final_url, final_url.map(|url| site.url(url)));
        assert_eq!(entry.manifest, None, "{path}: it stands in the bundle alone");
        assert!(String::from_utf8(attested.bundle().to_json()).unwrap().contains("s3cret"));
    }
    drop(genten);
    assert!(!is_found_below(folder.path(), "s3cret"));
}

#[tokio::test]
async fn bodies_are_kept_where_asked_and_files_of_the_user_stay() {
    let world = World::new();
    let site = world.answering(Answer::ok("the bytes")).await;
    let folder = tempfile::tempdir().unwrap();
    let genten = world.builder().home(folder.path().join("home")).keep_bodies(true);
    let genten = genten.build().unwrap();
    let file = folder.path().join("doc.txt");
    for sink in [Sink::Memory { limit: 100 }, Sink::File(file.clone()), Sink::Discard] {
        let keeps = !matches!(sink, Sink::Discard);
        world.clock.advance_millis(1);
        let attested = genten.fetch(Fetch::get(site.url("/")).sink(sink)).await.unwrap();
        let place = if keeps { BodyPlace::BodyStore } else { BodyPlace::None };
        assert_eq!(row(&genten, &attested).body_place, place);
        let bodies = genten.home().unwrap().bodies();
        let digest = attested.manifest.claims.content_sha256;
        let stored = std::io::read_to_string(bodies.open_checked(&digest).unwrap()).unwrap();
        assert_eq!(stored, "the bytes");
    }
    assert_eq!(std::fs::read(&file).unwrap(), b"the bytes", "the user asked for this file");
}

#[tokio::test]
async fn without_keeping_bodies_the_row_names_the_file() {
    let world = World::new();
    let site = world.answering(Answer::ok("the bytes")).await;
    let folder = tempfile::tempdir().unwrap();
    let genten = world.at_home(&folder.path().join("home"));
    let file = folder.path().join("doc.txt");
    let fetch = Fetch::get(site.url("/")).sink(Sink::File(file.clone()));
    let attested = genten.fetch(fetch).await.unwrap();
    assert_eq!(row(&genten, &attested).body_place, BodyPlace::Path(file));
    let digest = attested.manifest.claims.content_sha256;
    assert!(!genten.home().unwrap().bodies().contains(&digest));
}

#[tokio::test]
async fn without_journal_or_home_nothing_is_kept() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let builder = world.builder().home(folder.path()).without_journal();
    let genten = builder.build().unwrap();
    assert!(genten.journal().is_none());
    let facts = Facts::of_body("https://laws.example/1", NOW, b"the law").unwrap();
    genten.attest(&facts).await.unwrap();
    assert!(!genten.home().unwrap().journal_path().exists());
    assert!(world.genten().home().is_none());
}

#[tokio::test]
async fn a_given_signer_needs_no_key_in_the_home() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let genten = world.builder().home(folder.path()).signer(signer(3)).build().unwrap();
    assert_eq!(genten::KeyRing::of(genten.home().unwrap()).names().unwrap(), [""; 0]);
    let facts = Facts::of_body("https://laws.example/1", NOW, b"the law").unwrap();
    genten.attest(&facts).await.unwrap();
    assert_eq!(rows(&genten).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_producers_share_one_home() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (world.at_home(folder.path()), world.at_home(folder.path()));
    assert_eq!(one.key_id(), other.key_id());
    let work = (0..24).map(|number| {
        let genten = if number % 2 == 0 { one.clone() } else { other.clone() };
        let request = Request::get(site.url(&format!("/{number}")));
        tokio::spawn(async move { genten.fetch(request).await.unwrap() })
    });
    let mut ids = HashSet::new();
    for task in work.collect::<Vec<_>>() {
        let attested = task.await.unwrap();
        assert_eq!(verdict(&world.judge(&one, &attested, b"x")), "accept");
        ids.insert(attested.manifest_id);
    }
    assert_eq!(ids.len(), 24);
    let recorded: HashSet<_> = rows(&one).into_iter().map(|entry| entry.manifest_id).collect();
    assert_eq!(recorded, ids);
    one.journal().unwrap().check().unwrap();
}

#[test]
fn of_many_first_users_one_makes_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let ids: HashSet<String> = std::thread::scope(|scope| {
        let user = || {
            let genten = Genten::builder().home(&home).build().unwrap();
            genten.key_id().to_string()
        };
        let users: Vec<_> = (0..8).map(|_| scope.spawn(user)).collect();
        users.into_iter().map(|user| user.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 1);
    let files: Vec<_> = std::fs::read_dir(home.join("keys")).unwrap().collect();
    assert_eq!(files.len(), 2, "the key and its id: {files:?}");
}
