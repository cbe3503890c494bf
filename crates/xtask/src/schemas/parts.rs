//! What several schemas share.

use serde_json::{Map, Value, json};

pub(super) const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The address that a schema is known by. Nothing is fetched from there.
pub(super) fn id(name: &str) -> String {
    format!("https://genten.dev/schemas/v1/{name}.schema.json")
}

/// Lower-case hexadecimal SHA-256.
pub(super) fn sha256() -> Value {
    json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
}

/// RFC 3339 in UTC, upper-case `T` and `Z`, no fraction or three digits, no leap second, years 0001 to 9999.
pub(super) fn time() -> Value {
    let year = "([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])";
    let clock = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{3})?";
    let pattern = format!("^{year}-[0-9]{{2}}-[0-9]{{2}}T{clock}Z$");
    json!({ "type": "string", "format": "date-time", "pattern": pattern })
}

/// RFC 4648 section 4 with padding, no bits set beyond the last byte.
pub(super) fn base64() -> Value {
    let end = "([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?";
    json!({ "type": "string", "pattern": format!("^([A-Za-z0-9+/]{{4}})*{end}$") })
}

/// RFC 4648 section 5 without padding, no bits set beyond the last byte, after a prefix. Not empty.
pub(super) fn base64url_after(prefix: &str) -> Value {
    let character = "[A-Za-z0-9_-]";
    let end = format!("({character}[AQgw]|{character}{{2}}[AEIMQUYcgkosw048])");
    let quads = format!("({character}{{4}})");
    json!({ "type": "string", "pattern": format!("^{prefix}({quads}+{end}?|{end})$") })
}

/// One of a few words.
pub(super) fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Value {
    json!({ "enum": words.into_iter().collect::<Vec<_>>() })
}

/// A text of 1 to `limit` characters.
pub(super) fn text(limit: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": limit })
}

/// An integer from 0 on that every JSON implementation keeps.
pub(super) fn count(maximum: u64) -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": maximum })
}

pub(super) const MAX_INTEGER: u64 = (1 << 53) - 1;

/// A list without and with something in it.
pub(super) fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

pub(super) fn full_list(items: Value) -> Value {
    json!({ "type": "array", "items": items, "minItems": 1 })
}

/// An object with exactly these members, those of `required` among them.
pub(super) fn closed(required: &[&str], properties: Value) -> Value {
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    })
}

/// `schema` and the members of `more` beside it.
pub(super) fn with(mut schema: Value, more: Value) -> Value {
    if let (Value::Object(schema), Value::Object(more)) = (&mut schema, more) {
        schema.extend(more);
    }
    schema
}

/// A reference to a definition of the same schema.
pub(super) fn defined(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// A whole schema: what every file says at its top, then the schema itself.
pub(super) fn document(name: &str, title: &str, about: &str, schema: Value) -> Value {
    let mut top = Map::new();
    top.insert("$schema".into(), DRAFT.into());
    top.insert("$id".into(), id(name).into());
    top.insert("title".into(), title.into());
    top.insert("description".into(), about.into());
    with(Value::Object(top), schema)
}

/// A URL as fetched: RFC 3986 characters, a scheme, for http and https a host, no user information, no fragment.
pub(super) fn source_url() -> Value {
    let characters = "([A-Za-z0-9._~:/?\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})";
    let host_and_port = "([^/?\\]]*\\]|[^/?:\\]]+)(:[0-9]*)?";
    json!({
        "type": "string",
        "maxLength": 8192,
        "pattern": format!("^[A-Za-z][A-Za-z0-9+.-]*:{characters}+$"),
        "not": { "pattern": "^[^:]*://[^/?]*@" },
        "if": { "pattern": WEB },
        "then": { "pattern": format!("^[^:]*://{host_and_port}([/?]|$)") },
    })
}

/// The beginning of an http or https URL.
pub(super) const WEB: &str = "^[Hh][Tt][Tt][Pp][Ss]?:";

/// A DID URL with fragment of method key, jwk or web, or another absolute URI.
pub(super) fn key_id() -> Value {
    let character = "[!$-;=?-\\[\\]_a-z~]";
    let pattern = format!("^[A-Za-z][A-Za-z0-9+.-]*:{character}+(#{character}*)?$");
    json!({
        "type": "string",
        "maxLength": 2048,
        "pattern": pattern,
        "if": { "pattern": "^[Dd][Ii][Dd]:" },
        "then": { "pattern": "^did:(key|jwk|web):[^#]+#[^#]+$" },
    })
}

/// A URL, or a prefix with a `*` as its last character; a `urn:` whole.
pub(super) fn url_pattern() -> Value {
    let character = "[A-Za-z0-9._~:/?#\\[\\]@!$&'()+,;=%-]";
    let urn = format!("[Uu][Rr][Nn]:{character}+");
    let prefix = "([A-Za-z][A-Za-z0-9+.-]*://[^/?#@*]+/|file:///)";
    json!({
        "type": "string",
        "maxLength": 8192,
        "pattern": format!("^({urn}|{prefix}{character}*\\*?)$"),
    })
}
