//! Other people's libraries as oracles: what Genten signs, they verify, and the reverse; what Genten refuses although a
//! library accepts it is listed, and a test fails when the list is no longer true. The tests are all there is; this file
//! makes the tokens that they share.

pub mod mischief;

use genten_jws::{Algorithm, LocalSigner, SecretKey, Signer as _};
use genten_primitives::encoding::base64url;

/// Both algorithms of the profile.
pub const ALGORITHMS: [Algorithm; 2] = [Algorithm::Es256, Algorithm::EdDsa];

/// What all tokens of the tests cover.
pub const PAYLOAD: &[u8] = br#"{"source_url":"https://a.example/law?id=1.2"}"#;

/// A signer with a fixed key.
pub fn signer(algorithm: Algorithm) -> LocalSigner {
    let key = SecretKey::from_bytes(algorithm, &[7; 32]).expect("7 is a private key of P-256");
    LocalSigner::did_key(key)
}

/// An attached token over [`PAYLOAD`] with this header, well signed.
pub fn token(signer: &LocalSigner, header: &str) -> String {
    let input = format!("{}.{}", base64url(header.as_bytes()), base64url(PAYLOAD));
    let signature = signer.sign(input.as_bytes()).expect("a key in this process signs");
    format!("{input}.{}", base64url(signature.as_bytes()))
}

/// The header that Genten writes.
pub fn header(signer: &LocalSigner) -> String {
    let alg = signer.key().algorithm();
    format!(r#"{{"alg":"{alg}","kid":"{}","typ":"provenance-manifest+jws"}}"#, signer.key_id())
}
