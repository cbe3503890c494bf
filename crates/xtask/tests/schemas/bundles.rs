//! `provenance-bundle.schema.json` and the strict reader.

use genten_jws::SignedBytes;
use genten_manifest::{BUNDLE_MEDIA_TYPE, EvidenceKind, UnverifiedBundle, UnverifiedManifest};
use serde_json::{Value, json};

use crate::differences::compare;
use crate::manifests::{DIGEST, least};
use crate::schema;

fn bundle(evidence: Value) -> Value {
    json!({ "media_type": BUNDLE_MEDIA_TYPE, "manifest": least(), "evidence": evidence })
}

/// Whether the reader takes it, no member is unknown, and the readers of signatures take those.
pub(crate) fn accepts(bundle: &Value) -> bool {
    let Ok(read) = UnverifiedBundle::read(bundle.to_string().as_bytes()) else { return false };
    let archived = read.evidence().iter().filter_map(|item| match item.kind() {
        EvidenceKind::Archive(manifest) => Some(manifest.as_ref()),
        _ => None,
    });
    read.unknown_members().is_empty() && archived.chain([read.manifest()]).all(is_sound)
}

fn is_sound(manifest: &UnverifiedManifest) -> bool {
    manifest.unknown_members().is_empty()
        && manifest.claims().contradiction().is_none()
        && SignedBytes::of_manifest(manifest).is_ok()
}

#[test]
fn each_type_of_evidence_and_its_neighbours() {
    let chain = json!(["AAE="]);
    for item in [
        json!({ "type": "archive", "manifest": least() }),
        json!({ "type": "did-document", "document": {}, "retrieved_at": "2026-11-30T08:15:00Z" }),
        json!({ "type": "external", "media_type": "x/y", "sha256": DIGEST, "data": "AAE=", "label": "l", "manifest_id": DIGEST }),
        json!({ "type": "external", "media_type": "x/y", "sha256": DIGEST, "uri": "https://a.example/", "manifest_id": DIGEST }),
        json!({ "type": "tls-chain", "certificates": chain, "scts": "AAE=", "ocsp": "AAE=", "tlog_proof": "AAE=" }),
        json!({ "type": "x509-chain", "certificates": chain }),
        json!({ "type": "of a later version", "anything": [1] }),
    ] {
        let kid = "kid stands in the signature's header too";
        let less = [("/manifest/mcp_key_id = ", kid), ("/evidence/0/manifest/mcp_key_id = ", kid)];
        let less = if item["type"] == "archive" { &less[..] } else { &less[..1] };
        compare(&schema("provenance-bundle"), accepts, &bundle(json!([item])), less);
    }
}

#[test]
fn the_number_of_items_is_bounded() {
    let schema = schema("provenance-bundle");
    for (count, fits) in [(0, true), (32, true), (33, false)] {
        let bundle = bundle(vec![json!({ "type": "later" }); count].into());
        assert_eq!((schema.is_valid(&bundle), accepts(&bundle)), (fits, fits), "{count}");
    }
}
