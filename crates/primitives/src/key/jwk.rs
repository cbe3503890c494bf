//! JWK (RFC 7517) for the key types of RFC 7518 section 6 and RFC 8037 section 2.

use super::rsa::RsaNumbers;
use super::{KeyError, KeyKind, Material, spki};
use crate::encoding::{base64url, from_base64url};
use crate::json::{self, Document, Kind, Value};

const LIMITS: json::Limits = json::Limits { bytes: 64 << 10, depth: 8 };

/// Members of private and secret keys (RFC 7518 section 6).
const PRIVATE: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

pub(super) fn parse(text: &[u8]) -> Result<Document<'_>, KeyError> {
    json::read(text, LIMITS).map_err(KeyError::from)
}

pub(super) fn read_public(jwk: Value<'_>) -> Result<Material, KeyError> {
    expect_object(jwk)?;
    if let Some(member) = PRIVATE.into_iter().find(|member| jwk.get(member).is_some()) {
        return Err(KeyError::JwkPrivate { member });
    }
    read(jwk, "verify")
}

pub(super) fn read_public_half(jwk: Value<'_>) -> Result<Material, KeyError> {
    expect_object(jwk)?;
    match jwk.get("d") {
        Some(_) => read(jwk, "sign"),
        None => Err(KeyError::JwkMissing { member: "d" }),
    }
}

fn expect_object(jwk: Value<'_>) -> Result<(), KeyError> {
    match jwk.kind() {
        Kind::Object => Ok(()),
        _ => Err(KeyError::JwkType { member: "$" }),
    }
}

fn read(jwk: Value<'_>, operation: &str) -> Result<Material, KeyError> {
    let material = match text(jwk, "kty")?.as_ref() {
        "EC" => read_ec(jwk),
        "OKP" => read_okp(jwk),
        "RSA" => RsaNumbers::new(&bytes(jwk, "n")?, &bytes(jwk, "e")?).map(Material::Rsa),
        _ => Err(KeyError::Unsupported),
    }?;
    check_use(jwk)?;
    check_key_ops(jwk, operation)?;
    check_alg(jwk, &material)?;
    Ok(material)
}

fn read_ec(jwk: Value<'_>) -> Result<Material, KeyError> {
    match text(jwk, "crv")?.as_ref() {
        "P-256" => spki::p256(&uncompressed_point(jwk, 32)?),
        "P-384" => spki::p384(&uncompressed_point(jwk, 48)?),
        _ => Err(KeyError::CurveUnsupported),
    }
}

fn uncompressed_point(jwk: Value<'_>, length: usize) -> Result<Vec<u8>, KeyError> {
    let x = sized(jwk, "x", length)?;
    let y = sized(jwk, "y", length)?;
    Ok([&[4], x.as_slice(), y.as_slice()].concat())
}

fn read_okp(jwk: Value<'_>) -> Result<Material, KeyError> {
    match text(jwk, "crv")?.as_ref() {
        "Ed25519" => {
            let x = sized(jwk, "x", 32)?;
            spki::ed25519(x.as_slice().try_into().map_err(|_| KeyError::Ed25519NotOnCurve)?)
        }
        _ => Err(KeyError::CurveUnsupported),
    }
}

fn sized(jwk: Value<'_>, member: &'static str, expected: usize) -> Result<Vec<u8>, KeyError> {
    let bytes = bytes(jwk, member)?;
    match bytes.len() {
        found if found == expected => Ok(bytes),
        found => Err(KeyError::JwkLength { member, expected, found }),
    }
}

fn bytes(jwk: Value<'_>, member: &'static str) -> Result<Vec<u8>, KeyError> {
    from_base64url(&text(jwk, member)?).map_err(|source| KeyError::JwkEncoding { member, source })
}

fn text<'d>(jwk: Value<'d>, member: &'static str) -> Result<std::borrow::Cow<'d, str>, KeyError> {
    let value = jwk.get(member).ok_or(KeyError::JwkMissing { member })?;
    value.as_str().ok_or(KeyError::JwkType { member })
}

/// RFC 7517 section 4.2.
fn check_use(jwk: Value<'_>) -> Result<(), KeyError> {
    if jwk.get("use").is_none() {
        return Ok(());
    }
    match text(jwk, "use")?.as_ref() {
        "sig" => Ok(()),
        _ => Err(KeyError::JwkForbidden { member: "use" }),
    }
}

/// RFC 7517 section 4.3: an array of distinct strings that names the wanted operation.
fn check_key_ops(jwk: Value<'_>, operation: &str) -> Result<(), KeyError> {
    let member = "key_ops";
    let Some(value) = jwk.get(member) else { return Ok(()) };
    let items = value.items().ok_or(KeyError::JwkType { member })?;
    let mut operations = Vec::new();
    for item in items {
        let name = item.as_str().ok_or(KeyError::JwkType { member })?;
        if operations.contains(&name) {
            return Err(KeyError::JwkForbidden { member });
        }
        operations.push(name);
    }
    match operations.iter().any(|name| name == operation) {
        true => Ok(()),
        false => Err(KeyError::JwkForbidden { member }),
    }
}

/// RFC 7517 section 4.4; names of RFC 7518 section 3.1, RFC 8037 section 3.1 and RFC 9864 section 2.2.
fn check_alg(jwk: Value<'_>, material: &Material) -> Result<(), KeyError> {
    if jwk.get("alg").is_none() {
        return Ok(());
    }
    let (key, names): (KeyKind, &[&str]) = match material {
        Material::Ed25519(_) => (KeyKind::Ed25519, &["EdDSA", "Ed25519"]),
        Material::P256(_) => (KeyKind::P256, &["ES256"]),
        Material::P384(_) => (KeyKind::P384, &["ES384"]),
        Material::Rsa(numbers) => {
            (KeyKind::Rsa { bits: numbers.bits() }, &["RS256", "RS384", "RS512"])
        }
    };
    let found = text(jwk, "alg")?;
    match names.contains(&found.as_ref()) {
        true => Ok(()),
        false => Err(KeyError::JwkAlgorithm { key, found: found.into_owned() }),
    }
}

/// The required members in the order of RFC 7638 section 3, which is that of RFC 8785 too.
pub(super) fn write(material: &Material) -> String {
    match material {
        Material::Ed25519(key) => {
            format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{}"}}"#, base64url(key.as_bytes()))
        }
        Material::P256(key) => write_ec("P-256", key.to_sec1_point(false).as_bytes()),
        Material::P384(key) => write_ec("P-384", key.to_sec1_point(false).as_bytes()),
        Material::Rsa(numbers) => {
            let (e, n) = (base64url(numbers.exponent()), base64url(numbers.modulus()));
            format!(r#"{{"e":"{e}","kty":"RSA","n":"{n}"}}"#)
        }
    }
}

fn write_ec(curve: &str, point: &[u8]) -> String {
    let (x, y) = point[1..].split_at(point.len() / 2);
    let (x, y) = (base64url(x), base64url(y));
    format!(r#"{{"crv":"{curve}","kty":"EC","x":"{x}","y":"{y}"}}"#)
}
