//! All cases of sigstore-conformance, each by file and by digest, each with its reason.

use genten_verify::TrustKit;
use genten_verify::sigstore::CertificateIdentity;

use crate::world::{Case, artifacts, basic, json, keys, read, text, vectors};

const CASES: &str = "sigstore-conformance/test/assets/bundle-verify";
const PRODUCTION: &str = "sigstore-root-signing/targets/trusted_root.json";

/// Who signed where a case does not say.
const WORKFLOW: &str = "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main";
const GITHUB: &str = "https://token.actions.githubusercontent.com";

/// Whether this build checks RSA.
const RSA: bool = cfg!(feature = "aws-lc");

/// What comes of a case, by file and by digest alike.
const ANSWERS: &[(&str, &str)] = &[
    ("bundle-empty-certificate-chain_fail", "reject sigstore.chain-empty"),
    ("bundle-from-wrong-instance_fail", "review log.unknown"),
    ("bundle-invalid-base64-signature_fail", "reject sigstore.member"),
    ("bundle-malformed-json_fail", "reject json.unexpected-end"),
    ("bundle-negative-log-index_fail", "reject log.negative-index"),
    ("bundle-unknown-version_fail", "review sigstore.unknown-version"),
    ("bundle-with-root-cert_fail", "reject certificate.root-in-chain"),
    // Its chain rests on RSA.
    (
        "bundle-with-sct-with-extensions",
        if RSA { "accept" } else { "review certificate.not-checked" },
    ),
    ("checkpoint-bad-keyhint_fail", "reject log.checkpoint-key-id"),
    ("checkpoint-wrong-roothash_fail", "reject log.proof-size"),
    ("dsse-invalid-sig_fail", "reject sigstore.signature"),
    ("dsse-mismatch-envelope_fail", "reject log.other-digest"),
    ("dsse-mismatch-sig_fail", "reject log.other-signature"),
    ("happy-path-intoto-in-dsse-v3", "accept"),
    ("happy-path-v0.1", "accept"),
    ("happy-path-v0.2", "accept"),
    ("happy-path-v0.3", "accept"),
    ("happy-path-v0.3-new-mediaType", "accept"),
    ("inclusion-proof-corrupted-hash_fail", "reject log.inclusion"),
    ("incorrect-public-key_fail", "reject log.other-key"),
    ("integrated-time-in-future_fail", "reject certificate.not-valid-then"),
    ("intoto-expired-certificate_fail", "reject certificate.not-valid-then"),
    ("intoto-log-entry-mismatch_fail", "reject log.other-signature"),
    ("intoto-missing-inclusion-proof_fail", "reject log.proof-missing"),
    ("intoto-set-outside-signing-cert-validity_fail", "reject certificate.not-valid-then"),
    ("intoto-tsa-timestamp-outside-cert-validity_fail", "reject certificate.not-valid-then"),
    ("intoto-with-custom-trust-root", "accept"),
    ("invalid-checkpoint-signature_fail", "reject log.checkpoint-signature"),
    ("invalid-ct-key_fail", "review certificate.sct-unknown-log"),
    ("invalid-inclusion-proof_fail", "reject log.checkpoint-missing"),
    ("managed-key-and-trusted-root", "accept"),
    ("managed-key-happy-path", "accept"),
    ("managed-key-no-key_fail", "review sigstore.key-not-given"),
    ("managed-key-wrong-key_fail", "broken key"),
    ("message-digest-mismatch_fail", "reject sigstore.other-digest"),
    ("rekor2-checkpoint-cosigned", "accept"),
    ("rekor2-checkpoint-missing-log-signature_fail", "reject log.checkpoint-unsigned"),
    ("rekor2-checkpoint-missing-origin_fail", "reject log.checkpoint-origin"),
    ("rekor2-checkpoint-missing-root-hash_fail", "reject log.checkpoint-root"),
    ("rekor2-checkpoint-missing-size_fail", "reject log.checkpoint-size"),
    ("rekor2-checkpoint-multiple-cosigs", "accept"),
    ("rekor2-checkpoint-no-matching-signature_fail", "reject log.checkpoint-origin"),
    ("rekor2-checkpoint-origin-not-first", "accept"),
    ("rekor2-checkpoint-two-sigs-cosigned", "accept"),
    ("rekor2-checkpoint-two-sigs-from-origin", "accept"),
    ("rekor2-dsse-happy-path", "accept"),
    ("rekor2-dsse-invalid-sig_fail", "reject sigstore.signature"),
    ("rekor2-dsse-mismatch-envelope_fail", "reject log.other-digest"),
    ("rekor2-dsse-mismatch-sig_fail", "reject log.other-signature"),
    ("rekor2-happy-path", "accept"),
    ("rekor2-no-inclusion-proof_fail", "reject log.proof-missing"),
    ("rekor2-no-timestamp_fail", "review certificate.no-time"),
    ("rekor2-timestamp-outside-trust-root-tsa-validity_fail", "review timestamp.outside-window"),
    ("rekor2-timestamp-outside-tsa-cert-validity_fail", "reject timestamp.expired"),
    ("rekor2-timestamp-payload-mismatch_fail", "reject timestamp.other-signature"),
    (
        "rekor2-timestamp-untrusted-tsa-with-embedded-cert_fail",
        "review timestamp.unknown-authority",
    ),
    (
        "rekor2-timestamp-untrusted-tsa-without-embedded-cert_fail",
        "review timestamp.unknown-authority",
    ),
    ("rekor2-timestamp-with-embedded-cert", "accept"),
    ("rekor2-timestamp-with-expired-cert-chain", "accept"),
    ("rekor2-timestamp-with-incorrect-time_fail", "reject sigstore.member"),
    ("rekor2-timestamp-without-embedded-cert", "accept"),
    ("set-invalid-signature_fail", "reject log.promise"),
    ("signature-mismatch_fail", "reject sigstore.signature"),
    ("trust-root-tlog-missing-validity-start_fail", "broken trusted root"),
    ("trust-root-tlog-validity-end-inclusive", "accept"),
    ("trust-root-tsa-validity-end-inclusive", "accept"),
    ("wrong-hashedrekord-artifact_fail", "reject log.other-digest"),
    ("wrong-hashedrekord-cert-and-sig_fail", "reject log.other-signature"),
    ("wrong-hashedrekord-entry_fail", "reject log.other-digest"),
    ("wrong-material_fail", "reject sigstore.other-artifact"),
];

/// A case by file and by digest; an error where its trusted root or its key cannot be read.
fn case(name: &str) -> Result<[Case; 2], &'static str> {
    let folder = vectors(CASES).unwrap().join(name);
    let beside = |name: &str| Some(folder.join(name)).filter(|path| path.exists());
    let artifact = beside("artifact").unwrap_or_else(|| folder.with_file_name("a.txt"));
    let root = beside("trusted_root.json").unwrap_or_else(|| vectors(PRODUCTION).unwrap());
    let kit = TrustKit::of_sigstore_root(&read(root)).map_err(|_| "broken trusted root")?;
    let keys = beside("key.pub").map(keys).transpose().map_err(|_| "broken key")?;
    let text = |name, default: &str| beside(name).map_or(default.to_owned(), text);
    let identity = CertificateIdentity {
        identity: text("identity", WORKFLOW),
        issuer: text("issuer", GITHUB),
    };
    Ok(artifacts(&read(artifact)).map(|artifact| Case {
        bundle: read(folder.join("bundle.sigstore.json")),
        artifact,
        kit: kit.clone(),
        identity: keys.is_none().then(|| identity.clone()),
        keys: keys.clone().unwrap_or_default(),
        policy: basic(),
    }))
}

fn answers(name: &str) -> [String; 2] {
    match case(name) {
        Ok(cases) => cases.map(|case| case.answer()),
        Err(fault) => [fault; 2].map(str::to_owned),
    }
}

#[test]
fn each_case_by_file_and_by_digest() {
    let Some(folder) = vectors(CASES) else { return };
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut names: Vec<_> = folders.filter(|path| path.is_dir()).collect();
    names.sort();
    let names = names.iter().map(|path| path.file_name().unwrap().to_str().unwrap());
    assert_eq!(
        names.collect::<Vec<_>>(),
        ANSWERS.iter().map(|(name, _)| *name).collect::<Vec<_>>()
    );
    let mut right = 0;
    for (name, expected) in ANSWERS {
        for answer in answers(name) {
            assert_eq!(answer, *expected, "{name}");
            right += usize::from((answer == "accept") != name.ends_with("_fail"));
        }
    }
    assert_eq!(right, if RSA { 140 } else { 138 });
}

/// The bundle's timestamp has line breaks in its base64, which are refused. Without them the time itself is the reason.
#[test]
fn a_wrong_time_in_strict_base64() {
    if vectors(CASES).is_none() {
        return;
    }
    let name = "rekor2-timestamp-with-incorrect-time_fail";
    let path = vectors(CASES).unwrap().join(name).join("bundle.sigstore.json");
    let mut bundle = json(path);
    let stamps = &mut bundle["verificationMaterial"]["timestampVerificationData"];
    let stamp = &mut stamps["rfc3161Timestamps"][0]["signedTimestamp"];
    let broken = stamp.as_str().unwrap().to_owned();
    let joined = broken.replace('\n', "");
    assert_ne!(joined, broken);
    *stamp = joined.into();
    for case in case(name).unwrap() {
        let case = Case { bundle: bundle.to_string().into_bytes(), ..case };
        assert_eq!(case.answer(), "reject certificate.not-valid-then");
    }
}

/// The key of the case is no key at all; with a good one of somebody else the signature is the reason.
#[test]
fn a_managed_key_of_somebody_else() {
    if vectors(CASES).is_none() {
        return;
    }
    let other = crate::common::keys::es256("other").public().clone();
    for good in case("managed-key-happy-path").unwrap() {
        let case = Case { keys: vec![other.clone()], ..good };
        assert_eq!(case.answer(), "reject sigstore.signature");
    }
}
