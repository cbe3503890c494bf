//! Outputs of the implementation that the contract comes from: version 1.0 by the published package, the later ones by its source.
//! The samples are of @sbissoli/mcp-provenance, under the MIT licence that comes with them.

use std::collections::BTreeMap;

use genten_mcp::contract::{Block, Contract, ContractError, Locale, Mode, Version, Zone};
use genten_primitives::json::{Limits, Value as Read, read_foreign};
use serde_json::{Value, json};

// 004-01 004-02 004-03 004-04 004-05 004-06 004-07 004-08 004-09 004-10 004-11 004-12 004-13 004-14 004-15
#[test]
fn all_samples_of_the_contract() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/samples/sbissoli-samples.json");
    let Ok(samples) = std::fs::read(path) else {
        return eprintln!("SKIPPED: no ../shared/samples beside the repository");
    };
    let document = read_foreign(&samples, Limits::bytes(4 << 20)).unwrap();
    let cases: Vec<_> = document.root().get("cases").unwrap().items().unwrap().collect();
    assert_eq!(cases.len(), 53);
    let mut outputs = 0;
    for case in cases {
        for (version, expected) in case.get("outputs").unwrap().members().unwrap() {
            let name = format!("{} {version}", text(case, "id").unwrap());
            let version = version.trim_start_matches('v').replace('_', ".").parse().unwrap();
            let expected: Value = serde_json::from_slice(expected.raw()).unwrap();
            compare(&name, &made(case, version), &expected);
            outputs += 1;
        }
    }
    assert_eq!(outputs, OUTPUTS);
}

/// 53 cases in four versions, but for those seven that version 1.0 knows nothing of.
const OUTPUTS: usize = 53 * 4 - 7;

fn text(value: Read<'_>, name: &str) -> Option<String> {
    value.get(name)?.as_str().map(String::from)
}

/// The output of a case. Data and input are taken as the file has them, since their order counts.
fn made(case: Read<'_>, version: Version) -> Result<Value, ContractError> {
    let contract = context(case.get("context").unwrap())?.version(version);
    let input = case.get("input").unwrap();
    let inputs = input.items().map_or(vec![input], Iterator::collect);
    let blocks = inputs.into_iter().map(|input| contract.read(merged(input).as_bytes()));
    let blocks = blocks.collect::<Result<Vec<Block>, _>>()?;
    let mode = text(case, "mode").map(|name| mode(&name));
    let data = case.get("data").unwrap().raw();
    let result = match input.items() {
        Some(_) => contract.result(data, &blocks[..], mode)?,
        None => contract.result(data, &blocks[0], mode)?,
    };
    let render = |mode| blocks.iter().map(|block| block.render(mode)).collect::<Vec<_>>();
    let [provenance, attribution] = contract.meta_keys();
    Ok(json!({
        "ok": true,
        "concise": render(Mode::Concise),
        "detailed": render(Mode::Detailed),
        "footer": result.texts[1],
        "result_json": result.json,
        "meta_keys": {"provenance": provenance, "attribution": attribution},
    }))
}

fn context(context: Read<'_>) -> Result<Contract, ContractError> {
    let mut contract = Contract::new(&text(context, "metaNamespace").unwrap())?;
    contract = contract.locale(Locale::named(&text(context, "locale").unwrap())?);
    if let Some(default) = text(context, "defaultMode") {
        contract = contract.mode(mode(&default));
    }
    let zone = context.get("timezone").unwrap();
    Ok(contract.zone(match text(zone, "offset") {
        None => Zone::utc(),
        Some(offset) => Zone::fixed(&offset, text(zone, "label").as_deref())?,
    }))
}

/// What a preset and a call give together: the call's members win.
fn merged(input: Read<'_>) -> String {
    let Some(preset) = input.get("preset") else { return input.raw_text().to_owned() };
    let parts = [preset, input.get("perCall").unwrap()];
    let members: BTreeMap<_, _> = parts.iter().flat_map(|part| part.members().unwrap()).collect();
    let members =
        members.iter().map(|(name, value)| format!("{}:{}", json!(name), value.raw_text()));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

fn mode(name: &str) -> Mode {
    if name == "detailed" { Mode::Detailed } else { Mode::Concise }
}

fn compare(name: &str, made: &Result<Value, ContractError>, expected: &Value) {
    match made {
        Ok(made) => {
            for (member, value) in made.as_object().unwrap() {
                if !expected[member].is_null() {
                    assert_eq!(value, &expected[member], "{name} {member}");
                }
            }
            assert_eq!(expected["ok"], true, "{name}");
        }
        Err(ContractError::Issues(issues)) => {
            let found = issues.iter().map(|issue| (issue.path.clone(), issue.code.to_owned()));
            let path = |issue: &Value| {
                let parts = issue["path"].as_array().unwrap().iter();
                let parts = parts.map(|part| part.as_str().map_or(part.to_string(), str::to_owned));
                parts.collect::<Vec<_>>().join(".")
            };
            let wanted = expected["issues"].as_array().unwrap_or_else(|| panic!("{name}")).iter();
            let wanted =
                wanted.map(|issue| (path(issue), issue["code"].as_str().unwrap().to_owned()));
            assert_eq!(found.collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{name}");
            let texts = issues.iter().map(|issue| json!(issue.message));
            let wanted = expected["issues"].as_array().unwrap().iter();
            let wanted = wanted.map(|issue| issue["message"].clone());
            assert_eq!(texts.collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{name}");
        }
        Err(error) => assert_eq!(json!(error.to_string()), expected["message"], "{name}"),
    }
}
