//! Trust kits.

use genten_primitives::encoding::base64;
use genten_verify::kit::KIT_MEDIA_TYPE;
use serde_json::{Value, json};

use super::keys::Key;

/// A kit under construction.
#[derive(Clone)]
pub(crate) struct Kit(Value);

impl Kit {
    pub(crate) fn new() -> Self {
        Self(json!({"media_type": KIT_MEDIA_TYPE, "created_at": "2026-11-29T00:00:00Z"}))
    }

    /// A kit with one signer in use.
    pub(crate) fn of(id: &str, key: &Key) -> Self {
        Self::new().signer(signer(id, key))
    }

    pub(crate) fn signer(self, signer: Value) -> Self {
        self.push("signers", signer)
    }

    pub(crate) fn authority(self, authority: Value) -> Self {
        self.push("signer_authorities", authority)
    }

    pub(crate) fn document(self, document: Value) -> Self {
        self.push("did_documents", document)
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0[name] = value.into();
        self
    }

    fn push(mut self, list: &str, item: Value) -> Self {
        if self.0[list].is_null() {
            self.0[list] = json!([]);
        }
        self.0[list].as_array_mut().unwrap().push(item);
        self
    }

    pub(crate) fn text(&self) -> String {
        format!("{:#}\n", self.0)
    }
}

/// A signer in use.
pub(crate) fn signer(id: &str, key: &Key) -> Value {
    json!({"key_id": id, "public_key": key.jwk(), "status": "active"})
}

/// A signer authority.
pub(crate) fn authority(root: &[u8], san_uri: &str) -> Value {
    json!({"name": "Example signers", "roots": [base64(root)], "san_uri": [san_uri]})
}

/// The value with members set.
pub(crate) fn with(mut value: Value, members: Value) -> Value {
    for (name, member) in members.as_object().unwrap() {
        value[name] = member.clone();
    }
    value
}

/// A DID document whose only key stands under `assertionMethod`.
pub(crate) fn did_document(did: &str, fragment: &str, key: &Key) -> Value {
    json!({
        "@context": ["https://www.w3.org/ns/did/v1"],
        "id": did,
        "verificationMethod": [method(did, fragment, key)],
        "assertionMethod": [format!("#{fragment}")],
    })
}

pub(crate) fn method(did: &str, fragment: &str, key: &Key) -> Value {
    json!({
        "id": format!("{did}#{fragment}"),
        "type": "JsonWebKey",
        "controller": did,
        "publicKeyJwk": key.jwk(),
    })
}
