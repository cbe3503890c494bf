//! Saved MCP results: the whole result is the signed one, or there is no acceptance.

use genten_manifest::{Bound, FetchPosition, RequestBinding};
use genten_mcp::binding::{bind, bind_data};
use genten_mcp::call::arguments_sha256;
use genten_primitives::json::{Limits, read};
use serde_json::{Value, json};

use crate::common::{Ran, TestSigner, World, claims, signer};

const KEY: &str = "com.example/provenance-manifests";
const LAW: &str = "https://law.example/1";

/// What a tool answers, before provenance.
fn answer() -> Value {
    json!({
        "content": [{"type": "text", "text": "{\"article\":1,\"share\":0.5}"}],
        "structuredContent": {"article": 1, "share": 0.5},
    })
}

fn arguments() -> Value {
    json!({"article": 1})
}

fn request(index: u32, of: u32, nonce: Option<&str>) -> RequestBinding {
    let text = arguments().to_string();
    let document = read(text.as_bytes(), Limits::bytes(1000)).unwrap();
    let arguments_sha256 = arguments_sha256(Some(document.root())).unwrap();
    RequestBinding {
        bound: Bound::Tool { name: "law".parse().unwrap(), arguments_sha256 },
        fetch: FetchPosition::new(index, of),
        nonce: nonce.map(|nonce| nonce.parse().unwrap()),
    }
}

/// Manifests of so many fetches, bound to a result.
fn manifests(signer: &TestSigner, result: &Value, of: u32, nonce: Option<&str>) -> Vec<Value> {
    let digest = bind(result.to_string().as_bytes()).unwrap();
    (0..of)
        .map(|index| {
            let claims = claims(LAW, format!("law {index}").as_bytes())
                .result_sha256(digest)
                .request(request(index, of, nonce));
            let manifest = signer.sign(claims.finish().unwrap()).unwrap();
            serde_json::from_slice(&manifest.to_json()).unwrap()
        })
        .collect()
}

fn with_manifests(mut result: Value, manifests: Vec<Value>) -> Value {
    result["_meta"] = json!({KEY: manifests});
    result
}

/// A result with its manifests, as the server sends it.
fn signed(world: &World, of: u32) -> Value {
    with_manifests(answer(), manifests(&world.signer, &answer(), of, None))
}

fn verify(world: &World, result: &Value) -> Ran {
    world.write("result.json", result.to_string());
    world.verify(&["result.json", "--key", "key.pem"])
}

#[test]
fn a_saved_result_is_accepted_in_every_shape() {
    let world = World::new();
    let result = signed(&world, 1);
    let run = verify(&world, &result).expect(0);
    run.says("ACCEPT result.json: valid signature")
        .says("the whole result is the one that was signed");
    let response = json!({"jsonrpc": "2.0", "id": 3, "result": result});
    verify(&world, &response).expect(0);
    let python = json!({
        "meta": result["_meta"], "structured_content": {"share": 5e-1, "article": 1.0},
        "content": [{"text": "{\"article\":1,\"share\":0.5}", "type": "text", "annotations": null, "meta": null}],
        "is_error": false, "result_type": "complete",
    });
    verify(&world, &python).expect(0);
    world.write("pretty.json", serde_json::to_string_pretty(&result).unwrap());
    world.verify(&["pretty.json", "--key", "key.pem"]).expect(0);
    world.verify(&["pretty.json", "--key", "key.pem", "--policy", "mcp11"]).expect(0);
}

#[test]
fn each_change_of_a_result_has_its_own_code() {
    let world = World::new();
    let changed = |pointer: &str, value: Value| {
        let mut result = signed(&world, 1);
        *result.pointer_mut(pointer).unwrap() = value;
        result
    };
    let added = |name: &str, value: Value| {
        let mut result = signed(&world, 1);
        result[name] = value;
        result
    };
    let text = json!({"type": "text", "text": "more"});
    let both = json!([answer()["content"][0], text]);
    let strange = json!([answer()["content"][0], {"type": "tree"}]);
    let mut bare = answer();
    bare["_meta"] = json!({"com.example/other": 1});
    for (result, status, code) in [
        (changed("/structuredContent/article", json!(2)), 1, "result.other"),
        (changed("/content/0/text", json!("{\"article\":1,\"share\":0.6}")), 1, "result.other"),
        (changed("/structuredContent", Value::Null), 1, "result.other"),
        (changed("/content", both), 1, "result.other"),
        (changed("/content", json!([])), 1, "result.other"),
        (added("isError", json!(true)), 1, "result.other"),
        (changed("/content", strange), 3, "mcp.block"),
        (added("summary", json!("read this")), 3, "mcp.uncovered"),
        (bare, 3, "mcp.no-manifest"),
        (changed(&format!("/_meta/{}", KEY.replace('/', "~1")), json!([])), 3, "mcp.no-manifest"),
        (changed(&format!("/_meta/{}", KEY.replace('/', "~1")), json!({})), 1, "mcp.malformed"),
        (
            changed(&format!("/_meta/{}", KEY.replace('/', "~1")), json!([{"mcp_signature": 1}])),
            1,
            "manifest.missing-member",
        ),
        (added("structured_content", json!({})), 1, "mcp.malformed"),
    ] {
        verify(&world, &result).expect(status).says(&format!("[{code}]"));
    }
    verify(&world, &json!({"content": [], "isError": true})).expect(3).says("[mcp.error-result]");
    let error =
        json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "Unknown tool"}});
    verify(&world, &error).expect(3).says("[mcp.error-result]").says("-32602: Unknown tool");
    let both = json!({"jsonrpc": "2.0", "id": 1, "error": {}, "result": signed(&world, 1)});
    verify(&world, &both).expect(1).says("[mcp.malformed]");
    world.write("twice.json", r#"{"content":[],"content":[]}"#);
    world.verify(&["twice.json"]).expect(1).says("[json.duplicate-member]");
    let asks = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}});
    verify(&world, &asks).expect(2).complains("no answer of a tool or resource");
}

#[test]
fn all_manifests_of_a_result_count() {
    let world = World::new();
    verify(&world, &signed(&world, 2)).expect(0).says("ACCEPT result.json (manifest 2 of 2)");
    let pair = manifests(&world.signer, &answer(), 2, None);
    let result = |manifests: Vec<Value>| with_manifests(answer(), manifests);
    verify(&world, &result(vec![pair[0].clone()])).expect(3).says("[mcp.fetch-missing]");
    let doubled = vec![pair[0].clone(), pair[0].clone(), pair[1].clone()];
    verify(&world, &result(doubled)).expect(1).says("[mcp.fetch-doubled]");
    let mut other = answer();
    other["structuredContent"]["article"] = json!(2);
    let swapped = manifests(&world.signer, &other, 2, None);
    let mixed = vec![pair[0].clone(), swapped[1].clone()];
    verify(&world, &result(mixed)).expect(1).says("[mcp.set-disagrees]").says("[result.other]");
    verify(&world, &result(swapped)).expect(1).says("[result.other]");

    // Somebody else's manifest under another prefix is no help, and no excuse.
    let stranger = manifests(&signer(genten_jws::Algorithm::EdDsa, 9), &answer(), 1, None);
    let mut joined = signed(&world, 1);
    joined["_meta"]["org.other/provenance-manifests"] = json!(stranger);
    let run = verify(&world, &joined).expect(3);
    run.says("ACCEPT result.json (manifest 1 of 2)").says("REVIEW result.json (manifest 2 of 2)");
    joined["_meta"]["org.other/provenance-manifests"][0]["fetched_at"] =
        json!("2026-11-30T08:15:01Z");
    verify(&world, &joined).expect(1);
}

#[test]
fn a_result_answers_the_call_that_was_asked() {
    let world = World::new();
    let asked = |arguments: Value, nonce: Option<&str>| {
        let mut params = json!({"name": "law", "arguments": arguments});
        if let Some(nonce) = nonce {
            params["_meta"] = json!({"com.example/nonce": nonce});
        }
        world.write(
            "call.json",
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
                .to_string(),
        );
        world.verify(&["result.json", "--key", "key.pem", "--request", "call.json"])
    };
    world.write("result.json", signed(&world, 1).to_string());
    asked(arguments(), None).expect(0).says("bound to this tool and these arguments");
    asked(json!({"article": 1.0}), None).expect(0);
    asked(json!({"article": 2}), None).expect(1).says("[request.other]");
    asked(arguments(), Some("n-1")).expect(1).says("[request.other-nonce]");

    let nonced = with_manifests(answer(), manifests(&world.signer, &answer(), 1, Some("n-1")));
    world.write("result.json", nonced.to_string());
    asked(arguments(), Some("n-1")).expect(0).says("bound to this very call");
    asked(arguments(), Some("n-2")).expect(1).says("[request.other-nonce]");
    asked(arguments(), None).expect(1).says("[request.other-nonce]");

    world.fetched("law.txt", b"the law");
    let words = ["law.txt.provenance.json", "--key", "key.pem", "--request", "call.json"];
    world.verify(&words).expect(2).complains("[input.not-result]");
    world.write("call.json", "{}");
    world.verify(&["result.json", "--request", "call.json"]).expect(2).complains("[input.call]");
}

#[test]
fn data_with_a_manifest_beside_it_is_one_result() {
    let world = World::new();
    let data = json!({"article": 1, "share": 0.5});
    let claims = claims(LAW, b"law").result_sha256(bind_data(data.to_string().as_bytes()).unwrap());
    let manifest = world.signer.sign(claims.finish().unwrap()).unwrap();
    let provenance: Value = serde_json::from_slice(&manifest.to_json()).unwrap();
    let result = json!({"data": data, "provenance": provenance});
    verify(&world, &result).expect(0);
    let mut changed = result.clone();
    changed["data"]["article"] = json!(2);
    verify(&world, &changed).expect(1).says("[result.other]");
    let mut more = result;
    more["note"] = json!("read this");
    verify(&world, &more).expect(3).says("[mcp.uncovered]");
    let unbound = world.manifest(b"law");
    let provenance: Value = serde_json::from_slice(&unbound.to_json()).unwrap();
    let result = json!({"data": {}, "provenance": provenance});
    verify(&world, &result).expect(3).says("[result.missing]");
}

#[test]
fn sources_that_a_reader_sees_are_those_of_the_manifests() {
    let world = World::new();
    let with = |source: Value| {
        let mut result = answer();
        result["structuredContent"]["provenance"] = json!({"sources": [source]});
        with_manifests(result.clone(), manifests(&world.signer, &result, 1, None))
    };
    verify(&world, &with(json!({"uri": LAW, "retrievedAt": "2026-11-30T08:15:00Z"}))).expect(0);
    let other = with(json!({"uri": LAW, "retrievedAt": "2026-11-30T08:15:09Z"}));
    verify(&world, &other).expect(1).says("[mcp.source-other]");
    let foreign = with(json!({"uri": "https://elsewhere.example/"}));
    verify(&world, &foreign).expect(3).says("[mcp.source-unattested]");
    // A copy in _meta is not covered by the digest, and still has to be true.
    let mut copy = signed(&world, 1);
    copy["_meta"]["com.example/provenance"] =
        json!({"source_url": LAW, "retrieved_at": "2020-01-01T00:00:00Z"});
    verify(&world, &copy).expect(1).says("[mcp.source-other]");
}

#[test]
fn the_answers_of_a_session_are_held_against_their_calls() {
    let world = World::new();
    let call = |id: Value, article: u32| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "law", "arguments": {"article": article}}})
    };
    let response = |id: Value| json!({"jsonrpc": "2.0", "id": id, "result": signed(&world, 1)});
    let lines = |messages: &[Value]| {
        let text: Vec<_> = messages.iter().map(Value::to_string).collect();
        world.write("session.jsonl", text.join("\n"));
        world.verify(&["session.jsonl", "--key", "key.pem"])
    };
    let start = [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25"}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    let good = [
        &start[..],
        &[call(json!(1), 1), call(json!("1"), 1), response(json!(1)), response(json!("1"))],
    ]
    .concat();
    lines(&good).expect(0).says("ACCEPT session.jsonl:6").says("ACCEPT session.jsonl:7");
    let crossed = [&start[..], &[call(json!(1), 2), response(json!(1))]].concat();
    lines(&crossed).expect(1).says("REJECT session.jsonl:5").says("[request.other]");
    lines(&start).expect(2).complains("no answer of a tool or resource");
    let broken = [&start[..], &[call(json!(1), 1)]].concat();
    let text: Vec<_> = broken.iter().map(Value::to_string).collect();
    world.write("session.jsonl", format!("{}\n{{\"jsonrpc\":", text.join("\n")));
    world.verify(&["session.jsonl"]).expect(1).says("[json.unexpected-end]");
}

#[test]
fn bodies_and_evidence_belong_to_the_manifests_of_a_result() {
    let world = World::new();
    world.write("result.json", signed(&world, 2).to_string());
    world.write("bodies/a", "law 0");
    world.write("bodies/b", "law 1");
    let words = ["result.json", "--key", "key.pem", "--bodies", "bodies"];
    world.verify(&words).expect(0).says("is, byte for byte, what the signer says it fetched");
    world.write("bodies/b", "law 2");
    world.verify(&words).expect(3).says("[content.not-found]");
    let one = ["result.json", "--key", "key.pem", "--body", "bodies/a"];
    world.verify(&one).expect(2).complains("[input.one-body]");
    world.write("result.json", signed(&world, 1).to_string());
    world.verify(&one).expect(0);
}

/// Text may be long: what is read of a result is more than of a bundle.
#[test]
fn a_long_result_is_read_to_its_end() {
    let world = World::new();
    let mut long = answer();
    long["content"][0]["text"] = json!("x".repeat(3 << 20));
    let result = with_manifests(long.clone(), manifests(&world.signer, &long, 1, None));
    verify(&world, &result).expect(0);
    world.write(
        "result.json",
        format!("{{\"content\":[{{\"type\":\"text\",\"text\":\"{}", "x".repeat(65 << 20)),
    );
    world.verify(&["result.json"]).expect(1).says("[json.too-large]");
}
