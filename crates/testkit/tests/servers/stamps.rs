//! The timestamp authority: stamps that verify, and each of its faults.

use genten_pki::{
    TimestampAuthority, TimestampError, TimestampRequest, TimestampResponseError, TimestampToken,
    certificates_from_pem,
};
use genten_primitives::Sha512Digest;
use genten_testkit::der::{algorithm, integer, seq, tlv};
use genten_testkit::tsa::{SHA1, SHA256, SHA512, Tsa};
use genten_testkit::{Clock, NetFault, Refusal, RetryAfter, StampFault, TsaServer};

use crate::client::{Reply, get, post};

const QUERY: &str = "application/timestamp-query";
const NONCE: u64 = 0x8000_0000_0000_0001;

fn clock() -> Clock {
    Clock::at("2026-11-30T08:00:00Z".parse().unwrap())
}

async fn server() -> TsaServer {
    TsaServer::start(Tsa::new("Example TSA"), clock()).await.unwrap()
}

fn asking() -> TimestampRequest {
    TimestampRequest::new(b"signature", NONCE)
}

async fn ask(server: &TsaServer) -> Reply {
    post(&server.url(), QUERY, &asking().to_der()).await.unwrap()
}

/// The authority as it says that it is.
async fn authority(server: &TsaServer) -> TimestampAuthority {
    let reply = get(&server.chain_url()).await;
    let certificates = certificates_from_pem(reply.text()).unwrap();
    TimestampAuthority::new("Example".to_owned(), certificates, None, None).unwrap()
}

async fn error(server: &TsaServer, fault: StampFault) -> TimestampResponseError {
    server.stamps().next([fault]);
    let reply = ask(server).await;
    assert_eq!(reply.status, 200);
    asking().check_response(&reply.body, &[authority(server).await]).unwrap_err()
}

#[tokio::test]
async fn a_stamp_is_of_the_time_of_the_clock_and_has_a_number_of_its_own() {
    let clock = clock();
    let server = TsaServer::start(Tsa::new("Example TSA"), clock.clone()).await.unwrap();
    let authorities = [authority(&server).await];
    let mut serials = Vec::new();
    for expected in ["2026-11-30T08:00:00Z", "2026-11-30T08:01:00Z"] {
        let reply = ask(&server).await;
        let kind = reply.header("content-type");
        assert_eq!((reply.status, kind), (200, Some("application/timestamp-reply")));
        let (_, stamp) = asking().check_response(&reply.body, &authorities).unwrap();
        assert_eq!(stamp.time().to_string(), expected);
        serials.push(stamp.serial().to_vec());
        clock.advance_millis(60_000);
    }
    assert_ne!(serials[0], serials[1]);
    assert_eq!(server.posts(), 2);
}

#[tokio::test]
async fn a_token_has_the_certificate_only_when_it_was_asked_for() {
    let server = server().await;
    let with = ask(&server).await.body;
    let query = asking().to_der();
    let mut without = query[..query.len() - 3].to_vec();
    without[1] -= 3;
    let without = post(&server.url(), QUERY, &without).await.unwrap().body;
    let leaf = server.tsa().certificates()[0];
    let has_leaf = |token: &[u8]| token.windows(leaf.len()).any(|window| window == leaf);
    assert!(has_leaf(&with) && !has_leaf(&without));
    asking().check_response(&without, &[authority(&server).await]).unwrap();
}

#[tokio::test]
async fn an_older_authority_answers_that_it_created_something() {
    let tsa = Tsa::new("Example TSA");
    let server = TsaServer::builder(tsa, clock()).answers_created().start().await.unwrap();
    let reply = ask(&server).await;
    assert_eq!(reply.status, 201);
    asking().check_response(&reply.body, &[authority(&server).await]).unwrap();
}

#[tokio::test]
async fn each_fault_of_a_stamp_is_found() {
    let server = server().await;
    let refused = error(&server, StampFault::Rejected).await;
    assert_eq!(refused, TimestampError::Refused { status: 2 }.into());
    let missing = error(&server, StampFault::NoNonce).await;
    assert_eq!(missing, TimestampResponseError::NonceMissing { expected: NONCE });
    let other = error(&server, StampFault::OtherNonce).await;
    assert!(matches!(other, TimestampResponseError::Nonce { .. }));
    let imprint = error(&server, StampFault::OtherImprint).await;
    let TimestampResponseError::Timestamp(imprint) = imprint else { panic!("{imprint:?}") };
    assert!(matches!(imprint, TimestampError::Imprint { .. }));
    let signature = error(&server, StampFault::BadSignature).await;
    let TimestampResponseError::Timestamp(signature) = signature else { panic!("{signature:?}") };
    assert!(matches!(signature, TimestampError::Signature(_)));
}

#[tokio::test]
async fn an_authority_has_the_faults_of_every_server() {
    let server = server().await;
    let refusal = Refusal::status(503).retry_after(RetryAfter::Seconds(3));
    server.stamps().next([
        StampFault::Net(NetFault::Refuse(refusal)),
        StampFault::Net(NetFault::CutInAnswer),
        StampFault::Net(NetFault::CutBeforeAnswer),
    ]);
    let refused = ask(&server).await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("3")));
    assert!(!ask(&server).await.is_whole());
    let cut = post(&server.url(), QUERY, &asking().to_der()).await.unwrap_err();
    assert_eq!(cut.kind(), std::io::ErrorKind::UnexpectedEof);
    server.stop_listening().await.unwrap();
    let refused = post(&server.url(), QUERY, &asking().to_der()).await.unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ConnectionRefused);
    server.listen_again().await.unwrap();
    assert_eq!((ask(&server).await.status, server.posts()), (200, 4));
}

fn query(hash: &[u8], imprint: &[u8]) -> Vec<u8> {
    let imprint = seq(&[&algorithm(hash), &tlv(4, imprint)]);
    seq(&[&[2, 1, 1], &imprint, &integer(7)])
}

#[tokio::test]
async fn what_is_no_request_is_refused() {
    let server = server().await;
    let good = asking().to_der();
    let malformed = "Error generating timestamp response";
    let weak = "Weak hash algorithm in timestamp request";
    let length = "Message digest has incorrect length for specified algorithm";
    for (query, message) in [
        (b"text".to_vec(), malformed),
        (Vec::new(), malformed),
        ([good.as_slice(), &[0]].concat(), malformed),
        (good[..good.len() - 1].to_vec(), malformed),
        (query(SHA1, &[7; 20]), weak),
        (query(SHA256, &[7; 31]), length),
    ] {
        let reply = post(&server.url(), QUERY, &query).await.unwrap();
        let expected = format!("{{\"code\":400,\"message\":\"{message}\"}}\n");
        assert_eq!((reply.status, reply.text()), (400, expected.as_str()));
    }
    let reply = post(&server.url(), "text/plain", &good).await.unwrap();
    assert_eq!(reply.status, 415);
    assert_eq!(get(&server.url()).await.status, 404);
}

#[tokio::test]
async fn longer_hashes_are_stamped_as_they_come() {
    let server = server().await;
    let imprint = *Sha512Digest::of(b"signature").as_bytes();
    let reply = post(&server.url(), QUERY, &query(SHA512, &imprint)).await.unwrap();
    let token = TimestampToken::from_der(&reply.body).unwrap();
    token.verify(b"signature", &[authority(&server).await]).unwrap();
    assert!(token.verify(b"other", &[authority(&server).await]).is_err());
}
