//! A folder with a home in it, the program, and keys that are the same every time.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use genten_jws::{Algorithm, LocalSigner, ManifestSigner, SecretKey};
use genten_manifest::{Bundle, Claims, KeyId, Manifest};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_verify::{Body, Policy, Report, Trust, TrustKit, Verifier};

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The run, which must have ended with this status.
    #[track_caller]
    pub(crate) fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{}\n{}", self.stdout, self.stderr);
        self
    }
}

/// A folder of its own.
pub(crate) struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path("home")
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), content).unwrap();
        name.to_owned()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs `genten` in the folder.
    pub(crate) fn genten(&self, arguments: &[&str]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_genten"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("GENTEN_HOME", self.home())
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run {
            status: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Runs `genten trust`, which must succeed.
    #[track_caller]
    pub(crate) fn trust(&self, arguments: &[&str]) -> Run {
        self.genten(&[&["trust"], arguments].concat()).expect(0)
    }

    /// The kit as a verifier reads it.
    pub(crate) fn kit(&self, name: &str) -> TrustKit {
        TrustKit::read(&std::fs::read(self.path(name)).unwrap()).unwrap()
    }

    /// The report on a document under a kit of this folder.
    pub(crate) fn verify(&self, kit: &str, document: &[u8]) -> Report {
        let trust = Trust { kit: self.kit(kit), ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
        verifier.verify_bytes(document, &Body::NotGiven, time("2026-06-02T00:00:00Z"))
    }

    /// Verdict and reason, such as `review signer.unknown`.
    pub(crate) fn verdict(&self, kit: &str, document: &[u8]) -> String {
        let verdict = self.verify(kit, document).verdict;
        let because = verdict.because().map_or("", |code| code.as_str());
        format!("{} {because}", verdict.as_str()).trim_end().to_owned()
    }
}

/// A world with an empty kit.
pub(crate) fn with_kit() -> World {
    let world = World::new();
    world.trust(&["new", "kit.json"]);
    world
}

pub(crate) fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A key that is the same for the same number.
pub(crate) fn key(number: u8) -> SecretKey {
    SecretKey::from_bytes(Algorithm::Es256, &[number; 32]).unwrap()
}

pub(crate) fn public_pem(number: u8) -> String {
    key(number).public_key().to_spki_pem()
}

/// The did:key of a key.
pub(crate) fn did_key(number: u8) -> String {
    genten_jws::key_id::did_key(key(number).public_key()).unwrap().to_string()
}

/// Claims of 2026-06-01.
pub(crate) fn claims() -> Claims {
    let url = "https://www.rfc-editor.org/rfc/rfc9421.txt".parse().unwrap();
    let builder = Claims::builder(url, time("2026-06-01T08:15:00Z"), Sha256Digest::of(b"bytes"));
    builder.finish().unwrap()
}

pub(crate) fn signed(signer: LocalSigner) -> Manifest {
    ManifestSigner::new(signer).unwrap().sign(claims()).unwrap()
}

/// A manifest by a key under its did:key.
pub(crate) fn manifest(number: u8) -> Vec<u8> {
    signed(LocalSigner::did_key(key(number))).to_json()
}

/// A manifest by a key under another id.
pub(crate) fn manifest_as(number: u8, id: &str) -> Vec<u8> {
    let id: KeyId = id.parse().unwrap();
    signed(LocalSigner::new(key(number), id).unwrap()).to_json()
}

/// A bundle of a manifest and the signer's certificates.
pub(crate) fn bundle(manifest: &Manifest, chain: &[Vec<u8>]) -> Vec<u8> {
    Bundle::new(manifest).with_x509_chain(chain).to_json()
}

/// A certificate authority, and a signer's certificate below it.
pub(crate) struct Certified {
    pub(crate) root_pem: String,
    pub(crate) root_der: Vec<u8>,
    pub(crate) leaf_pem: String,
    pub(crate) leaf_der: Vec<u8>,
    pub(crate) key_pem: String,
}

/// An authority whose root is valid until this year's first day, and a signer that it names by this URI.
pub(crate) fn certified(uri: &str, root_until: i32) -> Certified {
    use rcgen::{
        BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
        KeyPair, KeyUsagePurpose, SanType,
    };
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "Example Signing Root");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    params.not_before = rcgen::date_time_ymd(2020, 1, 1);
    params.not_after = rcgen::date_time_ymd(root_until, 1, 1);
    let root_key = KeyPair::generate().unwrap();
    let root = params.self_signed(&root_key).unwrap();
    let issuer = Issuer::new(params, root_key);

    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, "news server");
    params.subject_alt_names = vec![SanType::URI(uri.try_into().unwrap())];
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::CodeSigning];
    let key = KeyPair::generate().unwrap();
    let leaf = params.signed_by(&key, &issuer).unwrap();
    Certified {
        root_pem: root.pem(),
        root_der: root.der().to_vec(),
        leaf_pem: leaf.pem(),
        leaf_der: leaf.der().to_vec(),
        key_pem: key.serialize_pem(),
    }
}

/// Reads strict JSON and gives one member's raw text, such as `signers`.
pub(crate) fn member(json: &str, name: &str) -> String {
    use genten_primitives::json::{Limits, read};
    let document = read(json.trim_end().as_bytes(), Limits::bytes(1 << 20)).unwrap();
    document.root().get(name).unwrap_or_else(|| panic!("no {name} in {json}")).raw_text().to_owned()
}

pub(crate) fn exists(path: &Path) -> bool {
    path.try_exists().unwrap()
}
