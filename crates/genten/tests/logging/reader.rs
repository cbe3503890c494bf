//! Who reads the bundles afterwards, offline: he trusts the producer's keys, the logs and the authority, and requires what was
//! to be logged.

use genten::jws::ContentLogSigner as _;
use genten::primitives::{PublicKey, Timestamp};
use genten::tlog::NoteKey;
use genten::verify::kit::KIT_MEDIA_TYPE;
use genten::{Body, Genten, Policy, Report, Trust, TrustKit, Verifier};
use genten_testkit::tsa::Tsa;
use genten_testkit::witness::policy;
use serde_json::{Value, json};

use crate::producer::content_key;

/// A trust kit.
pub(crate) struct Reader(Trust);

impl Reader {
    pub(crate) fn of(genten: &Genten, logs: &[NoteKey], authority: &Tsa) -> Self {
        let logs: Vec<_> = logs.iter().map(|log| policy(&[log], &[], 0)).collect();
        let signer = json!({
            "key_id": genten.key_id().as_str(),
            "public_key": jwk(genten.public_key()),
            "content_log_keys": [jwk(content_key().public_key())],
            "status": "active",
        });
        let kit = json!({
            "media_type": KIT_MEDIA_TYPE,
            "signers": [signer],
            "tlog_policies": logs,
            "timestamp_authorities": [authority.in_kit()],
        });
        let kit = TrustKit::read(kit.to_string().as_bytes()).unwrap();
        Self(Trust { kit, ..Trust::default() })
    }

    /// Verdict and reason on a bundle, where these words are required beside `signature` and `signer`.
    pub(crate) fn verdict(&self, bundle: &[u8], words: &[&str], now: Timestamp) -> String {
        verdict(&self.report(bundle, words, now))
    }

    pub(crate) fn report(&self, bundle: &[u8], words: &[&str], now: Timestamp) -> Report {
        let words = [&["signature", "signer"], words].concat();
        let policy =
            format!("version = 1\nname = \"test\"\n[require]\ndefault = {}\n", json!(words));
        let verifier = Verifier::new(self.0.clone(), Policy::read(&policy).unwrap());
        verifier.verify_bytes(bundle, &Body::NotGiven, now)
    }
}

/// Verdict and reason, such as `review log.missing`.
pub(crate) fn verdict(report: &Report) -> String {
    let because = report.verdict.because().map_or("", |code| code.as_str());
    format!("{} {because}", report.verdict.as_str()).trim_end().to_owned()
}

fn jwk(key: &PublicKey) -> Value {
    serde_json::from_str(&key.to_jwk()).unwrap()
}
