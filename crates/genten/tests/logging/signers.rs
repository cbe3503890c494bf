//! Who signs: Ed25519 and ECDSA, at once or in another task, and signers that cannot.

use std::sync::atomic::{AtomicBool, Ordering};

use genten::jws::{
    Algorithm, AsyncSigner, BoxFuture, LocalSigner, SignError, Signature, SignedBytes, Signer,
};
use genten::manifest::{Evidence, EvidenceKind, KeyId, UnverifiedBundle};
use genten::primitives::key::KeyDetails;
use genten::primitives::{PublicKey, Sha256Digest, Sha512Digest};
use genten::tlog::rekor::HashedRekord;
use genten::{Alone, GentenBuilder, LogError, LogRules};

use crate::producer::{Producer, content_key, signer};
use crate::world::{World, bodies};

/// A signer that is asked in an asynchronous way, until it goes away.
struct Remote {
    local: LocalSigner,
    prehash: bool,
    is_away: &'static AtomicBool,
}

static NEVER_AWAY: AtomicBool = AtomicBool::new(false);

impl Remote {
    fn new(algorithm: Algorithm) -> Self {
        Self { local: signer(algorithm, 1), prehash: true, is_away: &NEVER_AWAY }
    }
}

impl AsyncSigner for Remote {
    fn key_id(&self) -> &KeyId {
        Signer::key_id(&self.local)
    }

    fn public_key(&self) -> &PublicKey {
        Signer::public_key(&self.local)
    }

    fn sign<'a>(&'a self, message: &'a [u8]) -> BoxFuture<'a, Result<Signature, SignError>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            match self.is_away.load(Ordering::SeqCst) {
                true => Err(SignError::Signer("the service is away".into())),
                false => Signer::sign(&self.local, message),
            }
        })
    }

    fn sign_ed25519ph<'a>(
        &'a self,
        digest: &'a Sha512Digest,
    ) -> Option<BoxFuture<'a, Result<Signature, SignError>>> {
        let signed = Signer::sign_ed25519ph(&self.local, digest).filter(|_| self.prehash)?;
        Some(Box::pin(async move {
            tokio::task::yield_now().await;
            signed
        }))
    }
}

/// What was logged about the first manifest, and what that manifest's signature covers.
fn logged(producer: &Producer) -> (HashedRekord, SignedBytes) {
    let saved = &producer.saved()[0];
    let bundle = UnverifiedBundle::read(&saved.bundle()).unwrap();
    let signed = SignedBytes::of_manifest(bundle.manifest()).unwrap();
    (HashedRekord::read(&bodies(producer, &saved.id)[0]).unwrap(), signed)
}

/// The signatures that stand beside the entries in the first bundle.
fn signatures(producer: &Producer) -> Vec<Option<Vec<u8>>> {
    let bundle = UnverifiedBundle::read(&producer.saved()[0].bundle()).unwrap();
    let signature = |item: &Evidence| match item.kind() {
        EvidenceKind::RekorV2(entry) => Some(entry.signature.clone()),
        _ => None,
    };
    bundle.evidence().iter().filter_map(signature).collect()
}

#[tokio::test]
async fn every_kind_of_signer_gets_its_manifests_and_batches_logged() {
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa] {
        for is_async in [true, false] {
            let world = World::new().await;
            let builder = match is_async {
                true => world.builder().async_signer(Remote::new(algorithm)),
                false => world.builder().signer(signer(algorithm, 1)),
            };
            let producer = world.producer_of(builder);
            producer.attest_alone(1).await;
            for number in 2..5 {
                producer.attest_batched(number).await;
            }
            assert_eq!(producer.flush_all().await.logged, 3);
            world.expect_arrived(&producer);
            world.expect_quiet(&producer).await;
        }
    }
}

#[tokio::test]
async fn an_ed25519_manifest_is_logged_by_a_prehashed_signature_of_its_own_key() {
    let world = World::new().await;
    let producer = world.producer_of(world.builder().signer(signer(Algorithm::EdDsa, 1)));
    producer.attest_alone(1).await;
    producer.flush_all().await;
    let (rekord, signed) = logged(&producer);
    assert_eq!(rekord.details, KeyDetails::Ed25519ph);
    assert_eq!(rekord.digest, Sha512Digest::of(signed.input()).as_bytes());
    assert_ne!(rekord.signature, signed.signature().as_bytes());
    assert_eq!(&rekord.key.public_key().unwrap(), producer.genten.public_key());
    assert_eq!(signatures(&producer), [Some(rekord.signature), None], "content has its own key");
}

#[tokio::test]
async fn an_es256_manifest_is_logged_by_its_own_signature() {
    let world = World::new().await;
    let producer = world.producer();
    producer.attest_alone(1).await;
    producer.flush_all().await;
    let (rekord, signed) = logged(&producer);
    assert_eq!(rekord.digest, Sha256Digest::of(signed.input()).as_bytes());
    assert_eq!(rekord.signature, signed.signature().to_der().unwrap());
    assert_eq!(signatures(&producer), [None, None], "a reader has it in the manifest");
}

fn refusal(builder: GentenBuilder) -> (&'static str, String) {
    let error = builder.build().err().unwrap();
    (error.code(), error.hint())
}

#[tokio::test]
async fn what_no_log_would_take_is_refused_before_anything_is_signed_or_sent() {
    struct PureOnly(LocalSigner);
    impl Signer for PureOnly {
        fn key_id(&self) -> &KeyId {
            Signer::key_id(&self.0)
        }
        fn public_key(&self) -> &PublicKey {
            Signer::public_key(&self.0)
        }
        fn sign(&self, message: &[u8]) -> Result<Signature, SignError> {
            Signer::sign(&self.0, message)
        }
    }
    let world = World::new().await;
    let (code, hint) = refusal(world.builder().signer(PureOnly(signer(Algorithm::EdDsa, 1))));
    assert_eq!(code, "log.no-prehash");
    assert!(hint.contains("sign_ed25519ph"), "{hint}");
    let remote = Remote { prehash: false, ..Remote::new(Algorithm::EdDsa) };
    assert_eq!(refusal(world.builder().async_signer(remote)).0, "log.no-prehash");
    world.producer_of(world.builder().signer(PureOnly(signer(Algorithm::Es256, 1))));

    let without_key = genten::Genten::builder().home(world.path("other")).log(world.target());
    let (code, hint) = refusal(without_key.signer(signer(Algorithm::Es256, 1)));
    assert_eq!(code, "log.no-content-key");
    assert!(hint.contains("content_log_key"), "{hint}");
    let homeless = genten::Genten::builder().log(world.target()).content_log_key(content_key());
    assert_eq!(refusal(homeless.signer(signer(Algorithm::Es256, 1))).0, "log.no-journal");
    assert_eq!((world.log.posts(), world.log.reads().len()), (0, 0));
}

#[tokio::test]
async fn a_signer_that_is_away_keeps_nothing_back_that_was_signed_before() {
    static AWAY: AtomicBool = AtomicBool::new(false);
    let world = World::new().await;
    let remote = Remote { is_away: &AWAY, ..Remote::new(Algorithm::Es256) };
    let producer = world.producer_of(world.builder().async_signer(remote));
    producer.attest_alone(1).await;
    producer.attest_batched(2).await;
    AWAY.store(true, Ordering::SeqCst);
    let flush = producer.flush_all().await;
    assert_eq!((flush.logged, flush.batched), (2, 0));
    let error = flush.error.unwrap();
    assert!(matches!(error, LogError::Sign(_)), "{error:?}");
    AWAY.store(false, Ordering::SeqCst);
    assert_eq!(producer.flush_all().await.logged, 1);
    world.expect_arrived(&producer);
}

#[tokio::test]
async fn a_manifest_can_be_queued_later_by_whoever_can_sign_for_it() {
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa] {
        let world = World::new().await;
        let rules = LogRules { alone: Alone::None, static_content: false, ..LogRules::default() };
        let builder = || world.builder().log_rules(rules).signer(signer(algorithm, 1));
        let producer = world.producer_of(builder());
        producer.attest_batched(1).await;
        let bundle = UnverifiedBundle::read(&producer.saved()[0].bundle()).unwrap();
        let signed = SignedBytes::of_manifest(bundle.manifest()).unwrap();
        let stranger = world.builder().home(world.path("other")).signer(signer(algorithm, 2));
        let stranger = world.producer_of(stranger).submitter();
        let key = producer.genten.public_key();
        let queued = stranger.queue_manifest(&world.target(), &signed, key).await;
        match algorithm {
            Algorithm::Es256 => drop(queued.unwrap()),
            Algorithm::EdDsa => assert_eq!(queued.unwrap_err().code(), "log.signer-missing"),
        }
        let (wrong, target) = (signer(algorithm, 3), world.target());
        let wrong = stranger.queue_manifest(&target, &signed, Signer::public_key(&wrong));
        assert!(matches!(wrong.await.unwrap_err(), LogError::WrongSignature(_)));
    }
}
