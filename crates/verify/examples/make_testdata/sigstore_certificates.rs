//! Sigstore bundles with short-lived certificates.

use genten_pki::CtEntry;
use genten_primitives::encoding::base64;
use genten_testkit::fulcio::Fulcio;
use genten_testkit::log::Handing;
use genten_testkit::{CertificateSpec, SeedKey};
use genten_tlog::rekor::LoggedKey;
use serde_json::{Value, json};

use super::logged::log;
use super::sigstore::{ARTIFACT, bundle, fulcio, kit, kit_of, material, message};
use super::world::Named;
use crate::common::case::Case;
use crate::common::kit::Kit;

const URI: &str = "https://github.example/project/workflow";
const ISSUER: &str = "https://issuer.example";
const SINCE: &str = "2026-01-01T00:00:00Z";
/// Ten minutes around the stamp.
const VALID: (&str, &str) = ("2026-11-30T08:10:00Z", "2026-11-30T08:20:00Z");

pub(crate) fn cases() -> Vec<Case> {
    [identities(), times(), paths(), promises()].concat()
}

fn key() -> SeedKey {
    SeedKey::es256("short-lived")
}

fn spec() -> CertificateSpec {
    Fulcio::spec(URI, ISSUER, VALID.0, VALID.1)
}

/// A signed file with this certificate, in the log and stamped.
fn signed(leaf: &[u8]) -> Value {
    let mut rekord = key().rekord(ARTIFACT);
    rekord.key = LoggedKey::Certificate(leaf.to_vec());
    let entry = log().log(&rekord.to_body(), &Handing::default());
    let mut material = material(&[entry], &rekord.signature);
    material["publicKey"] = json!(null);
    material["certificate"] = json!({"rawBytes": base64(leaf)});
    bundle(material, message(&rekord.signature))
}

fn judged(bundle: &Value, kit: &Kit) -> Case {
    Case::sigstore(bundle.to_string()).kit(kit).artifact(ARTIFACT).identity(URI, ISSUER)
}

fn with_leaf(leaf: &[u8]) -> Case {
    judged(&signed(leaf), &kit())
}

fn good() -> Vec<u8> {
    fulcio().issue(&spec(), &key())
}

fn identities() -> Vec<Case> {
    let mut malformed = spec();
    malformed.extensions[1].2 = vec![0x16, 1, b'a'];
    let anybody = Case::sigstore(signed(&good()).to_string()).kit(&kit()).artifact(ARTIFACT);
    vec![
        with_leaf(&good()).accepted(
            "good-sigstore-certificate",
            "A short-lived certificate of the one who was asked for.",
            &["certificate.holds", "sigstore.identity", "log.included", "time.trusted"],
        ),
        anybody.reviewed(
            "sigstore-identity-not-given",
            "Nobody said whose certificate it must be: anybody can have one.",
            "sigstore.identity-not-given",
        ),
        with_leaf(&good()).identity("https://github.example/other", ISSUER).rejected(
            "sigstore-other-identity",
            "The certificate of somebody else.",
            "sigstore.other-identity",
        ),
        with_leaf(&good()).identity(URI, "https://other.example").rejected(
            "sigstore-other-issuer",
            "The right name, for which somebody else vouched.",
            "sigstore.other-issuer",
        ),
        with_leaf(&fulcio().issue(&malformed, &key())).rejected(
            "sigstore-issuer-malformed",
            "A certificate whose word on who vouched is malformed.",
            "certificate.identity",
        ),
    ]
}

fn times() -> Vec<Case> {
    let mut timeless = signed(&good());
    timeless["verificationMaterial"]["timestampVerificationData"] = json!(null);
    let late = Fulcio::spec(URI, ISSUER, "2026-11-30T08:17:01Z", "2026-11-30T08:27:01Z");
    let end = Fulcio::spec(URI, ISSUER, "2026-11-30T08:07:00Z", "2026-11-30T08:17:00Z");
    let closed = kit_of(
        &[fulcio().log().in_trusted_root(SINCE, None)],
        &[fulcio().in_trusted_root(SINCE, Some("2026-11-30T08:16:59Z"))],
    );
    let mut expired = CertificateSpec::ca("fulcio expired intermediate");
    expired.not_after = "2026-11-30T08:16:59Z".parse().unwrap();
    let expired = Fulcio::with_intermediate("fulcio", &expired);
    let of_expired = kit_of(
        &[expired.log().in_trusted_root(SINCE, None)],
        &[expired.in_trusted_root(SINCE, None)],
    );
    vec![
        judged(&timeless, &kit()).reviewed(
            "sigstore-certificate-no-time",
            "A short-lived certificate and no trusted time.",
            "certificate.no-time",
        ),
        with_leaf(&fulcio().issue(&late, &key())).rejected(
            "sigstore-certificate-not-yet",
            "A certificate that was made a second after the stamp.",
            "certificate.not-valid-then",
        ),
        with_leaf(&fulcio().issue(&end, &key())).accepted(
            "good-sigstore-certificate-end",
            "A certificate that ends in the very second of the stamp.",
            &["certificate.holds"],
        ),
        judged(&signed(&good()), &closed).reviewed(
            "sigstore-authority-window",
            "The authority was out of use a second before the stamp.",
            "certificate.authority-window",
        ),
        judged(&signed(&expired.issue(&spec(), &key())), &of_expired).rejected(
            "sigstore-issuer-expired",
            "The authority's own certificate had expired a second before the stamp.",
            "certificate.issuer-not-valid",
        ),
    ]
}

fn paths() -> Vec<Case> {
    let other = Fulcio::new("other fulcio");
    let mut outer = good();
    let last = outer.len() - 1;
    outer[last] ^= 1;
    let mut no_purpose = spec();
    no_purpose.extensions.remove(0);
    let mut chain = signed(&good());
    chain["mediaType"] = "application/vnd.dev.sigstore.bundle+json;version=0.2".into();
    let leaf = chain["verificationMaterial"]["certificate"].take();
    let root = json!({"rawBytes": base64(fulcio().root_der())});
    chain["verificationMaterial"]["x509CertificateChain"] = json!({"certificates": [leaf, root]});
    let mut junk = signed(&good());
    junk["verificationMaterial"]["certificate"]["rawBytes"] = "AAAA".into();
    vec![
        with_leaf(&other.issue(&spec(), &key())).reviewed(
            "sigstore-unknown-issuer",
            "A certificate of an authority that the kit does not hold.",
            "certificate.unknown-issuer",
        ),
        with_leaf(&outer).rejected(
            "sigstore-certificate-signature",
            "A certificate whose outer signature was changed; its promise holds.",
            "certificate.path",
        ),
        with_leaf(&fulcio().issue(&no_purpose, &key())).rejected(
            "sigstore-not-for-signing",
            "A certificate that is not made for signing code.",
            "certificate.not-for-signing",
        ),
        judged(&chain, &kit()).rejected(
            "sigstore-root-in-chain",
            "A chain that brings its root along.",
            "certificate.root-in-chain",
        ),
        judged(&junk, &kit()).rejected(
            "sigstore-certificate-malformed",
            "Something that is no certificate.",
            "certificate.malformed",
        ),
    ]
}

/// The promises of the log of certificates.
fn promises() -> Vec<Case> {
    let made = spec().not_before.as_millis().unsigned_abs();
    let own = fulcio();
    let about_other = own.issue_with(&spec(), &key(), &|_| {
        vec![own.log().sct(made, &[], &CtEntry::Certificate(b"another certificate"))]
    });
    let mut garbage = spec();
    garbage.extensions.push(genten_testkit::ct::extension(&[0, 1]));
    let authorities = [fulcio().in_trusted_root(SINCE, None)];
    let closed = kit_of(
        &[fulcio().log().in_trusted_root(SINCE, Some("2026-11-30T08:09:59Z"))],
        &authorities,
    );
    vec![
        with_leaf(&own.issue_unlogged(&spec(), &key())).reviewed(
            "sigstore-sct-missing",
            "A certificate without a promise.",
            "certificate.sct-missing",
        ),
        with_leaf(&about_other).rejected(
            "sigstore-sct-invalid",
            "The promise about another certificate.",
            "certificate.sct-invalid",
        ),
        with_leaf(&own.issue_unlogged(&garbage, &key())).rejected(
            "sigstore-sct-malformed",
            "A list of promises that ends in its length.",
            "certificate.sct-malformed",
        ),
        judged(&signed(&good()), &kit_of(&[], &authorities)).reviewed(
            "sigstore-sct-unknown-log",
            "The promise of a log that the kit does not hold.",
            "certificate.sct-unknown-log",
        ),
        judged(&signed(&good()), &closed).reviewed(
            "sigstore-sct-log-window",
            "The log was out of use a second before its promise.",
            "certificate.sct-log-window",
        ),
    ]
}
