//! What holds for every block.

use genten_mcp::contract::{
    Anomaly, AnomalyKind, BlockInput, Contract, FieldSource, License, Locale, Mode, Retrieval,
    Source, Version, Zone,
};
use proptest::prelude::*;
use serde_json::Value;

prop_compose! {
    fn inputs()(
        texts in prop::array::uniform5("\\PC{1,12}"),
        time in prop_oneof!["\\PC{1,30}", Just("2026-11-30T23:15:00.5+01:00".to_owned())],
        counts in (1_u64..9, 0_u64..9),
        kinds in prop::collection::vec((0_usize..6, 1_u64..9), 0..5),
        notices in prop::collection::vec("\\PC{1,12}", 0..3),
        slices in prop::collection::vec("\\PC{1,12}", 0..3),
    ) -> BlockInput {
        let [name, url, citation, license, vintage] = texts;
        let anomaly = |(kind, count)| Anomaly { kind: AnomalyKind::ALL[kind], count };
        let anomalies = kinds.into_iter().map(anomaly).collect();
        let slice = |url: String| FieldSource {
            fields: vec![url.clone()],
            source_url: url,
            ..FieldSource::default()
        };
        BlockInput {
            source: Source { name, ..Source::default() },
            source_url: url,
            retrieved_at: time,
            citation,
            license: License { name: Some(license), ..License::default() },
            data_vintage: Some(vintage),
            notices,
            retrieval: Some(Retrieval { requests: counts.0, attempts: counts.0 + counts.1, anomalies }),
            field_sources: Some(slices.into_iter().map(slice).collect()),
            ..BlockInput::default()
        }
    }
}

fn contracts() -> impl Iterator<Item = Contract> {
    let versions = [Version::V1_0, Version::V1_1, Version::V1_2, Version::V1_3];
    let locales = [Locale::pt_br(), Locale::en(), Locale::ja()];
    let pairs = versions.into_iter().flat_map(move |one| locales.clone().map(|two| (one, two)));
    pairs.map(|(version, locale)| {
        let contract = Contract::new("com.example.laws").unwrap().locale(locale);
        contract.version(version).zone(Zone::fixed("-03:00", None).unwrap())
    })
}

proptest! {
    // 004-16
    #[test]
    fn what_is_written_is_the_same_each_time_and_reads_back(says in inputs(), key: String) {
        let data = serde_json::json!({key: 1}).to_string();
        for contract in contracts() {
            let block = contract.build(says.clone()).unwrap();
            for mode in [Mode::Concise, Mode::Detailed] {
                let result = contract.result(data.as_bytes(), &block, Some(mode)).unwrap();
                let again = contract.build(says.clone()).unwrap();
                prop_assert_eq!(&result, &contract.result(data.as_bytes(), &again, Some(mode)).unwrap());
                let json: Value = serde_json::from_str(&result.json).unwrap();
                prop_assert_eq!(&json["structuredContent"], &serde_json::from_str::<Value>(&result.structured).unwrap());
                prop_assert_eq!(&json["content"][1]["text"], &result.texts[1]);
                prop_assert_eq!(&json["_meta"]["com.example.laws/provenance"], &json["structuredContent"]["provenance"]);
            }
            // Whatever a detailed block says, its reader reads.
            let read = contract.read(block.render(Mode::Detailed).as_bytes()).unwrap();
            prop_assert_eq!(read.render(Mode::Detailed), block.render(Mode::Detailed));
        }
    }
}
