//! The published trusted roots and signing configs, and the certificates of the published bundles.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use genten_pki::{
    Certificate, FulcioError, SigningConfig, SigningIdentity, TrustedRoot, TrustedRootError,
    verify_signing_certificate,
};
use genten_primitives::encoding::from_base64;
use genten_primitives::json::{self, Limits, Value};
use genten_primitives::key::{KeyDetails, KeyKind};
use genten_primitives::{Sha256, Sha256Digest, Timestamp};

use crate::common::{files, time, vectors};

const PRODUCTION: &str = "sigstore-root-signing/targets/trusted_root.json";
const CASES: &str = "sigstore-conformance/test/assets/bundle-verify";

fn root(path: &Path) -> Result<TrustedRoot, TrustedRootError> {
    TrustedRoot::from_bytes(&std::fs::read(path).unwrap())
}

fn is_root(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json")
        && std::fs::read_to_string(path).unwrap().contains("dev.sigstore.trustedroot")
}

#[test]
fn published_roots_are_read() {
    let Some(folder) = vectors("") else { return };
    let folders = ["sigstore-conformance", "sigstore-go", "sigstore-root-signing", "rekor-live"];
    let all = folders.map(|name| files(&folder.join(name))).concat();
    let (mut read, mut refused, mut rsa) = (0, Vec::new(), 0);
    for path in all.iter().filter(|path| is_root(path)) {
        match root(path) {
            Ok(root) => {
                read += 1;
                rsa += check_ids(&root);
            }
            Err(error) => refused.push((path.clone(), error)),
        }
    }
    let names: Vec<_> = refused.iter().map(|(path, _)| name_of_case(path)).collect();
    assert_eq!(names, ["trust-root-tlog-missing-validity-start_fail"], "{refused:?}");
    assert!(refused[0].1.to_string().ends_with("has no member start"), "{refused:?}");
    assert_eq!((read, rsa), (43, 29));
}

fn name_of_case(path: &Path) -> String {
    path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned()
}

/// Every stated id is the one that follows from the key; the number of RSA logs.
fn check_ids(root: &TrustedRoot) -> usize {
    for log in root.tlogs().iter().chain(root.ctlogs()) {
        let key = log.key.as_ref().unwrap();
        let calculated = match key.ed25519_bytes() {
            None => Sha256Digest::of(key.to_spki_der()),
            Some(ed25519) => {
                let mut hasher = Sha256::new();
                hasher.update(&[log.host.as_bytes(), b"\n\x01", ed25519].concat());
                hasher.finish()
            }
        };
        assert_eq!(log.log_id, calculated, "{}", log.base_url);
        if let Some(id) = &log.checkpoint_key_id {
            assert!(log.log_id.as_bytes().starts_with(id) || id.len() == 32);
        }
    }
    let is_rsa = |kind| matches!(kind, KeyKind::Rsa { .. });
    root.ctlogs().iter().filter(|log| is_rsa(log.key.as_ref().unwrap().kind())).count()
}

#[test]
fn production_root() {
    let Some(path) = vectors(PRODUCTION) else { return };
    let root = root(&path).unwrap();
    let hosts: Vec<_> = root.tlogs().iter().map(|log| &*log.host).collect();
    assert_eq!(hosts, ["rekor.sigstore.dev", "log2025-1.rekor.sigstore.dev"]);
    let details: Vec<_> = root.tlogs().iter().map(|log| log.details.unwrap()).collect();
    assert_eq!(details, [KeyDetails::EcdsaP256Sha256, KeyDetails::Ed25519]);
    assert_eq!(root.ctlogs().len(), 2);
    let [first, second] = root.certificate_authorities() else { panic!() };
    assert_eq!((first.certificates.len(), second.certificates.len()), (1, 2));
    assert!(first.window.contains(time("2022-12-31T23:59:59.999Z")));
    assert!(!first.window.contains(time("2023-01-01T00:00:00Z")));
    assert_eq!(second.subject.common_name.as_deref(), Some("sigstore"));
    assert_eq!(root.timestamp_authorities().len(), 1);
}

/// Ends belong to windows: the case's only trusted time is the last moment of its log's key.
#[test]
fn end_of_a_published_window_belongs_to_it() {
    let Some(cases) = vectors(CASES) else { return };
    let folder = cases.join("trust-root-tlog-validity-end-inclusive");
    let window = root(&folder.join("trusted_root.json")).unwrap().tlogs()[0].window;
    let [at] = bundle(&folder.join("bundle.sigstore.json")).unwrap().times[..] else { panic!() };
    assert!(window.contains(at));
    assert!(!window.contains(at.checked_add_millis(1).unwrap()));
}

#[test]
fn published_signing_configs_are_read() {
    let Some(folder) = vectors("") else { return };
    let read = |path: &str| SigningConfig::from_bytes(&std::fs::read(folder.join(path)).unwrap());
    let v1 = read("sigstore-root-signing/targets/signing_config.v0.2.json").unwrap();
    let v2 = read("sigstore-root-signing/targets/signing_config_rekor_v2.v0.2.json").unwrap();
    let staging = read("sigstore-go/examples/signing_config.v0.2.json").unwrap();
    let at = time("2026-11-30T00:00:00Z");
    let url = |config: &SigningConfig, supported: &[u32]| {
        let logs = config.select_logs(supported, at).unwrap();
        logs.iter().map(|service| service.url.clone()).collect::<Vec<_>>()
    };
    assert_eq!(url(&v1, &[1, 2]), ["https://rekor.sigstore.dev"]);
    assert_eq!(url(&v2, &[1, 2]), ["https://log2025-1.rekor.sigstore.dev"]);
    assert_eq!(url(&v2, &[1]), ["https://rekor.sigstore.dev"]);
    let early = time("2025-12-31T23:59:59.999Z");
    assert_eq!(v2.select_logs(&[1, 2], early).unwrap()[0].url, "https://rekor.sigstore.dev");
    for config in [v1, v2, staging] {
        assert_eq!(config.select_timestamp_authorities(&[1], at).unwrap().len(), 1);
        assert!(config.select_certificate_authority(&[1], at).is_ok());
        assert!(config.select_oidc_provider(&[1], at).is_ok());
        assert!(config.select_oidc_provider(&[2], at).is_err());
    }
}

struct Bundle {
    certificates: Vec<Vec<u8>>,
    times: Vec<Timestamp>,
}

fn bundle(path: &Path) -> Option<Bundle> {
    let text = std::fs::read(path).ok()?;
    let document = json::read(&text, Limits::bytes(1 << 20)).ok()?;
    let material = document.root().get("verificationMaterial")?;
    let der = |value: Value<'_>| from_base64(&value.get("rawBytes")?.as_str()?).ok();
    let certificates: Option<Vec<_>> = match material.get("x509CertificateChain") {
        Some(chain) => chain.get("certificates")?.items()?.map(der).collect(),
        None => material.get("certificate").map(|one| der(one).into_iter().collect()),
    };
    let seconds = |entry: Value<'_>| entry.get("integratedTime")?.as_str()?.parse().ok();
    let entries = material.get("tlogEntries")?.items()?;
    let times = entries.filter_map(seconds).filter_map(Timestamp::from_seconds).collect();
    Some(Bundle { certificates: certificates.filter(|all| !all.is_empty())?, times })
}

fn verify(bundle: &Bundle, root: &TrustedRoot) -> Result<Vec<SigningIdentity>, FulcioError> {
    let [leaf, chain @ ..] = bundle.certificates.as_slice() else { panic!() };
    let chain: Vec<&[u8]> = chain.iter().map(|der| &**der).collect();
    let times = match bundle.times.is_empty() {
        true => vec![Certificate::from_der(leaf).unwrap().validity().not_before],
        false => bundle.times.clone(),
    };
    let found = verify_signing_certificate(leaf, &chain, root, &times)?;
    assert!(found.issuer().is_some() && found.path().len() >= 2);
    Ok(found.identities().to_vec())
}

/// Every case that has a certificate. Those whose fault is elsewhere have a good one.
#[test]
fn certificates_of_the_conformance_cases() {
    let (Some(cases), Some(production)) = (vectors(CASES), vectors(PRODUCTION)) else { return };
    let production = root(&production).unwrap();
    let (mut good, mut bad) = (0, BTreeMap::new());
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(&cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let Some(bundle) = bundle(&folder.join("bundle.sigstore.json")) else { continue };
        let own = folder.join("trusted_root.json");
        let Ok(own) = own.exists().then(|| root(&own)).transpose() else { continue };
        match verify(&bundle, own.as_ref().unwrap_or(&production)) {
            Ok(_) => good += 1,
            Err(error) => {
                let name = folder.file_name().unwrap().to_string_lossy().into_owned();
                bad.insert(name, error);
            }
        }
    }
    let mut expected = expected_refusals();
    if cfg!(feature = "aws-lc") {
        expected.remove("bundle-with-sct-with-extensions");
    }
    let found: BTreeMap<_, _> =
        bad.iter().map(|(name, error)| (&**name, error.to_string())).collect();
    assert_eq!(found, expected, "{bad:#?}");
    assert_eq!(good + bad.len(), 63);
}

/// The cases whose certificate is at fault, and one whose authority signs by RSA.
fn expected_refusals() -> BTreeMap<&'static str, String> {
    [
        ("bundle-from-wrong-instance_fail", "path to the authority does not hold"),
        ("bundle-with-root-cert_fail", "certificate 0 beside the signing certificate is a root"),
        ("bundle-with-sct-with-extensions", "path to the authority does not hold"),
        (
            "integrated-time-in-future_fail",
            "signing certificate expired at 2026-05-07T15:28:10Z, before 2026-05-07T15:34:11Z",
        ),
        (
            "intoto-expired-certificate_fail",
            "signing certificate is not valid before 2030-01-01T00:00:00Z, after 2023-02-01T00:00:00Z",
        ),
        (
            "intoto-set-outside-signing-cert-validity_fail",
            "signing certificate expired at 2023-02-01T00:10:00Z, before 2023-02-02T00:00:00Z",
        ),
        (
            "invalid-ct-key_fail",
            "log dd3d306ac6c7113263191e1c99673702a24a5eb8de3cadff878a72802f29ee8e is not in the trusted root",
        ),
    ]
    .map(|(name, error)| (name, error.to_owned()))
    .into()
}

#[test]
fn identities_of_published_bundles() {
    let (Some(cases), Some(production)) = (vectors(CASES), vectors(PRODUCTION)) else { return };
    let production = root(&production).unwrap();
    let bundle = bundle(&cases.join("happy-path-v0.3/bundle.sigstore.json")).unwrap();
    let [leaf] = bundle.certificates.as_slice() else { panic!() };
    let found = verify_signing_certificate(leaf, &[], &production, &bundle.times).unwrap();
    assert_eq!(found.issuer(), Some("https://token.actions.githubusercontent.com"));
    let [SigningIdentity::Uri(uri)] = found.identities() else { panic!() };
    assert!(uri.starts_with("https://github.com/sigstore-conformance/"), "{uri}");
    assert_eq!(found.authority_uri(), Some("https://fulcio.sigstore.dev"));
    assert_eq!(found.path().len(), 3);
}

/// A user name as otherName, of a private instance whose authority signs by RSA.
#[cfg(feature = "aws-lc")]
#[test]
fn user_name_of_a_published_bundle() {
    let Some(folder) = vectors("sigstore-go/pkg/testing/data") else { return };
    let bundle = bundle(&folder.join("bundles/othername.sigstore.json")).unwrap();
    let root = root(&folder.join("trusted-roots/scaffolding.json")).unwrap();
    let found = verify(&bundle, &root);
    assert_eq!(found, Ok(vec![SigningIdentity::UserName("foo!oidc.local".to_owned())]));
}
