//! What signing and verifying a manifest costs beside the bare signature: `cargo bench -p genten-jws --features sign`.
//!
//! Both sides of a ratio run in turn, eleven times; printed are medians. Each run is the best of many short slices, so
//! that a busy machine disturbs little. Below 3 % is a tie.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a bench reads the clock, and may fail"
)]

use std::hint::black_box;
use std::time::Instant;

use genten_jws::{Algorithm, LocalSigner, ManifestSigner, SecretKey, SignedBytes, Signer};
use genten_manifest::{Capture, Claims, SourceClass, UnverifiedManifest};
use genten_primitives::Sha256Digest;
use genten_primitives::signature::{Message, Scheme, verify};

const RUNS: usize = 11;
const SLICES: usize = 40;
const CALLS: u32 = 20;

fn main() {
    println!("{:<28}{:>12}{:>12}{:>8}", "", "bare µs", "ours µs", "ratio");
    for algorithm in [Algorithm::EdDsa, Algorithm::Es256] {
        sign(algorithm);
        check(algorithm);
    }
}

fn sign(algorithm: Algorithm) {
    let signer = ManifestSigner::new(signer(algorithm)).unwrap();
    let input = signing_input(&signer);
    let claims = claims();
    compare(
        &format!("sign a manifest, {algorithm}"),
        || {
            black_box(signer.signer().sign(&input).unwrap());
        },
        || drop(black_box(signer.sign(claims.clone()).unwrap())),
    );
}

fn check(algorithm: Algorithm) {
    let signer = ManifestSigner::new(signer(algorithm)).unwrap();
    let key = signer.signer().public_key().clone();
    let json = signer.sign(claims()).unwrap().to_json();
    let manifest = UnverifiedManifest::read(&json).unwrap();
    let signed = SignedBytes::of_manifest(&manifest).unwrap();
    let scheme = match algorithm {
        Algorithm::EdDsa => Scheme::Ed25519,
        Algorithm::Es256 => Scheme::EcdsaSha256Fixed,
    };
    let bare = || {
        let message = Message::Bytes(signed.input());
        verify(&key, scheme, message, signed.signature().as_bytes()).unwrap();
    };
    compare(&format!("verify a read one, {algorithm}"), bare, || {
        drop(black_box(SignedBytes::of_manifest(&manifest).unwrap().verify(&key).unwrap()));
    });
    compare(&format!("read and verify, {algorithm}"), bare, || {
        let manifest = UnverifiedManifest::read(&json).unwrap();
        drop(black_box(SignedBytes::of_manifest(&manifest).unwrap().verify(&key).unwrap()));
    });
}

fn compare(what: &str, bare: impl Fn(), ours: impl Fn()) {
    let (mut bare_times, mut our_times) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        bare_times.push(microseconds(&bare));
        our_times.push(microseconds(&ours));
    }
    let (bare, ours) = (median(bare_times), median(our_times));
    println!("{what:<28}{bare:>12.2}{ours:>12.2}{:>8.3}", ours / bare);
}

fn microseconds(call: impl Fn()) -> f64 {
    let slice = || {
        let start = Instant::now();
        for _ in 0..CALLS {
            call();
        }
        start.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS)
    };
    (0..SLICES).map(|_| slice()).fold(f64::INFINITY, f64::min)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn signer(algorithm: Algorithm) -> LocalSigner {
    LocalSigner::did_key(SecretKey::from_bytes(algorithm, &[7; 32]).unwrap())
}

fn signing_input(signer: &ManifestSigner<LocalSigner>) -> Vec<u8> {
    let json = signer.sign(claims()).unwrap().to_json();
    SignedBytes::of_manifest(&UnverifiedManifest::read(&json).unwrap()).unwrap().input().to_vec()
}

fn claims() -> Claims {
    let url = "https://www.rfc-editor.org/rfc/rfc9421.txt".parse().unwrap();
    let time = "2026-11-30T08:15:00Z".parse().unwrap();
    Claims::builder(url, time, Sha256Digest::of(b"body"))
        .source_class(SourceClass::Static)
        .capture(Capture::Recorded)
        .tls_server_cert_sha256(Sha256Digest::of(b"certificate"))
        .source_revision("W/\"5f-1a2b3c\"".parse().unwrap())
        .result_sha256(Sha256Digest::of(b"result"))
        .finish()
        .unwrap()
}
