//! `genten refetch`: the same request again, and what changed.

use std::sync::{Arc, Mutex};

use genten_testkit::{Answer, HttpsSite, KeyKind, Leaf};

use crate::world::{World, gzip};

/// A site whose only document can be exchanged, and that the world can no longer reach when it is dropped.
struct Changing {
    site: HttpsSite,
    now: Arc<Mutex<Answer>>,
}

impl Changing {
    fn serve(world: &World, answer: Answer) -> Self {
        let now = Arc::new(Mutex::new(answer));
        let shared = Arc::clone(&now);
        let handler = move |request: &genten_testkit::SeenRequest| match request.target.as_str() {
            "/doc" => shared.lock().unwrap().clone(),
            "/elsewhere" => Answer::ok("the text"),
            _ => Answer::status(404),
        };
        Self { site: world.start(world.site().handler(handler)), now }
    }

    fn becomes(&self, answer: Answer) {
        *self.now.lock().unwrap() = answer;
    }

    fn url(&self) -> String {
        self.site.url("/doc")
    }
}

#[test]
fn every_class_of_change_has_its_word_and_status() {
    let world = World::new();
    let source = Changing::serve(&world, Answer::ok("the text"));
    world.fetch(&[&source.url(), "--class", "static"]).expect(0);
    let refetch = || world.refetch(&["doc.provenance.json"]);

    refetch().expect(0).says(&format!("identical           {}\n", source.url()));
    source.becomes(Answer::ok(gzip(b"the text")).header("content-encoding", "gzip"));
    refetch().expect(0).says("same-after-decoding ");
    source.becomes(Answer::redirect(301, "/elsewhere"));
    let run = refetch().expect(0).says("moved  ").says(&format!("  was at    {}\n", source.url()));
    run.says(&format!("  now at    {}\n", source.site.url("/elsewhere")));
    source.becomes(Answer::ok("another text").header("content-type", "text/html"));
    let run = refetch().expect(1).says("changed  ").says("  was       sha256 ");
    run.says("  now       sha256 ").says("a stable format");
    for count in 1..=4 {
        world.accepts(&format!("doc.refetch-{count}"));
    }
    assert_eq!(world.files().len(), 10);
    assert_eq!(world.read("doc"), b"the text", "the old files stay");
    assert_eq!(world.journal().len(), 5);
    assert!(world.journal().iter().all(|row| row.source_class.as_deref() == Some("static")));

    let url = source.url();
    drop(source);
    let run = refetch().expect(2).says(&format!("unreachable         {url}\n"));
    run.talks("[fetch.connect]");
    assert_eq!(world.files().len(), 10);
}

#[test]
fn the_json_has_a_fixed_shape() {
    let world = World::new();
    let source = Changing::serve(&world, Answer::ok("the text"));
    world.fetch(&[&source.url()]).expect(0);
    source.becomes(Answer::redirect(301, "/elsewhere"));
    let run = world.refetch(&["doc.provenance.json", "--json"]).expect(0);
    let [object] = &run.json()[..] else { panic!("{run:#?}") };
    let members: Vec<_> = object.as_object().unwrap().keys().collect();
    let expected = [
        "bundle",
        "change",
        "file",
        "manifest_id",
        "new_final_url",
        "new_sha256",
        "old_final_url",
        "old_sha256",
        "other_certificate",
        "url",
    ];
    assert_eq!(members, expected);
    assert_eq!(object["change"], "moved");
    assert_eq!(object["bundle"], "doc.refetch-1.provenance.json");
    assert_eq!(object["other_certificate"], false);
    assert_eq!(object["old_sha256"], object["new_sha256"]);
    drop(source);
    let run = world.refetch(&["doc.provenance.json", "--json"]).expect(2);
    let [object] = &run.json()[..] else { panic!("{run:#?}") };
    let members: Vec<_> = object.as_object().unwrap().keys().collect();
    assert_eq!(members, ["change", "code", "error", "file", "url"]);
    assert_eq!(
        (&object["change"], &object["code"]),
        (&"unreachable".into(), &"fetch.connect".into())
    );
}

/// A page whose path now leads to another page, and a text that only moved: the advice is to use the text.
#[test]
fn a_page_changes_where_its_text_only_moves() {
    let world = World::new();
    let page = |text: &str| Answer::ok(text).header("content-type", "text/html; charset=utf-8");
    let site = Arc::new(Mutex::new(false));
    let moved = Arc::clone(&site);
    let handler = move |request: &genten_testkit::SeenRequest| {
        let moved = *moved.lock().unwrap();
        match (request.target.as_str(), moved) {
            ("/rfc/rfc9421.txt", false) | ("/files/rfc9421.txt", true) => Answer::ok("the text"),
            ("/rfc/rfc9421.txt", true) => Answer::redirect(301, "/files/rfc9421.txt"),
            ("/rfc/rfc9421", false) => page("<p>the text"),
            ("/rfc/rfc9421", true) => Answer::redirect(301, "/info/rfc9421"),
            ("/info/rfc9421", true) => page("<p>about the text"),
            _ => Answer::status(404),
        }
    };
    let server = world.start(world.site().handler(handler));
    let urls = ["/rfc/rfc9421.txt", "/rfc/rfc9421"].map(|path| server.url(path));
    world.fetch(&[&urls[0], &urls[1], "-o", "old"]).expect(0);
    *site.lock().unwrap() = true;
    let bundles = ["old/rfc9421.txt.provenance.json", "old/rfc9421.provenance.json"];
    let run = world.refetch(&[bundles[0], bundles[1]]).expect(1);
    let said: Vec<_> = run.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    assert!(said[0].starts_with("moved ") && said[1].starts_with("changed "), "{run:#?}");
    run.says("a stable format (text, XML, PDF)");
}

#[test]
fn another_certificate_of_the_same_host_is_a_note() {
    let world = World::new();
    let rsa = world.authority.issue(&Leaf::new(["localhost"]).key(KeyKind::Rsa2048)).unwrap();
    let site = world.site().identity(rsa).route("/doc", Answer::ok("x"));
    let site = world.start(site);
    world.fetch(&[&site.url("/doc")]).expect(0);
    let run = world.refetch(&["doc.provenance.json"]).expect(0).says("identical ");
    run.says("another certificate than then; both were valid for the host");
}

#[test]
fn the_request_is_made_as_it_was_made() {
    let world = World::new();
    let source = Changing::serve(&world, Answer::ok("x"));
    let fields = ["--header", "Accept-Language: ja", "--header", "User-Agent: news/1"];
    world.fetch(&[&[source.url().as_str()][..], &fields].concat()).expect(0);
    world.refetch(&["doc.provenance.json"]).expect(0);
    let [first, second] = &source.site.seen()[..] else { panic!() };
    let mut headers = [first, second].map(|request| request.headers.clone());
    headers.iter_mut().for_each(|list| list.sort());
    assert_eq!(headers[0], headers[1]);
    assert_eq!(second.header("accept-language").unwrap(), "ja");
}

#[test]
fn a_request_that_the_manifest_cannot_tell_is_not_guessed_at() {
    let world = World::new();
    let source = Changing::serve(&world, Answer::ok("x"));
    let url = source.url();
    world.fetch(&[&url, "-o", "post", "--method", "POST", "--data", "q=1"]).expect(0);
    world.fetch(&[&url, "-o", "key", "--header", "X-Api-Key: s3cret"]).expect(0);
    world.fetch(&[&url, "-o", "plain"]).expect(0);
    let files = ["post.provenance.json", "key.provenance.json", "plain.provenance.json"];
    // What can be repeated is, whatever stands beside it.
    let run = world.refetch(&files).expect(2).says("identical ");
    run.talks("post.provenance.json").talks("does not hold the request's body");
    assert_eq!(source.site.seen().len(), 4);
    let run = world.refetch(&[files[0], "--json"]).expect(2);
    let members: Vec<_> = run.json()[0].as_object().unwrap().keys().cloned().collect();
    assert_eq!(members, ["error", "file"]);
}

#[test]
fn files_that_are_no_manifest_end_with_two_and_do_not_stop_the_others() {
    let world = World::new();
    let source = Changing::serve(&world, Answer::ok("x"));
    world.fetch(&[&source.url()]).expect(0);
    world.write("nonsense", "{}");
    let run = world.refetch(&["missing", "nonsense", "doc", "doc.provenance.json"]).expect(2);
    run.says("identical ").talks("missing").talks("nonsense").talks("doc:");
    source.becomes(Answer::ok("y"));
    world.refetch(&["missing", "doc.provenance.json"]).expect(2).says("changed ");
    // A changed source is 1, so that nothing else may be.
    world.refetch(&["doc.provenance.json", "--key", "other"]).expect(2);
    world.genten(&["refetch", "doc.provenance.json", "--ca", "missing.pem"]).expect(2);
    world.genten(&["refetch"]).expect(2);
}

#[test]
fn a_bare_manifest_will_do_and_files_can_go_elsewhere() {
    let world = World::new();
    let source = Changing::serve(&world, Answer::ok("x"));
    world.fetch(&[&source.url()]).expect(0);
    let manifest = world.journal()[0].manifest.clone().unwrap();
    world.write("manifest.json", manifest);
    for _ in 0..2 {
        world.refetch(&["manifest.json", "-o", "new"]).expect(0).says("identical ");
    }
    for count in 1..=2 {
        world.accepts(&format!("new/manifest.json.refetch-{count}"));
    }
    std::fs::remove_file(world.path("new/manifest.json.refetch-1")).unwrap();
    let bundle = world.read("new/manifest.json.refetch-1.provenance.json");
    world.refetch(&["manifest.json", "-o", "new"]).expect(0);
    assert_eq!(world.read("new/manifest.json.refetch-1.provenance.json"), bundle);
    world.accepts("new/manifest.json.refetch-3");
}

#[test]
fn what_was_only_reported_cannot_always_be_fetched() {
    let world = World::new();
    world.write("row", "x");
    let words = ["--source-url", "db:orders?row=7", "--fetched-at", "2026-01-01T00:00:00Z"];
    world.genten(&[&["attest", "row"][..], &words].concat()).expect(0);
    let run = world.refetch(&["row.provenance.json"]).expect(2).says("unreachable ");
    run.talks("[fetch.url.scheme]");
}
