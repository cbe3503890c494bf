//! JOSE libraries of other languages: npm jose and PyPI joserfc. `scripts/interop-jose` installs them, says where they
//! are and runs this; without that the tests skip aloud.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use genten_interop::mischief::cases;
use genten_interop::{ALGORITHMS, PAYLOAD, header, signer, token};
use genten_jws::{Algorithm, Jws, LocalSigner, Signer as _, Typ};
use serde_json::{Value, json};

/// The command line of a peer, words separated by line feeds; `None` where it is not installed.
fn peer(variable: &str) -> Option<Command> {
    let Ok(line) = std::env::var(variable) else {
        eprintln!("SKIPPED: {variable} is not set; run scripts/interop-jose");
        return None;
    };
    let mut words = line.lines();
    let mut command = Command::new(words.next()?);
    command.args(words);
    Some(command)
}

fn ask(mut peer: Command, work: &Value) -> Value {
    let mut child = peer.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(work.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the peer failed");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn public_jwk(signer: &LocalSigner) -> Value {
    serde_json::from_str(&signer.public_key().to_jwk()).unwrap()
}

fn private_jwk(signer: &LocalSigner) -> Value {
    serde_json::from_str(&signer.key().to_jwk()).unwrap()
}

fn names(algorithm: Algorithm) -> &'static [&'static str] {
    match algorithm {
        Algorithm::EdDsa => &["EdDSA", "Ed25519"],
        Algorithm::Es256 => &["ES256"],
    }
}

fn payload() -> &'static str {
    std::str::from_utf8(PAYLOAD).unwrap()
}

/// Good tokens are accepted, the payload of another is not; what the peer signs we accept; of the bad tokens the peer
/// accepts the `lenient` ones and no others.
fn cross_check(variable: &str, lenient: impl Fn(Algorithm) -> BTreeSet<&'static str>) {
    for algorithm in ALGORITHMS {
        let Some(peer) = peer(variable) else { return };
        let signer = signer(algorithm);
        let good = token(&signer, &header(&signer));
        let bad = cases(&signer);
        let tokens = [&good].into_iter().chain(bad.iter().map(|case| &case.token));
        let verify: Vec<_> = tokens
            .map(|token| json!({ "token": token, "jwk": public_jwk(&signer), "algorithms": names(algorithm) }))
            .collect();
        let header: Value = serde_json::from_str(&header(&signer)).unwrap();
        let sign = [json!({ "payload": payload(), "jwk": private_jwk(&signer), "header": header })];
        let answer = ask(peer, &json!({ "verify": verify, "sign": sign }));

        let verified = answer["verified"].as_array().unwrap();
        assert_eq!(verified[0], payload(), "{algorithm}: the good token");
        let accepted: BTreeSet<_> = bad
            .iter()
            .zip(&verified[1..])
            .filter(|(_, payload)| !payload.is_null())
            .map(|(case, _)| case.name)
            .collect();
        assert_eq!(
            accepted,
            lenient(algorithm),
            "{algorithm}: the bad tokens that {variable} accepts"
        );

        let theirs = answer["signed"][0].as_str().unwrap();
        let jws = Jws::read(theirs, Typ::Manifest).unwrap();
        jws.expect_kid(signer.key_id()).unwrap();
        assert!(jws.over(PAYLOAD).unwrap().verify(signer.public_key()).is_ok());
    }
}

/// What both accept and we refuse: rules of our profile that JOSE leaves to the application, and loose reading of JSON.
const BOTH: [&str; 11] = [
    "alg twice, none first",
    "alg twice, once escaped",
    "b64 false with crit",
    "b64 true without crit",
    "header after a byte order mark",
    "jku",
    "jwk",
    "kid missing",
    "typ JWT",
    "typ missing",
    "x5u",
];

fn lenient(more: &[&'static str]) -> BTreeSet<&'static str> {
    BOTH.iter().chain(more).copied().collect()
}

#[test]
fn npm_jose() {
    cross_check("GENTEN_PEER_JOSE", |_| {
        lenient(&[
            "b64 false without crit",
            "free bits of the signature set",
            "line feed behind",
            "line feed within the signature",
            "padding after the signature",
            "unknown member",
        ])
    });
}

#[test]
fn pypi_joserfc() {
    cross_check("GENTEN_PEER_JOSERFC", |_| lenient(&["crit empty", "crit of alg"]));
}
