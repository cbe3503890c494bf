//! The upstream's certificate, and what certificate transparency says of it.

use rcgen::{CustomExtension, ExtendedKeyUsagePurpose, IsCa};
use serde_json::{Value, json};

use super::world::{Named, draft, trusting_bundle};
use crate::common::case::Case;
use crate::common::certificates::{
    Basic, Ca, Edit, Params, both, host, no_edit, self_signed, spki_sha256, tls_chain, valid,
};
use crate::common::keys::es256;
use crate::common::manifest::{Draft, sha256};

pub(crate) const HOST: &str = "www.rfc-editor.org";
const STRICT: &str = "[require]\ndefault = [\"signature\", \"signer\", \"tls-certificate\"]\n";

pub(crate) fn cases() -> Vec<Case> {
    [good(), leaves(), issuers(), stated(), transparency()].concat()
}

pub(crate) fn root() -> Ca {
    Ca::root("Example TLS root", &no_edit)
}

pub(crate) fn server() -> crate::common::keys::Key {
    es256("server")
}

fn leaf(edit: Edit<'_>) -> Vec<u8> {
    root().leaf(&server(), edit)
}

/// A manifest that states this certificate and what belongs to it.
pub(crate) fn stating(leaf: &[u8]) -> Draft {
    draft()
        .with_http()
        .with("/tls_server_cert_sha256", sha256(leaf))
        .with("/tls", json!({"version": "TLSv1.3", "trust": "public-with-sct"}))
}

fn with_chain(draft: &Draft, chain: &[&[u8]]) -> Case {
    trusting_bundle(draft.bundle(&[tls_chain(chain)]))
}

/// The manifest states the leaf that this edit makes, and the chain is the true one.
fn with_leaf(edit: Edit<'_>) -> Case {
    let leaf = leaf(edit);
    with_chain(&stating(&leaf), &[&leaf, &root().der])
}

fn good() -> Vec<Case> {
    let leaf = leaf(&host(HOST));
    let stranger = Ca::root("A stranger", &no_edit);
    let own = self_signed(&server(), &host(HOST));
    let full = stating(&leaf)
        .with("/tls/spki_sha256", spki_sha256(&server()))
        .with("/tls/issuer", "CN=Example TLS root");
    vec![
        with_chain(&full, &[&leaf, &stranger.der, &root().der]).policy_file(STRICT).accepted(
            "good-tls-chain",
            "The chain behind the fingerprint, with a stranger in it; key and issuer are stated and fit.",
            &["tls-chain.holds", "tls-certificate.public"],
        ),
        with_leaf(&host("*.rfc-editor.org")).accepted(
            "good-tls-wildcard",
            "A wildcard covers the host.",
            &["tls-chain.holds"],
        ),
        with_chain(&stating(&own), &[&own]).accepted(
            "good-tls-self-signed",
            "A certificate that the server signed itself: it existed, and nobody vouches for it.",
            &["tls-chain.holds", "tls-chain.self-signed"],
        ),
    ]
}

/// Redirected from the usual host to a mirror, which showed this certificate.
fn redirected(leaf: &[u8]) -> Draft {
    stating(leaf)
        .with("/http/final_url", "https://mirror.example/x")
        .with("/http/redirects", json!([
            {"url": "https://www.rfc-editor.org/rfc/rfc8890.txt", "status": 302, "location": "https://mirror.example/x"}]))
}

fn leaves() -> Vec<Case> {
    let mirror = leaf(&host("mirror.example"));
    let true_leaf = leaf(&host(HOST));
    let other =
        leaf(&both(host(HOST), |params: &mut Params| valid(params, (2026, 9, 1), (2027, 3, 1))));
    let poison = |params: &mut Params| {
        let oid = [1, 3, 6, 1, 4, 1, 11129, 2, 4, 3];
        let mut poison = CustomExtension::from_oid_content(&oid, vec![5, 0]);
        poison.set_criticality(true);
        params.custom_extensions.push(poison);
    };
    let common_name = |params: &mut Params| {
        params.distinguished_name.push(rcgen::DnType::CommonName, HOST);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    };
    let dates =
        |from, until| both(host(HOST), move |params: &mut Params| valid(params, from, until));
    vec![
        with_chain(&stating(&true_leaf), &[&other, &root().der]).rejected(
            "tls-other-leaf",
            "The chain of another certificate than the signed one.",
            "tls-chain.other-certificate",
        ),
        with_chain(&redirected(&true_leaf), &[&true_leaf, &root().der]).rejected(
            "tls-host-of-source",
            "After a redirect, the certificate of the host that was asked first.",
            "tls-chain.host",
        ),
        with_chain(&redirected(&mirror), &[&mirror, &root().der]).accepted(
            "good-tls-host-of-answer",
            "After a redirect, the certificate of the host that answered.",
            &["tls-chain.holds"],
        ),
        with_leaf(&dates((2026, 12, 1), (2027, 12, 1))).at("2027-06-01T00:00:00Z").rejected(
            "tls-made-since",
            "The certificate is valid now, and was not when the content was fetched.",
            "tls-chain.validity",
        ),
        with_leaf(&dates((2026, 11, 1), (2026, 12, 1))).at("2027-11-30T12:00:00Z").accepted(
            "good-tls-expired-since",
            "The certificate was valid when the content was fetched, and is not now.",
            &["tls-chain.holds"],
        ),
        with_leaf(&host("rfc-editor.org")).rejected(
            "tls-other-host",
            "A certificate for another host.",
            "tls-chain.host",
        ),
        with_leaf(&host("*.www.rfc-editor.org")).rejected(
            "tls-wildcard-below",
            "A wildcard below the host does not cover it.",
            "tls-chain.host",
        ),
        with_leaf(&common_name).rejected(
            "tls-common-name",
            "The host stands in the common name only.",
            "tls-chain.host",
        ),
        with_leaf(&dates((2026, 1, 1), (2026, 11, 30))).rejected(
            "tls-expired",
            "The certificate expired before the fetch.",
            "tls-chain.validity",
        ),
        with_leaf(&dates((2026, 12, 1), (2027, 12, 1))).rejected(
            "tls-not-yet-valid",
            "The certificate was made after the fetch.",
            "tls-chain.validity",
        ),
        with_leaf(&both(host(HOST), poison)).rejected(
            "tls-precertificate",
            "A precertificate, which no server can use.",
            "tls-chain.malformed",
        ),
        with_chain(&stating(b"no certificate"), &[b"no certificate"]).rejected(
            "tls-malformed",
            "Something that is no certificate, rightly fingerprinted.",
            "tls-chain.malformed",
        ),
    ]
}

fn issuers() -> Vec<Case> {
    let leaf = leaf(&host(HOST));
    let impostor = Ca::named_like("Example TLS root", "impostor");
    let no_ca = Ca::root("Example no CA", &|params| params.is_ca = IsCa::ExplicitNoCa);
    let below_no_ca = no_ca.leaf(&server(), &host(HOST));
    let not_for_certificates = Ca::root("Example CRL signer", &|params| {
        params.is_ca = IsCa::Ca(Basic::Unconstrained);
        params.key_usages = vec![rcgen::KeyUsagePurpose::CrlSign];
    });
    let below_crl_signer = not_for_certificates.leaf(&server(), &host(HOST));
    let self_named = Ca::named_like("leaf", "impostor").leaf(&server(), &host(HOST));
    let alone = || with_chain(&stating(&leaf), &[&leaf]);
    vec![
        with_chain(&stating(&leaf), &[&leaf, &impostor.der]).rejected(
            "tls-impostor",
            "Another key under the issuer's name.",
            "tls-chain.signature",
        ),
        with_chain(&stating(&below_no_ca), &[&below_no_ca, &no_ca.der]).rejected(
            "tls-issuer-no-ca",
            "Issued by a certificate that is no CA's.",
            "tls-chain.issuer-not-ca",
        ),
        with_chain(&stating(&below_crl_signer), &[&below_crl_signer, &not_for_certificates.der])
            .rejected(
                "tls-issuer-key-usage",
                "Issued by a CA that may sign revocation lists only.",
                "tls-chain.issuer-not-ca",
            ),
        with_chain(&stating(&self_named), &[&self_named]).rejected(
            "tls-self-named",
            "A certificate that names itself as issuer, signed by another key.",
            "tls-chain.signature",
        ),
        alone().policy_file(STRICT).reviewed(
            "tls-issuer-missing",
            "The issuer is not in the chain, and the policy asks for the certificate.",
            "tls-chain.issuer-missing",
        ),
        alone().accepted(
            "good-tls-issuer-missing",
            "The issuer is not in the chain: not checked, and not asked for.",
            &["tls-chain.issuer-missing"],
        ),
        unknown_algorithm().policy_file(STRICT).reviewed(
            "tls-algorithm-unknown",
            "The issuer's signature is said to be ECDSA with SHA-512, which is not checked.",
            "tls-chain.signature-not-checked",
        ),
    ]
}

fn unknown_algorithm() -> Case {
    let der = leaf(&host(HOST));
    let (from, to) =
        ([0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2], [0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 4]);
    let mut patched = der.clone();
    for at in 0..der.len() - 8 {
        if der[at..at + 8] == from {
            patched[at..at + 8].copy_from_slice(&to);
        }
    }
    with_chain(&stating(&patched), &[&patched, &root().der])
}

/// What the manifest itself says of the certificate.
fn stated() -> Vec<Case> {
    let leaf = leaf(&host(HOST));
    let chain = [leaf.as_slice(), &root().der];
    let manifest = |draft: Draft| super::world::trusting(draft.sign());
    let trust = |word: &str| manifest(stating(&leaf).with("/tls/trust", word)).policy_file(STRICT);
    let two: [Value; 2] = [
        tls_chain(&chain),
        tls_chain(&[&leaf, &Ca::named_like("Example TLS root", "impostor").der]),
    ];
    vec![
        with_chain(&stating(&leaf).with("/tls/spki_sha256", spki_sha256(&es256("other"))), &chain)
            .rejected(
                "tls-other-key",
                "The manifest states another key than the certificate has.",
                "tls-chain.other-key",
            ),
        with_chain(&stating(&leaf).with("/tls/issuer", "CN=Let's Encrypt"), &chain).rejected(
            "tls-other-issuer",
            "The manifest states another issuer than the certificate has.",
            "tls-chain.other-issuer",
        ),
        with_chain(&draft().with_http(), &chain).rejected(
            "tls-unstated",
            "A chain beside a manifest that states no certificate.",
            "tls-chain.unstated",
        ),
        trusting_bundle(stating(&leaf).bundle(&two)).rejected(
            "tls-second-chain",
            "A second chain beside the good one does not hold.",
            "tls-chain.signature",
        ),
        trust("private-root").reviewed(
            "tls-private-root",
            "An authority of somebody's own, such as an office proxy's.",
            "tls-certificate.not-public",
        ),
        trust("unverified").reviewed(
            "tls-unverified",
            "Nobody looked at the certificate.",
            "tls-certificate.not-public",
        ),
        manifest(draft().with_http().with("/tls_server_cert_sha256", sha256(&leaf)))
            .policy_file(STRICT)
            .reviewed(
                "tls-trust-unstated",
                "A fingerprint without a word on who vouches for it.",
                "tls-certificate.not-public",
            ),
        manifest(draft().with_http()).policy_file(STRICT).reviewed(
            "tls-missing",
            "No certificate, where the policy asks for one.",
            "tls-certificate.missing",
        ),
        manifest(stating(&leaf).with("/tls/proxy", true)).accepted(
            "good-tls-proxy",
            "A proxy stood between: named.",
            &["tls.proxy"],
        ),
    ]
}

fn transparency() -> Vec<Case> {
    let ct = "[require]\ndefault = [\"signature\", \"signer\", \"ct\"]\n";
    let der = leaf(&host(HOST));
    let beside = |list: &str| {
        let mut chain = tls_chain(&[&der, &root().der]);
        chain["scts"] = list.into();
        chain
    };
    let with = |proof: &str| super::world::trusting(draft().with("/ct_log_proof", proof).sign());
    vec![
        with("sct-list:AAE").rejected(
            "ct-malformed",
            "A list that ends in its length.",
            "ct.malformed",
        ),
        trusting_bundle(stating(&der).bundle(&[beside("AAE=")])).rejected(
            "ct-malformed-beside",
            "Such a list beside the server's certificates.",
            "ct.malformed",
        ),
        super::world::trusting(
            stating(&der)
                .with("/source_url", "urn:x:y")
                .with("/capture", "reported")
                .without("http")
                .sign(),
        )
        .policy_file(STRICT)
        .reviewed(
            "tls-certificate-of-a-name",
            "A certificate stated for a source that is no web address.",
            "tls-certificate.missing",
        ),
        with(&super::world::sct_list()).policy_file(ct).reviewed(
            "ct-chain-missing",
            "A list, and no certificate to hold it against.",
            "ct.chain-missing",
        ),
        super::world::trusting(draft().sign()).policy_file(ct).reviewed(
            "ct-missing",
            "No list, where the policy asks for one.",
            "ct.missing",
        ),
    ]
}
