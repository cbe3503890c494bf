//! A call as it was asked: of a tool with its arguments, or of a resource.

use genten_manifest::{Bound, Nonce, RequestBinding, ShortText};
use genten_primitives::Sha256Digest;
use genten_primitives::json::{Kind, Value};

use crate::meta_key::{NONCE, has_name};

/// A call. What a manifest says of the call that it answers is compared with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The tool with the digest of its arguments, or the resource.
    pub bound: Bound,
    /// The nonce that the caller has sent.
    pub nonce: Option<Nonce>,
}

/// Why a document is no call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// Arguments are an object.
    #[error("the arguments are no object")]
    Arguments,
    /// Neither the name of a tool nor the URI of a resource, or no text that a manifest can hold.
    #[error("neither a tool with a name nor a resource with a uri")]
    Neither,
    /// No nonce, or several that differ.
    #[error("a nonce is 1 to 128 visible ASCII characters, the same under each prefix")]
    Nonce,
}

/// How a call stands to what a manifest says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallMatch {
    /// Another tool, resource or arguments.
    Other,
    /// Another nonce, or a nonce on one side only.
    OtherNonce,
    /// The same tool and arguments, or the same resource.
    Same,
    /// The same, and the same nonce: this very call.
    SameNonce,
}

impl Call {
    /// The call in a JSON-RPC request (`tools/call`, `resources/read`), or in its parameters alone.
    ///
    /// # Errors
    /// It is none.
    pub fn read(value: Value<'_>) -> Result<Self, CallError> {
        let params = value.get("params").unwrap_or(value);
        let text = |name: &str| params.get(name).and_then(Value::as_str);
        let short = |text: &str| text.parse::<ShortText>().map_err(|_| CallError::Neither);
        let bound = match (text("name"), text("uri")) {
            (Some(name), None) => Bound::Tool {
                name: short(&name)?,
                arguments_sha256: arguments_sha256(params.get("arguments"))?,
            },
            (None, Some(uri)) => Bound::Resource(short(&uri)?),
            _ => return Err(CallError::Neither),
        };
        let nonce = params.get("_meta").map_or(Ok(None), nonce)?;
        Ok(Self { bound, nonce })
    }

    /// How it stands to what a manifest says.
    pub fn compare(&self, stated: &RequestBinding) -> CallMatch {
        match (self.bound == stated.bound, self.nonce == stated.nonce, &self.nonce) {
            (false, _, _) => CallMatch::Other,
            (true, false, _) => CallMatch::OtherNonce,
            (true, true, None) => CallMatch::Same,
            (true, true, Some(_)) => CallMatch::SameNonce,
        }
    }
}

/// SHA-256 of the canonical JSON of a tool's arguments; absent ones count as `{}`.
///
/// # Errors
/// They are no object.
pub fn arguments_sha256(arguments: Option<Value<'_>>) -> Result<Sha256Digest, CallError> {
    match arguments.filter(|value| value.kind() != Kind::Null) {
        None => Ok(Sha256Digest::of(b"{}")),
        Some(value) if value.kind() == Kind::Object => Ok(value.canonical_sha256()),
        Some(_) => Err(CallError::Arguments),
    }
}

fn nonce(meta: Value<'_>) -> Result<Option<Nonce>, CallError> {
    let members = meta.members().into_iter().flatten();
    let mut found = None;
    for (_, value) in members.filter(|(key, _)| has_name(key, NONCE)) {
        let text = value.as_str().ok_or(CallError::Nonce)?;
        let nonce: Nonce = text.parse().map_err(|_| CallError::Nonce)?;
        if found.get_or_insert_with(|| nonce.clone()) != &nonce {
            return Err(CallError::Nonce);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use genten_primitives::json::{Limits, read_foreign};

    use super::*;

    fn call(text: &str) -> Result<Call, CallError> {
        let document = read_foreign(text.as_bytes(), Limits::bytes(1000)).unwrap();
        Call::read(document.root())
    }

    #[test]
    fn requests_and_their_parameters_are_one_call() {
        let params = r#"{"name":"law","arguments":{"b":1.0,"a":"x"},"_meta":{"a.b/nonce":"n"}}"#;
        let request =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        let found = call(params).unwrap();
        assert_eq!(call(&request).as_ref(), Ok(&found));
        let arguments_sha256 = Sha256Digest::of(br#"{"a":"x","b":1}"#);
        let bound = Bound::Tool { name: "law".parse().unwrap(), arguments_sha256 };
        assert_eq!(found, Call { bound, nonce: "n".parse().ok() });
        assert_eq!(call(r#"{"name":"law"}"#), call(r#"{"name":"law","arguments":{}}"#));
        let resource = call(r#"{"uri":"law:1"}"#).unwrap();
        assert_eq!(resource.bound, Bound::Resource("law:1".parse().unwrap()));
    }

    #[test]
    fn what_is_no_call_is_told() {
        for (text, error) in [
            ("{}", CallError::Neither),
            ("[]", CallError::Neither),
            (r#"{"name":"a","uri":"b"}"#, CallError::Neither),
            (r#"{"name":""}"#, CallError::Neither),
            (r#"{"name":"a","arguments":[]}"#, CallError::Arguments),
            (r#"{"name":"a","_meta":{"a.b/nonce":""}}"#, CallError::Nonce),
            (r#"{"name":"a","_meta":{"a.b/nonce":7}}"#, CallError::Nonce),
            (r#"{"name":"a","_meta":{"a.b/nonce":"x","c.d/nonce":"y"}}"#, CallError::Nonce),
        ] {
            assert_eq!(call(text), Err(error), "{text}");
        }
    }

    #[test]
    fn a_call_is_compared_with_its_nonce() {
        let call = call(r#"{"name":"law"}"#).unwrap();
        let with = |bound: &Bound, nonce: Option<&str>| RequestBinding {
            bound: bound.clone(),
            fetch: None,
            nonce: nonce.map(|nonce| nonce.parse().unwrap()),
        };
        let other = Bound::Resource("law:1".parse().unwrap());
        let asked = Call { nonce: "n".parse().ok(), ..call.clone() };
        for (call, stated, expected) in [
            (&call, with(&call.bound, None), CallMatch::Same),
            (&call, with(&call.bound, Some("n")), CallMatch::OtherNonce),
            (&call, with(&other, None), CallMatch::Other),
            (&asked, with(&call.bound, Some("n")), CallMatch::SameNonce),
            (&asked, with(&call.bound, None), CallMatch::OtherNonce),
            (&asked, with(&other, Some("n")), CallMatch::Other),
        ] {
            assert_eq!(call.compare(&stated), expected, "{stated:?}");
        }
    }
}
