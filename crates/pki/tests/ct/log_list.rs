//! Log lists: each rule broken once.

use genten_pki::{CtLogList, CtLogListError, CtStatus, DocumentError};
use genten_primitives::encoding::base64;

use crate::common::time;
use crate::world::{Log, USABLE, list};

fn read(text: &str) -> Result<CtLogList, CtLogListError> {
    CtLogList::from_bytes(text.as_bytes())
}

/// A list of one log, after `from` is replaced by `to`.
fn edited(from: &str, to: &str) -> Result<CtLogList, CtLogListError> {
    let text = list(&[(&Log::new("A"), USABLE)]);
    assert!(text.contains(from), "{from}");
    read(&text.replacen(from, to, 1))
}

#[test]
fn unknown_members_are_passed_over() {
    let list = edited(r#""mmd""#, r#""color":{"a":[1]},"mmd""#).unwrap();
    let log = &list.logs()[0];
    assert_eq!((log.operator(), log.mmd), ("A", 86400));
    assert_eq!(log.state.unwrap().status, CtStatus::Usable);
    assert_eq!((log.origin(), list.version(), list.timestamp()), (None, None, None));
}

#[test]
fn id_must_be_the_keys() {
    let (log, other) = (Log::new("A"), Log::new("B"));
    let text = list(&[(&log, USABLE)]);
    let (id, key) = (base64(log.id().as_bytes()), base64(log.key().to_spki_der()));
    let wrong_id = text.replace(&id, &base64(other.id().as_bytes()));
    let wrong_key = text.replace(&key, &base64(other.key().to_spki_der()));
    let short = text.replace(&id, "AAAA");
    for bad in [wrong_id, wrong_key, short] {
        assert!(matches!(read(&bad), Err(CtLogListError::LogId { .. })));
    }
}

#[test]
fn log_stands_in_a_list_once() {
    let log = Log::new("A");
    let error = read(&list(&[(&log, USABLE), (&log, USABLE)]));
    assert_eq!(error, Err(CtLogListError::DuplicateLog { log_id: log.id() }));
}

#[test]
fn members_are_required_and_strict() {
    use DocumentError::{Base64, Json, Missing, Time, TooMany, Type};
    let document = |result| match result {
        Err(CtLogListError::Document(error)) => error,
        other => panic!("{other:?}"),
    };
    assert!(matches!(document(read("{}")), Missing { member: "operators", .. }));
    assert!(matches!(document(read("[]")), Type { .. }));
    assert!(matches!(document(read(r#"{"operators":{}}"#)), Type { .. }));
    assert!(matches!(document(read(r#"{"operators":[3]}"#)), Type { .. }));
    assert!(matches!(document(read(r#"{"operators":[],"operators":[]}"#)), Json(_)));
    let many = format!(r#"{{"operators":[{}]}}"#, vec!["{}"; 257].join(","));
    assert!(matches!(document(read(&many)), TooMany { found: 257, limit: 256, .. }));
    for member in ["name", "log_id", "key", "mmd", "url"] {
        let (from, to) = (format!(r#""{member}":"#), format!(r#""x-{member}":"#));
        assert!(matches!(document(edited(&from, &to)), Missing { .. }), "{member}");
    }
    assert!(matches!(document(edited("86400", "-1")), Type { .. }));
    assert!(matches!(document(edited("2024-01-01T00", "2024-01-01 00")), Time { .. }));
    assert!(matches!(document(edited(r#""key":""#, r#""key":" "#)), Base64 { .. }));
    assert!(matches!(document(edited(r#"{"timestamp""#, r#"{"since""#)), Missing { .. }));
    assert_eq!(
        edited(r#""A""#, r#""""#),
        Err(CtLogListError::EmptyName { path: "$.operators[0].name".to_owned() })
    );
}

#[test]
fn exactly_one_known_state() {
    let two = r#""usable":{"timestamp":"2024-01-01T00:00:00Z"},"retired""#;
    for (from, to) in [(USABLE, "{}"), ("usable", "fine"), (r#""usable""#, two)] {
        assert!(matches!(edited(from, to), Err(CtLogListError::State { .. })), "{to}");
    }
}

#[test]
fn urls_are_urls() {
    for bad in ["ct.example", "ftp://ct.example/", "https://", "https:///x", "https://a b/"] {
        let error = edited("https://ct.example/", bad);
        assert!(matches!(error, Err(CtLogListError::Url { .. })), "{bad}");
    }
}

#[test]
fn interval_is_half_open() {
    let with = |start: &str, end: &str| {
        let interval = r#""temporal_interval":{"start_inclusive":"S","end_exclusive":"E"},"mmd""#;
        edited(r#""mmd""#, &interval.replace('S', start).replace('E', end))
    };
    let (start, end) = ("2025-01-01T00:00:00Z", "2025-07-01T00:00:00Z");
    let list = with(start, end).unwrap();
    let takes = |at: &str| list.logs()[0].takes_expiry(time(at));
    assert!(takes(start) && takes("2025-06-30T23:59:59.999Z"));
    assert!(!takes(end) && !takes("2024-12-31T23:59:59.999Z"));
    for (start, end) in [(end, start), (start, start)] {
        assert!(matches!(with(start, end), Err(CtLogListError::Interval { .. })));
    }
}

#[test]
fn promise_is_of_the_operator_at_its_time() {
    let previous = r#""previous_operators":[
        {"name":"C","end_time":"2025-02-01T00:00:00Z"},
        {"name":"B","end_time":"2025-01-01T00:00:00Z"}],"mmd""#;
    let list = edited(r#""mmd""#, previous).unwrap();
    let at = |at: &str| list.logs()[0].operator_at(time(at));
    assert_eq!(at("2024-12-31T23:59:59.999Z"), "B");
    assert_eq!(at("2025-01-01T00:00:00Z"), "C");
    assert_eq!(at("2025-02-01T00:00:00Z"), "A");
}

#[test]
fn origin_of_a_tiled_log() {
    let text = list(&[(&Log::new("A"), USABLE)]).replace(r#""logs""#, r#""tiled_logs""#);
    let urls = |submission: &str| {
        let urls =
            format!(r#""submission_url":"{submission}","monitoring_url":"https://m.example/""#);
        read(&text.replace(r#""url":"https://ct.example/""#, &urls))
    };
    let origin = |submission: &str| urls(submission).unwrap().logs()[0].origin().map(str::to_owned);
    assert_eq!(origin("https://ct.example/2025h2/").unwrap(), "ct.example/2025h2");
    assert_eq!(origin("https://ct.example/2025h2").unwrap(), "ct.example/2025h2");
    assert!(read(&text).is_err(), "a tiled log has two urls");
}
