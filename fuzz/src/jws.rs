//! Compact JWS and their headers.

use genten_jws::{Header, Jws, Typ};
use genten_primitives::encoding::{base64url, from_base64url};

/// What is accepted has three canonical parts, and covers no payload but its own.
pub(crate) fn compact(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let typs = [Typ::Batch, Typ::Manifest];
    let Some(jws) = typs.into_iter().find_map(|typ| Jws::read(text, typ).ok()) else {
        return false;
    };
    let mut parts = text.split('.');
    let (header, payload) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let signature = base64url(jws.signature().as_bytes());
    assert_eq!(text, format!("{header}.{payload}.{signature}"));
    assert_eq!(from_base64url(header).map(|bytes| base64url(&bytes)).as_deref(), Ok(header));
    let own = jws.payload();
    assert_eq!(payload.is_empty(), matches!(own, Err(genten_jws::JwsError::PayloadMissing)));
    match own {
        Ok(own) => {
            let signed = jws.clone().over(&own).expect("its own payload");
            assert_eq!(signed.input(), format!("{header}.{payload}").as_bytes());
            assert!(jws.over(&[own.as_slice(), b" "].concat()).is_err());
        }
        Err(_) if payload.is_empty() => {
            let signed = jws.over(b"{}").expect("a detached token takes any payload");
            assert_eq!(signed.input(), format!("{header}.e30").as_bytes());
        }
        Err(_) => {}
    }
    true
}

/// The header as JSON: what is accepted is strict JSON with the members of the profile and no others.
pub(crate) fn header(bytes: &[u8]) -> bool {
    let encoded = base64url(bytes);
    let typs = [Typ::Batch, Typ::Manifest];
    let Some(header) = typs.into_iter().find_map(|typ| Header::read(&encoded, typ).ok()) else {
        return false;
    };
    let json: serde_json::Value = serde_json::from_slice(bytes).expect("strict JSON is JSON");
    let members = json.as_object().expect("a header is an object");
    let known = ["alg", "kid", "typ", "x5c", "x5t#S256"];
    assert!(members.keys().all(|name| known.contains(&name.as_str())), "{json}");
    assert_eq!(members["kid"], header.kid.as_str());
    assert_eq!(members["typ"], header.typ.as_str());
    let alg = members["alg"].as_str().expect("a name");
    assert!(alg == header.alg.as_str() || alg == "Ed25519");
    true
}
