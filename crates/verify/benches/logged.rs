//! What a manifest with its entry in a log costs, from the bundle's text to the verdict, beside the bare signature checks that
//! it needs: `cargo bench -p genten-verify --features aws-lc --bench logged`.
//!
//! Each manifest has an entry and a proof of its own, and there are more than a verifier remembers: nothing is found again. Both
//! sides of a ratio run in turn, eleven times; printed are medians. Each run is the best of many short slices, so that a busy
//! machine disturbs little.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a bench reads the clock, and may fail"
)]

use std::hint::black_box;
use std::time::Instant;

use genten_jws::{Algorithm, LocalSigner, ManifestSigner, SecretKey, SignedBytes, Signer};
use genten_manifest::{
    Bundle, Capture, Claims, Manifest, SourceClass, Subject, UnverifiedManifest,
};
use genten_primitives::encoding::base64;
use genten_primitives::signature::{Message, Scheme, verify};
use genten_primitives::{Sha256Digest, Sha512Digest};
use genten_tlog::note::signature_line;
use genten_tlog::rekor::HashedRekord;
use genten_tlog::{InclusionProof, LeafIndex, NoteKey, ProofError, TreeSize, merkle};
use genten_verify::{Body, Policy, Trust, TrustKit, TrustedSigner, Verdict, Verifier};
use serde_json::json;

const RUNS: usize = 11;
const SLICES: usize = 40;
const CALLS: usize = 20;

/// A power of two, twice as many as a verifier remembers.
const ENTRIES: u64 = 8192;
const HOST: &str = "log.example";
const NOW: &str = "2026-11-30T12:00:00Z";
const POLICY: &str =
    "version = 1\nname = \"logged\"\n[require]\ndefault = [\"signature\", \"signer\", \"log\"]\n";

fn main() {
    println!("{:<40}{:>12}{:>12}{:>8}", "", "bare µs", "ours µs", "ratio");
    for algorithm in [Algorithm::EdDsa, Algorithm::Es256] {
        check(algorithm);
    }
}

fn check(algorithm: Algorithm) {
    let log = Log::new(algorithm);
    let verifier = Verifier::new(log.trust(), Policy::read(POLICY).unwrap());
    let now = NOW.parse().unwrap();
    let report = verifier.verify_bytes(&log.bundles[0], &Body::NotGiven, now);
    assert!(matches!(report.verdict, Verdict::Accept), "{:?}", report.verdict);
    compare(
        &format!("a manifest and its log entry, {algorithm}"),
        |at| log.check_signatures(at),
        |at| {
            let report = verifier.verify_bytes(&log.bundles[at], &Body::NotGiven, now);
            assert!(matches!(black_box(report).verdict, Verdict::Accept));
        },
    );
}

/// A log that holds one entry for each manifest of one signer.
struct Log {
    signer: LocalSigner,
    key: LocalSigner,
    checkpoint: Signed,
    bundles: Vec<Vec<u8>>,
    inputs: Vec<Vec<Signed>>,
}

/// A message and its signature.
struct Signed {
    scheme: Scheme,
    message: Vec<u8>,
    signature: Vec<u8>,
}

impl Log {
    fn new(algorithm: Algorithm) -> Self {
        let signing = ManifestSigner::new(signer(algorithm, 7)).unwrap();
        let (signer, key) = (signer(algorithm, 7), signer(Algorithm::EdDsa, 8));
        let manifests: Vec<_> =
            (0..ENTRIES).map(|number| signing.sign(claims(number)).unwrap()).collect();
        let inputs: Vec<_> = manifests.iter().map(|one| signatures(one, &signer)).collect();
        let rekords: Vec<_> = inputs.iter().map(|signed| rekord(signed, &signer)).collect();
        let levels = levels(&rekords);
        let root = base64(levels[levels.len() - 1][0].as_bytes());
        let text = format!("{HOST}\n{ENTRIES}\n{root}\n");
        let signature = key.sign(text.as_bytes()).unwrap().as_bytes().to_vec();
        let note = format!("{text}\n{}", signature_line(&note_key(&key), &signature));
        let bundle = |(at, manifest): (usize, &Manifest)| {
            let entry = entry(at, &rekords[at], &proof(at, &levels), &note, &key);
            let logged = match algorithm {
                Algorithm::EdDsa => Some(rekords[at].signature.as_slice()),
                Algorithm::Es256 => None,
            };
            let bundle = Bundle::new(manifest);
            bundle.with_log_entry(Subject::Manifest, &entry, logged).unwrap().to_json()
        };
        let bundles = manifests.iter().enumerate().map(bundle).collect();
        let message = text.into_bytes();
        let checkpoint = Signed { scheme: Scheme::Ed25519, message, signature };
        Self { signer, key, checkpoint, bundles, inputs }
    }

    fn trust(&self) -> Trust {
        let root = json!({
            "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
            "tlogs": [{
                "baseUrl": format!("https://{HOST}"),
                "hashAlgorithm": "SHA2_256",
                "publicKey": {
                    "rawBytes": base64(self.key.public_key().to_spki_der()),
                    "keyDetails": "PKIX_ED25519",
                    "validFor": {"start": "2026-01-01T00:00:00Z"},
                },
                "logId": {"keyId": base64(note_key(&self.key).full_id().as_bytes())},
            }],
        });
        let signers = vec![TrustedSigner::new(self.signer.key_id().as_str()).unwrap()];
        let kit = TrustKit::of_sigstore_root(root.to_string().as_bytes()).unwrap();
        Trust { kit, signers, ..Trust::default() }
    }

    /// The manifest's signature, the logged one where it is another, and the checkpoint's.
    fn check_signatures(&self, at: usize) {
        for one in &self.inputs[at] {
            one.check(&self.signer);
        }
        self.checkpoint.check(&self.key);
    }
}

impl Signed {
    fn check(&self, by: &LocalSigner) {
        let digest;
        let message = match self.scheme {
            Scheme::Ed25519ph => {
                digest = Sha512Digest::of(&self.message);
                Message::Prehash(digest.as_bytes())
            }
            _ => Message::Bytes(&self.message),
        };
        verify(by.public_key(), self.scheme, message, &self.signature).unwrap();
    }
}

fn signer(algorithm: Algorithm, seed: u8) -> LocalSigner {
    LocalSigner::did_key(SecretKey::from_bytes(algorithm, &[seed; 32]).unwrap())
}

fn note_key(key: &LocalSigner) -> NoteKey {
    NoteKey::ed25519(HOST, key.public_key()).unwrap()
}

/// The signatures that a manifest and its entry need.
fn signatures(manifest: &Manifest, signer: &LocalSigner) -> Vec<Signed> {
    let manifest = UnverifiedManifest::read(&manifest.to_json()).unwrap();
    let signed = SignedBytes::of_manifest(&manifest).unwrap();
    let message = signed.input().to_vec();
    match signer.sign_ed25519ph(&Sha512Digest::of(&message)) {
        Some(prehashed) => {
            let signature = signed.signature().as_bytes().to_vec();
            let logged = prehashed.unwrap().as_bytes().to_vec();
            vec![
                Signed { scheme: Scheme::Ed25519, message: message.clone(), signature },
                Signed { scheme: Scheme::Ed25519ph, message, signature: logged },
            ]
        }
        None => {
            let signature = signed.signature().to_der().unwrap();
            vec![Signed { scheme: Scheme::EcdsaSha256Der, message, signature }]
        }
    }
}

fn rekord(signed: &[Signed], signer: &LocalSigner) -> HashedRekord {
    let logged = &signed[signed.len() - 1];
    let digest = logged.scheme.hash().digest(&logged.message);
    HashedRekord::new(&digest, &logged.signature, signer.public_key()).unwrap()
}

/// The hashes of a full tree, the leaves first.
fn levels(rekords: &[HashedRekord]) -> Vec<Vec<Sha256Digest>> {
    let mut levels = vec![rekords.iter().map(HashedRekord::leaf_hash).collect::<Vec<_>>()];
    while levels[levels.len() - 1].len() > 1 {
        let pairs = levels[levels.len() - 1].chunks(2);
        levels.push(pairs.map(|pair| merkle::node_hash(&pair[0], &pair[1])).collect());
    }
    levels
}

fn proof(at: usize, levels: &[Vec<Sha256Digest>]) -> InclusionProof {
    let (index, size) = (LeafIndex::new(at as u64).unwrap(), TreeSize::new(ENTRIES).unwrap());
    let proof = InclusionProof::produce::<ProofError>(index, size, |range| {
        let width = range.end - range.start;
        Ok(levels[width.trailing_zeros() as usize][(range.start / width) as usize])
    });
    proof.unwrap()
}

fn entry(
    at: usize,
    rekord: &HashedRekord,
    proof: &InclusionProof,
    note: &str,
    key: &LocalSigner,
) -> Vec<u8> {
    let hashes: Vec<_> = proof.hashes().iter().map(|hash| base64(hash.as_bytes())).collect();
    let entry = json!({
        "logIndex": at.to_string(),
        "logId": {"keyId": base64(note_key(key).full_id().as_bytes())},
        "kindVersion": {"kind": "hashedrekord", "version": "0.0.2"},
        "inclusionProof": {
            "logIndex": at.to_string(),
            "treeSize": ENTRIES.to_string(),
            "hashes": hashes,
            "checkpoint": {"envelope": note},
        },
        "canonicalizedBody": base64(&rekord.to_body()),
    });
    entry.to_string().into_bytes()
}

fn claims(number: u64) -> Claims {
    let url = format!("https://laws.e-gov.go.jp/api/2/law_data/{number}?format=xml");
    let time = "2026-11-30T08:15:00Z".parse().unwrap();
    Claims::builder(url.parse().unwrap(), time, Sha256Digest::of(&number.to_be_bytes()))
        .source_class(SourceClass::Revisioned)
        .capture(Capture::Recorded)
        .source_revision(format!("20240401_{number}").parse().unwrap())
        .tls_server_cert_sha256(Sha256Digest::of(b"certificate"))
        .result_sha256(Sha256Digest::of(b"result"))
        .finish()
        .unwrap()
}

fn compare(what: &str, bare: impl Fn(usize), ours: impl Fn(usize)) {
    let (mut bare_times, mut our_times) = (Vec::new(), Vec::new());
    let mut at = 0;
    for _ in 0..RUNS {
        bare_times.push(microseconds(&mut at, &bare));
        our_times.push(microseconds(&mut at, &ours));
    }
    let (bare, ours) = (median(bare_times), median(our_times));
    println!("{what:<40}{bare:>12.2}{ours:>12.2}{:>8.3}", ours / bare);
}

fn microseconds(at: &mut usize, call: impl Fn(usize)) -> f64 {
    let mut slice = || {
        let start = Instant::now();
        for _ in 0..CALLS {
            call(*at);
            *at = (*at + 1) % ENTRIES as usize;
        }
        start.elapsed().as_secs_f64() * 1e6 / CALLS as f64
    };
    (0..SLICES).map(|_| slice()).fold(f64::INFINITY, f64::min)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
