//! `genten mcp citations`.

use crate::world::World;

const ANSWER: &str = r#"{"claims":[{"id":"C1","text":"The law is public.","citation_id":"S1"}]}"#;
const SOURCES: &str =
    r#"{"sources":[{"id":"S1","content":"Article 1. Everybody may know the law."}]}"#;

fn world() -> World {
    let world = World::new();
    world.write("answer.json", ANSWER);
    world.write("sources.json", SOURCES);
    world
}

#[test]
fn a_reviewer_fills_in_the_verdicts_and_the_answer_is_decided() {
    let world = world();
    let form = world.genten(&["mcp", "citations", "--fingerprints", "answer.json", "sources.json"]);
    let form = form.expect(0).stdout.clone();
    let decide = ["mcp", "citations", "answer.json", "sources.json", "reviews.json"];
    for (verdict, status, said) in [("supported", 0, "ACCEPT"), ("unsupported", 1, "REJECT")] {
        let filled_in = format!("\"verdict\": \"{verdict}\"");
        world.write("reviews.json", form.replace("\"verdict\": \"\"", &filled_in));
        world.genten(&decide).expect(status).says(&format!("\"status\": \"{said}\""));
    }
    world.write("reviews.json", r#"{"reviews":[]}"#);
    let run = world.genten(&decide).expect(1);
    let expected = "{\n  \"status\": \"REVIEW\",\n  \"reasons\": [\n    \"C1: 根拠確認が未実施です\"\n  ]\n}\n";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (expected, ""));
    assert!(!world.home().exists(), "nothing of it needs a home");
}

/// 002-15.
#[test]
fn what_makes_no_decision_ends_with_2() {
    let world = world();
    world.write("reviews.json", "{bad");
    let decide = |reviews| ["mcp", "citations", "answer.json", "sources.json", reviews];
    world
        .genten(&decide("reviews.json"))
        .expect(2)
        .talks("reviews: not JSON (byte 1) [citation.json]");
    world.genten(&decide("missing.json")).expect(2).talks("missing.json");
    world.genten(&["mcp", "citations", "answer.json", "sources.json"]).expect(2).talks("REVIEWS");
    let broken = ["mcp", "citations", "--fingerprints", "sources.json", "answer.json"];
    world.genten(&broken).expect(2).talks("[citation.contract]");
}
