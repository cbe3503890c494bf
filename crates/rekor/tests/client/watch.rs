//! What a monitor sees in the entries of a log.

use genten_primitives::{Sha256Digest, Timestamp};
use genten_rekor::{
    Begin, Cause, FollowReport, FollowSink, FollowState, Follower, KeyUse, Sighting, Watch,
};
use genten_testkit::{CertificateSpec, Issuer, LogServer, SeedKey};
use genten_tlog::rekor::{HashedRekord, LoggedKey};
use serde_json::json;

use crate::support::{numbered, reader};

#[derive(Default)]
struct Seen(Vec<Sighting>);

impl FollowSink for Seen {
    fn keep(&mut self, _: &FollowState, sightings: &[Sighting]) -> Result<(), Cause> {
        self.0.extend_from_slice(sightings);
        Ok(())
    }
}

fn id(key: &SeedKey) -> Sha256Digest {
    Sha256Digest::of(key.public().to_spki_der())
}

fn watch_for(key: &SeedKey) -> Watch {
    Watch { keys: [id(key)].into(), ..Watch::default() }
}

/// Follows a log of these entries behind 300 others.
async fn watch(entries: Vec<Vec<u8>>, watch: Watch) -> (FollowReport, Vec<Sighting>) {
    let server = LogServer::start(numbered(300)).await.unwrap();
    server.append(entries);
    let follower = Follower::new(reader(&server), watch).trust_first_sight(Begin::FirstEntry);
    let now: Timestamp = "2026-11-30T08:00:00Z".parse().unwrap();
    let mut seen = Seen::default();
    let report = follower.follow(&FollowState::default(), now, &mut seen).await.unwrap();
    (report, seen.0)
}

fn in_certificate(rekord: &HashedRekord, key: &SeedKey, uri: &str) -> HashedRekord {
    let issuer = Issuer::root(&CertificateSpec::ca("root"));
    let mut spec = CertificateSpec::leaf("leaf", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z");
    spec.uris.push(uri.to_owned());
    HashedRekord { key: LoggedKey::Certificate(issuer.issue(&spec, key)), ..rekord.clone() }
}

#[tokio::test]
async fn the_use_of_a_key_is_seen_wherever_it_stands() {
    let (ours, theirs) = (SeedKey::es256("ours"), SeedKey::es256("theirs"));
    let bare = ours.rekord(b"one");
    let certified = in_certificate(&ours.rekord(b"two"), &ours, "https://mcp.example/1");
    let entries = vec![theirs.rekord(b"x").to_body(), bare.to_body(), certified.to_body()];
    let (report, seen) = watch(entries, watch_for(&ours)).await;
    let [first, second] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!((first.index, second.index), (301, 302));
    assert_eq!((first.key, second.key), (Some(id(&ours)), Some(id(&ours))));
    let expected =
        |rekord: &HashedRekord| (rekord.digest.clone(), Sha256Digest::of(&rekord.signature));
    let found = |one: &Sighting| (one.digest.clone(), one.signature_sha256);
    assert_eq!((found(first), found(second)), (expected(&bare), expected(&certified)));
    assert_eq!((first.key_use, second.key_use), (KeyUse::Proven, KeyUse::Proven));
    assert_eq!((report.tally.entries, report.tally.sightings), (303, 2));
    assert!(report.tally.unknown_kinds.is_empty());
}

#[tokio::test]
async fn another_spelling_of_a_key_does_not_hide_it() {
    let ours = SeedKey::es256("ours");
    let mut rekord = ours.rekord(b"one");
    let spki = ours.public().to_spki_der();
    // The same point, compressed.
    let (point, parity) = (&spki[27..59], 2 + (spki[90] & 1));
    let head = [0x30, 57, 0x30, 19].iter().chain(&spki[4..23]);
    let mut compressed: Vec<u8> = head.copied().collect();
    compressed.extend([3, 34, 0, parity]);
    compressed.extend(point);
    assert_ne!(compressed, spki);
    rekord.key = LoggedKey::PublicKey(compressed);
    let (_, seen) = watch(vec![rekord.to_body()], watch_for(&ours)).await;
    assert_eq!((seen.len(), seen[0].key_use), (1, KeyUse::Proven));
}

/// Whoever knows the public key can put it into an entry; a log that takes it can be read by everybody.
#[tokio::test]
async fn an_entry_that_names_the_key_and_was_not_made_with_it_is_told_apart() {
    let ours = SeedKey::es256("ours");
    let honest = ours.rekord(b"one");
    let other = HashedRekord { digest: ours.rekord(b"two").digest, ..honest.clone() };
    let long = HashedRekord { signature: vec![7; 40_000], ..honest.clone() };
    let named = in_certificate(&long, &ours, "https://mcp.example/1");
    let entries = [&honest, &other, &long, &named].map(HashedRekord::to_body);
    let (_, seen) = watch(entries.to_vec(), watch_for(&ours)).await;
    let uses: Vec<_> = seen.iter().map(|sighting| sighting.key_use).collect();
    assert_eq!(uses, [KeyUse::Proven, KeyUse::Forged, KeyUse::Forged, KeyUse::Forged]);
}

/// Only what is read in the one way that there is can be compared with what one has made.
#[tokio::test]
async fn the_digest_of_another_spelling_proves_nothing() {
    let ours = SeedKey::es256("ours");
    let mut body: serde_json::Value =
        serde_json::from_slice(&ours.rekord(b"theirs").to_body()).unwrap();
    let manifest = genten_primitives::encoding::base64(&ours.rekord(b"our manifest").digest);
    body["spec"]["a"] = json!({"digest": manifest});
    let mut long = body.clone();
    long["spec"]["a"]["digest"] = "A".repeat(40_000).into();
    let entries = [&body, &long].map(|entry| entry.to_string().into_bytes());
    let (_, seen) = watch(entries.to_vec(), watch_for(&ours)).await;
    let [first, second] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!((first.key_use, second.key_use), (KeyUse::Unchecked, KeyUse::Unchecked));
    assert!(second.digest.len() <= 64, "what is kept is bounded");
}

#[tokio::test]
async fn digests_and_names_of_certificates_are_watched_too() {
    let (ours, theirs) = (SeedKey::es256("ours"), SeedKey::es256("theirs"));
    let theirs_over_ours = theirs.rekord(b"our manifest");
    let named = in_certificate(&theirs.rekord(b"x"), &theirs, "https://mcp.example/ours");
    let entries = vec![theirs_over_ours.to_body(), named.to_body(), theirs.rekord(b"y").to_body()];
    let watched = Watch {
        digests: [theirs_over_ours.digest.clone()].into(),
        names: ["https://mcp.example/ours".to_owned()].into(),
        ..watch_for(&ours)
    };
    let (_, seen) = watch(entries, watched).await;
    let indices: Vec<_> = seen.iter().map(|sighting| sighting.index).collect();
    assert_eq!(indices, [300, 301]);
    assert_eq!(seen[0].key, Some(id(&theirs)));
}

#[tokio::test]
async fn a_digest_is_seen_where_nobody_has_signed() {
    let digest = SeedKey::es256("ours").rekord(b"our manifest").digest;
    let text = genten_primitives::encoding::base64(&digest);
    let entry = json!({"apiVersion": "1", "kind": "novelty", "spec": {"digest": text}});
    let watched = Watch { digests: [digest.clone()].into(), ..Watch::default() };
    let (_, seen) = watch(vec![entry.to_string().into_bytes()], watched).await;
    let [one] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!((one.index, one.key, &one.digest), (300, None, &digest));
    assert_eq!(one.key_use, KeyUse::Unchecked);
}

#[tokio::test]
async fn kinds_that_are_not_known_are_counted_and_searched() {
    let ours = SeedKey::es256("ours");
    let mut other: serde_json::Value =
        serde_json::from_slice(&ours.rekord(b"one").to_body()).unwrap();
    other["kind"] = "novelty".into();
    let signed = other["spec"]["hashedRekordV002"]["signature"].take();
    let dsse = json!({
        "apiVersion": "0.0.2", "kind": "dsse",
        "spec": {"dsseV002": {
            "payloadHash": {"algorithm": "SHA2_256", "digest": "AAAA"}, "signatures": [signed],
        }},
    });
    other["spec"]["deeper"] = json!([[signed]]);
    let score = json!({"apiVersion": "1", "kind": "score", "spec": 0.5});
    let entries = [&other, &dsse, &score, &other].map(|entry| entry.to_string().into_bytes());
    let (report, seen) = watch(entries.to_vec(), watch_for(&ours)).await;
    let indices: Vec<_> = seen.iter().map(|sighting| sighting.index).collect();
    assert_eq!(indices, [300, 301, 303]);
    assert_eq!(seen[1].digest, [0, 0, 0]);
    assert!(seen.iter().all(|sighting| sighting.key_use == KeyUse::Unchecked));
    let kinds: Vec<_> = report.tally.unknown_kinds.into_iter().collect();
    assert_eq!(kinds, [("novelty 0.0.2".to_owned(), 2), ("score 1".to_owned(), 1)]);
    assert_eq!(report.tally.unreadable, 300);
}

#[tokio::test]
async fn the_names_of_kinds_are_bounded() {
    let entry = |number: usize| {
        let kind = format!("{number}{}", "x".repeat(1000));
        json!({"apiVersion": "1", "kind": kind}).to_string().into_bytes()
    };
    let (report, _) = watch((0..100).map(entry).collect(), Watch::default()).await;
    assert_eq!(report.tally.unknown_kinds.len(), 65);
    assert_eq!(report.tally.unknown_kinds["others"], 36);
    assert!(report.tally.unknown_kinds.keys().all(|name| name.len() <= 80));
}
