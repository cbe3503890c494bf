//! Bundles of sigstore-go with its trusted roots and keys.

use genten_primitives::encoding::{from_base64, hex};
use genten_verify::TrustKit;
use genten_verify::sigstore::{Artifact, CertificateIdentity};
use serde_json::Value;

use crate::world::{Case, basic, json, keys, read, vectors};

const DATA: &str = "sigstore-go/pkg/testing/data";

/// A bundle about the artifact that it names itself.
fn case(name: &str, root: &str, identity: Option<[&str; 2]>) -> Option<Case> {
    let data = vectors(DATA)?;
    let path = data.join(format!("bundles/{name}.sigstore.json"));
    let root = read(data.join(format!("trusted-roots/{root}.json")));
    Some(Case {
        artifact: artifact(&json(&path)),
        bundle: read(path),
        kit: TrustKit::of_sigstore_root(&root).unwrap(),
        keys: Vec::new(),
        identity: identity.map(|[identity, issuer]| CertificateIdentity {
            identity: identity.to_owned(),
            issuer: issuer.to_owned(),
        }),
        policy: basic(),
    })
}

fn artifact(bundle: &Value) -> Artifact {
    let base64 = |value: &Value| from_base64(value.as_str().unwrap()).unwrap();
    let digest = match bundle.get("dsseEnvelope") {
        Some(envelope) => {
            let statement: Value = serde_json::from_slice(&base64(&envelope["payload"])).unwrap();
            let digest = statement["subject"][0]["digest"]["sha512"].as_str().unwrap();
            format!("sha512:{digest}")
        }
        None => {
            let digest = &bundle["messageSignature"]["messageDigest"]["digest"];
            format!("sha256:{}", hex(&base64(digest)))
        }
    };
    digest.parse().unwrap()
}

const DEHAMER: [&str; 2] = ["brian@dehamer.com", "https://github.com/login/oauth"];
const FOO: [&str; 2] = ["foo!oidc.local", "http://oidc.local:8080"];
const SIGSTORE_JS: [&str; 2] = [
    "https://github.com/sigstore/sigstore-js/.github/workflows/release.yml@refs/heads/main",
    "https://token.actions.githubusercontent.com",
];

#[test]
fn bundles_of_sigstore_go() {
    for (name, root, identity, expected) in [
        // Its chain ends in the root itself, which conformance has verifiers refuse.
        ("dsse", "public-good", DEHAMER, "reject certificate.root-in-chain"),
        ("dsse-2sigs", "public-good", DEHAMER, "reject sigstore.signatures"),
        ("sigstore.js@2.0.0-provenance", "public-good", SIGSTORE_JS, "accept"),
        // Its log signs checkpoints under a name that is not its own (G4).
        ("othername", "scaffolding", FOO, "reject log.checkpoint-origin"),
        ("sigstore.js@2.0.0-provenance", "scaffolding", SIGSTORE_JS, "review log.unknown"),
        ("othername", "public-good", FOO, "review log.unknown"),
        ("sigstore.js@2.0.0-provenance", "public-good", DEHAMER, "reject sigstore.other-identity"),
        (
            "sigstore.js@2.0.0-provenance",
            "public-good",
            [SIGSTORE_JS[0], FOO[1]],
            "reject sigstore.other-issuer",
        ),
    ] {
        let Some(case) = case(name, root, Some(identity)) else { return };
        assert_eq!(case.answer(), expected, "{name} {root} {identity:?}");
    }
}

/// A bundle with a timestamp and no log entry: this verifier asks for one.
#[test]
fn a_bundle_without_a_log_entry() {
    let Some(good) = case("public-key-validity", "public-key-validity", None) else { return };
    let keys = keys(vectors(DATA).unwrap().join("public-keys/public-key-validity.pem")).unwrap();
    assert_eq!(Case { keys, ..good.clone() }.answer(), "review log.missing");
    assert_eq!(good.answer(), "review sigstore.key-not-given");
}

/// A bundle of the first version needs no proof beside the log's promise; a proof that nothing signs is not passed over.
#[test]
fn a_proof_without_a_checkpoint() {
    let name = "sigstore.js@2.0.0-provenance";
    let Some(good) = case(name, "public-good", Some(SIGSTORE_JS)) else { return };
    let without = |edit: fn(&mut Value)| {
        let mut bundle: Value = serde_json::from_slice(&good.bundle).unwrap();
        edit(&mut bundle["verificationMaterial"]["tlogEntries"][0]);
        Case { bundle: bundle.to_string().into_bytes(), ..good.clone() }.answer()
    };
    let no_proof = without(|entry| entry["inclusionProof"] = Value::Null);
    assert_eq!(no_proof, "accept");
    let no_checkpoint = without(|entry| entry["inclusionProof"]["checkpoint"] = Value::Null);
    assert_eq!(no_checkpoint, "reject log.checkpoint-missing");
    let empty = without(|entry| entry["inclusionProof"]["checkpoint"]["envelope"] = "".into());
    assert_eq!(empty, "reject log.checkpoint-missing");
}
