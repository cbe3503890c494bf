//! JSON as the gateway of a Rekor server prints it: members in the order of the protobuf messages, a space after each comma.

use serde_json::Value;

/// The members of all messages that a log answers, each behind those that come before it in its message.
const ORDER: [&str; 17] = [
    "logIndex",
    "logId",
    "kindVersion",
    "integratedTime",
    "inclusionPromise",
    "inclusionProof",
    "canonicalizedBody",
    "keyId",
    "kind",
    "version",
    "rootHash",
    "treeSize",
    "hashes",
    "checkpoint",
    "code",
    "message",
    "details",
];

pub(super) fn print(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(print).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_by_key(|(name, _)| ORDER.iter().position(|known| known == name));
            let members = members
                .into_iter()
                .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), print(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
