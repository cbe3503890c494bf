//! Manifests with every liberty that a forger has: any member, any header, any key.

use genten_primitives::Sha256Digest;
use genten_primitives::encoding::base64url;
use serde_json::{Map, Value, json};

use super::keys::Key;
use super::{BODY, FETCHED, canonical};

/// A manifest before it is signed.
#[derive(Clone)]
pub(crate) struct Draft {
    claims: Value,
    header: Map<String, Value>,
    key: Key,
    pointer: Option<String>,
}

/// The claims of a plain recorded fetch.
pub(crate) fn plain_claims() -> Value {
    json!({
        "source_url": "https://www.rfc-editor.org/rfc/rfc8890.txt",
        "fetched_at": FETCHED,
        "content_sha256": sha256(BODY),
        "capture": "recorded",
    })
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256Digest::of(bytes).to_string()
}

impl Draft {
    /// A plain manifest by `key` under `id`.
    pub(crate) fn new(key: &Key, id: &str) -> Self {
        let alg = key.algorithm().as_str();
        let header = json!({"alg": alg, "kid": id, "typ": "provenance-manifest+jws"});
        let Value::Object(header) = header else { unreachable!() };
        let draft = Self { claims: plain_claims(), header, key: key.clone(), pointer: None };
        draft.with("/mcp_key_id", id)
    }

    /// Sets a member by JSON pointer; objects on the way are made.
    pub(crate) fn with(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        let mut at = &mut self.claims;
        for name in pointer.split('/').skip(1) {
            at = match name.parse::<usize>() {
                Ok(index) => &mut at[index],
                Err(_) => &mut at[name.replace("~1", "/")],
            };
        }
        *at = value.into();
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.claims.as_object_mut().unwrap().remove(name).unwrap();
        self
    }

    /// Sets a member of the protected header; `null` takes it away.
    pub(crate) fn header(mut self, name: &str, value: impl Into<Value>) -> Self {
        match value.into() {
            Value::Null => self.header.remove(name),
            value => self.header.insert(name.to_owned(), value),
        };
        self
    }

    /// The member that is not signed.
    pub(crate) fn pointer(mut self, pointer: &str) -> Self {
        self.pointer = Some(pointer.to_owned());
        self
    }

    /// The facts of an ordinary answer over HTTP.
    pub(crate) fn with_http(self) -> Self {
        self.with("/http", json!({"status": 200, "protocol": "h2", "completeness": "complete"}))
            .with("/http/content_bytes", BODY.len())
            .with("/http/media_type", "text/plain; charset=utf-8")
    }

    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    pub(crate) fn claims(&self) -> &Value {
        &self.claims
    }

    /// The text of the protected header.
    pub(crate) fn header_text(&self) -> String {
        canonical(&Value::Object(self.header.clone()).to_string())
    }

    /// The bytes that are signed, without the header.
    pub(crate) fn payload(&self) -> String {
        canonical(&self.claims.to_string())
    }

    pub(crate) fn signing_input(&self, header: &str) -> String {
        let (header, payload) =
            (base64url(header.as_bytes()), base64url(self.payload().as_bytes()));
        format!("{header}.{payload}")
    }

    /// SHA-256 of the signing input.
    pub(crate) fn manifest_id(&self) -> String {
        sha256(self.signing_input(&self.header_text()).as_bytes())
    }

    pub(crate) fn signature(&self, header: &str) -> [u8; 64] {
        self.key.sign(self.signing_input(header).as_bytes())
    }

    /// The signed manifest.
    pub(crate) fn sign(&self) -> String {
        self.sign_with_header(&self.header_text())
    }

    /// The manifest with a good signature over this text as header.
    pub(crate) fn sign_with_header(&self, header: &str) -> String {
        let signature = base64url(&self.signature(header));
        self.seal(&format!("{}..{signature}", base64url(header.as_bytes())))
    }

    /// The manifest with this text as signature.
    pub(crate) fn seal(&self, mcp_signature: &str) -> String {
        let mut manifest = self.claims.clone();
        manifest["mcp_signature"] = mcp_signature.into();
        if let Some(pointer) = &self.pointer {
            manifest["transparency_log_id"] = pointer.as_str().into();
        }
        canonical(&manifest.to_string())
    }

    /// A bundle of the signed manifest and this evidence.
    pub(crate) fn bundle(&self, evidence: &[Value]) -> String {
        bundle(&self.sign(), evidence)
    }
}

/// A bundle around a manifest's text.
pub(crate) fn bundle(manifest: &str, evidence: &[Value]) -> String {
    let evidence = canonical(&Value::from(evidence).to_string());
    let media_type = genten_manifest::BUNDLE_MEDIA_TYPE;
    format!(
        "{{\"media_type\":\"{media_type}\",\n\"manifest\":{manifest},\n\"evidence\":{evidence}}}\n"
    )
}
