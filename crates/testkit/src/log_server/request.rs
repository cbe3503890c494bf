//! What a Rekor server reads from a request, and what it says of those that it refuses.

use genten_primitives::encoding::from_base64;
use genten_primitives::key::KeyDetails;
use genten_tlog::rekor::{HashedRekord, LoggedKey};
use serde_json::Value;

/// Largest body of a request (`--max-request-body-size`).
pub(super) const MAX_BODY: usize = 4 << 20;

/// The message of a refusal (status 400).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused(pub(super) String);

/// The entry that a request asks for, its signature checked.
pub(super) fn read(body: &[u8]) -> Result<HashedRekord, Refused> {
    if body.len() > MAX_BODY {
        return Err(Refused("http: request body too large".to_owned()));
    }
    let text = String::from_utf8_lossy(body);
    let request = match text.trim() {
        "" => Value::Object(serde_json::Map::new()),
        json => serde_json::from_str(json).map_err(|_| Refused(not_json(json)))?,
    };
    let reader = Reader { text: &text };
    let [spec] = reader.members(&request, ["hashedRekordRequestV002"])?;
    let invalid_type = || Refused("invalid type, must be hashedrekord".to_owned());
    let rekord = reader.rekord(spec.ok_or_else(invalid_type)?)?.ok_or_else(invalid)?;
    match rekord.check_signature() {
        Ok(_) => Ok(rekord),
        Err(_) => Err(invalid()),
    }
}

/// The server says no more; its own log does.
fn invalid() -> Refused {
    Refused("invalid hashedrekord request".to_owned())
}

struct Reader<'t> {
    text: &'t str,
}

impl Reader<'_> {
    /// `None` when something is missing or of no kind that logs take.
    fn rekord(&self, spec: &Value) -> Result<Option<HashedRekord>, Refused> {
        let [digest, signature] = self.members(spec, ["digest", "signature"])?;
        let digest = digest.map(|value| self.bytes("digest", value)).transpose()?;
        let Some(signature) = signature else { return Ok(None) };
        let [content, verifier] = self.members(signature, ["content", "verifier"])?;
        let content = content.map(|value| self.bytes("content", value)).transpose()?;
        let Some(verifier) = verifier else { return Ok(None) };
        let (details, key) = self.verifier(verifier)?;
        let (Some(digest), Some(signature), Some(details), Some(key)) =
            (digest, content, details, key)
        else {
            return Ok(None);
        };
        let Some(scheme) = details.scheme() else { return Ok(None) };
        Ok(Some(HashedRekord { hash: scheme.hash(), digest, signature, details, key }))
    }

    fn verifier(&self, value: &Value) -> Result<(Option<KeyDetails>, Option<LoggedKey>), Refused> {
        let names = ["keyDetails", "publicKey", "x509Certificate"];
        let [details, key, certificate] = self.members(value, names)?;
        let details = details.and_then(Value::as_str).and_then(|name| name.parse().ok());
        let key = match (key, certificate) {
            (None, None) => None,
            (Some(key), None) => self.raw_bytes(key)?.map(LoggedKey::PublicKey),
            (None, Some(certificate)) => self.raw_bytes(certificate)?.map(LoggedKey::Certificate),
            (Some(_), Some(_)) => {
                let name = "\"x509Certificate\"";
                let set = "oneof dev.sigstore.rekor.v2.Verifier.verifier is already set";
                return Err(self.fault("", name, &format!("error parsing {name}, {set}")));
            }
        };
        Ok((details, key))
    }

    fn raw_bytes(&self, value: &Value) -> Result<Option<Vec<u8>>, Refused> {
        let [raw] = self.members(value, ["rawBytes"])?;
        raw.map(|raw| self.bytes("rawBytes", raw)).transpose()
    }

    fn bytes(&self, name: &str, value: &Value) -> Result<Vec<u8>, Refused> {
        let bytes = value.as_str().and_then(|text| from_base64(text).ok());
        let raw = value.to_string();
        bytes.ok_or_else(|| {
            self.fault("", &raw, &format!("invalid value for bytes field {name}: {raw}"))
        })
    }

    /// The members of these names, or of the same names with underscores; any other member is refused.
    fn members<'v, const N: usize>(
        &self,
        value: &'v Value,
        names: [&str; N],
    ) -> Result<[Option<&'v Value>; N], Refused> {
        let Value::Object(object) = value else {
            let raw = value.to_string();
            return Err(self.fault("syntax error ", &raw, &format!("unexpected token {raw}")));
        };
        let mut found = [None; N];
        for (name, value) in object {
            match names.iter().position(|known| known == name || snake_case(known) == *name) {
                Some(at) => found[at] = Some(value).filter(|value| !value.is_null()),
                None => {
                    let raw = Value::from(name.as_str()).to_string();
                    return Err(self.fault("", &raw, &format!("unknown field {raw}")));
                }
            }
        }
        Ok(found)
    }

    /// A complaint about the last place where `what` stands, counted in characters from 1.
    fn fault(&self, kind: &str, what: &str, message: &str) -> Refused {
        let before = &self.text[..self.text.rfind(what).unwrap_or(0)];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Refused(format!("proto:\u{a0}{kind}(line {line}:{column}): {message}"))
    }
}

/// `hashedRekordRequestV002` is `hashed_rekord_request_v002`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// What Go says about a text that is no JSON. It is not empty.
fn not_json(text: &str) -> String {
    let first = text.chars().next().unwrap_or(' ');
    let literal = ["null", "true", "false"].into_iter().find(|literal| literal.starts_with(first));
    let Some(literal) = literal else {
        return match first {
            '{' | '[' | '"' | '-' | '0'..='9' => "unexpected EOF".to_owned(),
            _ => format!("invalid character '{first}' looking for beginning of value"),
        };
    };
    match text.chars().zip(literal.chars()).find(|(found, expected)| found != expected) {
        Some((found, expected)) => {
            format!("invalid character '{found}' in literal {literal} (expecting '{expected}')")
        }
        None => "unexpected EOF".to_owned(),
    }
}
