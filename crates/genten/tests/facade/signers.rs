//! Signers of the caller's own: in another task, wrong ones, failing ones, and those with a certificate.

use std::error::Error as _;

use genten::jws::{AsyncSigner, BoxFuture, SignError, Signature, Signer};
use genten::manifest::KeyId;
use genten::primitives::{PublicKey, encoding};
use genten::verify::TrustedBy;
use genten::{Body, Error, Facts, Genten, KeyError, Policy, Trust, TrustKit, Verifier};
use tokio::sync::{mpsc, oneshot};

use crate::support::{NOW, World, secret, signer, verdict};

type Order = (Vec<u8>, oneshot::Sender<Signature>);

/// A signer whose key is held by another task, as a service would hold it.
struct Remote {
    id: KeyId,
    key: PublicKey,
    orders: mpsc::Sender<Order>,
}

impl Remote {
    /// Signs what it is told, changed by `mischief` before.
    fn start(mischief: fn(Vec<u8>) -> Vec<u8>) -> Self {
        let (local, (orders, mut inbox)) = (signer(9), mpsc::channel::<Order>(1));
        let (id, key) = (local.key_id().clone(), local.public_key().clone());
        tokio::spawn(async move {
            while let Some((message, reply)) = inbox.recv().await {
                tokio::task::yield_now().await;
                reply.send(local.sign(&mischief(message)).unwrap()).unwrap();
            }
        });
        Self { id, key, orders }
    }
}

impl AsyncSigner for Remote {
    fn key_id(&self) -> &KeyId {
        &self.id
    }

    fn public_key(&self) -> &PublicKey {
        &self.key
    }

    fn sign<'a>(&'a self, message: &'a [u8]) -> BoxFuture<'a, Result<Signature, SignError>> {
        Box::pin(async move {
            let (reply, signature) = oneshot::channel();
            let sent = self.orders.send((message.to_vec(), reply)).await;
            sent.map_err(|error| SignError::Signer(error.into()))?;
            signature.await.map_err(|error| SignError::Signer(error.into()))
        })
    }
}

fn facts(number: usize) -> Facts {
    Facts::of_body(&format!("https://laws.example/{number}"), NOW, b"the law").unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_signer_in_another_task_serves_many_callers_at_once() {
    let world = World::new();
    let genten = world.builder().async_signer(Remote::start(|message| message)).build().unwrap();
    assert_eq!(genten.key_id(), signer(9).key_id());
    let work = (0..32).map(|number| {
        let genten = genten.clone();
        tokio::spawn(async move { genten.attest(&facts(number)).await.unwrap() })
    });
    for (number, task) in work.enumerate().collect::<Vec<_>>() {
        let attested = task.await.unwrap();
        assert!(attested.manifest.claims.source_url.as_str().ends_with(&format!("/{number}")));
        assert_eq!(verdict(&world.judge(&genten, &attested, b"the law")), "accept");
    }
}

#[tokio::test]
async fn a_signature_over_something_else_is_not_passed_on() {
    let world = World::new();
    let wrong = |mut message: Vec<u8>| {
        message[0] ^= 1;
        message
    };
    let folder = tempfile::tempdir().unwrap();
    let builder = world.builder().home(folder.path());
    let genten = builder.async_signer(Remote::start(wrong)).build().unwrap();
    let error = genten.attest(&facts(1)).await.unwrap_err();
    assert!(matches!(error, Error::Sign(SignError::NotVerified(_))), "{error:?}");
    assert_eq!(error.code(), "signer.failed");
    assert!(!error.hint().is_empty());
    assert_eq!(genten.journal().unwrap().count(&Default::default()).unwrap(), 0);
}

#[tokio::test]
async fn neither_is_one_by_a_signer_in_this_process() {
    struct Careless(genten::jws::LocalSigner);
    impl Signer for Careless {
        fn key_id(&self) -> &KeyId {
            Signer::key_id(&self.0)
        }
        fn public_key(&self) -> &PublicKey {
            Signer::public_key(&self.0)
        }
        fn sign(&self, _: &[u8]) -> Result<Signature, SignError> {
            Signer::sign(&self.0, b"something else")
        }
    }
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let builder = world.builder().home(folder.path());
    let genten = builder.signer(Careless(signer(1))).build().unwrap();
    let error = genten.attest(&facts(1)).await.unwrap_err();
    assert!(matches!(error, Error::WrongSignature(_)), "{error:?}");
    assert_eq!(error.code(), "jws.signature.mismatch");
    assert_eq!(genten.journal().unwrap().count(&Default::default()).unwrap(), 0);
}

#[tokio::test]
async fn what_a_service_said_when_it_failed_is_the_cause() {
    struct Away(Remote);
    impl AsyncSigner for Away {
        fn key_id(&self) -> &KeyId {
            &self.0.id
        }
        fn public_key(&self) -> &PublicKey {
            &self.0.key
        }
        fn sign<'a>(&'a self, _: &'a [u8]) -> BoxFuture<'a, Result<Signature, SignError>> {
            Box::pin(async { Err(SignError::Signer("the token is locked".into())) })
        }
    }
    let world = World::new();
    let away = Away(Remote::start(|message| message));
    let genten = world.builder().async_signer(away).build().unwrap();
    let error = genten.attest(&facts(1)).await.unwrap_err();
    assert_eq!(error.code(), "signer.failed");
    assert_eq!(error.source().unwrap().to_string(), "the token is locked");
}

#[test]
fn a_signer_under_the_id_of_another_key_is_refused_before_it_signs() {
    struct Misnamed(KeyId, PublicKey);
    impl Signer for Misnamed {
        fn key_id(&self) -> &KeyId {
            &self.0
        }
        fn public_key(&self) -> &PublicKey {
            &self.1
        }
        fn sign(&self, _: &[u8]) -> Result<Signature, SignError> {
            panic!("never asked")
        }
    }
    let misnamed = Misnamed(signer(1).key_id().clone(), secret(2).public_key().clone());
    let error = Genten::builder().signer(misnamed).build().err().unwrap();
    assert!(matches!(error, Error::Sign(SignError::KeyId(_))), "{error:?}");
}

const ID: &str = "https://news.example/signers/1";

/// An authority for signers, and one signer's certificate with the id as URI; both in DER.
fn certified(key: &rcgen::KeyPair) -> (Vec<u8>, Vec<u8>) {
    use rcgen::{
        BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose,
        SanType,
    };
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "Signers of the News");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let root_key = KeyPair::generate().unwrap();
    let root = params.self_signed(&root_key).unwrap().der().to_vec();
    let issuer = Issuer::new(params, root_key);
    let mut params = CertificateParams::default();
    params.subject_alt_names = vec![SanType::URI(ID.try_into().unwrap())];
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    (root, params.signed_by(key, &issuer).unwrap().der().to_vec())
}

fn local(key: &rcgen::KeyPair) -> genten::jws::LocalSigner {
    let secret = genten::jws::SecretKey::from_pem(&key.serialize_pem()).unwrap();
    genten::jws::LocalSigner::new(secret, ID.parse().unwrap()).unwrap()
}

fn kit(root: &[u8]) -> TrustKit {
    let kit = format!(
        r#"{{"media_type":"{}","signer_authorities":[{{"name":"the news","roots":["{}"],"san_uri":["https://news.example/signers/*"]}}]}}"#,
        genten::verify::kit::KIT_MEDIA_TYPE,
        encoding::base64(root)
    );
    TrustKit::read(kit.as_bytes()).unwrap()
}

#[tokio::test]
async fn a_signer_with_a_certificate_is_trusted_by_its_authority_alone() {
    let world = World::new();
    let key = rcgen::KeyPair::generate().unwrap();
    let (root, leaf) = certified(&key);
    let genten = world.builder().signer(local(&key)).signer_chain(vec![leaf]).build().unwrap();
    assert_eq!(genten.key_id().as_str(), ID);
    let attested = genten.attest(&facts(1)).await.unwrap();

    let judge = |kit: TrustKit| {
        let trust = Trust { kit, ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
        let bundle = attested.bundle().to_json();
        verifier.verify_bytes(&bundle, &Body::of(b"the law"), world.clock.now())
    };
    let report = judge(kit(&root));
    assert_eq!(verdict(&report), "accept");
    let signer = report.signer.unwrap();
    assert!(signer.id_checked);
    assert_eq!(signer.trusted_by, Some(TrustedBy::Authority("the news".into())));
    let (other_root, _) = certified(&key);
    assert_ne!(judge(kit(&other_root)).verdict.as_str(), "accept");
    assert_eq!(judge(TrustKit::default()).verdict.as_str(), "review");
}

#[test]
fn a_chain_for_another_key_is_refused_before_anything_is_signed_with_it() {
    let (mine, other) = (rcgen::KeyPair::generate().unwrap(), rcgen::KeyPair::generate().unwrap());
    let (_, leaf) = certified(&other);
    let builder = Genten::builder().signer(local(&mine)).signer_chain(vec![leaf]);
    let error = builder.build().err().unwrap();
    assert!(matches!(error, Error::Key(KeyError::Certificate { .. })), "{error:?}");
    assert_eq!(error.code(), "key.certificate");
    let broken = Genten::builder().signer(local(&mine)).signer_chain(vec![b"no DER".to_vec()]);
    assert_eq!(broken.build().err().unwrap().code(), "key.certificate");
}
