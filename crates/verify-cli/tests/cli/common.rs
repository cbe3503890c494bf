//! Manifests and keys for tests, the same bytes in every run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use genten_jws::{Algorithm, LocalSigner, ManifestSigner, SecretKey, Signer};
use genten_manifest::{
    Bundle, Capture, Claims, ClaimsBuilder, Completeness, Http, Manifest, SourceClass,
};
use genten_primitives::Sha256Digest;

pub(crate) type TestSigner = ManifestSigner<LocalSigner>;

/// The time that most tests take as now.
pub(crate) const NOW: &str = "2026-11-30T12:00:00Z";

pub(crate) fn secret(algorithm: Algorithm, seed: u8) -> SecretKey {
    SecretKey::from_bytes(algorithm, &[seed; 32]).unwrap()
}

/// A signer known by its did:key.
pub(crate) fn signer(algorithm: Algorithm, seed: u8) -> TestSigner {
    ManifestSigner::new(LocalSigner::did_key(secret(algorithm, seed))).unwrap()
}

/// A signer known by another id.
pub(crate) fn signer_as(algorithm: Algorithm, seed: u8, id: &str) -> TestSigner {
    let signer = LocalSigner::new(secret(algorithm, seed), id.parse().unwrap()).unwrap();
    ManifestSigner::new(signer).unwrap()
}

pub(crate) fn pem(signer: &TestSigner) -> String {
    signer.signer().public_key().to_spki_pem()
}

pub(crate) fn did(signer: &TestSigner) -> &str {
    signer.signer().key_id().did()
}

/// Facts of a fetch of `body`, recorded in the morning of 30 November 2026.
pub(crate) fn claims(url: &str, body: &[u8]) -> ClaimsBuilder {
    let mut http = Http::with_status(200);
    http.content_bytes = Some(body.len() as u64);
    http.completeness = Some(Completeness::Complete);
    let time = "2026-11-30T08:15:00Z".parse().unwrap();
    Claims::builder(url.parse().unwrap(), time, Sha256Digest::of(body))
        .capture(Capture::Recorded)
        .source_class(SourceClass::Static)
        .http(http)
}

pub(crate) fn manifest(signer: &TestSigner, url: &str, body: &[u8]) -> Manifest {
    signer.sign(claims(url, body).finish().unwrap()).unwrap()
}

pub(crate) fn bundle(manifest: &Manifest) -> Vec<u8> {
    Bundle::new(manifest).to_json()
}

/// A manifest whose signature no longer fits.
pub(crate) fn tampered(manifest: &Manifest) -> Vec<u8> {
    let text = String::from_utf8(manifest.to_json()).unwrap();
    text.replace("2026-11-30T08:15:00Z", "2025-11-30T08:15:00Z").into_bytes()
}

/// An empty folder of its own, with the usual keys in it.
pub(crate) struct World {
    folder: tempfile::TempDir,
    pub(crate) signer: TestSigner,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let signer = signer(Algorithm::EdDsa, 1);
        let world = Self { folder, signer };
        world.write("key.pem", pem(&world.signer));
        world
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// `NAME` and `NAME.provenance.json`.
    pub(crate) fn fetched(&self, name: &str, body: &[u8]) -> PathBuf {
        self.write(name, body);
        self.bundle(&format!("{name}.provenance.json"), body)
    }

    /// A bundle about a body that lies elsewhere.
    pub(crate) fn bundle(&self, name: &str, body: &[u8]) -> PathBuf {
        self.write(name, bundle(&self.manifest(body)))
    }

    pub(crate) fn manifest(&self, body: &[u8]) -> Manifest {
        manifest(&self.signer, "https://www.rfc-editor.org/rfc/rfc9421.txt", body)
    }

    /// The program, in the folder, without a terminal.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verify"));
        command.current_dir(self.folder.path()).env_clear().stdin(std::process::Stdio::null());
        command
    }

    /// Runs the program with these words and a fixed time.
    pub(crate) fn verify(&self, words: &[&str]) -> Ran {
        Ran::of(self.command().args(words).args(["--at", NOW]).output().unwrap())
    }
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The exit status, and nothing on the other stream but what its tests look for.
    #[track_caller]
    pub(crate) fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "no {text:?} in {self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }
}

/// A tool of the system, or a word that the test was skipped.
pub(crate) fn tool(name: &str) -> bool {
    let found = Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success());
    if !found {
        eprintln!("SKIPPED: {name} is not installed");
    }
    found
}

/// The folder of the transcripts' files.
pub(crate) fn files() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files"))
}
