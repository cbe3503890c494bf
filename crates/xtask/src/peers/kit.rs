//! The trust kit and the policy of the recorded world.

use std::error::Error;

use genten_jws::{Algorithm, Signer as _};
use genten_pki::{TimestampAuthority, certificates_from_pem};
use genten_primitives::encoding::base64;
use serde_json::{Value, json};

use super::servers::Servers;
use super::world::{now, secret, signer};

const POLICY: &str = r#"# All that the recorded bundles carry.
version = 1
name = "recorded"

[require]
default = ["signature", "signer", "content", "log", "log.content", "time", "witness"]
"#;

/// Names and what is in them.
type Files = [(String, Vec<u8>); 2];

/// `trust.json` and `policy.toml`.
pub(super) fn files(servers: &Servers<'_>) -> Result<Files, Box<dyn Error>> {
    let mut kit = serde_json::to_vec_pretty(&kit(servers)?)?;
    kit.push(b'\n');
    Ok([("trust.json".to_owned(), kit), ("policy.toml".to_owned(), POLICY.into())])
}

fn kit(servers: &Servers<'_>) -> Result<Value, Box<dyn Error>> {
    let content_key = secret(Algorithm::Es256, "content log");
    let content_key: Value = serde_json::from_str(&content_key.public_key().to_jwk())?;
    let signers = [("es256", Algorithm::Es256), ("ed25519", Algorithm::EdDsa)];
    let signers = signers.map(|(name, algorithm)| {
        let signer = signer(algorithm, name);
        let jwk: Value = serde_json::from_str(&signer.public_key().to_jwk()).expect("our own JSON");
        json!({
            "key_id": signer.key_id().as_str(),
            "public_key": jwk,
            "status": "active",
            "content_log_keys": [content_key],
        })
    });
    let chain = certificates_from_pem(&servers.tsa_chain)?;
    let chain: Vec<_> = chain.iter().map(|one| base64(one.der())).collect();
    Ok(json!({
        "media_type": genten_verify::kit::KIT_MEDIA_TYPE,
        "created_at": now().to_string(),
        "signers": signers,
        "tlog_policies": [servers.policy],
        "timestamp_authorities": [{ "name": "recorded timestamp authority", "certificates": chain }],
    }))
}

/// The timestamp authority behind a chain.
pub(super) fn authority(pem: &str) -> Result<TimestampAuthority, Box<dyn Error>> {
    let chain = certificates_from_pem(pem)?;
    Ok(TimestampAuthority::new("recorded timestamp authority".to_owned(), chain, None, None)?)
}
