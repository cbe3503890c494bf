//! Blocks and results of our own, whole.

use genten_manifest::{Anomaly as Odd, Claims, Retrieval as Measured};
use genten_mcp::contract::{
    Anomaly, AnomalyKind, Block, BlockInput, Contract, ContractError, License, Locale, Mode,
    Retrieval, Source, Version, Zone,
};
use genten_primitives::Sha256Digest;

pub(crate) fn says() -> BlockInput {
    BlockInput {
        source: Source { name: "Gazette".into(), ..Source::default() },
        source_url: "https://law.example/1".into(),
        retrieved_at: "2026-11-30T23:15:00.999Z".into(),
        citation: "Gazette of Example.".into(),
        license: License { id: Some("CC-BY-4.0".into()), ..License::default() },
        ..BlockInput::default()
    }
}

pub(crate) fn contract() -> Contract {
    Contract::new("com.example.laws").unwrap().locale(Locale::en())
}

// 004-01 004-09 004-10 004-15
#[test]
fn a_result_has_three_channels() {
    let zone = Zone::fixed("+09:00", Some("JST")).unwrap();
    let contract = contract().zone(zone);
    let block = contract.build(says()).unwrap();
    let result = contract.result(br#"{"b":1.0,"10":[],"2":{}}"#, &block, None).unwrap();
    let provenance = r#"{"source":"Gazette","source_url":"https://law.example/1","data_vintage":null,"retrieved_at":"2026-12-01T08:15:00+09:00","retrieval":null,"citation":"Gazette of Example.","license":"CC-BY-4.0"}"#;
    let attribution = r#"["https://law.example/1"]"#;
    let structured = format!(
        r#"{{"2":{{}},"10":[],"b":1,"provenance":{provenance},"attribution":{attribution}}}"#
    );
    let meta = format!(
        r#"{{"com.example.laws/provenance":{provenance},"com.example.laws/attribution":{attribution}}}"#
    );
    assert_eq!(result.structured, structured);
    assert_eq!(result.meta, meta);
    let footer = "---\nSource: Gazette · https://law.example/1 · retrieved on 2026-12-01, 08:15 (JST)\nLicense: CC-BY-4.0.\nThe complete reference for this information can be requested here, in this same conversation.";
    assert_eq!(result.texts, ["{\n  \"2\": {},\n  \"10\": [],\n  \"b\": 1\n}", footer]);
    assert!(
        result.json.ends_with(&format!(r#""structuredContent":{structured},"_meta":{meta}}}"#))
    );
    assert!(result.json.starts_with(r#"{"content":[{"type":"text","text":"{\n  \"2\": {}"#));
}

// 004-02
#[test]
fn a_detailed_block_says_null_for_what_is_absent() {
    let block = contract().version(Version::V1_3).build(says()).unwrap();
    assert_eq!(
        block.render(Mode::Detailed),
        r#"{"contract_version":"1.3","source":{"name":"Gazette","agency":null,"database":null,"endpoint":null},"dataset":{"id":null,"version":null,"name":null},"dimension_key":null,"data_vintage":null,"retrieved_at":"2026-11-30T23:15:00Z","source_url":"https://law.example/1","api_version":null,"license":{"id":"CC-BY-4.0","name":null,"url":null,"terms_url":null,"verified_at":null},"citation":"Gazette of Example.","notices":[],"derived":false,"derivation_note":null,"served_from_cache":null,"retrieval":null,"field_sources":null,"revision":null}"#
    );
}

// 004-03 004-19
#[test]
fn a_retrieval_is_as_measured_and_never_made_up() {
    let anomaly = |kind, count| Anomaly { kind, count };
    let anomalies = vec![
        anomaly(AnomalyKind::Http5xx, 1),
        anomaly(AnomalyKind::Timeout, 2),
        anomaly(AnomalyKind::Http5xx, 3),
    ];
    let retrieval = Some(Retrieval { requests: 1, attempts: 9, anomalies });
    let block = contract().build(BlockInput { retrieval, ..says() }).unwrap();
    assert!(block.render(Mode::Concise).contains(
        r#""retrieval":{"requests":1,"attempts":9,"anomalies":[{"kind":"timeout","count":2},{"kind":"http_5xx","count":4}],"unstable":true}"#
    ));
    let block = contract().build(says()).unwrap();
    assert!(block.render(Mode::Concise).contains(r#""retrieval":null"#));
}

// 004-04 004-05 004-06 004-07
#[test]
fn what_breaks_the_contract_is_told() {
    let built = |says: BlockInput| contract().version(Version::V1_2).build(says);
    let issue = |result: Result<Block, ContractError>| match result.unwrap_err() {
        ContractError::Issues(issues) => {
            issues.into_iter().map(|issue| (issue.path, issue.code)).collect::<Vec<_>>()
        }
        other => panic!("{other}"),
    };
    let empty = BlockInput { citation: String::new(), data_vintage: Some(String::new()), ..says() };
    let both = vec![("citation".into(), "too_small"), ("data_vintage".into(), "too_small")];
    assert_eq!(issue(built(empty)), both);
    let unlicensed = BlockInput { license: License::default(), ..says() };
    assert_eq!(issue(built(unlicensed)), [("license".into(), "custom")]);
    let derived = BlockInput { derived: true, ..says() };
    assert_eq!(built(derived), Err(ContractError::DerivedWithoutNote));
    for input in
        ["[]", "{\"source\":1}", "{\"source\":{\"name\":[]}}", "{\"retrieval\":{\"requests\":0.5}}"]
    {
        assert!(!issue(contract().read(input.as_bytes())).is_empty(), "{input}");
    }
    assert!(matches!(contract().read(b"{"), Err(ContractError::Json(_))));
    let block = contract().build(says()).unwrap();
    let result = |data: &[u8]| contract().result(data, &block, None);
    assert_eq!(result(b"[]"), Err(ContractError::Data));
    assert!(matches!(result(b"{"), Err(ContractError::Json(_))));
    let none = contract().result(b"{}", &[][..], None);
    assert_eq!(none, Err(ContractError::NoBlock));
}

/// The original does not look at the protocol's rule for prefixes, and takes any two digits for an offset.
// 004-08
#[test]
fn a_context_that_cannot_be_is_refused() {
    assert_eq!(Contract::new("//").unwrap_err(), ContractError::NoNamespace);
    for namespace in ["com.mcp.laws", "com..laws", "1com"] {
        assert!(
            matches!(Contract::new(namespace), Err(ContractError::Namespace(_))),
            "{namespace}"
        );
    }
    for offset in ["-3:00", "+99:99", "+24:00", "03:00", "+0300", "é03:00", ""] {
        let refused = ContractError::Offset(offset.to_owned());
        assert_eq!(Zone::fixed(offset, None), Err(refused), "{offset}");
    }
    assert!("2.0".parse::<Version>().is_err());
    assert!(Locale::named("fr").is_err());
}

/// A time without an offset is no moment: the original takes it for one in the zone of its machine.
// 004-15
#[test]
fn times_without_an_offset_stay_as_they_are() {
    for (time, written) in [
        ("2026-07-15T00:23:45", "2026-07-15T00:23:45"),
        ("2026-07-15", "2026-07-15"),
        ("July", "July"),
        ("2026-07-15T00:23:45.9+05:30", "2026-07-14T18:53:45Z"),
    ] {
        let block = contract().build(BlockInput { retrieved_at: time.into(), ..says() }).unwrap();
        assert_eq!(block.says().retrieved_at, written);
    }
}

// 004-03 004-19
#[test]
fn a_manifest_fills_what_it_knows() {
    let measured = |attempts, kind: &str| {
        let kind = kind.parse().unwrap();
        Measured {
            requests: Some(1),
            attempts,
            anomalies: vec![Odd { kind, count: 2 }],
            served_from_cache: Some(true),
        }
    };
    let claims = claims();
    let of = |retrieval| BlockInput::of(&Claims { retrieval: Some(retrieval), ..claims.clone() });
    let says = of(measured(Some(3), "timeout"));
    assert_eq!(says.source_url, claims.source_url.as_str());
    assert_eq!(says.retrieved_at, claims.fetched_at.to_string());
    assert_eq!(says.served_from_cache, Some(true));
    let anomalies = vec![Anomaly { kind: AnomalyKind::Timeout, count: 2 }];
    assert_eq!(says.retrieval, Some(Retrieval { requests: 1, attempts: 3, anomalies }));
    assert_eq!(of(measured(None, "timeout")).retrieval, None, "attempts were not measured");
    assert_eq!(of(measured(Some(3), "dns")).retrieval, None, "a word that the contract lacks");
    assert_eq!(says.source.name, "", "the author's to say");
}

fn claims() -> Claims {
    let (url, time) = ("https://law.example/1", "2026-11-30T08:15:00.500Z");
    let body = Sha256Digest::of(b"Article 1");
    Claims::builder(url.parse().unwrap(), time.parse().unwrap(), body).finish().unwrap()
}
