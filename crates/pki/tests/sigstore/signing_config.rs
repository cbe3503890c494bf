//! Which services a signer takes.

use genten_pki::{DocumentError, ServiceError, SigningConfig, SigningConfigError};
use proptest::prelude::{Strategy, prop_assert_eq, proptest};

use crate::common::time;

const AT: &str = "2026-06-01T00:00:00Z";

fn service(url: &str, version: u32, start: &str, end: Option<&str>, operator: &str) -> String {
    let end = end.map_or("null".to_owned(), |end| format!(r#""{end}""#));
    format!(
        r#"{{"url":"{url}","majorApiVersion":{version},"validFor":{{"start":"{start}","end":{end}}},"operator":"{operator}"}}"#
    )
}

fn config(services: &[String], rule: &str) -> String {
    let services = services.join(",");
    format!(
        r#"{{"mediaType":"application/vnd.dev.sigstore.signingconfig.v0.2+json","caUrls":[{services}],
            "rekorTlogUrls":[{services}],"rekorTlogConfig":{rule},"tsaUrls":[{services}],"tsaConfig":{rule}}}"#
    )
}

fn read(text: &str) -> Result<SigningConfig, SigningConfigError> {
    SigningConfig::from_bytes(text.as_bytes())
}

fn select(services: &[String], rule: &str) -> Result<Vec<String>, ServiceError> {
    let config = read(&config(services, rule)).unwrap();
    let urls = |all: Vec<&genten_pki::Service>| all.iter().map(|one| one.url.clone()).collect();
    let logs = config.select_logs(&[1, 2], time(AT)).map(urls);
    assert_eq!(config.select_timestamp_authorities(&[1, 2], time(AT)).map(urls), logs);
    logs
}

fn since(url: &str, start: &str, operator: &str) -> String {
    service(url, 1, start, None, operator)
}

const ALL: &str = r#"{"selector":"ALL"}"#;

#[test]
fn windows_are_closed() {
    let with = |start: &str, end: Option<&str>| select(&[service("a", 1, start, end, "o")], ALL);
    let none = Err(ServiceError::None { at: time(AT) });
    assert!(with(AT, Some(AT)).is_ok(), "both ends belong to it");
    assert_eq!(with("2026-06-01T00:00:00.000000001Z", None), none, "starts in the future");
    assert_eq!(with("2026-01-01T00:00:00Z", Some("2026-05-31T23:59:59.999999999Z")), none);
}

#[test]
fn highest_supported_version_only() {
    let old = service("old", 1, "2026-03-01T00:00:00Z", None, "a");
    let new = service("new", 2, "2026-01-01T00:00:00Z", None, "b");
    let beyond = service("beyond", 3, "2026-02-01T00:00:00Z", None, "c");
    let unreleased = service("zero", 0, "2026-02-01T00:00:00Z", None, "d");
    let all = [old.clone(), new.clone(), beyond.clone(), unreleased.clone()];
    assert_eq!(select(&all, ALL).unwrap(), ["new"]);
    assert_eq!(select(&[old, beyond.clone(), unreleased.clone()], ALL).unwrap(), ["old"]);
    assert!(select(&[beyond, unreleased], ALL).is_err());
    let expired = service("new", 2, "2026-01-01T00:00:00Z", Some("2026-02-01T00:00:00Z"), "b");
    assert_eq!(select(&[expired, since("old", AT, "a")], ALL).unwrap(), ["old"]);
}

#[test]
fn newest_first_and_one_per_operator() {
    let services = [
        since("a1", "2026-01-01T00:00:00Z", "a"),
        since("b", "2026-02-01T00:00:00Z", "b"),
        since("a2", "2026-03-01T00:00:00Z", "a"),
    ];
    assert_eq!(select(&services, ALL).unwrap(), ["a2", "b"]);
    assert_eq!(select(&services, r#"{"selector":"ANY"}"#).unwrap(), ["a2"]);
    let exact =
        |count: u32| select(&services, &format!(r#"{{"selector":"EXACT","count":{count}}}"#));
    assert_eq!(exact(1).unwrap(), ["a2"]);
    assert_eq!(exact(2).unwrap(), ["a2", "b"]);
    assert_eq!(exact(3), Err(ServiceError::TooFew { wanted: 3, found: 2 }));
    assert_eq!(exact(0), Err(ServiceError::ZeroWanted));
    let config = read(&config(&services, ALL)).unwrap();
    assert_eq!(config.select_certificate_authority(&[1], time(AT)).unwrap().url, "a2");
    assert!(config.select_oidc_provider(&[1], time(AT)).is_err(), "none listed");
}

#[test]
fn two_services_of_one_operator_count_once() {
    let services =
        [since("a", "2026-01-01T00:00:00Z", "o"), since("b", "2026-02-01T00:00:00Z", "o")];
    let exact = select(&services, r#"{"selector":"EXACT","count":2}"#);
    assert_eq!(exact, Err(ServiceError::TooFew { wanted: 2, found: 1 }));
    let unnamed = services.map(|one| one.replace(r#","operator":"o""#, ""));
    let exact = select(&unnamed, r#"{"selector":"EXACT","count":2}"#);
    assert_eq!(exact, Err(ServiceError::TooFew { wanted: 2, found: 1 }), "no name is one name");
}

#[test]
fn rule_must_be_stated() {
    let services = [since("a", AT, "o")];
    for rule in ["null", "{}", r#"{"selector":"SERVICE_SELECTOR_UNDEFINED"}"#] {
        assert_eq!(select(&services, rule), Err(ServiceError::SelectorUndefined));
    }
    let found = "SOME".to_owned();
    let unknown = read(&config(&services, r#"{"selector":"SOME"}"#));
    assert_eq!(unknown, Err(SigningConfigError::Selector { found }));
    for rule in [r#"{"selector":"EXACT","count":-1}"#, r#"{"selector":"EXACT","count":"2"}"#] {
        let error = read(&config(&services, rule)).unwrap_err();
        assert!(matches!(error, SigningConfigError::Document(DocumentError::Type { .. })));
    }
}

#[test]
fn members_are_required_and_strict() {
    let good = config(&[since("a", AT, "o")], ALL);
    assert!(read(&good).is_ok());
    for member in ["url", "majorApiVersion", "validFor", "start", "mediaType"] {
        let text = good.replacen(&format!(r#""{member}":"#), r#""x":"#, 1);
        let error = read(&text).unwrap_err();
        let missing = matches!(error, SigningConfigError::Document(DocumentError::Missing { .. }));
        assert!(missing, "{member}");
    }
    let v1 = good.replace("signingconfig.v0.2+json", "signingconfig.v0.1+json");
    assert!(matches!(read(&v1), Err(SigningConfigError::MediaType { .. })));
    let long = " ".repeat(256 << 10) + &good;
    assert!(matches!(read(&long), Err(SigningConfigError::Document(DocumentError::Json(_)))));
}

proptest! {
    /// Oracle: a service is taken when no other of its version beats it for its operator and no other has a higher version.
    #[test]
    fn selection_agrees_with_its_definition(
        listed in proptest::collection::vec((0_u32..4, 0_u32..9, 0_u8..3), 0..8)
            .prop_map(|mut all| { all.sort(); all.dedup_by_key(|one| one.1); all }),
    ) {
        let services: Vec<_> = listed
            .iter()
            .map(|(version, day, operator)| {
                let start = format!("2026-05-2{day}T00:00:00Z");
                service(&format!("{version} {day}"), *version, &start, None, &operator.to_string())
            })
            .collect();
        let supported = |version: u32| version == 1 || version == 2;
        let mut expected: Vec<_> = listed
            .iter()
            .filter(|one| supported(one.0))
            .filter(|one| !listed.iter().any(|other| supported(other.0) && other.0 > one.0))
            .filter(|one| {
                !listed.iter().any(|other| other.0 == one.0 && other.2 == one.2 && other.1 > one.1)
            })
            .collect();
        expected.sort_by_key(|one| std::cmp::Reverse(one.1));
        let urls: Vec<_> = expected.iter().map(|one| format!("{} {}", one.0, one.1)).collect();
        match select(&services, ALL) {
            Ok(selected) => prop_assert_eq!(selected, urls),
            Err(error) => {
                prop_assert_eq!(error, ServiceError::None { at: time(AT) });
                prop_assert_eq!(urls.len(), 0);
            }
        }
    }
}
