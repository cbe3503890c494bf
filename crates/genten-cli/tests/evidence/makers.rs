//! A log of two leaves, an authority that stamps, and what they say of a manifest.

use std::path::{Path, PathBuf};
use std::process::Command;

use genten_jws::{
    Algorithm, CertificateHint, ContentLogKey, ContentLogSigner, JwsSigner, LocalSigner,
    ManifestSigner, SecretKey, Signer, Typ,
};
use genten_manifest::Manifest;
use genten_primitives::encoding::base64;
use genten_primitives::{HashAlgorithm, Sha256Digest, Sha512Digest};
use genten_tlog::batch::Batch;
use genten_tlog::merkle::{leaf_hash, node_hash};
use genten_tlog::note::signature_line;
use genten_tlog::rekor::HashedRekord;
use genten_tlog::{NoteKey, cosignature};

use crate::support::{World, claims, key, time};

/// A file or folder of the shared vectors; says so aloud when it is absent.
pub(crate) fn vectors(path: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(path);
    if !found.exists() {
        eprintln!("skipped: no {}", found.display());
        return None;
    }
    Some(found)
}

pub(crate) fn ed25519(number: u8) -> SecretKey {
    SecretKey::from_bytes(Algorithm::EdDsa, &[number; 32]).unwrap()
}

/// A manifest, and the bytes that its signature covers.
pub(crate) struct Signed {
    pub(crate) json: Vec<u8>,
    pub(crate) input: Vec<u8>,
    /// As logs take it.
    pub(crate) der: Vec<u8>,
    pub(crate) id: Sha256Digest,
}

impl Signed {
    pub(crate) fn by(signer: LocalSigner) -> Self {
        Self::of(&ManifestSigner::new(signer).unwrap().sign(claims()).unwrap())
    }

    pub(crate) fn of(manifest: &Manifest) -> Self {
        let json = manifest.to_json();
        let read = genten_manifest::UnverifiedManifest::read(&json).unwrap();
        let signed = genten_jws::SignedBytes::of_manifest(&read).unwrap();
        Self {
            json,
            input: signed.input().to_vec(),
            der: signed.signature().to_der().unwrap_or_default(),
            id: signed.sha256(),
        }
    }
}

/// The manifest of an ES256 key.
pub(crate) fn manifest() -> Signed {
    Signed::by(LocalSigner::did_key(key(1)))
}

/// The manifest of an Ed25519 key.
pub(crate) fn ed25519_manifest() -> Signed {
    Signed::by(LocalSigner::did_key(ed25519(1)))
}

/// The entry that the signer of an ES256 signature logs.
pub(crate) fn es256_rekord(signed: &Signed, secret: &SecretKey) -> HashedRekord {
    let digest = Sha256Digest::of(&signed.input);
    HashedRekord::new(digest.as_bytes(), &signed.der, secret.public_key()).unwrap()
}

/// The entry that an Ed25519 signer logs.
pub(crate) fn ed25519_rekord(signed: &Signed, secret: SecretKey) -> HashedRekord {
    let digest = Sha512Digest::of(&signed.input);
    let signer = LocalSigner::did_key(secret);
    let signature = signer.sign_ed25519ph(&digest).unwrap().unwrap();
    HashedRekord::new(digest.as_bytes(), signature.as_bytes(), Signer::public_key(&signer)).unwrap()
}

/// The entry of a content under a key.
pub(crate) fn content_rekord(content: &[u8], secret: SecretKey) -> HashedRekord {
    let key = ContentLogKey::new(secret).unwrap();
    let digest = Sha256Digest::of(content);
    let signature = key.sign_prehash(&digest).unwrap().to_der().unwrap();
    let public = ContentLogSigner::public_key(&key);
    HashedRekord::new(digest.as_bytes(), &signature, public).unwrap()
}

const ORIGIN: &str = "log.example/2026";

fn log_signer() -> LocalSigner {
    LocalSigner::did_key(ed25519(7))
}

fn witness_signer() -> LocalSigner {
    LocalSigner::did_key(ed25519(8))
}

pub(crate) fn log_key() -> NoteKey {
    NoteKey::ed25519(ORIGIN, ed25519(7).public_key()).unwrap()
}

pub(crate) fn witness_key() -> NoteKey {
    NoteKey::cosignature("witness.example", ed25519(8).public_key()).unwrap()
}

/// The policy that the log's witness must have seen it.
pub(crate) fn policy() -> String {
    let (log, witness) = (log_key().to_vkey(), witness_key().to_vkey());
    format!("# of the test\nlog {log}\nwitness w1 {witness}\nquorum w1\n")
}

/// What the log answers: the entry at index 1 of two, cosigned at 2026-06-01T09:00:00Z.
pub(crate) fn logged(rekord: &HashedRekord) -> String {
    let first = leaf_hash(b"somebody else's");
    let root = base64(node_hash(&first, &rekord.leaf_hash()).as_bytes());
    let text = format!("{ORIGIN}\n2\n{root}\n");
    let line = signature_line(&log_key(), log_signer().sign(text.as_bytes()).unwrap().as_bytes());
    let seconds = 1_780_304_400;
    let cosigned = witness_signer().sign(&cosignature::message(seconds, &text)).unwrap();
    let blob = cosignature::blob(seconds, cosigned.as_bytes());
    let note = format!("{text}\n{line}{}", signature_line(&witness_key(), &blob));
    serde_json::json!({
        "logIndex": "1",
        "logId": { "keyId": base64(log_key().full_id().as_bytes()) },
        "kindVersion": { "kind": "hashedrekord", "version": "0.0.2" },
        "integratedTime": "0",
        "inclusionPromise": null,
        "inclusionProof": {
            "logIndex": "1", "rootHash": root, "treeSize": "2", "hashes": [base64(first.as_bytes())],
            "checkpoint": { "envelope": note },
        },
        "canonicalizedBody": base64(&rekord.to_body()),
    })
    .to_string()
}

/// A batch of this manifest and another: its place as JSON, and the statement as something that can be logged.
pub(crate) fn batch(signed: &Signed, secret: SecretKey) -> (String, Signed) {
    let batch = Batch::new([Sha256Digest::of(b"other"), signed.id]);
    let statement = batch.statement(time("2026-06-01T08:16:00Z")).unwrap();
    let signer =
        JwsSigner::new(LocalSigner::did_key(secret), Typ::Batch, CertificateHint::None).unwrap();
    let message = signer.sign(&statement.to_payload()).unwrap();
    let hashes: Vec<_> = batch.prove(1).unwrap().hashes().iter().map(ToString::to_string).collect();
    let place = serde_json::json!({
        "statement": message.attached(), "index": 1, "hashes": hashes,
    });
    let signed = Signed {
        json: Vec::new(),
        input: message.input().to_vec(),
        der: message.signature().to_der().unwrap(),
        id: message.sha256(),
    };
    (place.to_string(), signed)
}

/// A stamping authority that is its own root, by the OpenSSL of this computer. Its chain is in `tsa.pem`.
pub(crate) struct Authority<'w> {
    world: &'w World,
}

impl<'w> Authority<'w> {
    /// `None`, said aloud, where there is no `openssl`.
    pub(crate) fn new(world: &'w World) -> Option<Self> {
        if Command::new("openssl").arg("version").output().is_err() {
            eprintln!("skipped: no openssl");
            return None;
        }
        let (certificate, key) = stamping_certificate();
        world.write("tsa.pem", certificate);
        world.write("tsa.key", key);
        world.write("serial", "01");
        world.write(
            "tsa.cnf",
            "[tsa]\nserial=serial\ndefault_policy=1.2.3.4.1\ndigests=sha256\nsigner_digest=sha256\n\
             ess_cert_id_alg=sha256\n",
        );
        Some(Self { world })
    }

    /// Stamps some bytes; `name` is the answer's file, or the token's where only that is wanted.
    pub(crate) fn stamp(&self, message: &[u8], name: &str, is_bare: bool) {
        self.world.write("stamped", message);
        self.run(&["ts", "-query", "-data", "stamped", "-sha256", "-no_nonce", "-out", "query"]);
        let reply =
            ["ts", "-reply", "-config", "tsa.cnf", "-section", "tsa", "-queryfile", "query"];
        let keys = ["-inkey", "tsa.key", "-signer", "tsa.pem", "-out", name];
        let bare: &[&str] = if is_bare { &["-token_out"] } else { &[] };
        self.run(&[&reply[..], &keys, bare].concat());
    }

    fn run(&self, arguments: &[&str]) {
        let folder = self.world.path("");
        let output = Command::new("openssl").args(arguments).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A certificate for timestamping, and its key, both in PEM.
pub(crate) fn stamping_certificate() -> (String, String) {
    let mut params = rcgen::CertificateParams::default();
    params.distinguished_name.push(rcgen::DnType::CommonName, "Example TSA");
    params.key_usages = vec![rcgen::KeyUsagePurpose::DigitalSignature];
    // TimeStamping, critical: SEQUENCE { 1.3.6.1.5.5.7.3.8 }
    let purpose = vec![0x30, 10, 6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 8];
    let mut usage = rcgen::CustomExtension::from_oid_content(&[2, 5, 29, 37], purpose);
    usage.set_criticality(true);
    params.custom_extensions = vec![usage];
    let key = rcgen::KeyPair::generate().unwrap();
    (params.self_signed(&key).unwrap().pem(), key.serialize_pem())
}

/// SHA-256 or SHA-512 in base64, as Sigstore bundles state it.
pub(crate) fn digest(hash: HashAlgorithm, bytes: &[u8]) -> String {
    base64(&hash.digest(bytes))
}
