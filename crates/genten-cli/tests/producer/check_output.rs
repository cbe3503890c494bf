//! `genten mcp check-output`.

use crate::world::World;

/// 000-19, 003-06: a transcript of what is found, and how each run ends.
#[test]
fn results_are_held_against_contract_and_schema() {
    let cases = trycmd::TestCases::new();
    cases.default_bin_path(env!("CARGO_BIN_EXE_genten")).case("tests/cmd/check-output.trycmd");
}

/// 000-19: each fault with its place and its code.
#[test]
fn a_program_gets_faults_with_place_and_code() {
    let world = World::new();
    let result = serde_json::json!({
        "content": [],
        "structuredContent": {
            "data": {"a/b": {"sourceRefs": ["s-1"]}},
            "provenance": {"generatedAt": "2026-11-30T08:15:01Z", "sources": []}
        }
    });
    let response = serde_json::json!({"jsonrpc": "2.0", "id": 1, "result": result});
    world.write("response.json", response.to_string());
    let run = world.genten(&["--json", "mcp", "check-output", "response.json"]).expect(1);
    let report = &run.json()[0];
    assert_eq!((&report["fits"], &report["outcome"]), (&false.into(), &"success".into()));
    let found: Vec<_> = report["faults"].as_array().unwrap().iter().collect();
    let place = "/result/structuredContent";
    assert_eq!(found[0]["code"], "output.schema");
    assert_eq!(found[0]["pointer"], format!("{place}/provenance/sources"));
    assert_eq!(found[1]["code"], "output.source-ref");
    assert_eq!(found[1]["pointer"], format!("{place}/data/a~1b/sourceRefs/0"));
    for fault in &found {
        let pointer = fault["pointer"].as_str().unwrap();
        assert!(response.pointer(pointer).is_some(), "{pointer} stands in the file");
    }
}

/// Names and messages come from outside, and neither of them paints the terminal.
#[test]
fn text_from_outside_stays_harmless() {
    let world = World::new();
    let refused =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\\u001b[2J\"}}";
    world.write("refused.json", refused);
    let run = world.genten(&["mcp", "check-output", "refused.json"]).expect(1);
    assert!(!run.stdout.contains('\u{1b}'), "{run:#?}");
    world.write("kind.json", r#"{"data":1,"provenance":{"sources":[]}}"#);
    let odd = ["mcp", "check-output", "kind.json", "--source-type", "\u{ffff}"];
    world.genten(&odd).expect(2).talks("--source-type");
    assert!(!world.home().exists(), "nothing of it needs a home");
}
