//! `policy.schema.json` and the reader of policies.

use genten_verify::Policy;
use serde_json::{Value, json};

use crate::differences::compare;
use crate::schema;

/// JSON as TOML; `None` where TOML has no such value.
fn toml(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(toml).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Object(members) => {
            let members: Option<Vec<_>> = members
                .iter()
                .map(|(name, value)| Some(format!("{} = {}", json!(name), toml(value)?)))
                .collect();
            format!("{{{}}}", members?.join(", "))
        }
        scalar => scalar.to_string(),
    })
}

fn document(policy: &Value) -> Option<String> {
    let members = policy.as_object()?.iter();
    let lines: Option<Vec<_>> = members
        .map(|(name, value)| Some(format!("{} = {}\n", json!(name), toml(value)?)))
        .collect();
    Some(lines?.concat())
}

fn accepts(policy: &Value) -> bool {
    document(policy).is_some_and(|text| Policy::read(&text).is_ok())
}

#[test]
fn a_full_policy_and_its_neighbours() {
    let policy = json!({
        "version": 1,
        "name": "newsroom",
        "base": "mcp11",
        "require": {
            "default": ["signature", "signer", "content"],
            "static": ["signature", "signer", "log.content"],
            "regulated": ["signature", "signer", "time"],
        },
        "should": { "static": ["log"], "default": [] },
        "classes": { "https://a.example/*": "static", "https://b.example/": ["regulated", "static"] },
        "limits": {
            "clock_skew": "60s", "timestamp_delay": "24h", "max_age": "30d", "allow_partial": true, "allow_requests": false,
            "cross_site_redirects": "warn", "archives": ["https://web.archive.org/web/*"],
        },
    });
    compare(&schema("policy"), accepts, &policy, &[]);
}

#[test]
fn the_least_policy_and_its_neighbours() {
    let policy =
        json!({ "version": 1, "name": "x", "require": { "default": ["signature", "signer"] } });
    compare(&schema("policy"), accepts, &policy, &[]);
}

#[test]
fn reserved_names_are_refused() {
    for name in ["basic", "mcp11", "high-trust"] {
        let policy = json!({ "version": 1, "name": name, "require": { "default": ["signature", "signer"] } });
        assert!(!schema("policy").is_valid(&policy) && !accepts(&policy), "{name}");
    }
}
