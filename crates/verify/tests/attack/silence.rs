//! What is there and comes to nothing: the policy that asks for it hears of it.

use rcgen::CustomExtension;
use serde_json::json;

use crate::common::case::Case;
use crate::common::certificates::{Ca, Params, both, host, no_edit, tls_chain};
use crate::common::keys::es256;
use crate::common::kit::Kit;
use crate::common::manifest::{Draft, sha256};

const SCT_LIST: [u64; 10] = [1, 3, 6, 1, 4, 1, 11129, 2, 4, 2];

/// A certificate with the extension of SCTs, and no list in it that can be read.
#[test]
fn an_unreadable_list_of_scts_is_no_promise() {
    let unreadable = |params: &mut Params| {
        let list = CustomExtension::from_oid_content(&SCT_LIST, vec![4, 3, 0, 9, 0]);
        params.custom_extensions.push(list);
    };
    let root = Ca::root("Example TLS root", &no_edit);
    let leaf = root.leaf(&es256("server"), &both(host("www.rfc-editor.org"), unreadable));
    let key = es256("signer");
    let draft = Draft::new(&key, &key.did_key())
        .with_http()
        .with("/tls_server_cert_sha256", sha256(&leaf))
        .with("/tls", json!({"version": "TLSv1.3", "trust": "public-with-sct"}));
    let kit =
        Kit::of(&key.did_key(), &key).with("ct_log_list", json!({"version": "1", "operators": []}));
    let case = Case::bundle(draft.bundle(&[tls_chain(&[&leaf, &root.der])])).kit(&kit);
    case.clone().expect("accept", "");
    case.policy_file("[require]\ndefault = [\"signature\", \"signer\", \"ct\"]\n")
        .expect("review", "ct.nothing-verified");
}
