//! Bundles of the small log under kits that trust it.

use genten_jws::Signer as _;
use genten_verify::TrustKit;
use serde_json::{Value, json};

use crate::common::kit::Kit;
use crate::log::{self, ARTIFACT, root, small};
use crate::world::{Case, artifacts, basic};

/// A kit that trusts these logs, with policies of witnesses.
pub(crate) fn kit(tlogs: Value, policies: &[String]) -> TrustKit {
    let kit = Kit::new()
        .with("sigstore_trusted_roots", json!([root(tlogs)]))
        .with("tlog_policies", json!(policies));
    TrustKit::read(kit.text().as_bytes()).unwrap()
}

/// A bundle of the small log, under a kit that trusts it.
pub(crate) fn case(bundle: &Value) -> Case {
    let [artifact, _] = artifacts(ARTIFACT);
    Case {
        bundle: bundle.to_string().into_bytes(),
        artifact,
        kit: kit(json!([small()]), &[]),
        keys: vec![log::signer().public_key().clone()],
        identity: None,
        policy: basic(),
    }
}
