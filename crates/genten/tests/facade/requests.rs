//! What the caller chose is told, without anything that could be a secret.

use genten::fetch::Request;
use genten::primitives::Sha256Digest;
use genten::verify::Code;
use genten_testkit::Answer;

use crate::support::{World, is_found_below, policy_requiring, read_back, verdict};

#[tokio::test]
async fn a_post_with_fields_is_told_and_no_policy_takes_it_for_the_source() {
    let world = World::new();
    let site = world.answering(Answer::ok("an echo")).await;
    let genten = world.genten();
    let request = Request::new("POST", site.url("/search"))
        .header("Content-Type", "application/json")
        .header("Accept-Language", "ja")
        .header("User-Agent", "news/1")
        .body(r#"{"q":"law"}"#);
    let attested = genten.fetch(request).await.unwrap();
    assert_eq!(site.seen()[0].body, br#"{"q":"law"}"#);

    let request = read_back(&attested).http.unwrap().request.unwrap();
    assert_eq!(request.method.as_str(), "POST");
    assert_eq!(request.body_sha256, Some(Sha256Digest::of(br#"{"q":"law"}"#)));
    assert_eq!(request.credentials, Some(false));
    let mut fields: Vec<_> = request
        .headers
        .iter()
        .map(|field| (field.name.as_str(), field.value.as_ref().map_or("", |value| value.as_str())))
        .collect();
    fields.sort_unstable();
    assert_eq!(fields, [("accept-language", "ja"), ("content-type", ""), ("user-agent", "news/1")]);
    let report = world.judge(&genten, &attested, b"an echo");
    assert_eq!(verdict(&report), "review request.caller-made");
    let allowed = policy_requiring("content") + "[limits]\nallow_requests = true\n";
    let report = world.judge_under(&allowed, &genten, &attested, b"an echo");
    assert_eq!(verdict(&report), "accept");
}

#[tokio::test]
async fn credentials_are_sent_and_written_nowhere() {
    let world = World::new();
    let site = world.answering(Answer::ok("for members only")).await;
    let folder = tempfile::tempdir().unwrap();
    let genten = world.builder().home(folder.path()).keep_bodies(true).build().unwrap();
    let request = Request::get(site.url("/members"))
        .header("Authorization", "Bearer s3cret-bearer")
        .header("Cookie", "session=s3cret-cookie")
        .header("X-Api-Key", "s3cret-key");
    let attested = genten.fetch(request).await.unwrap();
    assert_eq!(site.seen()[0].header("authorization").unwrap(), "Bearer s3cret-bearer");

    let request = read_back(&attested).http.unwrap().request.unwrap();
    assert_eq!(request.credentials, Some(true));
    assert!(request.headers.iter().all(|header| header.value.is_none()));
    let bundle = String::from_utf8(attested.bundle().to_json()).unwrap();
    assert!(!bundle.contains("s3cret"));
    assert!(!format!("{attested:?}").contains("s3cret"));
    drop(genten);
    assert!(!is_found_below(folder.path(), "s3cret"));
}

#[tokio::test]
async fn authorization_alone_does_not_make_the_content() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let genten = world.genten();
    let request = Request::get(site.url("/")).header("authorization", "Bearer s3cret");
    let attested = genten.fetch(request).await.unwrap();
    let report = world.judge(&genten, &attested, b"x");
    assert_eq!(verdict(&report), "accept");
    assert!(report.notes.iter().any(|note| note.code == Code::REQUEST_CREDENTIALS));
}

#[tokio::test]
async fn a_secret_in_the_url_is_warned_of_by_its_name() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let attested = world.genten().fetch(site.url("/?api_key=s3cret&page=2")).await.unwrap();
    let [warning] = &attested.warnings()[..] else { panic!("{:?}", attested.warnings()) };
    assert!(warning.contains("api_key") && !warning.contains("s3cret"), "{warning}");
    // The URL is signed as it was requested: somebody who repeats the request needs it.
    assert!(attested.manifest.claims.source_url.as_str().ends_with("?api_key=s3cret&page=2"));
}
