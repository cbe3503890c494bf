//! The bundles that both judge: published, recorded, and made here.

use std::path::{Path, PathBuf};

use genten_jws::Signer as _;
use genten_primitives::encoding::{base64, from_base64, hex};
use serde_json::{Value, json};

use crate::log::{self, ARTIFACT, Recipe, cosign, ed25519, small, tlog};

/// A bundle, and what it is judged by.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) bundle: String,
    pub(crate) artifact: Artifact,
    pub(crate) root: String,
    pub(crate) key: Option<String>,
    /// Identity and issuer.
    pub(crate) identity: [String; 2],
}

#[derive(Clone)]
pub(crate) enum Artifact {
    Content(Vec<u8>),
    /// The name of the hash function, and the digest.
    Digest(&'static str, Vec<u8>),
}

const WORKFLOW: &str = "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main";
const GITHUB: &str = "https://token.actions.githubusercontent.com";

fn vectors() -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors");
    if !found.exists() {
        eprintln!("skipped: no {}", found.display());
        return None;
    }
    Some(found)
}

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// All published and recorded bundles, in order; says so aloud when they are absent.
pub(crate) fn all() -> Option<Vec<Case>> {
    let vectors = vectors()?;
    let mut cases = conformance(&vectors);
    cases.extend(["blob", "ed", "p384", "rsa"].map(|name| recorded(&vectors, name)));
    cases.extend(sigstore_go(&vectors));
    Some(cases)
}

fn conformance(vectors: &Path) -> Vec<Case> {
    let folder = vectors.join("sigstore-conformance/test/assets/bundle-verify");
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    let production = vectors.join("sigstore-root-signing/targets/trusted_root.json");
    let case = |case: &PathBuf| {
        let beside = |name: &str| Some(case.join(name)).filter(|path| path.exists());
        let text = |name, default: &str| {
            beside(name).map_or(default.to_owned(), |path| read(path).trim().to_owned())
        };
        Case {
            name: case.file_name().unwrap().to_str().unwrap().to_owned(),
            bundle: read(case.join("bundle.sigstore.json")),
            artifact: Artifact::Content(
                std::fs::read(beside("artifact").unwrap_or_else(|| folder.join("a.txt"))).unwrap(),
            ),
            root: read(beside("trusted_root.json").unwrap_or_else(|| production.clone())),
            key: beside("key.pub").map(read),
            identity: [text("identity", WORKFLOW), text("issuer", GITHUB)],
        }
    };
    folders.iter().map(case).collect()
}

fn recorded(vectors: &Path, name: &str) -> Case {
    let live = vectors.join("rekor-live");
    let beside = |end: &str| live.join(format!("bundles/{name}.{end}"));
    Case {
        name: format!("live {name}"),
        bundle: read(beside("sigstore.json")),
        artifact: Artifact::Content(std::fs::read(beside("txt")).unwrap()),
        root: read(live.join("trusted_root.json")),
        key: Some(read(beside("pub"))),
        identity: Default::default(),
    }
}

fn sigstore_go(vectors: &Path) -> Vec<Case> {
    let data = vectors.join("sigstore-go/pkg/testing/data");
    let dehamer = ["brian@dehamer.com", "https://github.com/login/oauth"];
    let js =
        "https://github.com/sigstore/sigstore-js/.github/workflows/release.yml@refs/heads/main";
    let case = |(name, root, identity): (&str, &str, [&str; 2])| {
        let bundle = read(data.join(format!("bundles/{name}.sigstore.json")));
        let key = data.join(format!("public-keys/{name}.pem"));
        Case {
            name: format!("go {name}"),
            artifact: named_by(&bundle),
            bundle,
            root: read(data.join(format!("trusted-roots/{root}.json"))),
            key: key.exists().then(|| read(key)),
            identity: identity.map(str::to_owned),
        }
    };
    let cases = [
        ("dsse", "public-good", dehamer),
        ("dsse-2sigs", "public-good", dehamer),
        ("othername", "scaffolding", ["foo!oidc.local", "http://oidc.local:8080"]),
        ("public-key-validity", "public-key-validity", ["", ""]),
        ("sigstore.js@2.0.0-provenance", "public-good", [js, GITHUB]),
    ];
    cases.map(case).into()
}

/// The artifact that a bundle itself is about.
fn named_by(bundle: &str) -> Artifact {
    let bundle: Value = serde_json::from_str(bundle).unwrap();
    let base64 = |value: &Value| from_base64(value.as_str().unwrap()).unwrap();
    match bundle.get("dsseEnvelope") {
        Some(envelope) => {
            let statement: Value = serde_json::from_slice(&base64(&envelope["payload"])).unwrap();
            let digest = statement["subject"][0]["digest"]["sha512"].as_str().unwrap();
            let digest = genten_primitives::encoding::from_hex::<64>(digest).unwrap();
            Artifact::Digest("sha512", digest.into())
        }
        None => {
            let digest = &bundle["messageSignature"]["messageDigest"]["digest"];
            Artifact::Digest("sha256", base64(digest))
        }
    }
}

impl Artifact {
    /// As `sha256:<hex>`; the content stands for itself.
    pub(crate) fn named_digest(&self) -> Option<String> {
        match self {
            Self::Content(_) => None,
            Self::Digest(name, digest) => Some(format!("{name}:{}", hex(digest))),
        }
    }
}

/// The recorded bundle under a root that takes the log's key out of use a second before the timestamp (G5).
pub(crate) fn after_the_window(cases: &[Case]) -> Option<Case> {
    let recorded = cases.iter().find(|case| case.name == "live blob")?;
    let mut root: Value = serde_json::from_str(&recorded.root).unwrap();
    root["tlogs"][0]["publicKey"]["validFor"]["end"] = "2026-11-30T00:08:23Z".into();
    Some(Case { name: "made G5".to_owned(), root: root.to_string(), ..recorded.clone() })
}

/// Bundles of a small log that signs what no honest log would (G2 to G9).
pub(crate) fn made_here() -> Vec<Case> {
    let good = || Recipe::good().bundle();
    let body = |from: &str, to: &str| {
        let body = String::from_utf8(log::rekord().to_body()).unwrap();
        Recipe { body: body.replacen(from, to, 1).into_bytes(), ..Recipe::good() }.bundle()
    };
    let pretty: Value = serde_json::from_slice(&log::rekord().to_body()).unwrap();
    let pretty = serde_json::to_vec_pretty(&pretty).unwrap();
    let id = |id: &[u8]| {
        let mut bundle = good();
        bundle["verificationMaterial"]["tlogEntries"][0]["logId"]["keyId"] = base64(id).into();
        bundle
    };
    let other = genten_tlog::NoteKey::ed25519("other.example", ed25519("other log").public_key());
    let other_id = other.unwrap().full_id();
    let elsewhere = || "other.example".to_owned();
    let mut cases = vec![
        made("good", good(), json!([small()])),
        made("G2 member", body("{", "{\"a\":1,"), json!([small()])),
        made("G2 kind", body("\"hashedrekord\"", "\"dsse\""), json!([small()])),
        made("G2 version", body("\"0.0.2\"", "\"0.0.1\""), json!([small()])),
        made("G2 pretty", Recipe { body: pretty, ..Recipe::good() }.bundle(), json!([small()])),
        made(
            "G3 other log",
            id(other_id.as_bytes()),
            json!([small(), tlog("other.example", &ed25519("other log"))]),
        ),
        made("G3 zeros", id(&[0; 32]), json!([small()])),
        made(
            "G4 origin",
            Recipe { origin: elsewhere(), ..Recipe::good() }.bundle(),
            json!([small()]),
        ),
        made(
            "G4 origin and name",
            Recipe { origin: elsewhere(), name: elsewhere(), ..Recipe::good() }.bundle(),
            json!([small()]),
        ),
        made(
            "cosigned",
            Recipe { cosign: |text| vec![cosign("w1", text)], ..Recipe::good() }.bundle(),
            json!([small()]),
        ),
    ];
    let mut log = small();
    let key = from_base64(log["publicKey"]["rawBytes"].as_str().unwrap()).unwrap();
    log["checkpointKeyId"] = log["logId"].clone();
    let of_key = genten_primitives::Sha256Digest::of(&key);
    log["logId"]["keyId"] = base64(of_key.as_bytes()).into();
    let mut of_other_kind = small();
    of_other_kind["publicKey"]["keyDetails"] = "PKIX_ECDSA_P256_SHA_256".into();
    cases.push(made("G8", good(), json!([of_other_kind])));
    cases.push(made("G9", id(of_key.as_bytes()), json!([log])));
    cases
}

fn made(name: &str, bundle: Value, tlogs: Value) -> Case {
    let mut root = log::root(tlogs);
    // It reads no trusted root without these.
    for list in ["certificateAuthorities", "ctlogs", "timestampAuthorities"] {
        root[list] = json!([]);
    }
    Case {
        name: format!("made {name}"),
        bundle: bundle.to_string(),
        artifact: Artifact::Content(ARTIFACT.to_vec()),
        root: root.to_string(),
        key: Some(log::signer().public_key().to_spki_pem()),
        identity: Default::default(),
    }
}
