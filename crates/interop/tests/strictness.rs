//! What Genten refuses, and which of it josekit accepts. The divergences are known; one that is gone must leave the list.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use std::collections::BTreeSet;

use genten_interop::mischief::{cases, twin};
use genten_interop::{ALGORITHMS, PAYLOAD, header, signer, token};
use genten_jws::{Algorithm, Jws, JwsError, LocalSigner, Signer as _, Typ};
use genten_primitives::PublicKey;
use genten_primitives::encoding::base64url;
use josekit::jws::{ES256, EdDSA, JwsContext, JwsVerifier, deserialize_compact, deserialize_json};

fn josekit_verifier(key: &PublicKey, algorithm: Algorithm) -> Box<dyn JwsVerifier> {
    let der = key.to_spki_der();
    match algorithm {
        Algorithm::EdDsa => Box::new(EdDSA.verifier_from_der(der).unwrap()),
        Algorithm::Es256 => Box::new(ES256.verifier_from_der(der).unwrap()),
    }
}

fn genten_accepts(token: &str, signer: &LocalSigner) -> bool {
    let check = || -> Result<(), JwsError> {
        let jws = Jws::read(token, Typ::Manifest)?;
        jws.expect_kid(signer.key_id())?;
        jws.over(PAYLOAD)?.verify(signer.public_key()).map(drop)
    };
    check().is_ok()
}

fn josekit_accepts(token: &str, signer: &LocalSigner) -> bool {
    let verifier = josekit_verifier(signer.public_key(), signer.key().algorithm());
    deserialize_compact(token, verifier.as_ref()).is_ok_and(|(payload, _)| payload == PAYLOAD)
}

/// Bad tokens that josekit accepts in its compact form.
const JOSEKIT_ACCEPTS: &[&str] = &[
    "alg twice, none first",
    "alg twice, once escaped",
    "b64 false without crit",
    "b64 true without crit",
    "crit empty",
    "jku",
    "jwk",
    "kid missing",
    "typ JWT",
    "typ missing",
    "unknown member",
    "x5u",
];

#[test]
fn good_tokens_are_accepted_by_both() {
    for algorithm in ALGORITHMS {
        let signer = signer(algorithm);
        let token = token(&signer, &header(&signer));
        assert!(genten_accepts(&token, &signer) && josekit_accepts(&token, &signer), "{algorithm}");
    }
}

#[test]
fn genten_refuses_all_bad_tokens() {
    for algorithm in ALGORITHMS {
        let signer = signer(algorithm);
        let accepted: Vec<_> = cases(&signer)
            .into_iter()
            .filter(|case| genten_accepts(&case.token, &signer))
            .collect();
        assert!(accepted.is_empty(), "{algorithm}: {accepted:?}");
    }
}

#[test]
fn josekit_refuses_all_but_the_known() {
    for algorithm in ALGORITHMS {
        let signer = signer(algorithm);
        let accepted: BTreeSet<_> = cases(&signer)
            .into_iter()
            .filter(|case| josekit_accepts(&case.token, &signer))
            .map(|case| case.name)
            .collect();
        assert_eq!(accepted, BTreeSet::from_iter(JOSEKIT_ACCEPTS.iter().copied()), "{algorithm}");
    }
}

/// `crit` that names what the reader knows, but not what the header has, or has it twice.
#[test]
fn josekit_does_not_compare_crit_with_the_header() {
    let signer = signer(Algorithm::Es256);
    let verifier = josekit_verifier(signer.public_key(), Algorithm::Es256);
    let mut context = JwsContext::new();
    context.add_acceptable_critical("x");
    for members in [r#""crit":["x","x"],"x":1"#, r#""crit":["x"]"#] {
        let header = header(&signer).replace(r#""typ""#, &format!(r#"{members},"typ""#));
        let token = token(&signer, &header);
        let accepted = context.deserialize_compact(&token, verifier.as_ref()).is_ok();
        assert!(accepted, "josekit no longer accepts {members}");
        assert!(!genten_accepts(&token, &signer));
    }
}

/// In its JSON form josekit looks for `critical` instead of `crit`, so that nothing is ever critical.
#[test]
fn josekit_never_enforces_crit_in_json() {
    let signer = signer(Algorithm::Es256);
    let verifier = josekit_verifier(signer.public_key(), Algorithm::Es256);
    let header = header(&signer).replace(r#""typ""#, r#""crit":["x"],"x":1,"typ""#);
    let token = token(&signer, &header);
    let parts: Vec<_> = token.split('.').collect();
    let json = format!(
        r#"{{"protected":"{}","payload":"{}","signature":"{}"}}"#,
        parts[0], parts[1], parts[2]
    );
    assert!(deserialize_json(&json, verifier.as_ref()).is_ok(), "josekit enforces crit now");
    assert_eq!(Jws::read(&json, Typ::Manifest).unwrap_err(), JwsError::JsonSerialization);
}

/// RFC 9864 renamed `EdDSA`; Genten reads both names, josekit the old one.
#[test]
fn josekit_does_not_know_the_name_ed25519() {
    let signer = signer(Algorithm::EdDsa);
    let token = token(&signer, &header(&signer).replace("EdDSA", "Ed25519"));
    assert!(genten_accepts(&token, &signer));
    assert!(!josekit_accepts(&token, &signer), "josekit knows the name now");
}

/// S and n - S are both signatures over the same bytes: the reason why a signature is never an identifier.
#[test]
fn the_twin_of_an_es256_signature_is_accepted_by_both() {
    let signer = signer(Algorithm::Es256);
    let token = token(&signer, &header(&signer));
    let (input, _) = token.rsplit_once('.').unwrap();
    let signature = signer.sign(input.as_bytes()).unwrap();
    let twin = format!("{input}.{}", base64url(twin(&signature).as_bytes()));
    assert_ne!(twin, token);
    assert!(genten_accepts(&twin, &signer) && josekit_accepts(&twin, &signer));
}
