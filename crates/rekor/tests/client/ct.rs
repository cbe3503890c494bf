//! Certificates in static logs of Certificate Transparency.

use genten_pki::{Certificate, CtEntry, CtLogList, Sct};
use genten_primitives::Timestamp;
use genten_primitives::encoding::base64;
use genten_rekor::{CtError, CtInclusion, Next, ReadError, prove_certificate};
use genten_testkit::ct::{CtTestLog, extension, leaf_index, log_list, sct_list};
use genten_testkit::log::TestLog;
use genten_testkit::{Answer, CertificateSpec, HttpsSite, Issuer, SeedKey};
use genten_tlog::{LogIdentity, NoteKey, TlogProof};

use crate::support::{http, site};

const MADE: u64 = 1_790_000_000_000;

/// A server's certificate that promises of a static log are about.
struct World {
    log: CtTestLog,
    issuer: Issuer,
    key: SeedKey,
}

/// The entries that stand before the certificate.
const BEFORE: u32 = 300;

impl World {
    fn new() -> Self {
        let issuer = Issuer::root(&CertificateSpec::ca("root"));
        Self { log: CtTestLog::new("first", "One"), issuer, key: SeedKey::es256("server") }
    }

    fn spec() -> CertificateSpec {
        CertificateSpec::leaf("server", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")
    }

    fn promise(&self, index: u32, entry: &CtEntry<'_>) -> Sct {
        self.log.sct(MADE, &leaf_index(index), entry)
    }

    /// A certificate with the promise inside, the promise, and the leaf that the log makes of it.
    fn embedded(&self) -> (Vec<u8>, Vec<u8>) {
        let plain = self.issuer.issue(&Self::spec(), &self.key);
        let plain = Certificate::from_der(&plain).unwrap();
        let issuer = Certificate::from_der(self.issuer.der()).unwrap();
        let (issuer_key_hash, tbs) = (issuer.spki_sha256(), plain.tbs_der());
        let entry = CtEntry::Precertificate { issuer_key_hash, tbs };
        let sct = self.promise(BEFORE, &entry);
        let mut spec = Self::spec();
        spec.extensions.push(extension(&sct_list(std::slice::from_ref(&sct))));
        (self.issuer.issue(&spec, &self.key), leaf(&sct, &entry))
    }

    fn chain(&self, certificate: &[u8]) -> Vec<Vec<u8>> {
        vec![certificate.to_vec(), self.issuer.der().to_vec()]
    }

    /// The log with this leaf behind others, served as files.
    async fn serve(&self, leaf: Vec<u8>) -> HttpsSite {
        self.serve_signed_by(&Self::signer(), leaf, MADE + 1).await
    }

    /// The same, under a checkpoint by this key of this millisecond.
    async fn serve_signed_by(&self, signer: &SeedKey, leaf: Vec<u8>, millis: u64) -> HttpsSite {
        let mut tree = TestLog::empty("tree");
        for other in 0..BEFORE {
            tree.append(other.to_string());
        }
        tree.append(leaf);
        let note = self.log.checkpoint((tree.size(), tree.root()), millis, Some(signer));
        site(move |request| match request.target.strip_prefix("/2026/") {
            Some("checkpoint") => Answer::ok(note.clone()),
            Some(path) => match path.parse().ok().and_then(|tile| tree.tile(tile)) {
                Some(tile) => Answer::ok(tile),
                None => Answer::status(404),
            },
            None => Answer::status(404),
        })
        .await
    }

    /// The key of the log, which is made from its name.
    fn signer() -> SeedKey {
        SeedKey::es256("ct log first")
    }

    fn note_key(&self) -> NoteKey {
        NoteKey::rfc6962(&self.log.origin(), Self::signer().public()).unwrap()
    }

    /// The list of logs, in which the log is read there.
    fn logs(&self, site: &HttpsSite) -> CtLogList {
        let mut list = log_list(&[&self.log]);
        list["operators"][0]["tiled_logs"][0]["monitoring_url"] = site.url("/2026/").into();
        CtLogList::from_bytes(list.to_string().as_bytes()).unwrap()
    }

    async fn prove(
        &self,
        logs: &CtLogList,
        certificate: &[u8],
        beside: Option<&[u8]>,
    ) -> Result<CtInclusion, CtError> {
        prove_certificate(&http(), logs, &self.chain(certificate), beside, now()).await
    }
}

/// What the log hashes: it begins like what it signs (RFC 6962 sections 3.2 and 3.4).
fn leaf(sct: &Sct, entry: &CtEntry<'_>) -> Vec<u8> {
    sct.signed_bytes(entry).unwrap()
}

fn now() -> Timestamp {
    "2026-11-30T08:00:00Z".parse().unwrap()
}

#[tokio::test]
async fn a_promise_inside_of_the_certificate_becomes_a_proof() {
    let world = World::new();
    let (certificate, leaf) = world.embedded();
    let site = world.serve(leaf.clone()).await;
    let found = world.prove(&world.logs(&site), &certificate, None).await.unwrap();
    assert_eq!((found.index, found.origin), (u64::from(BEFORE), world.log.origin()));
    let file = TlogProof::parse(&found.tlog_proof).unwrap();
    let identity = LogIdentity::new(&world.log.origin(), vec![world.note_key()]).unwrap();
    let leaf = genten_tlog::merkle::leaf_hash(&leaf);
    let (_, inclusion) = file.verify(leaf, &identity, &[]).unwrap();
    assert_eq!(inclusion.index().get(), u64::from(BEFORE));
}

#[tokio::test]
async fn a_promise_that_came_beside_the_certificate_becomes_a_proof() {
    let world = World::new();
    let certificate = world.issuer.issue(&World::spec(), &world.key);
    let entry = CtEntry::Certificate(&certificate);
    let sct = world.promise(BEFORE, &entry);
    let site = world.serve(leaf(&sct, &entry)).await;
    let logs = world.logs(&site);
    let list = sct_list(&[sct]);
    assert!(world.prove(&logs, &certificate, Some(&list)).await.is_ok());
    let alone = [certificate.clone()];
    let proven = prove_certificate(&http(), &logs, &alone, Some(&list), now()).await;
    assert!(proven.is_ok(), "the issuer is not needed for that");
    let error = world.prove(&logs, &certificate, None).await.unwrap_err();
    assert!(matches!(error, CtError::NoStaticLog), "{error:?}");
}

#[tokio::test]
async fn promises_that_do_not_count_are_not_followed() {
    let world = World::new();
    let certificate = world.issuer.issue(&World::spec(), &world.key);
    let entry = CtEntry::Certificate(&certificate);
    let site = world.serve(b"leaf".to_vec()).await;
    let logs = world.logs(&site);
    let without_place = world.log.sct(MADE, &[], &entry);
    let later = world.log.sct(MADE * 2, &leaf_index(BEFORE), &entry);
    let mut forged = world.promise(BEFORE, &entry);
    forged.timestamp += 1;
    let stranger = CtTestLog::new("other", "Two").sct(MADE, &leaf_index(BEFORE), &entry);
    let list = sct_list(&[without_place, later, forged, stranger]);
    let error = world.prove(&logs, &certificate, Some(&list)).await.unwrap_err();
    assert_eq!(error.code(), "rekor.ct.no-static-log");
    assert!(site.seen().is_empty());

    let good = sct_list(&[world.promise(BEFORE, &entry)]);
    let key = base64(World::signer().public().to_spki_der());
    let old = serde_json::json!({"operators": [{"name": "One", "logs": [{
        "log_id": base64(world.log.id().as_bytes()), "key": key, "mmd": 86400,
        "url": "https://old.example/", "state": {"usable": {"timestamp": "2024-01-01T00:00:00Z"}},
    }]}]});
    let old = CtLogList::from_bytes(old.to_string().as_bytes()).unwrap();
    let error = world.prove(&old, &certificate, Some(&good)).await.unwrap_err();
    assert!(matches!(error, CtError::NoStaticLog), "RFC 6962 logs have no tiles: {error:?}");
}

#[tokio::test]
async fn a_log_that_holds_something_else_where_it_promised_convicts_itself() {
    let world = World::new();
    let (certificate, _) = world.embedded();
    let site = world.serve(b"another leaf".to_vec()).await;
    let error = world.prove(&world.logs(&site), &certificate, None).await.unwrap_err();
    let CtError::Wrong { source, answer, .. } = &error else { panic!("{error:?}") };
    let ReadError::OtherLeaf { found, .. } = &**source else { panic!("{error:?}") };
    assert_eq!((error.code(), error.next()), ("rekor.read.other-leaf", Next::Never));
    let file = TlogProof::parse(answer).unwrap();
    let identity = LogIdentity::new(&world.log.origin(), vec![world.note_key()]).unwrap();
    let (_, inclusion) = file.verify(*found, &identity, &[]).unwrap();
    assert_eq!(inclusion.index().get(), u64::from(BEFORE));
}

#[tokio::test]
async fn a_checkpoint_by_another_key_is_kept_as_evidence() {
    let world = World::new();
    let (certificate, leaf) = world.embedded();
    let site = world.serve_signed_by(&SeedKey::es256("another key"), leaf, MADE + 1).await;
    let error = world.prove(&world.logs(&site), &certificate, None).await.unwrap_err();
    let CtError::Wrong { answer, .. } = &error else { panic!("{error:?}") };
    assert_eq!((error.code(), error.next()), ("rekor.read.checkpoint", Next::Person));
    assert!(answer.starts_with(world.log.origin().as_bytes()));
}

#[tokio::test]
async fn a_certificate_that_is_not_published_yet_is_waited_for_until_the_log_is_late() {
    let world = World::new();
    let certificate = world.issuer.issue(&World::spec(), &world.key);
    let list = sct_list(&[world.promise(BEFORE + 1, &CtEntry::Certificate(&certificate))]);
    // The list of logs says that the log has 60 seconds.
    let signer = World::signer();
    let site = world.serve_signed_by(&signer, b"leaf".to_vec(), MADE + 60_000).await;
    let error = world.prove(&world.logs(&site), &certificate, Some(&list)).await.unwrap_err();
    assert!(matches!(error, CtError::NotYet { index: 301, .. }), "{error:?}");
    assert_eq!((error.next(), error.evidence()), (Next::Later { after: None }, None));

    let site = world.serve_signed_by(&signer, b"leaf".to_vec(), MADE + 60_001).await;
    let error = world.prove(&world.logs(&site), &certificate, Some(&list)).await.unwrap_err();
    assert!(matches!(error, CtError::Overdue { index: 301, .. }), "{error:?}");
    assert_eq!(error.next(), Next::Later { after: None });
    assert!(error.evidence().unwrap().starts_with(world.log.origin().as_bytes()));
}

#[tokio::test]
async fn the_next_log_is_asked_when_one_cannot_be_read() {
    let (world, down) = (World::new(), CtTestLog::new("down", "Two"));
    let certificate = world.issuer.issue(&World::spec(), &world.key);
    let entry = CtEntry::Certificate(&certificate);
    let sct = world.promise(BEFORE, &entry);
    let list = sct_list(&[down.sct(MADE, &leaf_index(1), &entry), sct.clone()]);
    let site = world.serve(leaf(&sct, &entry)).await;
    let mut logs = log_list(&[&world.log, &down]);
    for (operator, path) in [(0, "/2026/"), (1, "/down/")] {
        logs["operators"][operator]["tiled_logs"][0]["monitoring_url"] = site.url(path).into();
    }
    let logs = CtLogList::from_bytes(logs.to_string().as_bytes()).unwrap();
    let found = world.prove(&logs, &certificate, Some(&list)).await.unwrap();
    assert_eq!(found.origin, world.log.origin());
    assert!(site.seen().iter().any(|request| request.target == "/down/checkpoint"));
}

#[tokio::test]
async fn what_is_no_chain_or_no_list_is_told() {
    let world = World::new();
    let site = world.serve(b"leaf".to_vec()).await;
    let logs = world.logs(&site);
    let error = prove_certificate(&http(), &logs, &[], None, now()).await.unwrap_err();
    assert!(matches!(error, CtError::ChainEmpty), "{error:?}");
    let error = world.prove(&logs, b"nothing", None).await.unwrap_err();
    assert!(matches!(error, CtError::Certificate(_)), "{error:?}");
    let certificate = world.issuer.issue(&World::spec(), &world.key);
    let error = world.prove(&logs, &certificate, Some(&[0, 0])).await.unwrap_err();
    assert!(matches!(error, CtError::SctList(_)), "{error:?}");
}
