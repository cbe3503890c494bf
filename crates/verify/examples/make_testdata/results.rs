//! Saved results of tools: the whole result is the signed one, and answers the call that was asked.

use genten_mcp::binding::{bind, bind_data};
use serde_json::{Value, json};

use super::world::{Named, draft, signer, stranger};
use crate::common::case::Case;
use crate::common::manifest::{Draft, plain_claims, sha256};

const KEY: &str = "com.example/provenance-manifests";

pub(crate) fn cases() -> Vec<Case> {
    [shapes(), changes(), sets(), calls(), sources()].concat()
}

fn answer() -> Value {
    json!({
        "content": [{"type": "text", "text": "{\"article\":1}"}],
        "structuredContent": {"article": 1},
    })
}

fn call() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "law", "arguments": {"article": 1}}})
}

/// A manifest of one fetch of several, bound to a result of the call.
fn bound(result: &Value, index: u32, of: u32) -> Draft {
    let digest = bind(result.to_string().as_bytes()).unwrap().to_string();
    let request = json!({"tool": "law", "arguments_sha256": sha256(b"{\"article\":1}"),
        "fetch": {"index": index, "of": of}});
    draft().with("/result_sha256", digest).with("/request", request)
}

fn value(manifest: &str) -> Value {
    serde_json::from_str(manifest).unwrap()
}

fn with(mut result: Value, manifests: &[Draft]) -> Value {
    let manifests: Vec<_> = manifests.iter().map(|draft| value(&draft.sign())).collect();
    result["_meta"] = json!({KEY: manifests});
    result
}

fn signed(result: Value) -> Value {
    let manifest = bound(&result, 0, 1);
    with(result, &[manifest])
}

fn case(result: &Value) -> Case {
    Case::result(result.to_string()).signer(&signer().did_key())
}

fn shapes() -> Vec<Case> {
    let result = signed(answer());
    let response = json!({"jsonrpc": "2.0", "id": 1, "result": result});
    let python = json!({"meta": result["_meta"], "structured_content": {"article": 1.0}, "is_error": false,
        "content": [{"text": "{\"article\":1}", "type": "text", "annotations": null, "meta": null}]});
    let data = json!({"article": 1});
    let digest = bind_data(data.to_string().as_bytes()).unwrap().to_string();
    let provenance = value(&draft().with("/result_sha256", digest).sign());
    let resource = json!({"contents": [{"uri": "https://law.example/1", "text": "Article 1"}]});
    let digest = bind(resource.to_string().as_bytes()).unwrap().to_string();
    let request = json!({"resource": "https://law.example/1", "fetch": {"index": 0, "of": 1}});
    let resource =
        with(resource, &[draft().with("/result_sha256", digest).with("/request", request)]);
    vec![
        case(&result).accepted(
            "result-alone",
            "A result of a tool, as it was sent.",
            &["result.same"],
        ),
        case(&response).accepted("result-response", "The JSON-RPC response around it.", &[]),
        case(&python).accepted(
            "result-python",
            "The same in the spelling of the SDK for Python.",
            &[],
        ),
        case(&json!({"data": data, "provenance": provenance})).accepted(
            "result-data",
            "Data with a manifest beside it.",
            &[],
        ),
        case(&resource).accepted("result-resource", "The contents of a resource.", &[]),
        case(&json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}, "error": {}})).rejected(
            "result-and-error",
            "A response with a result and an error.",
            "mcp.malformed",
        ),
    ]
}

fn changes() -> Vec<Case> {
    let changed = |pointer: &str, value: Value| {
        let mut result = signed(answer());
        *result.pointer_mut(pointer).unwrap() = value;
        case(&result)
    };
    let mut uncovered = signed(answer());
    uncovered["summary"] = json!("read this");
    let block = json!([answer()["content"][0], {"type": "tree", "root": 1}]);
    let failed = json!({"content": [{"type": "text", "text": "no such law"}], "isError": true});
    vec![
        changed("/structuredContent/article", json!(2)).rejected(
            "result-value",
            "One value was changed.",
            "result.other",
        ),
        changed("/content/0/text", json!("{\"article\":2}")).rejected(
            "result-text",
            "One character of the text was changed.",
            "result.other",
        ),
        changed("/content", json!([])).rejected(
            "result-block-dropped",
            "A block was taken away.",
            "result.other",
        ),
        changed("/content", block)
            .reviewed(
                "result-block-unknown",
                "A block of a type that nothing covers was added.",
                "mcp.block",
            )
            .also(&["result.not-compared"]),
        case(&uncovered).reviewed(
            "result-uncovered",
            "A member was added that the digest does not cover.",
            "mcp.uncovered",
        ),
        case(&answer()).reviewed(
            "result-without-manifest",
            "Nobody stands behind it.",
            "mcp.no-manifest",
        ),
        case(&failed).reviewed("result-error", "The tool failed.", "mcp.error-result"),
    ]
}

fn sets() -> Vec<Case> {
    let pair = || [bound(&answer(), 0, 2), bound(&answer(), 1, 2)];
    let [first, second] = pair();
    let of_other = bound(&answer(), 1, 2).with("/request/tool", "decree");
    let foreign = Draft::new(&stranger(), &stranger().did_key());
    let digest = bind(answer().to_string().as_bytes()).unwrap().to_string();
    let mut joined = signed(answer());
    joined["_meta"]["org.other/provenance-manifests"] =
        json!([value(&foreign.with("/result_sha256", digest).sign())]);
    vec![
        case(&with(answer(), &pair())).accepted("result-two-fetches", "Made of two fetches.", &[]),
        case(&with(answer(), std::slice::from_ref(&first))).reviewed(
            "result-fetch-missing",
            "One of two manifests was taken away.",
            "mcp.fetch-missing",
        ),
        case(&with(answer(), &[first.clone(), first.clone(), second])).rejected(
            "result-fetch-doubled",
            "One manifest stands twice.",
            "mcp.fetch-doubled",
        ),
        case(&with(answer(), &[first, of_other])).rejected(
            "result-of-two-calls",
            "Manifests of two calls in one result.",
            "mcp.set-disagrees",
        ),
        case(&joined).reviewed(
            "result-stranger",
            "Somebody else has put a manifest of his own beside it.",
            "signer.not-trusted",
        ),
    ]
}

fn calls() -> Vec<Case> {
    let asked = |call: Value| case(&signed(answer())).request(call.to_string());
    let mut other = call();
    other["params"]["arguments"]["article"] = json!(2);
    let mut nonced = call();
    nonced["params"]["_meta"] = json!({"com.example/nonce": "n-1"});
    let with_nonce = with(answer(), &[bound(&answer(), 0, 1).with("/request/nonce", "n-1")]);
    vec![
        asked(call()).accepted("result-call", "It answers the call.", &["request.same"]),
        asked(other).rejected("result-other-call", "It answers another call.", "request.other"),
        asked(nonced.clone()).rejected(
            "result-other-nonce",
            "The call had a nonce, the result has none.",
            "request.other-nonce",
        ),
        case(&with_nonce).request(nonced.to_string()).accepted(
            "result-nonce",
            "It answers this very call.",
            &["request.same-call"],
        ),
    ]
}

fn sources() -> Vec<Case> {
    let shown = |uri: &Value, time: &str| {
        let mut result = answer();
        let source = json!({"id": "S1", "uri": uri, "retrievedAt": time});
        result["structuredContent"]["provenance"] = json!({"sources": [source]});
        case(&signed(result))
    };
    let claims = plain_claims();
    let (url, time) = (&claims["source_url"], claims["fetched_at"].as_str().unwrap());
    vec![
        shown(url, time).accepted(
            "result-source",
            "It shows the source that was fetched.",
            &["mcp.source-attested"],
        ),
        shown(url, "2020-01-01T00:00:00Z").rejected(
            "result-source-time",
            "It shows another time for the source.",
            "mcp.source-other",
        ),
        shown(&json!("https://elsewhere.example/"), time).reviewed(
            "result-source-unattested",
            "It shows a source that was not fetched.",
            "mcp.source-unattested",
        ),
    ]
}
