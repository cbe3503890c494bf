//! A key that lives elsewhere: a service signs, and answers in DER as key services do. Run it with
//! `cargo run -p genten --example async_signer`.

use std::error::Error;

use genten::jws::{
    Algorithm, AsyncSigner, BoxFuture, LocalSigner, SecretKey, SignError, Signature, Signer as _,
    key_id,
};
use genten::manifest::KeyId;
use genten::primitives::PublicKey;
use genten::{Body, Facts, Genten, Policy, Trust, Verdict, Verifier};
use tokio::sync::{mpsc, oneshot};

/// The client's side: the public key, and the way to the service.
struct Kms {
    id: KeyId,
    key: PublicKey,
    service: mpsc::Sender<Order>,
}

/// A message to sign, and where the DER goes.
type Order = (Vec<u8>, oneshot::Sender<Vec<u8>>);

impl AsyncSigner for Kms {
    fn key_id(&self) -> &KeyId {
        &self.id
    }

    fn public_key(&self) -> &PublicKey {
        &self.key
    }

    fn sign<'a>(&'a self, message: &'a [u8]) -> BoxFuture<'a, Result<Signature, SignError>> {
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let failed = |error: Box<dyn Error + Send + Sync>| SignError::Signer(error);
            let sent = self.service.send((message.to_vec(), reply)).await;
            sent.map_err(|error| failed(error.into()))?;
            let der = answer.await.map_err(|error| failed(error.into()))?;
            Signature::from_der(&der).map_err(|error| failed(error.into()))
        })
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (public_key, service) = start_service()?;
    let id = key_id::did_key(&public_key).ok_or("neither P-256 nor Ed25519")?;
    let kms = Kms { id, key: public_key.clone(), service };

    // What the service returns is checked under the public key before it is used.
    let genten = Genten::builder().async_signer(kms).build()?;
    let facts = Facts::of_body("https://laws.example/1", "2026-11-30T08:15:00Z", b"Article 1.")?;
    let attested = genten.attest(&facts).await?;

    let trust = Trust { keys: vec![public_key], ..Trust::default() };
    let verifier = Verifier::new(trust, Policy::built_in("basic").ok_or("no such policy")?);
    let bundle = attested.bundle().to_json();
    let now = "2030-01-01T00:00:00Z".parse()?;
    let report = verifier.verify_bytes(&bundle, &Body::of(b"Article 1."), now);
    assert_eq!(report.verdict, Verdict::Accept);
    println!("signed by {}: {}", attested.manifest.mcp_key_id, report.verdict.as_str());
    Ok(())
}

/// The service: another task here, another machine elsewhere. Nobody but it has the private key.
fn start_service() -> Result<(PublicKey, mpsc::Sender<Order>), Box<dyn Error>> {
    let key = LocalSigner::did_key(SecretKey::from_bytes(Algorithm::Es256, &[7; 32])?);
    let public_key = key.public_key().clone();
    let (service, mut orders) = mpsc::channel::<Order>(16);
    tokio::spawn(async move {
        while let Some((message, reply)) = orders.recv().await {
            let signature = key.sign(&message).ok().and_then(|signature| signature.to_der());
            // Whoever asked may have gone away.
            drop(signature.map(|der| reply.send(der)));
        }
    });
    Ok((public_key, service))
}
