//! Manifests, logged and stamped by the peers.

use std::error::Error;
use std::fs;
use std::path::Path;

use genten_jws::{
    Algorithm, CertificateHint, ContentLogKey, ContentLogSigner, JwsSigner, LocalSigner,
    ManifestSigner, SignedBytes, Signer, Typ,
};
use genten_manifest::{
    Bundle, Capture, Claims, Manifest, SourceClass, Subject, UnverifiedManifest,
};
use genten_pki::TimestampRequest;
use genten_primitives::{PublicKey, Sha256Digest, Sha512Digest};
use genten_tlog::batch::Batch;
use genten_tlog::rekor::HashedRekord;

use super::servers::Servers;
use super::world::{now, secret, signer};
use super::{http, kit};

/// What is made: each a body and the bundle about it.
pub(super) const NAMES: [&str; 5] =
    ["es256.txt", "ed25519.txt", "batch-0.txt", "batch-499.txt", "batch-999.txt"];

/// How many manifests share one log entry.
const BATCH: u64 = 1000;

/// Everything that was made.
pub(super) struct Made {
    files: Vec<(String, Vec<u8>)>,
}

impl Made {
    pub(super) fn write(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        fs::create_dir_all(folder)?;
        for (name, bytes) in &self.files {
            fs::write(folder.join(name), bytes)?;
        }
        Ok(())
    }

    fn add(&mut self, name: &str, body: Vec<u8>, bundle: &Bundle) {
        self.files.push((format!("{name}.provenance.json"), bundle.to_json()));
        self.files.push((name.to_owned(), body));
    }
}

/// Signs, logs and stamps.
pub(super) fn make(servers: &Servers<'_>) -> Result<Made, Box<dyn Error>> {
    let mut made = Made { files: kit::files(servers)?.to_vec() };
    let content_key = ContentLogKey::new(secret(Algorithm::Es256, "content log"))?;
    for (name, algorithm) in [("es256", Algorithm::Es256), ("ed25519", Algorithm::EdDsa)] {
        let (name, signer) = (format!("{name}.txt"), signer(algorithm, name));
        let (body, manifest) = sign(&name, &signer)?;
        let bundle = logged(servers, Bundle::new(&manifest), &manifest, &signer)?;
        let bundle = content_logged(servers, bundle, &body, &content_key)?;
        made.add(&name, body, &bundle);
    }
    batch(servers, &content_key, &mut made)?;
    Ok(made)
}

/// A body and its manifest.
fn sign(name: &str, signer: &LocalSigner) -> Result<(Vec<u8>, Manifest), Box<dyn Error>> {
    let body = format!("What https://static.genten.example/{name} said.\n").into_bytes();
    let url = format!("https://static.genten.example/{name}").parse()?;
    let mut claims = Claims::builder(url, now(), Sha256Digest::of(&body)).finish()?;
    claims.capture = Some(Capture::Reported);
    claims.source_class = Some(SourceClass::Static);
    Ok((body, ManifestSigner::new(signer)?.sign(claims)?))
}

/// The entry of the manifest's own signature, and a timestamp over the logged signature.
fn logged(
    servers: &Servers<'_>,
    bundle: Bundle,
    manifest: &Manifest,
    signer: &LocalSigner,
) -> Result<Bundle, Box<dyn Error>> {
    let manifest = UnverifiedManifest::read(&manifest.to_json())?;
    let signed = SignedBytes::of_manifest(&manifest)?;
    let signature = signed.signature();
    let of_log = Logged::of(signer, signed.input(), signature.to_der())?;
    attach(servers, bundle, Subject::Manifest, &of_log, signer.public_key())
}

/// What a log takes of a signed message.
struct Logged {
    digest: Vec<u8>,
    signature: Vec<u8>,
    /// Whether the signature is that of the JWS.
    is_own: bool,
}

impl Logged {
    /// The JWS's own signature for ES256; one more, over the prehash, for Ed25519.
    fn of(
        signer: &LocalSigner,
        input: &[u8],
        der: Option<Vec<u8>>,
    ) -> Result<Self, Box<dyn Error>> {
        let digest = Sha512Digest::of(input);
        match signer.sign_ed25519ph(&digest) {
            Some(signature) => Ok(Self {
                digest: digest.as_bytes().to_vec(),
                signature: signature?.as_bytes().to_vec(),
                is_own: false,
            }),
            None => Ok(Self {
                digest: Sha256Digest::of(input).as_bytes().to_vec(),
                signature: der.ok_or("no ECDSA signature")?,
                is_own: true,
            }),
        }
    }
}

fn attach(
    servers: &Servers<'_>,
    bundle: Bundle,
    subject: Subject,
    logged: &Logged,
    key: &PublicKey,
) -> Result<Bundle, Box<dyn Error>> {
    let stated = (!logged.is_own).then_some(logged.signature.as_slice());
    let entry = submit(servers, &logged.digest, &logged.signature, key)?;
    let token = stamp(servers, &logged.signature)?;
    let bundle = bundle.with_log_entry(subject, &entry, stated)?;
    Ok(bundle.with_timestamp(subject, &token, stated)?)
}

fn content_logged(
    servers: &Servers<'_>,
    bundle: Bundle,
    body: &[u8],
    key: &ContentLogKey,
) -> Result<Bundle, Box<dyn Error>> {
    let digest = Sha256Digest::of(body);
    let signature = key.sign_prehash(&digest)?.to_der().ok_or("no ECDSA signature")?;
    let entry = submit(servers, digest.as_bytes(), &signature, key.key().public_key())?;
    Ok(bundle.with_log_entry(Subject::Content, &entry, None)?)
}

/// Many manifests under one statement, one log entry and one timestamp.
fn batch(
    servers: &Servers<'_>,
    content: &ContentLogKey,
    made: &mut Made,
) -> Result<(), Box<dyn Error>> {
    let signer = signer(Algorithm::Es256, "es256");
    let members = (0..BATCH).map(|number| sign(&format!("batch-{number}.txt"), &signer));
    let members = members.collect::<Result<Vec<_>, _>>()?;
    let ids = members.iter().map(|(_, manifest)| {
        let manifest = UnverifiedManifest::read(&manifest.to_json())?;
        Ok::<_, Box<dyn Error>>(SignedBytes::of_manifest(&manifest)?.sha256())
    });
    let batch = Batch::new(ids.collect::<Result<Vec<_>, _>>()?);
    let statement = batch.statement(now()).ok_or("an empty batch")?;
    let jws = JwsSigner::new(&signer, Typ::Batch, CertificateHint::None)?;
    let message = jws.sign(&statement.to_payload())?;
    let logged = Logged::of(&signer, message.input(), message.signature().to_der())?;
    let key = signer.public_key();
    let shared = attach(servers, Bundle::new(&members[0].1), Subject::Batch, &logged, key)?;
    let shared = genten_manifest::UnverifiedBundle::read(&shared.to_json())?;
    for number in [0, BATCH / 2 - 1, BATCH - 1] {
        let (body, manifest) = &members[number as usize];
        let proof = batch.prove(number)?;
        let mut bundle =
            Bundle::new(manifest).with_batch(&message.attached(), number, proof.hashes())?;
        for item in shared.evidence() {
            bundle = bundle.with_evidence(item.raw().as_bytes())?;
        }
        let bundle = content_logged(servers, bundle, body, content)?;
        made.add(&format!("batch-{number}.txt"), body.clone(), &bundle);
    }
    Ok(())
}

/// Logs a signature; the TransparencyLogEntry as the log sent it.
fn submit(
    servers: &Servers<'_>,
    digest: &[u8],
    signature: &[u8],
    key: &PublicKey,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let rekord = HashedRekord::new(digest, signature, key).ok_or("no log takes this key")?;
    let request = rekord.to_request();
    let path = "/api/v2/log/entries";
    let answer = http::send("POST", servers.log_port, path, "application/json", &request)?;
    match answer.status {
        201 => Ok(answer.body),
        status => {
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            Err(format!("the log answered {status}: {text}").into())
        }
    }
}

/// Has a signature stamped.
fn stamp(servers: &Servers<'_>, signature: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let request = TimestampRequest::new(signature, now().as_millis().unsigned_abs());
    let (path, media_type) = ("/api/v1/timestamp", "application/timestamp-query");
    let answer = http::send("POST", servers.tsa_port, path, media_type, &request.to_der())?;
    let authorities = [kit::authority(&servers.tsa_chain)?];
    request.check_response(&answer.body, &authorities)?;
    Ok(answer.body)
}
