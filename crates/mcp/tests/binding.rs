//! The digest that binds a result, against another implementation, and the same in whatever shape a client has saved it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use genten_mcp::binding::{bind, bind_data};
use genten_mcp::saved::{Outcome, Saved, SavedError, read_document};
use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64;
use serde_json::{Value, json};

/// As the format says it, written with other libraries.
fn expected(structured: Option<Value>, is_error: bool, blocks: &[Value]) -> Sha256Digest {
    let digest = |value: &Value| {
        Sha256Digest::of(&serde_json_canonicalizer::to_vec(value).unwrap()).to_string()
    };
    let blocks: Vec<_> = blocks.iter().map(digest).collect();
    let mut result = json!({"is_error": is_error, "blocks": blocks});
    if let Some(structured) = structured {
        result["structured"] = structured;
    }
    Sha256Digest::of(&serde_json_canonicalizer::to_vec(&result).unwrap())
}

fn sha256(bytes: &[u8]) -> String {
    Sha256Digest::of(bytes).to_string()
}

/// A result with a block of each type, as it goes over the wire.
fn result() -> Value {
    json!({
        "content": [
            {"type": "text", "text": "{\"share\":0.5}"},
            {"type": "image", "data": base64(b"\x89PNG"), "mimeType": "image/png"},
            {"type": "audio", "data": base64(b"RIFF"), "mimeType": "audio/wav"},
            {"type": "resource_link", "uri": "https://law.example/1", "name": "law", "title": "Law"},
            {"type": "resource", "resource":
                {"uri": "https://law.example/1", "mimeType": "text/plain", "text": "Article 1"}},
            {"type": "resource", "resource": {"uri": "https://law.example/2", "blob": base64(b"%PDF")}},
        ],
        "structuredContent": {"share": 0.5, "count": 3, "10": null, "2": ["é", "\u{1f4dc}"]},
    })
}

fn digest_of_result() -> Sha256Digest {
    let (text, pdf) = (sha256(b"Article 1"), sha256(b"%PDF"));
    let blocks = [
        json!(["text", "{\"share\":0.5}"]),
        json!(["image", "image/png", sha256(b"\x89PNG")]),
        json!(["audio", "audio/wav", sha256(b"RIFF")]),
        json!(["resource_link", "https://law.example/1", "law", "Law", "", ""]),
        json!(["resource", "https://law.example/1", "text/plain", "text", text]),
        json!(["resource", "https://law.example/2", "", "blob", pdf]),
    ];
    expected(Some(result()["structuredContent"].clone()), false, &blocks)
}

fn bound(value: &Value) -> Result<Sha256Digest, &'static str> {
    bind(value.to_string().as_bytes()).map_err(|error| error.code())
}

/// The digest of a saved result, whatever is beside it.
fn saved(text: &str) -> (Sha256Digest, Vec<String>) {
    let document = read_document(text.as_bytes()).unwrap();
    let saved = Saved::read(document.root()).unwrap();
    (saved.object().unwrap().digest().unwrap(), saved.uncovered().to_vec())
}

#[test]
fn every_type_of_block_is_covered_as_the_format_says() {
    assert_eq!(bound(&result()), Ok(digest_of_result()));
    let text = json!({"content": [], "isError": true, "structuredContent": null});
    assert_eq!(bound(&text), Ok(expected(None, true, &[])));
    let resource = json!({"contents": [
        {"uri": "https://law.example/1", "mimeType": "text/plain", "text": "Article 1"}]});
    let block =
        json!(["resource", "https://law.example/1", "text/plain", "text", sha256(b"Article 1")]);
    assert_eq!(bound(&resource), Ok(expected(None, false, &[block])));
    let data = json!({"article": 1.5});
    let digest = bind_data(data.to_string().as_bytes()).unwrap();
    assert_eq!(digest, expected(Some(data), false, &[]));
}

/// What the SDKs do to a result: other spellings, nulls, another order, `1` for `1.0`.
#[test]
fn clients_save_one_result_in_many_shapes() {
    let mut python = result();
    let object = python.as_object_mut().unwrap();
    let structured = object.remove("structuredContent").unwrap();
    object.insert("structured_content".into(), structured);
    object.insert("is_error".into(), json!(false));
    object.insert("meta".into(), json!({"com.example/provenance-manifests": []}));
    object.insert("result_type".into(), json!("complete"));
    for block in object["content"].as_array_mut().unwrap() {
        let block = block.as_object_mut().unwrap();
        block.insert("annotations".into(), Value::Null);
        block.insert("meta".into(), Value::Null);
        if let Some(mime) = block.remove("mimeType") {
            block.insert("mime_type".into(), mime);
        }
        if block["type"] == "resource_link" {
            block.extend([("size".into(), json!(5)), ("description".into(), Value::Null)]);
            block.insert("mime_type".into(), Value::Null);
        }
    }
    let response = json!({"jsonrpc": "2.0", "id": 7, "result": result()});
    let typescript = format!(
        r#"{{"_meta":{{}},"structuredContent":{{"2":["é","📜"],"10":null,"share":5e-1,"count":3.0}},"content":{}}}"#,
        result()["content"]
    );
    let pretty = serde_json::to_string_pretty(&result()).unwrap();
    for text in [python.to_string(), response.to_string(), typescript, pretty] {
        assert_eq!(saved(&text), (digest_of_result(), vec![]), "{text}");
    }
}

/// 003-09: annotations are nothing that anybody relies on.
#[test]
fn whatever_is_covered_changes_the_digest() {
    for (pointer, value) in [
        ("/content/0/text", json!("{\"share\":0.6}")),
        ("/content/1/data", json!(base64(b"\x89PNg"))),
        ("/content/1/mimeType", json!("image/jpeg")),
        ("/content/1/type", json!("audio")),
        ("/content/3/uri", json!("https://law.example/3")),
        ("/content/3/title", json!("")),
        ("/content/4/resource/text", json!("Article 2")),
        ("/content/4/resource/uri", json!("https://law.example/3")),
        ("/content/5/resource/blob", json!(base64(b"%PDf"))),
        ("/structuredContent/share", json!(0.25)),
        ("/structuredContent/10", json!(0)),
    ] {
        let mut changed = result();
        *changed.pointer_mut(pointer).unwrap() = value;
        assert_ne!(bound(&changed).unwrap(), digest_of_result(), "{pointer}");
    }
    let mut failed = result();
    failed["isError"] = json!(true);
    assert_ne!(bound(&failed).unwrap(), digest_of_result());
    let mut shorter = result();
    shorter["content"].as_array_mut().unwrap().pop();
    assert_ne!(bound(&shorter).unwrap(), digest_of_result());
    let mut swapped = result();
    swapped["content"].as_array_mut().unwrap().swap(0, 1);
    assert_ne!(bound(&swapped).unwrap(), digest_of_result());
}

/// Clients in Python read every digit of an integer, so that a digest over the nearest double would cover several.
#[test]
fn an_integer_that_is_no_double_is_not_taken_for_its_neighbour() {
    let with = |number: &str| format!(r#"{{"content":[],"structuredContent":{{"sum":{number}}}}}"#);
    let signed = bind(with("1e20").as_bytes()).unwrap();
    assert_eq!(saved(&with("100000000000000000000")).0, signed, "as JavaScript prints it");
    assert_ne!(saved(&with("100000000000000000001")).0, signed);
}

#[test]
fn what_a_reader_could_get_otherwise_is_not_bound() {
    let with = |pointer: &str, name: &str, value: Value| {
        let mut changed = result();
        let object = changed.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
        object.insert(name.to_owned(), value);
        bound(&changed)
    };
    for (pointer, name, value, code) in [
        ("", "summary", json!("x"), "bind.uncovered"),
        ("/content/0", "html", json!("x"), "bind.uncovered"),
        ("/content/4/resource", "html", json!("x"), "bind.uncovered"),
        ("/content/0", "type", json!("video"), "bind.block"),
        ("/content/1", "data", json!("?"), "bind.block"),
        ("/content/1", "data", json!(7), "bind.block"),
        ("/content/1", "mime_type", json!("image/png"), "bind.block"),
        ("/content/4/resource", "blob", json!("AA=="), "bind.block"),
        ("/content/4", "resource", json!("text"), "bind.block"),
        ("/structuredContent", "big", json!(1_u64 << 53), "bind.integer"),
        ("/structuredContent", "big", json!([[{"a": -(1_i64 << 53)}]]), "bind.integer"),
        ("/content/3", "uri", json!("HTTPS://law.example/1"), "bind.uri"),
        ("/content/4/resource", "uri", json!("https://law.example"), "bind.uri"),
        ("/content/4/resource", "uri", json!("law/1"), "bind.uri"),
        ("", "isError", json!("no"), "bind.shape"),
        ("", "is_error", json!(false), "ok"),
        ("", "structured_content", json!({}), "bind.shape"),
        ("", "content", json!({}), "bind.shape"),
        ("/content/0", "annotations", json!({"audience": ["user"]}), "ok"),
        ("", "_meta", json!({"x.y/z": 1}), "ok"),
    ] {
        let found = with(pointer, name, value).map_or_else(|code| code, |_| "ok");
        assert_eq!(found, code, "{pointer} {name}");
    }
    for (text, code) in [
        ("{}", "bind.shape"),
        ("[]", "bind.shape"),
        (r#"{"content":[{"type":"tree"}]}"#, "bind.block"),
        (r#"{"content":[],"content":[]}"#, "json.duplicate-member"),
        ("", "json.unexpected-end"),
    ] {
        assert_eq!(bind(text.as_bytes()).unwrap_err().code(), code, "{text}");
    }
}

#[test]
fn the_outcome_of_a_call_and_its_manifests_are_told_apart() {
    let read = |value: Value| {
        let text = value.to_string();
        let document = read_document(text.as_bytes()).unwrap();
        let saved = Saved::read(document.root())?;
        Ok::<_, SavedError>((
            saved.outcome().clone(),
            saved.manifests().len(),
            saved.uncovered().to_vec(),
        ))
    };
    let none: Vec<String> = Vec::new();
    let manifests = json!({
        "a.b/provenance-manifests": [{}], "c.d/provenance-manifests": [{}, {}], "a.b/provenance": {},
        "com.mcp/provenance-manifests": [{}], "provenance-manifests": [{}],
    });
    let success = json!({"content": [], "_meta": manifests});
    assert_eq!(read(success), Ok((Outcome::Success, 3, none.clone())));
    let failed = json!({"id": 1, "jsonrpc": "2.0", "result": {"content": [], "isError": true}});
    assert_eq!(read(failed), Ok((Outcome::ToolError, 0, none.clone())));
    let error =
        json!({"id": 1, "jsonrpc": "2.0", "error": {"code": -32602, "message": "Unknown tool"}});
    let outcome = Outcome::ProtocolError { code: Some(-32602), message: "Unknown tool".into() };
    assert_eq!(read(error), Ok((outcome, 0, none.clone())));
    let data = json!({"data": 1, "provenance": {"mcp_signature": "x"}, "note": "y"});
    assert_eq!(read(data), Ok((Outcome::Success, 1, vec!["$.note".to_owned()])));
    let other = json!({"data": 1, "provenance": {"sources": []}});
    assert_eq!(read(other), Ok((Outcome::Success, 0, vec!["$.provenance".to_owned()])));

    for broken in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}, "error": {}}),
        json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}, "meta": {}}),
        json!({"jsonrpc": "2.0", "id": 1}),
        json!({"content": [], "_meta": {}, "meta": {}}),
        json!({"content": [], "_meta": {"a.b/provenance-manifests": {}}}),
        json!({"content": 1}),
        json!({}),
    ] {
        assert!(read(broken.clone()).is_err(), "{broken}");
    }
}
