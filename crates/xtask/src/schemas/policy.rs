//! `policy.schema.json`: a policy file, TOML read as JSON.

use genten_manifest::SourceClass;
use genten_verify::Requirement;
use serde_json::{Value, json};

use super::parts::{closed, defined, document, full_list, list, url_pattern, words};

const ABOUT: &str = "What a verifier wants to see: a TOML file, which this describes as the JSON of the same shape.";

const BUILT_IN: [&str; 3] = ["basic", "mcp11", "high-trust"];

/// The schema.
pub(super) fn schema() -> Value {
    let properties = json!({
        "base": words(BUILT_IN),
        "classes": classes(),
        "limits": limits(),
        "name": { "type": "string", "not": { "enum": BUILT_IN } },
        "require": require(),
        "should": by_class(list(defined("requirement"))),
        "version": { "const": 1 },
    });
    let mut schema = closed(&["name", "require", "version"], properties);
    schema["$defs"] = json!({
        "class": words(class_words()),
        "duration": { "type": "string", "pattern": "^[0-9]{1,9}[smhd]$" },
        "pattern": url_pattern(),
        "requirement": words(Requirement::ALL.iter().map(|word| word.as_str())),
    });
    document("policy", "Policy of a verifier, version 1", ABOUT, schema)
}

/// The classes of manifests, and one of policies only.
fn class_words() -> impl Iterator<Item = &'static str> {
    SourceClass::ALL.iter().map(|class| class.as_str()).chain(["regulated"])
}

fn by_class(words_of_class: Value) -> Value {
    let names: Vec<_> = class_words().chain(["default"]).collect();
    json!({
        "type": "object",
        "propertyNames": { "enum": names },
        "additionalProperties": words_of_class,
    })
}

/// Nothing counts without a signature by a trusted signer.
fn require() -> Value {
    let mut lists = list(defined("requirement"));
    lists["allOf"] =
        json!(["signature", "signer"].map(|word| json!({ "contains": { "const": word } })));
    let mut require = by_class(lists);
    require["required"] = json!(["default"]);
    require
}

fn classes() -> Value {
    json!({
        "type": "object",
        "propertyNames": defined("pattern"),
        "additionalProperties": { "anyOf": [defined("class"), full_list(defined("class"))] },
    })
}

fn limits() -> Value {
    let properties = json!({
        "allow_partial": { "type": "boolean" },
        "allow_requests": { "type": "boolean" },
        "archives": list(defined("pattern")),
        "clock_skew": defined("duration"),
        "cross_site_redirects": words(["allow", "warn", "deny"]),
        "max_age": defined("duration"),
        "timestamp_delay": defined("duration"),
    });
    closed(&[], properties)
}
