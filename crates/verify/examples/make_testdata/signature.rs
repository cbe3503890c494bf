//! The JWS: one broken rule of header, form or signature each.

use genten_primitives::encoding::{base64, base64url};
use serde_json::{Value, json};

use super::world::{Named, draft, edwards, signer, stranger, trusting};
use crate::common::case::Case;
use crate::common::manifest::{Draft, sha256};

pub(crate) fn cases() -> Vec<Case> {
    [algorithms(), headers(), types(), names(), parts(), values(), swaps()].concat()
}

fn signed(draft: Draft) -> Case {
    trusting(draft.sign())
}

/// A good signature over this text as header.
fn with_header(header: &str) -> Case {
    trusting(draft().sign_with_header(header))
}

fn algorithms() -> Vec<Case> {
    let none = draft().header("alg", "none");
    let unsigned = none.seal(&format!("{}..", base64url(none.header_text().as_bytes())));
    let other = Draft::new(&edwards(), &signer().did_key()).header("alg", "ES256");
    let alg = |name: &str| signed(draft().header("alg", name));
    vec![
        trusting(unsigned).rejected("jws-alg-none", "alg none and no signature.", "jws.alg.none"),
        signed(none).rejected(
            "jws-alg-none-signed",
            "alg none beside a good signature.",
            "jws.alg.none",
        ),
        alg("NoNe").rejected("jws-alg-none-mixed-case", "alg none in mixed case.", "jws.alg.none"),
        signed(draft().header("alg", Value::Null)).rejected(
            "jws-alg-missing",
            "No alg.",
            "jws.alg.missing",
        ),
        alg("HS256").rejected(
            "jws-alg-hs256",
            "A MAC: the public key would be its secret.",
            "jws.alg.unsupported",
        ),
        alg("RS256").rejected("jws-alg-rs256", "RSA.", "jws.alg.unsupported"),
        alg("ES384").rejected("jws-alg-es384", "Another curve.", "jws.alg.unsupported"),
        alg("es256").rejected(
            "jws-alg-lower-case",
            "ES256 in small letters.",
            "jws.alg.unsupported",
        ),
        alg("EdDSA").rejected(
            "jws-alg-mismatch",
            "alg EdDSA over an ES256 signature; the key is P-256.",
            "jws.alg.mismatch",
        ),
        signed(other).rejected(
            "jws-alg-of-header-not-key",
            "alg ES256 and an Ed25519 signature under the id of a P-256 key.",
            "jws.signature.mismatch",
        ),
    ]
}

fn headers() -> Vec<Case> {
    let header = draft().header_text();
    let jwk = stranger().jwk();
    let stolen = Draft::new(&stranger(), &signer().did_key()).header("jwk", jwk.clone());
    let certificate = base64(b"certificate");
    let other = base64url(&[0; 32]);
    let long = draft().header("x5c", json!([base64(&vec![7; 20_000])]));
    let padded = trusting(draft().seal(&format!(
        "{}=..{}",
        base64url(header.as_bytes()),
        base64url(&[1; 64])
    )));
    let extra = |name: &str, value: Value| signed(draft().header(name, value));
    vec![
        signed(stolen).rejected(
            "jws-jwk",
            "An attacker's key in the header, and his good signature.",
            "jws.header.key-reference",
        ),
        extra("jku", json!("https://evil.example/keys")).rejected(
            "jws-jku",
            "A place to get keys from.",
            "jws.header.key-reference",
        ),
        extra("x5u", json!("https://evil.example/chain")).rejected(
            "jws-x5u",
            "A place to get certificates from.",
            "jws.header.key-reference",
        ),
        extra("crit", json!(["exp"])).rejected(
            "jws-crit",
            "crit with an unknown extension.",
            "jws.header.crit",
        ),
        extra("crit", json!([])).rejected(
            "jws-crit-empty",
            "crit with nothing in it.",
            "jws.header.crit",
        ),
        extra("b64", json!(false)).rejected(
            "jws-b64-false",
            "b64 false without crit.",
            "jws.header.b64",
        ),
        signed(draft().header("b64", false).header("crit", json!(["b64"]))).rejected(
            "jws-b64-crit",
            "b64 false as RFC 7797 wants it.",
            "jws.header.b64",
        ),
        with_header(&header.replacen('{', "{\"alg\":\"none\",", 1)).rejected(
            "jws-duplicate-alg",
            "alg twice: many libraries take the last.",
            "jws.header.duplicate-member",
        ),
        extra("exp", json!(1)).rejected(
            "jws-unknown-member",
            "A header member that is not in the profile.",
            "jws.header.unknown-member",
        ),
        extra("alg", json!(["ES256"])).rejected(
            "jws-wrong-type",
            "alg as a list.",
            "jws.header.wrong-type",
        ),
        with_header(&format!("[{header}]")).rejected(
            "jws-not-object",
            "A list as header.",
            "jws.header.not-object",
        ),
        with_header(&format!("{header}x")).rejected(
            "jws-not-json",
            "Something after the header.",
            "jws.header.json",
        ),
        padded.rejected("jws-header-padding", "Padding after the header.", "jws.header.encoding"),
        signed(long).rejected(
            "jws-header-too-long",
            "A header of more than 24 KiB.",
            "jws.header.too-long",
        ),
        extra("x5c", json!([])).rejected(
            "jws-x5c-empty",
            "An empty list of certificates.",
            "jws.header.x5c",
        ),
        extra("x5c", json!(["AA"])).rejected(
            "jws-x5c-base64",
            "A certificate that is no base64.",
            "jws.header.x5c",
        ),
        extra("x5t#S256", json!("AAAA")).rejected(
            "jws-x5t-short",
            "A certificate digest of 3 bytes.",
            "jws.header.x5t",
        ),
        signed(draft().header("x5c", json!([certificate])).header("x5t#S256", other)).rejected(
            "jws-x5t-mismatch",
            "The digest of another certificate than the one beside it.",
            "jws.header.x5t-mismatch",
        ),
    ]
}

fn types() -> Vec<Case> {
    let typ = |name: &str| signed(draft().header("typ", name));
    vec![
        signed(draft().header("typ", Value::Null)).rejected(
            "jws-typ-missing",
            "No typ.",
            "jws.typ.missing",
        ),
        typ("JWT").rejected("jws-typ-jwt", "A signature that was made as JWT.", "jws.typ.other"),
        typ("provenance-batch+jws").rejected(
            "jws-typ-batch",
            "A signature that was made for a batch.",
            "jws.typ.other",
        ),
        typ("application/provenance-manifest+jws").rejected(
            "jws-typ-prefixed",
            "typ with the prefix that RFC 7515 lets one leave out.",
            "jws.typ.other",
        ),
        typ("provenance-manifest-v1+jws").rejected(
            "jws-typ-v1",
            "A version 1 that is not written so.",
            "jws.typ.other",
        ),
        typ("provenance-manifest-v2+jws").reviewed(
            "jws-typ-v2",
            "A later version.",
            "manifest.unsupported-version",
        ),
        signed(
            draft()
                .header("typ", "provenance-manifest-v3+jws")
                .header("alg", "ML-DSA-65")
                .header("crit", json!(["x"])),
        )
        .reviewed(
            "jws-typ-v3",
            "A later version with rules of its own for the header.",
            "manifest.unsupported-version",
        ),
        signed(
            draft()
                .header("typ", "provenance-manifest-v2+jws")
                .with("/http", json!({"status": 200, "final_url": "https://a.example/"})),
        )
        .reviewed(
            "jws-typ-v2-contradiction",
            "A later version, in which other things may fit together.",
            "manifest.unsupported-version",
        ),
    ]
}

fn names() -> Vec<Case> {
    let kid = |value: Value| signed(draft().header("kid", value));
    vec![
        kid(Value::Null).rejected("jws-kid-missing", "No kid.", "jws.kid.missing"),
        kid(json!("key 1")).rejected(
            "jws-kid-malformed",
            "A kid that is no key id.",
            "jws.kid.malformed",
        ),
        kid(json!(stranger().did_key())).rejected(
            "jws-kid-mismatch",
            "kid names another signer than the manifest does.",
            "jws.kid.mismatch",
        ),
        kid(json!(signer().did_jwk())).rejected(
            "jws-kid-other-form",
            "kid names the same key in another form.",
            "jws.kid.mismatch",
        ),
    ]
}

fn parts() -> Vec<Case> {
    let header = draft().header_text();
    let (encoded, signature) =
        (base64url(header.as_bytes()), base64url(&draft().signature(&header)));
    let seal = |text: String| trusting(draft().seal(&text));
    let payload = base64url(draft().payload().as_bytes());
    let other = base64url(draft().with("/source_revision", "other").payload().as_bytes());
    let bad = json!({"protected": encoded, "signature": base64url(&[1; 64])});
    let good = json!({"protected": encoded, "signature": signature});
    vec![
        seal(format!("{encoded}.{signature}")).rejected("jws-two-parts", "Two parts.", "jws.parts"),
        seal(format!("{encoded}...{signature}")).rejected(
            "jws-four-parts",
            "Four parts.",
            "jws.parts",
        ),
        seal(String::new()).rejected("jws-empty", "An empty signature.", "jws.parts"),
        seal(json!({"signatures": [bad, good]}).to_string()).rejected(
            "jws-two-signatures",
            "Two signatures in JSON, one of them good.",
            "jws.json-serialization",
        ),
        seal(format!("{encoded}.{payload}=.{signature}")).rejected(
            "jws-payload-padded",
            "The right payload with padding.",
            "jws.payload.mismatch",
        ),
        seal(format!("{encoded}.{other}.{signature}")).rejected(
            "jws-payload-other",
            "The signature carries another payload than the manifest.",
            "jws.payload.mismatch",
        ),
        seal(format!("{encoded}..{signature}\n")).rejected(
            "jws-trailing-line-feed",
            "A line feed after the signature.",
            "jws.signature.encoding",
        ),
    ]
}

fn values() -> Vec<Case> {
    let header = draft().header_text();
    let signature = draft().signature(&header);
    let value = |bytes: &[u8]| {
        trusting(draft().seal(&format!("{}..{}", base64url(header.as_bytes()), base64url(bytes))))
    };
    let der = genten_jws::Signature::from_bytes(signature).to_der().unwrap();
    let mut flipped = signature;
    flipped[63] ^= 1;
    vec![
        value(&der).rejected("jws-der", "The signature in DER.", "jws.signature.der"),
        value(&signature[..63]).rejected("jws-short", "63 bytes.", "jws.signature.length"),
        value(&[signature.as_slice(), &[0]].concat()).rejected(
            "jws-long",
            "65 bytes.",
            "jws.signature.length",
        ),
        value(&[]).rejected(
            "jws-no-signature",
            "A good header and no signature.",
            "jws.signature.length",
        ),
        value(&[0; 64]).rejected(
            "jws-zero",
            "All zeros (CVE-2022-21449).",
            "jws.signature.malformed",
        ),
        value(&flipped).rejected(
            "jws-flipped-bit",
            "One bit of S is flipped.",
            "jws.signature.mismatch",
        ),
        ed25519_plus_l(),
    ]
}

/// S + L in place of S: the same signature to those who do not look.
fn ed25519_plus_l() -> Case {
    let draft = Draft::new(&edwards(), &edwards().did_key());
    let header = draft.header_text();
    let mut signature = draft.signature(&header);
    let order: [u8; 32] = genten_primitives::encoding::from_hex(
        "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010",
    )
    .unwrap();
    let mut carry = 0;
    for (digit, addend) in signature[32..].iter_mut().zip(order) {
        let sum = u16::from(*digit) + u16::from(addend) + carry;
        *digit = sum.to_le_bytes()[0];
        carry = sum >> 8;
    }
    let text = format!("{}..{}", base64url(header.as_bytes()), base64url(&signature));
    Case::manifest(draft.seal(&text)).signer(&edwards().did_key()).rejected(
        "jws-ed25519-plus-order",
        "An Ed25519 signature with S + L.",
        "jws.signature.mismatch",
    )
}

/// True parts in the wrong place.
fn swaps() -> Vec<Case> {
    let changed = |from: &str, to: &str| trusting(draft().sign().replacen(from, to, 1));
    let other = draft().with("/source_url", "https://www.rfc-editor.org/rfc/rfc1.txt").sign();
    let value: Value = serde_json::from_str(&other).unwrap();
    let mismatch = "jws.signature.mismatch";
    vec![
        changed("rfc8890", "rfc8891").rejected(
            "swap-url",
            "The URL was changed after signing.",
            mismatch,
        ),
        changed("08:15:00Z", "08:15:01Z").rejected(
            "swap-time",
            "The time was changed after signing.",
            mismatch,
        ),
        changed("08:15:00Z", "08:15:00.000Z").rejected(
            "swap-time-spelling",
            "The same time in another spelling: bytes are signed, not meanings.",
            mismatch,
        ),
        changed(&sha256(crate::common::BODY), &sha256(b"other")).rejected(
            "swap-digest",
            "The digest was changed after signing.",
            mismatch,
        ),
        changed("\"capture\":\"recorded\",", "").rejected(
            "swap-member-removed",
            "A member was taken away.",
            mismatch,
        ),
        changed("{\"capture\"", "{\"attested_at\":\"2026-11-30T09:00:00Z\",\"capture\"").rejected(
            "swap-member-added",
            "A member was added.",
            mismatch,
        ),
        trusting(draft().seal(value["mcp_signature"].as_str().unwrap())).rejected(
            "swap-signature",
            "The signature of another manifest of the same signer.",
            mismatch,
        ),
        Case::manifest(Draft::new(&stranger(), &signer().did_key()).sign())
            .signer(&signer().did_key())
            .rejected("swap-signer", "Somebody else signed under the signer's did:key.", mismatch),
    ]
}
