//! Whom to trust, what to ask, and the time: as `verify` is told them.

use std::path::Path;
use std::time::SystemTime;

use genten_primitives::Timestamp;
use genten_primitives::json::{self, Limits, Value};
use genten_verify::kit::MAX_KIT_BYTES;
use genten_verify::{
    MAX_KEY_BYTES, MAX_POLICY_BYTES, Policy, Trust, TrustKit, TrustedSigner, Verifier,
    keys_from_file,
};

use crate::cli::QuestionArgs;
use crate::failure::{Done, Failure, read_file, with_causes};

pub(super) struct Question {
    pub(super) verifier: Verifier,
    pub(super) now: Timestamp,
}

impl Question {
    pub(super) fn of(args: &QuestionArgs) -> Done<Self> {
        let mut trust = Trust::default();
        for path in &args.key {
            let bytes = read_file(path, MAX_KEY_BYTES as u64)?;
            let keys = keys_from_file(&bytes).map_err(|error| {
                let hint = "Give a public key in PEM, a JWK, or the signer's certificate in PEM.";
                Failure::coded(error.code(), &error, hint).about(&path.display().to_string())
            })?;
            trust.keys.extend(keys);
        }
        for id in &args.signer {
            let signer = TrustedSigner::new(id).map_err(|error| {
                let message = format!("--signer {id}: {}", with_causes(&error));
                Failure::usage(
                    message,
                    "Ids that contain their key look like did:key:z… or did:jwk:….",
                )
            })?;
            trust.signers.push(signer);
        }
        if let Some(path) = &args.trust {
            trust.kit = kit(path)?;
        }
        let clock = || Timestamp::from_system_time(SystemTime::now());
        let now = args.at.or_else(clock).ok_or_else(|| {
            Failure::usage("the clock shows no year from 1 to 9999", "Give the time with --at.")
        })?;
        Ok(Self { verifier: Verifier::new(trust, policy(&args.policy)?), now })
    }
}

fn kit(path: &Path) -> Done<TrustKit> {
    let bytes = read_file(path, MAX_KIT_BYTES as u64)?;
    let kit = match is_sigstore_root(&bytes) {
        true => TrustKit::of_sigstore_root(&bytes),
        false => TrustKit::read(&bytes),
    };
    kit.map_err(|error| {
        let hint = "`genten trust check` says what is wrong with a kit.";
        Failure::coded(genten_verify::KitError::CODE, &error, hint)
            .about(&path.display().to_string())
    })
}

fn is_sigstore_root(bytes: &[u8]) -> bool {
    let Ok(document) = json::read(bytes, Limits::bytes(MAX_KIT_BYTES)) else { return false };
    let media_type = document.root().get("mediaType").and_then(Value::as_str);
    media_type.is_some_and(|text| text.starts_with("application/vnd.dev.sigstore.trustedroot"))
}

fn policy(name: &Path) -> Done<Policy> {
    if let Some(policy) = name.to_str().and_then(Policy::built_in) {
        return Ok(policy);
    }
    let bytes = read_file(name, MAX_POLICY_BYTES as u64)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::usage(format!("{}: not UTF-8", name.display()), "Give a policy in TOML.")
    })?;
    Policy::read(&text).map_err(|error| {
        Failure::coded(genten_verify::PolicyError::CODE, &error, "Give a policy in TOML.")
            .about(&name.display().to_string())
    })
}
