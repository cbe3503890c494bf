//! What is signed beside the facts: class, revision, members of others.

use genten::fetch::{Request, Sink};
use genten::manifest::SourceClass;
use genten::{Error, Fetch, RevisionError, RevisionFrom, Terms};
use genten_testkit::Answer;

use crate::support::{World, gzip, policy_requiring, read_back, verdict};

const LAW: &str = r#"{"law":[{"revision":"321CONSTITUTION_19470503"},{"revision":7}]}"#;

fn law() -> Answer {
    Answer::ok(LAW).header("etag", "\"v1\"").header("x-law-revision", "r-2026")
}

/// 001-06
#[tokio::test]
async fn a_revision_is_found_where_the_source_states_it() {
    let world = World::new();
    let site = world.answering(law()).await;
    let genten = world.genten();
    for (from, revision) in [
        ("etag", "\"v1\""),
        ("header:X-Law-Revision", "r-2026"),
        ("json:/law/0/revision", "321CONSTITUTION_19470503"),
        ("json:/law/1/revision", "7"),
    ] {
        let fetch = Fetch::get(site.url("/")).class(SourceClass::Revisioned);
        let attested = genten.fetch(fetch.revision(from.parse().unwrap())).await.unwrap();
        let claims = read_back(&attested);
        assert_eq!(claims.source_revision.unwrap().as_str(), revision, "{from}");
        assert_eq!(claims.source_class, Some(SourceClass::Revisioned));
        let policy = policy_requiring("revision");
        let report = world.judge_under(&policy, &genten, &attested, LAW.as_bytes());
        assert_eq!(verdict(&report), "accept");
    }
    let stated = RevisionFrom::Text("as the reader knows it".parse().unwrap());
    let attested = genten.fetch(Fetch::get(site.url("/")).revision(stated)).await.unwrap();
    assert_eq!(read_back(&attested).source_revision.unwrap().as_str(), "as the reader knows it");
    let attested = genten.fetch(site.url("/")).await.unwrap();
    let report =
        world.judge_under(&policy_requiring("revision"), &genten, &attested, LAW.as_bytes());
    assert_eq!(verdict(&report), "review revision.missing");
}

#[tokio::test]
async fn a_revision_stands_in_a_file_too_but_not_in_bytes_that_are_gone() {
    let world = World::new();
    let site = world.answering(law()).await;
    let genten = world.genten();
    let folder = tempfile::tempdir().unwrap();
    let fetch = |sink| {
        let pointer = RevisionFrom::Json("/law/0/revision".into());
        Fetch::get(site.url("/")).sink(sink).revision(pointer)
    };
    let attested = genten.fetch(fetch(Sink::File(folder.path().join("law")))).await.unwrap();
    assert!(attested.manifest.claims.source_revision.is_some());
    let error = genten.fetch(fetch(Sink::Discard)).await.unwrap_err();
    assert!(matches!(error, Error::Revision(RevisionError::BodyGone)), "{error:?}");
}

#[tokio::test]
async fn a_revision_that_is_not_there_is_an_error_and_nothing_is_signed() {
    let world = World::new();
    let plain = world.answering(Answer::ok("no json")).await;
    let coded =
        world.answering(Answer::ok(gzip(LAW.as_bytes())).header("content-encoding", "gzip")).await;
    let folder = tempfile::tempdir().unwrap();
    let genten = world.at_home(folder.path());
    let missing = || RevisionError::HeaderMissing { name: "etag".into() };
    let pointer = RevisionFrom::Json("/law/0/revision".into());
    for (site, from, expected) in [
        (&plain, RevisionFrom::Etag, missing()),
        (&plain, pointer.clone(), RevisionError::NotJson),
        (&coded, pointer, RevisionError::Coded),
    ] {
        let error = genten.fetch(Fetch::get(site.url("/")).revision(from)).await.unwrap_err();
        assert_eq!(error.code(), "revision.not-found");
        let Error::Revision(found) = error else { panic!("{error:?}") };
        assert_eq!(found, expected);
    }
    assert_eq!(genten.journal().unwrap().count(&Default::default()).unwrap(), 0);
}

#[tokio::test]
async fn members_of_others_are_signed_under_their_own_names() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let genten = world.genten();
    let extensions = vec![
        ("org.example.ticket".to_owned(), br#"{"b": 1, "a": [true, null]}"#.to_vec()),
        ("org.example.desk".to_owned(), br#""economy""#.to_vec()),
    ];
    let terms = Terms { extensions, ..Terms::default() };
    let attested =
        genten.fetch(Fetch::new(Request::get(site.url("/"))).terms(terms)).await.unwrap();
    let json = String::from_utf8(attested.manifest.to_json()).unwrap();
    assert!(json.contains(r#""org.example.ticket":{"a":[true,null],"b":1}"#), "{json}");
    assert_eq!(read_back(&attested).extensions.len(), 2);
    assert_eq!(verdict(&world.judge(&genten, &attested, b"x")), "accept");
}

#[tokio::test]
async fn a_local_file_says_nothing_about_a_source() {
    let world = World::new();
    let genten = world.genten();
    let mut facts =
        genten::Facts::of_body("file:///data/model.bin", "2026-11-30T08:15:00Z", b"x").unwrap();
    facts.terms.class = Some(SourceClass::Local);
    let attested = genten.attest(&facts).await.unwrap();
    assert_eq!(verdict(&world.judge(&genten, &attested, b"x")), "accept");
    let strict = world.judge_under("mcp11", &genten, &attested, b"x");
    assert_eq!(verdict(&strict), "review class.local");
}
