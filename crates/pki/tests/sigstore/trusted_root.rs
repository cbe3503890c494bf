//! Trusted roots: each rule broken once.

use genten_pki::{CertificateError, DocumentError, TrustedRoot, TrustedRootError, UnusableLog};
use genten_primitives::encoding::{base64, from_base64};
use genten_primitives::key::{KeyDetails, KeyError, KeyKind};
use genten_primitives::{PublicKey, Sha256Digest};

use crate::common::{root, time};
use crate::fulcio::{WINDOW, authority, ctlog, root_json};
use crate::world::Log;

fn read(text: &str) -> Result<TrustedRoot, TrustedRootError> {
    TrustedRoot::from_bytes(text.as_bytes())
}

/// A root with one log, as tlog or ctlog, and one authority.
fn good(list: &str) -> String {
    let entry = ctlog(&Log::new("log"), WINDOW);
    let ca = authority(&[root("root", &|_| {}).certificate()], WINDOW);
    root_json(&[], &[ca])
        .replace(r#""tlogs":[]"#, &format!(r#""{list}":[{entry}]"#))
        .replace(r#""ctlogs":[],"#, "")
}

fn edited(from: &str, to: &str) -> Result<TrustedRoot, TrustedRootError> {
    let text = good("tlogs");
    assert!(text.contains(from), "{from}");
    read(&text.replacen(from, to, 1))
}

fn document(result: Result<TrustedRoot, TrustedRootError>) -> DocumentError {
    match result {
        Err(TrustedRootError::Document(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn media_types() {
    let current = "application/vnd.dev.sigstore.trustedroot+json;version=0.1";
    for other in ["v0.1", "v0.2"] {
        let other = format!("application/vnd.dev.sigstore.trustedroot.{other}+json");
        assert!(edited(current, &other).is_ok());
    }
    for bad in [
        "application/vnd.dev.sigstore.trustedroot.v0.3+json",
        "application/vnd.dev.sigstore.trustedroot+json;version=0.2",
        "application/json",
        "",
    ] {
        let found = bad.to_owned();
        assert_eq!(edited(current, bad), Err(TrustedRootError::MediaType { found }));
    }
    let missing = document(edited(r#""mediaType""#, r#""media_type""#));
    assert!(matches!(missing, DocumentError::Missing { member: "mediaType", .. }));
}

#[test]
fn unknown_members_are_passed_over_and_null_is_absent() {
    let root =
        edited(r#""baseUrl""#, r#""new":{},"operator":null,"checkpointKeyId":null,"baseUrl""#)
            .unwrap();
    let [log] = root.tlogs() else { panic!() };
    assert_eq!((&log.operator, &log.checkpoint_key_id), (&None, &None));
    assert_eq!((&*log.host, &*log.base_url), ("ct.example", "https://ct.example/x"));
    assert_eq!(log.details, Some(KeyDetails::EcdsaP256Sha256));
    let open = edited(r#""end":"2025-12-31T00:00:00Z""#, r#""end":null"#).unwrap();
    assert!(open.tlogs()[0].window.contains(time("9999-01-01T00:00:00Z")));
}

#[test]
fn window_needs_a_start() {
    use DocumentError::{Missing, Time, Window};
    let start = r#""start":"2025-01-01T00:00:00Z","#;
    for list in ["tlogs", "ctlogs", "certificateAuthorities"] {
        let text = match list {
            "certificateAuthorities" => {
                root_json(&[], &[authority(&[root("root", &|_| {}).certificate()], WINDOW)])
            }
            list => good(list),
        };
        let no_start = document(read(&text.replacen(start, "", 1)));
        assert!(matches!(no_start, Missing { member: "start", .. }), "{list}");
        let null = document(read(&text.replacen(start, r#""start":null,"#, 1)));
        assert!(matches!(null, Missing { member: "start", .. }), "{list}");
    }
    assert!(matches!(document(edited(r#""validFor""#, r#""x""#)), Missing { .. }));
    assert!(matches!(document(edited("2025-12-31T00", "2024-12-31T00")), Window { .. }));
    assert!(matches!(document(edited("2025-12-31T00:00:00Z", "2025-12-31")), Time { .. }));
}

/// Nanoseconds of a window are not rounded away.
#[test]
fn window_is_closed_with_full_precision() {
    let root = edited("2025-12-31T00:00:00Z", "2025-12-31T00:00:00.000999999Z").unwrap();
    let window = root.tlogs()[0].window;
    assert!(window.contains(time("2025-12-31T00:00:00Z")));
    assert!(!window.contains(time("2025-12-31T00:00:00.001Z")));
    let root = edited("2025-12-31T00:00:00Z", "2025-12-31T00:00:00.001000Z").unwrap();
    assert!(root.tlogs()[0].window.contains(time("2025-12-31T00:00:00.001Z")));
}

#[test]
fn unknown_kinds_of_keys_leave_the_rest() {
    let details = "PKIX_ECDSA_P256_SHA_256";
    let key = |root: TrustedRoot| root.tlogs()[0].key.clone().unwrap_err();
    assert_eq!(key(edited(details, "PKIX_NEW").unwrap()), UnusableLog::KeyDetails);
    let none = edited(r#""keyDetails""#, r#""x""#).unwrap();
    assert_eq!(key(none), UnusableLog::KeyDetails);
    let sha512 = edited("SHA2_256", "SHA2_512").unwrap();
    assert_eq!(key(sha512), UnusableLog::HashAlgorithm);
    let no_hash = edited(r#""hashAlgorithm""#, r#""x""#).unwrap();
    assert_eq!(key(no_hash), UnusableLog::HashAlgorithm);
    let broken = edited(r#""rawBytes":"MF"#, r#""rawBytes":"MA"#).unwrap();
    assert!(matches!(key(broken), UnusableLog::Key(KeyError::SpkiDer { .. })));
    let pkcs1 = edited(details, "PKCS1_RSA_PKCS1V5").unwrap();
    assert!(matches!(key(pkcs1), UnusableLog::Key(KeyError::Pkcs1Der { .. })));
}

#[test]
fn p521_is_known_and_not_checkable() {
    let log = Log::new("log");
    let spki = "MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQAxoWOBrcEBOnNnj7LZjpVlWZA4bTo5Bm+Tc8/e7FRK3E0\
                HEUXrHOsuhaa3Bs0CfNSzC2kOM1dfWkGhQM9j8VYzWsBGDlKLUr2Ht6gxwsjTsPpa9Q+7c6kVKaIh3Y0\
                9yN3xGQ7V7S0HhCFF5lIlVrFNoqM0VGKXWBSTsZ6CGSl9WCsKWY=";
    let text = good("ctlogs").replace("PKIX_ECDSA_P256_SHA_256", "PKIX_ECDSA_P521_SHA_512");
    let start = text.find(r#""rawBytes":""#).unwrap() + 12;
    let end = start + text[start..].find('"').unwrap();
    let text = format!("{}{spki}{}", &text[..start], &text[end..]);
    let root = read(&text).unwrap();
    let [entry] = root.ctlogs() else { panic!() };
    assert_eq!(entry.key, Err(UnusableLog::Key(KeyError::CurveUnsupported)));
    assert_eq!(entry.details, Some(KeyDetails::EcdsaP521Sha512));
    assert_ne!(entry.log_id, log.id());
    let id = text.find(r#","logId""#).unwrap();
    let end = id + text[id..].find('}').unwrap() + 1;
    let root = read(&format!("{}{}", &text[..id], &text[end..])).unwrap();
    assert_eq!(root.ctlogs()[0].log_id, Sha256Digest::of(&from_base64(spki).unwrap()));
}

#[test]
fn details_fit_the_key() {
    let error = edited("PKIX_ECDSA_P256_SHA_256", "PKIX_ED25519").unwrap_err();
    let path = "$.tlogs[0].publicKey".to_owned();
    let (details, key) = (KeyDetails::Ed25519, KeyKind::P256);
    assert_eq!(error, TrustedRootError::KeyDetails { path, details, key });
}

#[test]
fn id_is_stated_or_derived() {
    let log = Log::new("log");
    let (id, foreign) = (base64(log.id().as_bytes()), base64(&[7; 32]));
    let stated = format!(r#""logId":{{"keyId":"{id}"}}"#);
    let with = |list: &str, new: &str| {
        let text = root_json(&[ctlog(&log, WINDOW)], &[]).replace(&stated, new);
        let text = match list {
            "tlogs" => text.replace(r#""tlogs":[],"#, "").replace("ctlogs", "tlogs"),
            _ => text,
        };
        read(&text)
    };
    let other = format!(r#""logId":{{"keyId":"{foreign}"}}"#);
    // A log of signatures may have any id; of certificates the key's only.
    assert_eq!(with("tlogs", &other).unwrap().tlogs()[0].log_id.as_bytes(), &[7; 32]);
    let error = with("ctlogs", &other).unwrap_err();
    let path = "$.ctlogs[0]".to_owned();
    let (found, calculated) = (Sha256Digest::from_bytes([7; 32]), log.id());
    assert_eq!(error, TrustedRootError::LogId { path, found, calculated });
    for absent in [r#""logId":null"#, r#""logId":{}"#] {
        assert_eq!(with("tlogs", absent).unwrap().tlogs()[0].log_id, log.id());
        assert_eq!(with("ctlogs", absent).unwrap().ctlogs()[0].log_id, log.id());
    }
    let short = with("tlogs", r#""logId":{"keyId":"AAAA"}"#).unwrap_err();
    assert!(matches!(short, TrustedRootError::LogIdLength { found: 3, .. }));
    let url_safe = with("tlogs", r#""logId":{"keyId":"_w=="}"#);
    assert!(matches!(document(url_safe), DocumentError::Base64 { .. }));
}

/// The production log of Rekor v2 and its published id.
#[test]
fn id_of_an_ed25519_log_covers_its_host() {
    let raw = "MCowBQYDK2VwAyEAt8rlp1knGwjfbcXAYPYAkn0XiLz1x8O4t0YkEhie244=";
    let log = format!(
        r#"{{"baseUrl":"https://log2025-1.rekor.sigstore.dev","hashAlgorithm":"SHA2_256","publicKey":
            {{"rawBytes":"{raw}","keyDetails":"PKIX_ED25519","validFor":{WINDOW}}}}}"#
    );
    let root = read(&root_json(&[], &[]).replace(r#""tlogs":[]"#, &format!(r#""tlogs":[{log}]"#)));
    let id = "zxGZFVvd0FEmjR8WrFwMdcAJ9vtaY/QXf44Y1wUeP6A=";
    assert_eq!(base64(root.unwrap().tlogs()[0].log_id.as_bytes()), id);
    // The same key as a log of certificates has the plain id.
    let root = read(&root_json(&[log], &[])).unwrap();
    let plain = Sha256Digest::of(&from_base64(raw).unwrap());
    assert_eq!(root.ctlogs()[0].log_id, plain);
    assert!(PublicKey::from_spki_der(&from_base64(raw).unwrap()).is_ok());
}

#[test]
fn own_checkpoint_key_id_is_accepted() {
    let with = |id: &[u8]| {
        let id = format!(r#"{{"keyId":"{}"}}"#, base64(id));
        edited(r#""baseUrl""#, &format!(r#""checkpointKeyId":{id},"baseUrl""#))
    };
    for good in [&[1; 4][..], &[1; 32]] {
        assert_eq!(with(good).unwrap().tlogs()[0].checkpoint_key_id.as_deref(), Some(good));
    }
    for bad in [&[1; 3][..], &[1; 33]] {
        let error = with(bad).unwrap_err();
        assert!(matches!(error, TrustedRootError::CheckpointKeyId { .. }), "{error}");
    }
    for bad in [r#""AQEBAQ==""#, "{}", r#"{"keyId":1}"#] {
        let error = edited(r#""baseUrl""#, &format!(r#""checkpointKeyId":{bad},"baseUrl""#));
        assert!(error.is_err(), "{bad}");
    }
}

#[test]
fn base_url_names_a_host() {
    let error = edited("https://ct.example/x", "ct.example").unwrap_err();
    assert_eq!(error, TrustedRootError::Host { path: "$.tlogs[0]".to_owned() });
}

#[test]
fn authorities_have_certificates() {
    let ca = root("root", &|_| {}).certificate();
    let with = |certificates: &[_], from: &str, to: &str| {
        read(&root_json(&[], &[authority(certificates, WINDOW)]).replace(from, to))
    };
    let one = std::slice::from_ref(&ca);
    let named = with(
        one,
        r#""uri""#,
        r#""operator":"o","subject":{"organization":"a","commonName":"b"},"uri""#,
    );
    let read = named.unwrap();
    let [found] = read.certificate_authorities() else { panic!() };
    assert_eq!(found.certificates, one);
    assert_eq!(found.subject.organization.as_deref(), Some("a"));
    assert_eq!(found.subject.common_name.as_deref(), Some("b"));
    assert_eq!(
        (found.operator.as_deref(), found.uri.as_deref()),
        (Some("o"), Some("https://ca.example"))
    );
    let none = with(&[], "-", "-").unwrap_err();
    let path = "$.certificateAuthorities[0]".to_owned();
    assert_eq!(none, TrustedRootError::CertificatesMissing { path });
    let bad = with(one, r#""rawBytes":"MII"#, r#""rawBytes":"MIA"#).unwrap_err();
    let is_malformed =
        |source: &CertificateError| matches!(source, CertificateError::Malformed { .. });
    assert!(
        matches!(&bad, TrustedRootError::Certificate { source, .. } if is_malformed(source)),
        "{bad}"
    );
    let many = document(with(&vec![ca.clone(); 11], "-", "-"));
    assert!(matches!(many, DocumentError::TooMany { found: 11, limit: 10, .. }));
}

#[test]
fn lists_and_text_have_limits() {
    let many = vec![ctlog(&Log::new("log"), WINDOW); 257];
    let error = document(read(&root_json(&many, &[])));
    assert!(matches!(error, DocumentError::TooMany { found: 257, limit: 256, .. }));
    let long = " ".repeat(1 << 20) + &root_json(&[], &[]);
    assert!(matches!(document(read(&long)), DocumentError::Json(_)));
    let wrong = root_json(&[], &[]).replace(r#""tlogs":[]"#, r#""tlogs":{}"#);
    assert!(matches!(document(read(&wrong)), DocumentError::Type { .. }));
}
