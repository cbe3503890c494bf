//! Timestamps: asked for with a nonce, and believed only when they are the answer.

use std::time::Duration;

use genten_pki::{Certificate, TimestampAuthority, TimestampResponseError};
use genten_primitives::Timestamp;
use genten_rekor::{StampError, TimestampClient};
use genten_testkit::tsa::Tsa;
use genten_testkit::{Answer, Clock, NetFault, Refusal, RetryAfter, StampFault, TsaServer};

use crate::support::{answering, http};

fn now() -> Timestamp {
    "2026-11-30T08:00:00Z".parse().unwrap()
}

fn authority(name: &str) -> TimestampAuthority {
    let tsa = Tsa::new(name);
    let certificates = tsa.certificates().map(|der| Certificate::from_der(der).unwrap());
    TimestampAuthority::new(name.to_owned(), certificates.into(), None, None).unwrap()
}

fn client(url: &str) -> TimestampClient {
    TimestampClient::new(http(), url.parse().unwrap(), vec![authority("tsa")])
}

async fn server() -> TsaServer {
    TsaServer::start(Tsa::new("tsa"), Clock::at(now())).await.unwrap()
}

#[tokio::test]
async fn a_signature_is_stamped_and_the_stamp_holds() {
    let server = server().await;
    let stamp = client(&server.url()).stamp(b"signature", 7).await.unwrap();
    assert_eq!((stamp.time, &*stamp.authority), (now(), "tsa"));
    let token = genten_pki::TimestampToken::from_der(&stamp.token).unwrap();
    assert!(token.verify(b"signature", &[authority("tsa")]).is_ok());
    assert!(token.verify(b"another", &[authority("tsa")]).is_err());
}

#[tokio::test]
async fn older_authorities_answer_201() {
    let builder = TsaServer::builder(Tsa::new("tsa"), Clock::at(now()));
    let server = builder.answers_created().start().await.unwrap();
    assert!(client(&server.url()).stamp(b"signature", u64::MAX).await.is_ok());
}

#[tokio::test]
async fn an_answer_to_something_else_is_refused_and_kept() {
    let server = server().await;
    type Expected = fn(&TimestampResponseError) -> bool;
    let faults: [(StampFault, Expected); 5] = [
        (StampFault::NoNonce, |error| matches!(error, TimestampResponseError::NonceMissing { .. })),
        (StampFault::OtherNonce, |error| matches!(error, TimestampResponseError::Nonce { .. })),
        (StampFault::OtherImprint, |error| matches!(error, TimestampResponseError::Timestamp(_))),
        (StampFault::BadSignature, |error| matches!(error, TimestampResponseError::Timestamp(_))),
        (StampFault::Rejected, |error| matches!(error, TimestampResponseError::Timestamp(_))),
    ];
    for (fault, expected) in faults {
        server.stamps().next([fault.clone()]);
        let error = client(&server.url()).stamp(b"signature", 7).await.unwrap_err();
        let StampError::Wrong { source, reply } = error else { panic!("{fault:?} {error:?}") };
        assert!(expected(&source), "{fault:?} {source:?}");
        assert!(!reply.is_empty());
    }
    assert!(client(&server.url()).stamp(b"signature", 7).await.is_ok());
}

#[tokio::test]
async fn an_authority_that_is_not_known_is_not_believed() {
    let server = server().await;
    let url = server.url().parse().unwrap();
    let stranger = TimestampClient::new(http(), url, vec![authority("other")]);
    let error = stranger.stamp(b"signature", 7).await.unwrap_err();
    assert_eq!(error.code(), "rekor.tsa.wrong");
    assert!(!error.hint().is_empty());
}

#[tokio::test]
async fn broken_exchanges_and_refusals_are_errors() {
    let server = server().await;
    let busy = Refusal::status(503).retry_after(RetryAfter::Seconds(9));
    for (fault, code) in [
        (NetFault::Reset, "rekor.http.broken-off"),
        (NetFault::CutBeforeAnswer, "rekor.http.broken-off"),
        (NetFault::CutInAnswer, "rekor.http.broken-off"),
        (NetFault::Malformed, "rekor.tsa.wrong"),
        (NetFault::Oversize((1 << 20) + 1), "rekor.http.too-large"),
        (NetFault::Refuse(busy.clone()), "rekor.tsa.status"),
    ] {
        server.stamps().next([StampFault::Net(fault.clone())]);
        let error = client(&server.url()).stamp(b"signature", 7).await.unwrap_err();
        assert_eq!(error.code(), code, "{fault:?}");
    }
    server.stamps().next([StampFault::Net(NetFault::Refuse(busy))]);
    let error = client(&server.url()).stamp(b"signature", 7).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(9)));
}

#[tokio::test]
async fn a_page_is_no_timestamp() {
    for answer in [Answer::ok("hello"), Answer::ok("hello").header("content-type", "text/html")] {
        let site = answering(answer).await;
        let error = client(&site.url("/stamp")).stamp(b"signature", 7).await.unwrap_err();
        assert!(matches!(error, StampError::MediaType { .. }), "{error:?}");
    }
}
