//! What cannot be fetched, each with its code, its reason and what to do; and what is only warned of.

use genten_testkit::{Answer, End, HttpsSite, Leaf};

use crate::world::{Run, World};

/// The run failed with this code, gave advice, and left nothing.
#[track_caller]
fn failed(world: &World, run: Run, code: &str) -> Run {
    let run = run.expect(1).talks(&format!("[{code}]"));
    let advice = run.stderr.trim_end().lines().next_back().unwrap().to_owned();
    assert!(!advice.contains(code) && !advice.is_empty(), "{run:#?}");
    assert_eq!(world.files(), [""; 0]);
    assert!(world.journal().is_empty());
    run
}

#[test]
fn a_name_that_does_not_resolve() {
    let world = World::new();
    let run = failed(&world, world.fetch(&["https://host.invalid/doc"]), "fetch.dns");
    run.talks("https://host.invalid/doc: the name host.invalid does not resolve").talks("spelling");
}

#[test]
fn a_port_where_nobody_listens() {
    let world = World::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/doc", listener.local_addr().unwrap());
    drop(listener);
    let run = failed(&world, world.fetch(&[&url]), "fetch.connect");
    run.talks("no connection to 127.0.0.1").talks("refused").talks("check host, port and network");
}

#[test]
fn a_certificate_that_is_not_trusted_is_shown() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::ok("x"))]);
    let run = world.genten(&["fetch", &site.url("/doc")]);
    let run = failed(&world, run, "fetch.tls.unknown-issuer");
    run.talks("presented issuer: CN=Test Root").talks("--ca");
    world.fetch(&[&site.url("/doc")]).expect(0).talks("private authority (CN=Test Root)");
}

#[test]
fn certificates_of_another_host_or_time() {
    let world = World::new();
    let time = |text: &str| text.parse().unwrap();
    let (past, long_ago) = (time("2001-01-01T00:00:00Z"), time("2000-01-01T00:00:00Z"));
    let (later, far) = (time("2999-01-01T00:00:00Z"), time("3000-01-01T00:00:00Z"));
    for (leaf, code, reason) in [
        (Leaf::new(["other.example"]), "fetch.tls.wrong-host", "another host (other.example)"),
        (Leaf::new(["localhost"]).valid(long_ago, past), "fetch.tls.expired", "has expired"),
        (Leaf::new(["localhost"]).valid(later, far), "fetch.tls.not-yet-valid", "not valid yet"),
        (
            Leaf::new(["localhost"]).as_authority(),
            "fetch.tls.certificate",
            "that of an authority, not of a server",
        ),
    ] {
        let identity = world.authority.issue(&leaf).unwrap();
        let site = HttpsSite::builder().identity(identity).route("/doc", Answer::ok("x"));
        let site = world.start(site);
        let run = failed(&world, world.fetch(&[&site.url("/doc")]), code);
        run.talks(reason).talks("presented issuer: CN=Test Root");
    }
}

#[test]
fn a_port_that_does_not_speak_tls() {
    let world = World::new();
    let site = world.start(HttpsSite::builder().route("/doc", Answer::ok("x")));
    let url = site.url("/doc").replace("http://", "https://");
    failed(&world, world.fetch(&[&url]), "fetch.tls.handshake");
}

#[test]
fn a_server_that_never_ends() {
    let world = World::new();
    let silent = Answer::raw("", End::Hang);
    let dripping = Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", End::Hang);
    let site = world.serving([("/silent", silent), ("/dripping", dripping)]);
    for path in ["/silent", "/dripping"] {
        let run = world.fetch(&[&site.url(path), "--timeout", "1"]);
        let run = failed(&world, run, "fetch.timeout");
        run.talks("took longer than 1s").talks("allow more time");
    }
}

#[test]
fn a_body_larger_than_allowed() {
    let world = World::new();
    let chunked = genten_testkit::Framing::Chunked(4);
    let site = world.serving([
        ("/announced", Answer::ok("0123456789")),
        ("/unannounced", Answer::ok("0123456789").framing(chunked)),
    ]);
    for path in ["/announced", "/unannounced"] {
        let run = world.fetch(&[&site.url(path), "--max-bytes", "9"]);
        failed(&world, run, "fetch.too-large").talks("larger than 9 bytes");
    }
    world.fetch(&[&site.url("/unannounced"), "--max-bytes", "10"]).expect(0);
}

#[test]
fn bodies_that_end_too_early() {
    let world = World::new();
    let chunked = genten_testkit::Framing::Chunked(4);
    let site = world.serving([
        ("/short", Answer::raw("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx", End::Clean)),
        ("/unclosed", Answer::ok("01234567").framing(chunked).end(End::Fin)),
        ("/reset", Answer::ok("01234567").framing(chunked).end(End::Reset)),
    ]);
    for path in ["/short", "/unclosed", "/reset"] {
        failed(&world, world.fetch(&[&site.url(path)]), "fetch.truncated").talks("fetch again");
    }
}

#[test]
fn a_server_that_leaves_without_an_answer() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::raw("", End::Clean))]);
    failed(&world, world.fetch(&[&site.url("/doc")]), "fetch.no-answer");
}

#[test]
fn redirects_without_end() {
    let world = World::new();
    let site = world.serving([
        ("/a", Answer::redirect(302, "/b")),
        ("/b", Answer::redirect(302, "/a")),
        ("/down", Answer::redirect(302, "http://localhost/")),
    ]);
    failed(&world, world.fetch(&[&site.url("/a")]), "fetch.redirect.loop").talks("number 2");
    failed(&world, world.fetch(&[&site.url("/down")]), "fetch.redirect.downgrade");
    let longer =
        world.site().handler(|request| Answer::redirect(302, format!("{}x", request.target)));
    let longer = world.start(longer);
    failed(&world, world.fetch(&[&longer.url("/")]), "fetch.redirect.too-many").talks("10");
}

/// The spelling that is suggested is the one that works.
#[test]
fn a_url_that_would_be_sent_differently() {
    let world = World::new();
    let site = world.serving([("/b%20c?x=%7C", Answer::ok("x"))]);
    for (path, code) in [
        ("/a/../b c?x=%7C", "fetch.url.rewritten"),
        ("/b%20c?x=|", "fetch.url.character"),
        ("/b%20c?x=%7C#part", "fetch.url.fragment"),
    ] {
        let run = failed(&world, world.fetch(&[&site.url(path)]), code);
        let advice = run.stderr.trim_end().lines().next_back().unwrap();
        assert_eq!(advice, format!("write {}", site.url("/b%20c?x=%7C")));
    }
    world.fetch(&[&site.url("/b%20c?x=%7C")]).expect(0);
    world.accepts("b_20c");
}

#[test]
fn secrets_in_a_url_are_not_repeated_by_any_message() {
    let world = World::new();
    let site = world.serving([("/doc", Answer::ok("x"))]);
    let with_user = site.url_at("user:s3cret@localhost", "/doc");
    for json in [&["--json"][..], &[]] {
        let run = world.fetch(&[&[with_user.as_str()][..], json].concat());
        let run = failed(&world, run, "fetch.url.userinfo").keeps_quiet_about("s3cret");
        run.talks("Authorization header");
        for (path, code) in [
            ("/a b?token=s3cret", "fetch.url.rewritten"),
            ("/a?x=1#access_token=s3cret", "fetch.url.fragment"),
        ] {
            let run = world.fetch(&[&[site.url(path).as_str()][..], json].concat());
            failed(&world, run, code).keeps_quiet_about("s3cret");
        }
    }
}

#[test]
fn a_credential_in_the_query_is_warned_of_by_its_name() {
    let world = World::new();
    let answer = |_: &genten_testkit::SeenRequest| Answer::ok("x");
    let site = world.start(world.site().handler(answer));
    let url = site.url("/doc?api_key=s3cret&page=2");
    let run = world.fetch(&[&url, "-o", "a"]).expect(0).keeps_quiet_about("s3cret");
    let run = run.talks("the query parameter api_key looks like a credential");
    run.says(&site.url("/doc?api_key=…&page=2"));
    let run = world.fetch(&[&url, "-o", "b", "--json"]).expect(0).keeps_quiet_about("s3cret");
    assert_eq!(run.json()[0]["url"], site.url("/doc?api_key=…&page=2"));
    world.refetch(&["a.provenance.json"]).expect(0).keeps_quiet_about("s3cret");
    world.refetch(&["a.provenance.json", "--json"]).expect(0).keeps_quiet_about("s3cret");
    assert_eq!(site.seen().last().unwrap().target, "/doc?api_key=s3cret&page=2");
}

#[test]
fn error_pages_are_signed_with_a_warning() {
    let world = World::new();
    for status in [404_u16, 500] {
        let site = world.serving([("/doc", Answer::status(status).body("sorry"))]);
        let name = status.to_string();
        let run = world.fetch(&[&site.url("/doc"), "-o", &name]).expect(0);
        run.talks(&format!("the server answered with status {status}; signed as what it is"));
        world.accepts(&name);
        let claims = world.claims(&format!("{name}.provenance.json"));
        assert_eq!(claims.http.unwrap().status, status);
    }
}

#[test]
fn other_settings_that_cannot_be() {
    let world = World::new();
    world.write("empty.pem", "no certificate");
    let run = world.genten(&["fetch", "https://localhost/", "--ca", "empty.pem"]).expect(1);
    run.talks("[fetch.setup.roots]");
    world.genten(&["fetch", "https://localhost/", "--ca", "missing.pem"]).expect(1);
    world.fetch(&["https://localhost/", "--proxy", "nonsense"]).expect(1).talks("http://host:port");
    let run = world.fetch(&["https://localhost/", "--header", "Host: other.example"]).expect(1);
    run.talks("[fetch.request]");
    world.fetch(&["https://localhost/", "--method", "TRACE"]).expect(1).talks("[fetch.request]");
    world.fetch(&["https://localhost/", "--data", "@missing"]).expect(1).talks("missing");
}

#[test]
fn terminal_sequences_of_strangers_do_not_reach_the_terminal() {
    let world = World::new();
    let run = world.fetch(&["https://host.invalid/\u{1b}[31m\u{202e}"]).expect(1);
    assert!(!run.stderr.contains(['\u{1b}', '\u{202e}']), "{run:?}");
}

#[test]
fn a_home_that_cannot_be_used() {
    let world = World::new();
    std::fs::write(world.home(), "a file").unwrap();
    for words in [&["fetch", "https://localhost/"][..], &["key", "list"], &["key", "show"]] {
        let run = world.genten(words).expect(1).talks("is not a folder");
        run.talks("[store.not-a-directory]");
    }
    world.genten(&["--home", "", "key", "list"]).expect(2);
}
