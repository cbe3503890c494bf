//! Schemas against blocks: they come from one table.

use genten_mcp::contract::{
    BlockInput, FieldSource, Mode, Revision, RevisionStatus, Version, schema,
};
use jsonschema::Validator;
use serde_json::Value;

use crate::blocks::{contract, says};

const VERSIONS: [Version; 4] = [Version::V1_0, Version::V1_1, Version::V1_2, Version::V1_3];

fn validator(mode: Mode, newest: Version) -> Validator {
    let schema: Value = serde_json::from_str(&schema(mode, newest)).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn full() -> BlockInput {
    let slice = FieldSource {
        fields: vec!["a".into()],
        source_url: "https://law.example/a".into(),
        retrieved_at: Some("2026-11-30T23:15:00Z".into()),
        ..FieldSource::default()
    };
    BlockInput {
        dimension_key: Some(vec![("year".into(), "2026".into())]),
        notices: vec!["n".into()],
        derived: true,
        derivation_note: Some("sum".into()),
        field_sources: Some(vec![slice]),
        revision: Some(Revision { status: RevisionStatus::Final, note: None }),
        ..says()
    }
}

// 004-18 004-20
#[test]
fn a_schema_fits_what_is_emitted_up_to_its_version() {
    for mode in [Mode::Concise, Mode::Detailed] {
        for (newest, emitted) in VERSIONS.into_iter().flat_map(|one| VERSIONS.map(|two| (one, two)))
        {
            let validator = validator(mode, newest);
            for says in [says(), full()] {
                let block = contract().version(emitted).build(says).unwrap();
                let block: Value = serde_json::from_str(&block.render(mode)).unwrap();
                let both_old = newest == Version::V1_0 && emitted == Version::V1_0;
                let fits = both_old || (emitted > Version::V1_0 && emitted <= newest);
                // What a later version adds only where there is something to say is no other block without it.
                if fits || mode == Mode::Detailed {
                    assert_eq!(
                        validator.is_valid(&block),
                        fits,
                        "{mode:?} {newest} {emitted} {block}"
                    );
                }
            }
        }
    }
}

// 004-18
#[test]
fn no_member_can_be_missing_or_more() {
    for mode in [Mode::Concise, Mode::Detailed] {
        let validator = validator(mode, Version::V1_1);
        let block = contract().build(full()).unwrap();
        let block: Value = serde_json::from_str(&block.render(mode)).unwrap();
        let names: Vec<_> = block.as_object().unwrap().keys().cloned().collect();
        assert_eq!(names.len(), if mode == Mode::Concise { 7 } else { 16 });
        for name in names {
            let mut without = block.clone();
            without.as_object_mut().unwrap().remove(&name);
            assert!(!validator.is_valid(&without), "without {name}");
        }
        let mut more = block.clone();
        more["unknown"] = Value::Null;
        assert!(!validator.is_valid(&more));
    }
}

// 004-18
#[test]
fn the_schemas_of_the_original_but_for_their_words() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/samples/sbissoli-samples.json");
    let Ok(samples) = std::fs::read(path) else {
        return eprintln!("SKIPPED: no ../shared/samples beside the repository");
    };
    let samples: Value = serde_json::from_slice(&samples).unwrap();
    for (mode, name) in [(Mode::Concise, "concise_0_4_0"), (Mode::Detailed, "detailed_0_4_0")] {
        let mut ours = serde_json::from_str(&schema(mode, Version::V1_3)).unwrap();
        let mut theirs = samples["json_schema"][name].clone();
        assert!(theirs["properties"].is_object());
        strip(&mut ours);
        strip(&mut theirs);
        assert_eq!(ours, theirs, "{name}");
    }
}

/// Without the words for people.
fn strip(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.retain(|name, value| name != "description" || !value.is_string());
            members.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
