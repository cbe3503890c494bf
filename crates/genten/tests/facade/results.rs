//! Manifests that are bound to the result which carries them.

use genten::jws::Algorithm;
use genten::manifest::{Bound, Capture, FetchPosition, RequestBinding, UnverifiedManifest};
use genten::primitives::Sha256Digest;
use genten::verify::Code;
use genten::{Body, Error, Fetch, Handled, Policy, ResultError, Terms, with_provenance};
use genten_testkit::Answer;
use serde::Serialize;
use serde_json::{Value, json};

use crate::support::{NOW, World, read_back, time, verdict, verifier};

fn call() -> RequestBinding {
    RequestBinding {
        bound: Bound::Tool {
            name: "law_article".parse().unwrap(),
            arguments_sha256: Sha256Digest::of(br#"{"article":1}"#),
        },
        fetch: FetchPosition::new(0, 1),
        nonce: Some("n-1".parse().unwrap()),
    }
}

#[tokio::test]
async fn a_fetch_is_signed_after_the_result_was_made_from_it() {
    let world = World::new();
    let site = world.answering(Answer::ok("Article 1. Copies are free.")).await;
    let genten = world.genten();
    let exchange = genten.record(site.url("/law")).await.unwrap();
    let genten::fetch::Body::Memory(raw) = &exchange.body else { panic!() };
    let result = format!("the law has {} bytes", raw.len());

    let terms = Terms {
        result_sha256: Some(Sha256Digest::of(result.as_bytes())),
        request: Some(call()),
        ..Terms::default()
    };
    let attested = genten.sign_exchange(exchange, &terms).await.unwrap();
    let claims = read_back(&attested);
    assert_eq!(claims.capture, Some(Capture::Recorded));
    assert_eq!(claims.result_sha256, terms.result_sha256);
    assert_eq!(claims.request, Some(call()));
    let report = world.judge(&genten, &attested, b"Article 1. Copies are free.");
    assert_eq!(verdict(&report), "accept");
    // The saved result was not given, and the report does not pass over it.
    assert!(report.check(Code::RESULT_NOT_GIVEN).is_some());
}

#[tokio::test]
async fn fetch_can_bind_at_once_when_the_result_is_known() {
    let world = World::new();
    let site = world.answering(Answer::ok("x")).await;
    let digest = Sha256Digest::of(b"result");
    let fetch = Fetch::get(site.url("/")).bind(digest, Some(call()));
    let claims = read_back(&world.genten().fetch(fetch).await.unwrap());
    assert_eq!((claims.result_sha256, claims.request), (Some(digest), Some(call())));
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Article {
    number: u32,
    text: String,
    share: f64,
}

const RAW: &[u8] = b"<law><article>Copies are free.</article></law>";

fn article(number: u32) -> Article {
    Article { number, text: "Copies are free. \u{1f4dc} \"\u{e9}\"".into(), share: 0.5 }
}

/// What `{"data": …, "provenance": …}` looks like to whoever receives it.
async fn received(world: &World, genten: &genten::Genten) -> Value {
    let handler = with_provenance(genten.clone(), |number: u32| async move {
        let handled = Handled::new(article(number), RAW.to_vec(), "https://law.example/?article=1");
        Ok::<_, Error>(handled)
    });
    let answer = handler(1).await.unwrap();
    assert_eq!(answer.data, article(1));
    assert_eq!(answer.provenance.claims.fetched_at, world.clock.now());
    serde_json::from_str(&serde_json::to_string(&answer).unwrap()).unwrap()
}

/// The digest of a result of data alone, as a reader calculates it.
fn result_digest(data: &Value) -> String {
    let result = json!({"is_error": false, "blocks": [], "structured": data});
    Sha256Digest::of(&serde_json_canonicalizer::to_vec(&result).unwrap()).to_string()
}

/// 001-15
#[tokio::test]
async fn a_wrapped_handler_returns_data_and_provenance_that_belong_together() {
    let world = World::new();
    let genten = world.genten();
    let answer = received(&world, &genten).await;
    let members: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(members, ["data", "provenance"]);
    assert_eq!(answer["data"], serde_json::to_value(article(1)).unwrap());
    assert_eq!(answer["provenance"]["result_sha256"], result_digest(&answer["data"]).as_str());
    assert_eq!(answer["provenance"]["capture"], "reported");

    let manifest = serde_json::to_vec(&answer["provenance"]).unwrap();
    let verifier = verifier(&genten, Policy::built_in("basic").unwrap());
    let report = verifier.verify_bytes(&manifest, &Body::of(RAW), world.clock.now());
    assert_eq!(verdict(&report), "accept");
    assert!(UnverifiedManifest::read(&manifest).unwrap().unknown_members().is_empty());
}

/// 001-16
#[tokio::test]
async fn swapped_data_no_longer_has_the_signed_digest() {
    let world = World::new();
    let answer = received(&world, &world.genten()).await;
    let signed = &answer["provenance"]["result_sha256"];
    for (pointer, value) in [
        ("/data/text", json!("Copies are forbidden.")),
        ("/data/number", json!(2)),
        ("/data/share", json!(0.25)),
        ("/data", Value::Null),
    ] {
        let mut forged = answer.clone();
        *forged.pointer_mut(pointer).unwrap() = value;
        assert_ne!(*signed, result_digest(&forged["data"]).as_str(), "{pointer}");
    }
}

#[tokio::test]
async fn the_handler_may_know_the_time_and_more() {
    let world = World::new();
    world.clock.advance_millis(3_600_000);
    let wrapped = with_provenance(world.genten(), |_: ()| async {
        let mut handled = Handled::new((), RAW.to_vec(), "https://law.example/");
        handled.fetched_at = Some(time(NOW));
        handled.terms.request = Some(call());
        Ok::<_, Error>(handled)
    });
    let claims = wrapped(()).await.unwrap().provenance.claims;
    assert_eq!(claims.fetched_at, time(NOW));
    assert_eq!(claims.attested_at, Some(world.clock.now()));
    assert_eq!(claims.request, Some(call()));
    assert_eq!(claims.result_sha256, Some(Sha256Digest::of(br#"{"blocks":[],"is_error":false}"#)));
}

#[tokio::test]
async fn errors_of_the_handler_are_its_own_and_ours_are_turned_into_them() {
    #[derive(Debug)]
    enum Trouble {
        Upstream,
        Signing(Error),
    }
    impl From<Error> for Trouble {
        fn from(error: Error) -> Self {
            Self::Signing(error)
        }
    }
    let world = World::new();
    let wrapped = with_provenance(world.genten(), |number: u64| async move {
        match number {
            0 => Err(Trouble::Upstream),
            _ => Ok(Handled::new(number, RAW.to_vec(), "https://law.example/")),
        }
    });
    assert!(matches!(wrapped(0).await, Err(Trouble::Upstream)));
    assert!(wrapped(1).await.is_ok());
    // An integer that JavaScript would round is refused rather than signed.
    let error = wrapped(1 << 53).await.unwrap_err();
    let Trouble::Signing(error) = error else { panic!("{error:?}") };
    assert!(matches!(error, Error::Result(ResultError::Bind(_))));
    assert_eq!(error.code(), "bind.integer");
}

#[tokio::test]
async fn a_wrapped_handler_can_be_called_from_other_tasks() {
    let world = World::new();
    let key = genten::jws::SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32]).unwrap();
    let genten = world.builder().signer(genten::jws::LocalSigner::did_key(key)).build().unwrap();
    let wrapped = std::sync::Arc::new(with_provenance(genten, |number: u32| async move {
        Ok::<_, Error>(Handled::new(number, RAW.to_vec(), "https://law.example/"))
    }));
    let tasks = (0..8).map(|number| {
        let wrapped = std::sync::Arc::clone(&wrapped);
        tokio::spawn(async move { wrapped(number).await.unwrap().data })
    });
    for (number, task) in (0..8).zip(tasks.collect::<Vec<_>>()) {
        assert_eq!(task.await.unwrap(), number);
    }
}
