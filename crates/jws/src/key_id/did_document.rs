//! The key in a DID document (DID Core sections 5.2 and 5.3), under `assertionMethod`.
//!
//! The document is data that the caller holds, kept in an archive or a trust kit; it is read as plain JSON, without
//! JSON-LD processing.

use std::borrow::Cow;
use std::collections::HashSet;

use genten_manifest::KeyId;
use genten_primitives::json::{Kind, Value};
use genten_primitives::{PublicKey, Timestamp};

use super::{KeyLookupError, multikey, signing_key};

/// Members that hold verification methods, or references to them.
const RELATIONSHIPS: [&str; 5] = [
    "assertionMethod",
    "authentication",
    "capabilityDelegation",
    "capabilityInvocation",
    "keyAgreement",
];

/// A key and how long the document lets it be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentKey {
    /// The key.
    pub key: PublicKey,
    /// No use of the key after this moment (`expires`).
    pub expires: Option<Timestamp>,
    /// When the key was revoked (`revoked`).
    pub revoked: Option<Timestamp>,
}

/// The key that `id` names in a DID document; `None` when the document is about another DID.
///
/// # Errors
/// A malformed document, two verification methods of one id, an id that is not there or not under `assertionMethod`, a
/// key that signs no manifests.
pub fn key_in_document(
    id: &KeyId,
    document: Value<'_>,
) -> Option<Result<DocumentKey, KeyLookupError>> {
    match text(document, "id") {
        Ok(subject) if subject == id.did() => Some(lookup(id, document)),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    }
}

/// The DID that a document is about, and every key of it under `assertionMethod` that can sign manifests, each with its
/// own id. Keys of other kinds are passed over.
///
/// # Errors
/// A malformed document, two verification methods of one id.
pub fn assertion_keys(
    document: Value<'_>,
) -> Result<(String, Vec<(KeyId, DocumentKey)>), KeyLookupError> {
    let did = text(document, "id")?.into_owned();
    let mut keys = Vec::new();
    let references = references(&did, document)?;
    for method in all_methods(&did, document)? {
        let Ok(id) = method.id.parse::<KeyId>() else { continue };
        if id.did() == did && is_for_assertion(&method, &references) {
            match read_method(&id, method.value) {
                Ok(key) => keys.push((id, key)),
                Err(error) if error.is_other_kind() => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok((did, keys))
}

/// Every key of a document that it calls revoked, and since when: whatever it is for, and whether it can still be used.
/// What was rotated away is usually no longer under `assertionMethod`.
///
/// # Errors
/// A malformed document, two verification methods of one id, a time of revocation that cannot be read.
pub fn revoked_keys(document: Value<'_>) -> Result<Vec<(PublicKey, Timestamp)>, KeyLookupError> {
    let did = text(document, "id")?;
    let mut keys = Vec::new();
    for method in all_methods(&did, document)? {
        if let (Some(at), Ok(key)) = (time(method.value, "revoked")?, material(method.value)) {
            keys.push((key, at));
        }
    }
    Ok(keys)
}

fn lookup(id: &KeyId, document: Value<'_>) -> Result<DocumentKey, KeyLookupError> {
    let methods = all_methods(id.did(), document)?;
    let found = methods.iter().find(|method| method.id == id.as_str());
    let method = found.ok_or(KeyLookupError::MethodMissing)?;
    match is_for_assertion(method, &references(id.did(), document)?) {
        true => read_method(id, method.value),
        false => Err(KeyLookupError::NotForAssertion),
    }
}

struct Method<'d> {
    /// The member of the document that holds it.
    member: &'static str,
    id: String,
    value: Value<'d>,
}

/// Every verification method of the document, wherever it stands, none with the id of another.
fn all_methods<'d>(did: &str, document: Value<'d>) -> Result<Vec<Method<'d>>, KeyLookupError> {
    let mut methods = Vec::new();
    let mut ids = HashSet::new();
    for member in ["verificationMethod"].into_iter().chain(RELATIONSHIPS) {
        for value in list(document, member)? {
            match value.kind() {
                Kind::Object => {
                    let id = absolute(did, text(value, "id")?);
                    if !ids.insert(id.clone()) {
                        return Err(KeyLookupError::DuplicateMethod { id });
                    }
                    methods.push(Method { member, id, value });
                }
                Kind::String if member != "verificationMethod" => {}
                _ => return Err(KeyLookupError::Shape { member }),
            }
        }
    }
    Ok(methods)
}

/// The ids that `assertionMethod` names.
fn references(did: &str, document: Value<'_>) -> Result<HashSet<String>, KeyLookupError> {
    let named = list(document, "assertionMethod")?.filter_map(Value::as_str);
    Ok(named.map(|reference| absolute(did, reference)).collect())
}

/// Embedded under `assertionMethod`, or named there and kept under `verificationMethod`.
fn is_for_assertion(method: &Method<'_>, references: &HashSet<String>) -> bool {
    match method.member {
        "assertionMethod" => true,
        "verificationMethod" => references.contains(&method.id),
        _ => false,
    }
}

fn read_method(id: &KeyId, method: Value<'_>) -> Result<DocumentKey, KeyLookupError> {
    text(method, "type")?;
    let controller = text(method, "controller")?;
    if controller != id.did() {
        return Err(KeyLookupError::Controller { found: controller.into_owned() });
    }
    let key = material(method)?;
    let (expires, revoked) = (time(method, "expires")?, time(method, "revoked")?);
    Ok(DocumentKey { key: signing_key(key)?, expires, revoked })
}

fn material(method: Value<'_>) -> Result<PublicKey, KeyLookupError> {
    match (method.get("publicKeyJwk"), method.get("publicKeyMultibase")) {
        (Some(jwk), None) => Ok(PublicKey::from_jwk(jwk)?),
        (None, Some(_)) => multikey::decode(&text(method, "publicKeyMultibase")?),
        (None, None) => Err(KeyLookupError::KeyMaterial { found: 0 }),
        (Some(_), Some(_)) => Err(KeyLookupError::KeyMaterial { found: 2 }),
    }
}

/// `#key-1` means `did:web:example.org#key-1` (DID Core section 3.2.2).
fn absolute(did: &str, reference: Cow<'_, str>) -> String {
    match reference.starts_with('#') {
        true => format!("{did}{reference}"),
        false => reference.into_owned(),
    }
}

fn list<'d>(
    document: Value<'d>,
    member: &'static str,
) -> Result<impl Iterator<Item = Value<'d>>, KeyLookupError> {
    let items = match document.get(member) {
        Some(value) => Some(value.items().ok_or(KeyLookupError::Shape { member })?),
        None => None,
    };
    Ok(items.into_iter().flatten())
}

fn text<'d>(object: Value<'d>, member: &'static str) -> Result<Cow<'d, str>, KeyLookupError> {
    object.get(member).and_then(Value::as_str).ok_or(KeyLookupError::Shape { member })
}

fn time(method: Value<'_>, member: &'static str) -> Result<Option<Timestamp>, KeyLookupError> {
    if method.get(member).is_none() {
        return Ok(None);
    }
    Ok(Some(text(method, member)?.parse::<Timestamp>()?))
}
