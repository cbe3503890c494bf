//! `genten fetch`: files, options, order, output.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use genten::manifest::{Completeness, SourceClass};
use genten::store::BodyPlace;
use genten_primitives::Sha256Digest;
use genten_testkit::{Answer, ConnectProxy, End};

use crate::world::{World, gzip};

#[test]
fn names_come_from_the_url_and_nothing_is_overwritten() {
    let world = World::new();
    let site = world.serving([("/rfc/rfc9421.txt?x=1", Answer::ok("the text"))]);
    let url = site.url("/rfc/rfc9421.txt?x=1");
    let run = world.fetch(&[&url]).expect(0).says(&format!("signed    {url}\n"));
    let run = run.says("  body      rfc9421.txt (8 bytes)\n");
    run.says("  manifest  rfc9421.txt.provenance.json\n").talks("made a signing key, did:key:z");
    assert_eq!(world.files(), ["rfc9421.txt", "rfc9421.txt.provenance.json"]);
    world.accepts("rfc9421.txt");

    let bundle = world.read("rfc9421.txt.provenance.json");
    world.fetch(&[&url]).expect(2).talks("rfc9421.txt is there already").talks("-o");
    assert_eq!(world.read("rfc9421.txt.provenance.json"), bundle);
    std::fs::remove_file(world.path("rfc9421.txt")).unwrap();
    world.fetch(&[&url]).expect(2).talks("rfc9421.txt.provenance.json is there already");
    assert_eq!(world.files(), ["rfc9421.txt.provenance.json"]);
    assert_eq!(site.seen().len(), 1, "found out before anything was asked");
}

#[test]
fn a_name_that_was_chosen_is_overwritten() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("one")), ("/b", Answer::ok("two"))]);
    world.fetch(&[&site.url("/a"), "-o", "doc"]).expect(0);
    world.fetch(&[&site.url("/b"), "-o", "doc"]).expect(0);
    assert_eq!(world.read("doc"), b"two");
    world.accepts("doc");
    assert_eq!(world.files(), ["doc", "doc.provenance.json"]);
}

#[test]
fn several_urls_go_into_a_folder_that_is_made() {
    let world = World::new();
    let routes = ["/a/x", "/b/x", "/b/x.provenance.json", "/"];
    let site = world.serving(routes.map(|route| (route, Answer::ok(route))));
    let urls = routes.map(|route| site.url(route));
    let urls = urls.iter().map(String::as_str).chain(["-o", "new/folder"]);
    world.fetch(&urls.collect::<Vec<_>>()).expect(0);
    for (name, body) in [("x", "/a/x"), ("x-2", "/b/x"), ("x.provenance.json-2", routes[2])] {
        assert_eq!(world.read(&format!("new/folder/{name}")), body.as_bytes(), "{name}");
        world.accepts(&format!("new/folder/{name}"));
    }
    assert_eq!(crate::world::names(&world.path("new/folder")).len(), 8);
}

#[test]
fn one_url_goes_into_a_folder_that_is_there() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::ok("x"))]);
    std::fs::create_dir(world.path("folder")).unwrap();
    world.fetch(&[&site.url("/doc"), "-o", "folder"]).expect(0);
    world.accepts("folder/doc");
    world.fetch(&[&site.url("/doc"), "-o", "folder"]).expect(2).talks("is there already");
}

/// The first of three answers waits until the others were asked for, so that it comes last; it is reported first.
#[test]
fn output_has_the_order_of_the_input() {
    let world = World::new();
    let asked = Arc::new((Mutex::new(0), Condvar::new()));
    let site = world.site().handler(move |request| {
        let (count, changed) = &*asked;
        let mut count = count.lock().unwrap();
        *count += 1;
        changed.notify_all();
        if request.target == "/1" {
            let limit = Duration::from_secs(60);
            let (count, wait) =
                changed.wait_timeout_while(count, limit, |count| *count < 3).unwrap();
            drop(count);
            assert!(!wait.timed_out(), "the others were not asked for meanwhile");
        }
        Answer::ok(request.target.clone())
    });
    let site = world.start(site);
    let urls = ["/1", "/2", "/3"].map(|path| site.url(path));
    let [one, two, three] = &urls;
    let run = world.fetch(&[one, two, three, "--jobs", "3", "--json"]).expect(0);
    let told: Vec<_> = run.json().iter().map(|object| object["url"].clone()).collect();
    assert_eq!(told, urls);
    assert_eq!(std::fs::read(world.path("1")).unwrap(), b"/1");
}

#[test]
fn one_job_asks_one_after_the_other() {
    let world = World::new();
    let routes = ["/1", "/2", "/3"];
    let site = world.serving(routes.map(|route| (route, Answer::ok(route))));
    let urls = routes.map(|route| site.url(route));
    let urls = urls.iter().map(String::as_str).chain(["--jobs", "1"]);
    world.fetch(&urls.collect::<Vec<_>>()).expect(0);
    let seen: Vec<_> = site.seen().into_iter().map(|request| request.target).collect();
    assert_eq!(seen, routes);
}

#[test]
fn one_failure_among_several_is_told_and_the_others_are_done() {
    let world = World::new();
    let site = world.serving([("/a", Answer::ok("a")), ("/c", Answer::ok("c"))]);
    let bad = site.url_at("no-such-host.invalid", "/b");
    let run = world.fetch(&[&site.url("/a"), &bad, &site.url("/c")]).expect(1);
    run.talks("[fetch.dns]").says("/c\n");
    world.accepts("a");
    world.accepts("c");
    assert_eq!(world.files().len(), 4);
}

#[test]
fn without_a_body_only_the_manifest_is_written() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::ok("the text"))]);
    world.fetch(&[&site.url("/doc"), "--no-body"]).expect(0);
    assert_eq!(world.files(), ["doc.provenance.json"]);
    assert_eq!(world.claims("doc.provenance.json").content_sha256, Sha256Digest::of(b"the text"));
    assert_eq!(world.journal()[0].body_place, BodyPlace::None);
}

#[test]
fn the_json_has_a_fixed_shape() {
    let world = World::new();
    let site = world.serving([
        ("/doc", Answer::redirect(301, "/moved")),
        ("/moved", Answer::status(404).body("sorry")),
    ]);
    let run = world.fetch(&[&site.url("/doc"), "--json"]).expect(0);
    let [object] = &run.json()[..] else { panic!("{run:#?}") };
    let members: Vec<_> = object.as_object().unwrap().keys().collect();
    let expected = [
        "body",
        "bundle",
        "content_sha256",
        "fetched_at",
        "final_url",
        "manifest_id",
        "status",
        "url",
        "warnings",
    ];
    assert_eq!(members, expected);
    let entry = &world.journal()[0];
    assert_eq!(object["url"], site.url("/doc"));
    assert_eq!(object["final_url"], site.url("/moved"));
    assert_eq!(object["body"], "doc");
    assert_eq!(object["bundle"], "doc.provenance.json");
    assert_eq!(object["content_sha256"], Sha256Digest::of(b"sorry").to_string());
    assert_eq!(object["manifest_id"], entry.manifest_id.to_string());
    assert_eq!(object["fetched_at"], entry.fetched_at.to_string());
    assert_eq!(object["status"], 404);
    assert_eq!(object["warnings"].as_array().unwrap().len(), 2, "the status, the authority");

    let run = world.fetch(&["https://no-such-host.invalid/", "--json"]).expect(1);
    let [object] = &run.json()[..] else { panic!("{run:#?}") };
    let members: Vec<_> = object.as_object().unwrap().keys().collect();
    assert_eq!(members, ["code", "error", "hint", "url"]);
    assert_eq!(object["code"], "fetch.dns");
}

#[test]
fn the_journal_knows_where_body_and_bundle_are() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::ok("x"))]);
    world.fetch(&[&site.url("/doc"), "--class", "static"]).expect(0);
    let [entry] = &world.journal()[..] else { panic!() };
    assert_eq!(entry.body_place, BodyPlace::Path(world.path("doc")));
    assert_eq!(entry.bundle_path, Some(world.path("doc.provenance.json")));
    assert_eq!(entry.source_class.as_deref(), Some("static"));
}

#[test]
fn the_default_request_asks_for_the_bytes_as_stored() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::ok("x"))]);
    world.fetch(&[&site.url("/doc")]).expect(0);
    let request = &site.seen()[0];
    assert_eq!(request.header("accept-encoding").unwrap(), "identity");
    let agent = concat!("genten/", env!("CARGO_PKG_VERSION"));
    assert_eq!(request.header("user-agent").unwrap(), agent);
    assert_eq!(world.claims("doc.provenance.json").http.unwrap().request, None);
}

#[test]
fn method_fields_and_body_are_sent_and_told() {
    let world = World::new();
    let site = world.serving([("/search", Answer::ok("found"))]);
    world.write("query.json", r#"{"q":"law"}"#);
    let url = site.url("/search");
    let words = [&url, "--method", "POST", "--data", "@query.json"];
    let fields = ["--header", "Content-Type: application/json", "--header", "Accept-Language:ja"];
    let secret = ["--header", "X-Api-Key: s3cret"];
    let run = world.fetch(&[&words[..], &fields, &secret].concat()).expect(0);
    run.keeps_quiet_about("s3cret");
    let request = &site.seen()[0];
    assert_eq!(
        (request.method.as_str(), request.body.as_slice()),
        ("POST", &br#"{"q":"law"}"#[..])
    );
    assert_eq!(request.header("content-type").unwrap(), "application/json");
    assert_eq!(request.header("x-api-key").unwrap(), "s3cret");

    let told = world.claims("search.provenance.json").http.unwrap().request.unwrap();
    assert_eq!(told.method.as_str(), "POST");
    assert_eq!(told.body_sha256, Some(Sha256Digest::of(br#"{"q":"law"}"#)));
    assert_eq!(told.credentials, Some(true));
    let bundle = String::from_utf8(world.read("search.provenance.json")).unwrap();
    assert!(!bundle.contains("s3cret"));
}

#[test]
fn class_and_revision_are_signed() {
    let world = World::new();
    let law = Answer::ok(r#"{"revision":7}"#).header("etag", "\"v1\"").header("x-rev", "r-2026");
    let site = world.serving([("/law", law)]);
    for (from, revision) in
        [("etag", "\"v1\""), ("header:X-Rev", "r-2026"), ("json:/revision", "7")]
    {
        let words = [&site.url("/law"), "-o", "law", "--class", "revisioned"];
        world.fetch(&[&words[..], &["--revision-from", from]].concat()).expect(0);
        let claims = world.claims("law.provenance.json");
        assert_eq!(claims.source_class, Some(SourceClass::Revisioned));
        assert_eq!(claims.source_revision.unwrap().as_str(), revision, "{from}");
    }
    world.fetch(&[&site.url("/law"), "-o", "law", "--revision", "third"]).expect(0);
    assert_eq!(world.claims("law.provenance.json").source_revision.unwrap().as_str(), "third");
}

#[test]
fn a_revision_that_is_not_there_leaves_no_file() {
    let world = World::new();
    let site = world.serving([("/law", Answer::ok("x"))]);
    let run = world.fetch(&[&site.url("/law"), "--revision-from", "etag"]).expect(1);
    run.talks("no header field etag [revision.not-found]");
    assert_eq!(world.files(), [""; 0]);
    assert!(world.journal().is_empty());
    world.fetch(&[&site.url("/law"), "--revision-from", "body"]).expect(2).talks("json:/pointer");
    assert_eq!(site.seen().len(), 1);
}

#[test]
fn a_named_key_signs() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::ok("x"))]);
    world.genten(&["key", "new", "desk", "--alg", "ed25519"]).expect(0);
    let run = world.fetch(&[&site.url("/doc"), "--key", "desk"]).expect(0);
    assert!(!run.stderr.contains("made a signing key"), "{run:#?}");
    world.accepts("doc");
    let id = world.genten(&["key", "public", "desk", "--format", "id"]).expect(0).stdout;
    assert_eq!(world.journal()[0].key_id, id.trim_end());
    world
        .fetch(&[&site.url("/doc"), "--key", "other", "-o", "again"])
        .expect(1)
        .talks("no key named other");
}

#[test]
fn a_coded_body_is_kept_as_it_came() {
    let world = World::new();
    let coded = gzip(b"the law");
    let answer = Answer::ok(coded.clone()).header("content-encoding", "gzip");
    let site = world.serving([("/law", answer)]);
    world.fetch(&[&site.url("/law")]).expect(0);
    assert_eq!(world.read("law"), coded);
    world.accepts("law");
    let claims = world.claims("law.provenance.json");
    assert_eq!(claims.decoded_sha256(), Some(Sha256Digest::of(b"the law")));
}

#[test]
fn redirects_to_another_site_are_warned_of_or_refused() {
    let world = World::new();
    let target = world.serving([("/doc", Answer::ok("x"))]);
    let elsewhere = target.url_at("127.0.0.1", "/doc");
    let site = world.serving([("/go", Answer::redirect(302, elsewhere.as_str()))]);
    let url = site.url("/go");
    world.fetch(&[&url, "-o", "a"]).expect(0).talks("warning").talks("from localhost to 127.0.0.1");
    let run = world.fetch(&[&url, "-o", "b", "--same-site"]).expect(1);
    run.talks("[fetch.redirect.cross-site]");
    let run = world.fetch(&[&url, "-o", "b", "--max-redirects", "0"]).expect(1);
    run.talks("[fetch.redirect.too-many]");
    assert_eq!(world.files(), ["a", "a.provenance.json"]);
}

#[test]
fn a_body_that_was_cut_off_is_signed_only_when_asked_for_and_marked() {
    let world = World::new();
    let half = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf";
    let site = world.serving([("/doc", Answer::raw(half, End::Clean))]);
    let run = world.fetch(&[&site.url("/doc")]).expect(1);
    run.talks("truncated after 4 bytes").talks("[fetch.truncated]");
    assert_eq!(world.files(), [""; 0]);
    world.fetch(&[&site.url("/doc"), "--allow-partial"]).expect(0);
    assert_eq!(world.read("doc"), b"half");
    let http = world.claims("doc.provenance.json").http.unwrap();
    assert_eq!(http.completeness, Some(Completeness::Partial));
}

#[test]
fn a_proxy_is_used_when_asked_for_and_never_because_of_the_environment() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::ok("x"))]);
    let proxy = world.block_on(ConnectProxy::start(Some(site.address()))).unwrap();
    let mut command = world.fetch_command(&[&site.url("/doc"), "-o", "direct"]);
    for name in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"] {
        command.env(name, proxy.url());
    }
    crate::world::Run::of(&mut command).expect(0);
    assert_eq!(proxy.asked(), [""; 0]);
    world.fetch(&[&site.url("/doc"), "-o", "through", "--proxy", &proxy.url()]).expect(0);
    assert_eq!(proxy.asked().len(), 1);
    let told = |name: &str| world.claims(name).tls.unwrap().proxy;
    assert_eq!(told("direct.provenance.json"), Some(false));
    assert_eq!(told("through.provenance.json"), Some(true));
}

#[test]
fn inner_addresses_are_refused_when_asked() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::ok("x"))]);
    let run = world.fetch(&[&site.url("/doc"), "--public-only"]).expect(1);
    run.talks("loopback").talks("[fetch.guarded]");
    assert_eq!(site.connections(), 0);
}

#[test]
fn what_cannot_be_understood_is_usage() {
    let world = World::new();
    for words in [
        &["--header", "no colon", "https://localhost/"][..],
        &["--class", "eternal", "https://localhost/"],
        &["--timeout", "soon", "https://localhost/"],
        &["--revision", "", "https://localhost/"],
        &["--revision", "a", "--revision-from", "etag", "https://localhost/"],
        &["--no-such-option", "https://localhost/"],
        &[],
    ] {
        let run = world.fetch(words).expect(2);
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{run:#?}");
    }
    assert!(!world.home().exists(), "and no home or key is made for it");
}
