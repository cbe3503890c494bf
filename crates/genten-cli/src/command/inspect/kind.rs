//! What kind of file it is, seen from its content.

use genten_pki::Certificate;
use genten_primitives::json::{self, Limits, Value};
use genten_verify::kit::{KitError, MAX_KIT_BYTES};
use genten_verify::{Input, InputError};

use super::{Shown, bundle, certificate, key, manifest};
use crate::command::text::Text;
use crate::command::trust::{self, KitView};
use crate::failure::{Done, Failure};

const KIT_PREFIX: &str = "application/vnd.genten.trust-kit+json";

/// The code of every file that is none of ours.
const UNKNOWN: &str = "input.unknown-kind";

pub(super) fn look(bytes: &[u8]) -> Done<Shown> {
    let text = String::from_utf8_lossy(bytes);
    match text.trim_start() {
        text if text.contains("PRIVATE KEY-----") => Ok(key::private_pem(text)),
        text if text.contains("-----BEGIN CERTIFICATE-----") => certificate::pem(text),
        text if text.contains("-----BEGIN") => key::public_file(bytes),
        text if text.starts_with('{') => object(bytes),
        _ if Certificate::from_der(bytes).is_ok() => Ok(certificate::chain(&[bytes.to_vec()])),
        _ => provenance(bytes),
    }
}

/// A JSON object: keys and kits have marks of their own; all else is provenance, or unknown.
fn object(bytes: &[u8]) -> Done<Shown> {
    let Ok(document) = json::read(bytes, Limits::bytes(MAX_KIT_BYTES)) else {
        return provenance(bytes);
    };
    let root = document.root();
    let media_type = root.get("media_type").and_then(Value::as_str).unwrap_or_default();
    if media_type.starts_with(KIT_PREFIX) {
        return kit(bytes);
    }
    let jwk = |value: Value<'_>| value.get("kty").is_some();
    let keys = root.get("keys").and_then(Value::items);
    match keys {
        _ if jwk(root) && key::is_private(root) => Ok(key::private_jwk(bytes)),
        Some(keys) if keys.clone().any(key::is_private) => Ok(key::private_set()),
        Some(_) => key::public_file(bytes),
        None if jwk(root) => key::public_file(bytes),
        None => provenance(bytes),
    }
}

fn kit(bytes: &[u8]) -> Done<Shown> {
    let view = KitView::read(bytes).map_err(|error| {
        Failure::coded(
            KitError::CODE,
            &error,
            "No verifier reads this kit. Correct it at the place named.",
        )
    })?;
    let mut text = Text::default();
    text.line(0, "Trust kit");
    trust::text(&view, &mut text);
    Ok(Shown { kind: "trust-kit", text, object: trust::json(&view) })
}

fn provenance(bytes: &[u8]) -> Done<Shown> {
    match Input::read(bytes) {
        Ok(Input::Manifest(found)) => Ok(manifest::show(&found, bytes)),
        Ok(Input::Bundle(found)) => Ok(bundle::show(&found, bytes)),
        Err(error) => Err(refused(bytes, &error)),
    }
}

/// Why a file is no manifest or bundle, and what to do.
pub(in crate::command) fn refused(bytes: &[u8], error: &InputError) -> Failure {
    if genten_verify::input::lines_follow(bytes).is_some() {
        let hint = "Give one line at a time; `verify` reads the whole file.";
        return Failure::new("these are JSON Lines of several documents", hint);
    }
    match error {
        InputError::Malformed(cause) => Failure::coded(
            cause.code(),
            cause,
            "It is meant to be a manifest or bundle, and every verifier refuses it.",
        ),
        InputError::Unknown(cause) => Failure::coded(
            UNKNOWN,
            cause,
            "Known are manifests, bundles, trust kits, certificates (PEM or DER) and keys (PEM or JWK).",
        ),
        InputError::LaterVersion(cause) => {
            Failure::coded(cause.code(), cause, "Use a newer version of genten.")
        }
        other => Failure::new(other.to_string(), "`genten inspect` shows it in a later version."),
    }
}
