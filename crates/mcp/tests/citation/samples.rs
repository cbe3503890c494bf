//! Cases that the program of document 002 has decided.

use genten_mcp::citation::{Status, evaluate};
use serde_json::Value;

/// Cases that the program of document 002 has decided.
#[test]
fn every_sample_is_decided_byte_for_byte() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/samples/citation-samples.json");
    let Ok(samples) = std::fs::read(path) else {
        return eprintln!("SKIPPED: no ../shared/samples beside the repository");
    };
    let samples: Vec<Value> = serde_json::from_slice(&samples).unwrap();
    assert_eq!(samples.len(), 52);
    for sample in samples {
        let [answer, sources, reviews] =
            ["answer", "sources", "reviews"].map(|file| bytes(&sample[file]));
        let (name, status) = (&sample["name"], sample["exit"].as_u64().unwrap());
        match evaluate(&answer, &sources, &reviews) {
            Ok(decision) => {
                let printed = String::from_utf8(decision.to_json()).unwrap();
                assert_eq!(printed, sample["stdout"].as_str().unwrap(), "{name}");
                assert_eq!(u64::from(decision.status != Status::Accept), status, "{name}");
            }
            Err(error) => assert_eq!(status, 2, "{name}: {error}"),
        }
    }
}

fn bytes(file: &Value) -> Vec<u8> {
    match &file["hex"] {
        Value::String(digits) => {
            let pair = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
            (0..digits.len()).step_by(2).map(pair).collect()
        }
        _ => file.as_str().unwrap().as_bytes().to_vec(),
    }
}
