//! A long list for `scripts/check-speed`: manifests in batches whose log entry and timestamp they share.
//!
//!     batches es256|ed25519 COUNT FILE     writes COUNT bundles, a line each, and the trust kit for them to FILE.trust.json

use std::fs::File;
use std::io::{BufWriter, Write as _};

use genten_jws::{CertificateHint, JwsSigner, ManifestSigner, SignedBytes, SignedMessage, Signer};
use genten_manifest::{
    Bundle, Capture, Claims, Manifest, SourceClass, Subject, Tls, TlsTrust, UnverifiedManifest,
};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_testkit::SeedKey;
use genten_testkit::log::{Handing, TestLog, trusted_root};
use genten_testkit::tsa::Tsa;
use genten_tlog::batch::Batch;
use genten_tlog::rekor::HashedRekord;
use serde_json::json;

/// Manifests in one batch.
const BATCH: usize = 1000;
const FETCHED: &str = "2026-11-30T08:15:00Z";
const BATCHED: &str = "2026-11-30T08:15:10Z";
const START: &str = "2026-01-01T00:00:00Z";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [algorithm, count, file] = words.as_slice() else {
        return eprintln!("batches es256|ed25519 COUNT FILE");
    };
    let key = match algorithm.as_str() {
        "es256" => SeedKey::es256("batches"),
        _ => SeedKey::ed25519("batches"),
    };
    let (mut log, tsa) = (TestLog::new("log.example"), Tsa::new("stamps"));
    let mut out = BufWriter::new(File::create(file).expect("creates"));
    let numbers: Vec<u32> = (0..count.parse().expect("a number")).collect();
    for numbers in numbers.chunks(BATCH) {
        for bundle in batch(numbers, &key, &mut log, &tsa) {
            // Bundles are written over several lines; no string in them holds a line feed.
            let line: Vec<u8> = bundle.into_iter().filter(|byte| *byte != b'\n').collect();
            out.write_all(&line).and_then(|()| out.write_all(b"\n")).expect("writes");
        }
    }
    std::fs::write(format!("{file}.trust.json"), kit(&key, &log, &tsa)).expect("writes");
}

/// One batch: each manifest with its place in it, the batch's entry and the batch's timestamp.
fn batch(numbers: &[u32], key: &SeedKey, log: &mut TestLog, tsa: &Tsa) -> Vec<Vec<u8>> {
    let signer = ManifestSigner::new(key.signer()).expect("signs");
    let sign = |number: &u32| signer.sign(claims(*number)).expect("signs");
    let manifests: Vec<_> = numbers.iter().map(sign).collect();
    let batch = Batch::new(manifests.iter().map(id));
    let (statement, rekord) = statement(&batch, key);
    let entry = log.log(&rekord.to_body(), &Handing::default()).to_string();
    let token = tsa.stamp(&rekord.signature, time(BATCHED));
    // An ES256 signature is logged as it is; for Ed25519 there is one more.
    let der = statement.signature().to_der();
    let other = Some(rekord.signature.as_slice()).filter(|logged| der.as_deref() != Some(logged));
    let bundle = |(index, manifest): (usize, &Manifest)| {
        let index = index as u64;
        let proof = batch.prove(index).expect("a leaf");
        let bundle = Bundle::new(manifest)
            .with_batch(&statement.attached(), index, proof.hashes())
            .and_then(|bundle| bundle.with_log_entry(Subject::Batch, entry.as_bytes(), other))
            .and_then(|bundle| bundle.with_timestamp(Subject::Batch, &token, other));
        bundle.expect("a bundle").to_json()
    };
    manifests.iter().enumerate().map(bundle).collect()
}

/// The signed statement of a batch, and what the log keeps of it.
fn statement(batch: &Batch, key: &SeedKey) -> (SignedMessage, HashedRekord) {
    let signer = JwsSigner::new(key.signer(), genten_jws::Typ::Batch, CertificateHint::None);
    let statement = batch.statement(time(BATCHED)).expect("not empty").to_payload();
    let signed = signer.expect("signs").sign(&statement).expect("signs");
    let logged = match signed.signature().to_der() {
        Some(der) if key.algorithm() == genten_jws::Algorithm::Es256 => {
            let digest = signed.sha256();
            HashedRekord::new(digest.as_bytes(), &der, key.public()).expect("logs take P-256")
        }
        _ => key.rekord(signed.input()),
    };
    (signed, logged)
}

fn id(manifest: &Manifest) -> Sha256Digest {
    let manifest = UnverifiedManifest::read(&manifest.to_json()).expect("just written");
    SignedBytes::of_manifest(&manifest).expect("just signed").sha256()
}

fn kit(key: &SeedKey, log: &TestLog, tsa: &Tsa) -> String {
    let jwk: serde_json::Value = serde_json::from_str(&key.public().to_jwk()).expect("JSON");
    let stamps = tsa.in_trusted_root(START, None);
    json!({
        "media_type": "application/vnd.genten.trust-kit+json;version=1",
        "created_at": START,
        "signers": [{
            "key_id": key.signer().key_id().to_string(),
            "public_key": jwk,
            "status": "active",
            "valid_from": START,
        }],
        "sigstore_trusted_roots": [trusted_root(&[log.in_trusted_root(START, None)], &[], &[], &[stamps])],
    })
    .to_string()
}

fn time(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

/// A manifest as a recorder writes it.
fn claims(number: u32) -> Claims {
    let url = format!("https://laws.e-gov.go.jp/api/2/law_data/{number}?format=xml");
    let digest = |text: &str| Sha256Digest::of(format!("{text}{number}").as_bytes());
    let tls = Tls {
        version: "TLSv1.3".parse().ok(),
        spki_sha256: Some(digest("key")),
        issuer: "CN=R11,O=Let's Encrypt,C=US".parse().ok(),
        trust: Some(TlsTrust::PublicWithSct),
        proxy: None,
    };
    Claims::builder(url.parse().expect("a URL"), time(FETCHED), digest("content"))
        .capture(Capture::Recorded)
        .source_class(SourceClass::Revisioned)
        .source_revision(format!("20240401_{number}").parse().expect("a text"))
        .tls_server_cert_sha256(digest("certificate"))
        .tls(tls)
        .finish()
        .expect("no contradiction")
}
