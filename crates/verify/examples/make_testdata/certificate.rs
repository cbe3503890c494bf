//! Signers that are known by a certificate.

use rcgen::{ExtendedKeyUsagePurpose, IsCa, KeyUsagePurpose};
use serde_json::{Value, json};

use super::world::{Named, WEB, signer, stranger, trusting_bundle};
use crate::common::case::Case;
use crate::common::certificates::{
    Basic, Ca, Edit, Params, both, no_edit, permits_dns, permits_uris_of, self_signed, twin, uri,
    valid, x509_chain,
};
use crate::common::kit::{Kit, authority, signer as listed, with};
use crate::common::manifest::{Draft, sha256};

const URI: &str = "https://mcp.example.org/server";
const PATTERN: &str = "https://mcp.example.org/*";

pub(crate) fn cases() -> Vec<Case> {
    [paths(), leaves(), issuers(), times(), revoked(), hints()].concat()
}

fn root() -> Ca {
    Ca::root("Example signers root", &no_edit)
}

fn kit() -> Kit {
    Kit::new().authority(authority(&root().der, PATTERN))
}

/// A manifest under the URI, with this chain.
fn with_chain(chain: &[&[u8]]) -> Case {
    Case::bundle(Draft::new(&signer(), URI).bundle(&[x509_chain(chain)])).kit(&kit())
}

/// As [`with_chain`], the leaf issued by the root with this edit.
fn with_leaf(edit: Edit<'_>) -> Case {
    with_chain(&[&root().leaf(&signer(), edit)])
}

fn paths() -> Vec<Case> {
    let evil = Ca::root("Evil root", &no_edit);
    let below = root().below("Example signers 2026", &no_edit);
    let leaf = below.leaf(&signer(), &uri(URI));
    let impostor = Ca::named_like("Example signers root", "impostor");
    let broken = [&leaf[..leaf.len() - 1], &[leaf[leaf.len() - 1] ^ 1]].concat();
    vec![
        with_chain(&[&evil.leaf(&signer(), &uri(URI)), &evil.der]).rejected(
            "chain-unknown-root",
            "A chain of the attacker's own, root included.",
            "chain.unknown-issuer",
        ),
        with_chain(&[&self_signed(&signer(), &uri(URI))]).rejected(
            "chain-self-signed",
            "A certificate that its own key signed.",
            "chain.unknown-issuer",
        ),
        with_chain(&[&leaf]).rejected(
            "chain-issuer-missing",
            "The issuer's certificate did not come along.",
            "chain.unknown-issuer",
        ),
        with_chain(&[&impostor.leaf(&signer(), &uri(URI))]).rejected(
            "chain-impostor",
            "Signed by another key under the root's name.",
            "chain.signature",
        ),
        with_chain(&[&broken, &below.der]).rejected(
            "chain-broken-signature",
            "A bit of the issuer's signature is flipped.",
            "chain.signature",
        ),
        with_chain(&[b"no certificate"]).rejected(
            "chain-malformed",
            "Something that is no certificate.",
            "chain.malformed",
        ),
        with_chain(&[leaf.as_slice()].repeat(11)).rejected(
            "chain-too-long",
            "Eleven certificates.",
            "chain.malformed",
        ),
        Case::bundle(Draft::new(&signer(), URI).bundle(&vec![x509_chain(&[&leaf, &below.der]); 5]))
            .kit(&kit())
            .rejected("chain-five-times", "Five chains.", "chain.malformed"),
        Case::manifest(Draft::new(&signer(), URI).sign()).kit(&kit()).reviewed(
            "chain-missing",
            "No certificate came along.",
            "signer.chain-missing",
        ),
    ]
}

fn leaves() -> Vec<Case> {
    let usage = |usages: &'static [KeyUsagePurpose]| {
        move |params: &mut Params| params.key_usages = usages.to_vec()
    };
    let purpose = |purpose: ExtendedKeyUsagePurpose| {
        move |params: &mut Params| params.extended_key_usages = vec![purpose.clone()]
    };
    let ca = |params: &mut Params| params.is_ca = IsCa::Ca(Basic::Unconstrained);
    let stated = Kit::new()
        .authority(with(authority(&root().der, PATTERN), json!({"eku": ["1.3.6.1.5.5.7.3.3"]})));
    let not_for_signing = "chain.not-for-signing";
    vec![
        with_leaf(&uri("https://mcp.example.org/other")).rejected(
            "chain-other-uri",
            "The certificate names another server.",
            "chain.other-id",
        ),
        with_leaf(&no_edit).rejected(
            "chain-no-uri",
            "The certificate names nobody.",
            "chain.other-id",
        ),
        with_leaf(&uri("https://mcp.example.org/Server")).rejected(
            "chain-uri-other-case",
            "The certificate's URI differs in case.",
            "chain.other-id",
        ),
        with_leaf(&both(uri(URI), ca)).rejected(
            "chain-ca-as-leaf",
            "A CA's own key signed.",
            not_for_signing,
        ),
        with_leaf(&both(uri(URI), usage(&[KeyUsagePurpose::KeyEncipherment]))).rejected(
            "chain-key-usage",
            "A key for encryption.",
            not_for_signing,
        ),
        with_leaf(&both(uri(URI), purpose(ExtendedKeyUsagePurpose::ServerAuth))).rejected(
            "chain-eku-server",
            "A web server's certificate.",
            not_for_signing,
        ),
        with_leaf(&both(uri(URI), purpose(ExtendedKeyUsagePurpose::ClientAuth)))
            .kit(&stated)
            .rejected(
                "chain-eku-not-stated",
                "A purpose other than the one that the kit asks for.",
                not_for_signing,
            ),
        with_leaf(&both(uri(URI), purpose(ExtendedKeyUsagePurpose::CodeSigning)))
            .kit(&stated)
            .accepted("good-chain-eku", "The purpose that the kit asks for.", &[]),
        with_leaf(&both(uri(URI), uri("https://mcp.example.org/other"))).accepted(
            "good-chain-two-uris",
            "A certificate that names the server among others.",
            &[],
        ),
    ]
}

fn issuers() -> Vec<Case> {
    let below = |edit: Edit<'_>, leaf: Edit<'_>| {
        let below = root().below("Example signers 2026", edit);
        with_chain(&[&below.leaf(&signer(), leaf), &below.der])
    };
    let dns = |params: &mut Params| {
        params.subject_alt_names.push(rcgen::SanType::DnsName("evil.test".try_into().unwrap()));
    };
    let first = root().below("First", &|params| params.is_ca = IsCa::Ca(Basic::Constrained(0)));
    let second = first.below("Second", &no_edit);
    let no_ca = root().below("No CA", &|params| params.is_ca = IsCa::ExplicitNoCa);
    // The path builder has no ECDSA with SHA-512; lengths stay, so that only the names of algorithms change.
    let unknown = patched(&root().leaf(&signer(), &uri(URI)), ECDSA_SHA256, ECDSA_SHA512);
    let weak = patched(&root().leaf(&signer(), &uri(URI)), ECDSA_SHA256, ECDSA_SHA224);
    vec![
        below(&|params| permits_dns(params, "example.org"), &both(uri(URI), dns)).rejected(
            "chain-name-constraints",
            "A DNS name beside the URI that the issuer may not certify.",
            "chain.constraints",
        ),
        below(
            &|params| params.custom_extensions.push(permits_uris_of("mcp.example.org")),
            &uri(URI),
        )
        .reviewed(
            "chain-uri-constraints",
            "The issuer constrains URIs, which cannot be checked.",
            "chain.uri-constraints-unsupported",
        ),
        with_chain(&[&second.leaf(&signer(), &uri(URI)), &second.der, &first.der]).rejected(
            "chain-path-length",
            "More CAs in a row than the first allows.",
            "chain.constraints",
        ),
        with_chain(&[&no_ca.leaf(&signer(), &uri(URI)), &no_ca.der]).rejected(
            "chain-issuer-no-ca",
            "The issuer is no CA.",
            "chain.constraints",
        ),
        below(&|params| params.key_usages = vec![KeyUsagePurpose::CrlSign], &uri(URI)).rejected(
            "chain-issuer-key-usage",
            "The issuer may sign revocation lists only.",
            "chain.constraints",
        ),
        below(
            &|params| params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth],
            &uri(URI),
        )
        .rejected(
            "chain-issuer-eku",
            "The issuer may certify web servers only.",
            "chain.not-for-signing",
        ),
        with_chain(&[&unknown]).reviewed(
            "chain-algorithm-unknown",
            "The root's signature is said to be ECDSA with SHA-512, which is not checked.",
            "chain.signature-not-checked",
        ),
        with_chain(&[&weak]).reviewed(
            "chain-algorithm-sha224",
            "The root's signature is said to be ECDSA with SHA-224, which is not checked.",
            "chain.signature-not-checked",
        ),
    ]
}

/// ecdsa-with-SHA256, -SHA512 and -SHA224, as OID contents.
const ECDSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2];
const ECDSA_SHA512: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 4];
const ECDSA_SHA224: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 1];

fn patched(der: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut patched = der.to_vec();
    for at in 0..=der.len() - from.len() {
        if der[at..].starts_with(from) {
            patched[at..at + to.len()].copy_from_slice(to);
        }
    }
    assert_ne!(patched, der);
    patched
}

fn times() -> Vec<Case> {
    let leaf = |from, until| {
        with_leaf(&both(uri(URI), move |params: &mut Params| valid(params, from, until)))
    };
    let evil = Ca::root("Evil root", &no_edit);
    let late = both(uri(URI), |params: &mut Params| valid(params, (2024, 2, 1), (2025, 1, 1)));
    let never =
        root().below("Example signers 2020", &|params| valid(params, (2020, 1, 1), (2021, 1, 1)));
    let over =
        root().below("Example signers 2025", &|params| valid(params, (2025, 1, 1), (2026, 11, 1)));
    vec![
        leaf((2026, 1, 1), (2026, 11, 30)).reviewed(
            "chain-expired-before",
            "The certificate expired before the fetch.",
            "chain.expired",
        ),
        leaf((2026, 1, 1), (2026, 12, 1)).at("2026-12-01T00:00:01Z").reviewed(
            "chain-expired-since",
            "The certificate was valid when the manifest was signed, and is no longer.",
            "chain.expired",
        ),
        leaf((2026, 12, 1), (2027, 12, 1)).at("2026-12-24T00:00:00Z").reviewed(
            "chain-not-yet-valid",
            "The certificate is valid now, and was not when the manifest was signed.",
            "chain.expired",
        ),
        Case::bundle(
            Draft::new(&signer(), URI)
                .with("/fetched_at", "2026-09-30T23:59:59Z")
                .with("/attested_at", "2026-10-01T00:00:00Z")
                .bundle(&[x509_chain(&[&root().leaf(&signer(), &uri(URI))])]),
        )
        .kit(&kit())
        .accepted(
            "good-chain-attested-later",
            "Fetched before the certificate's time and signed in it: the signing counts.",
            &[],
        ),
        with_chain(&[&over.leaf(&signer(), &uri(URI)), &over.der]).reviewed(
            "chain-issuer-expired",
            "The issuer's certificate is no longer valid.",
            "chain.expired",
        ),
        with_chain(&[&evil.leaf(&signer(), &late), &evil.der]).rejected(
            "chain-expired-and-forged",
            "A forged chain, backdated so that it looks expired.",
            "chain.unknown-issuer",
        ),
        with_chain(&[&never.leaf(&signer(), &uri(URI)), &never.der]).rejected(
            "chain-never-valid",
            "Leaf and issuer were never valid at the same time.",
            "chain.constraints",
        ),
    ]
}

fn revoked() -> Vec<Case> {
    let below = root().below("Example signers 2026", &no_edit);
    let leaf = below.leaf(&signer(), &uri(URI));
    let revoking =
        |der: &[u8]| with(authority(&root().der, PATTERN), json!({"revoked": [sha256(der)]}));
    let chain = [leaf.as_slice(), &below.der];
    let late = both(uri(URI), |params: &mut Params| valid(params, (2026, 1, 1), (2026, 11, 30)));
    let expired = root().leaf(&signer(), &late);
    let elsewhere = Draft::new(&signer(), WEB).bundle(&[x509_chain(&[&leaf])]);
    let key_revoked = with(
        listed("did:web:other.example#k", &signer()),
        json!({"status": "revoked", "revoked_at": "2026-11-30T11:00:00Z"}),
    );
    let code = "chain.revoked";
    vec![
        with_chain(&chain).kit(&Kit::new().authority(revoking(&leaf))).rejected(
            "chain-revoked-leaf",
            "The signer's certificate is revoked.",
            code,
        ),
        with_chain(&[&twin(&leaf), &below.der]).kit(&Kit::new().authority(revoking(&leaf))).rejected(
            "chain-revoked-twin",
            "The revoked certificate with the other S in its signature, and so with another digest.",
            code,
        ),
        with_chain(&[&leaf, &twin(&below.der)])
            .kit(&Kit::new().authority(revoking(&below.der)))
            .rejected("chain-revoked-issuer-twin", "The same of a revoked issuer.", code),
        with_chain(&[&leaf, &below.der])
            .kit(&Kit::new().authority(revoking(&twin(&leaf))))
            .rejected("chain-revoked-as-twin", "The kit lists the twin.", code),
        with_chain(&chain).kit(&Kit::new().authority(revoking(&below.der))).rejected(
            "chain-revoked-issuer",
            "The issuer's certificate is revoked.",
            code,
        ),
        with_chain(&chain)
            .kit(
                &Kit::new()
                    .authority(revoking(&below.der))
                    .authority(with(authority(&root().der, PATTERN), json!({"name": "second"}))),
            )
            .rejected(
                "chain-revoked-by-other-authority",
                "One authority of the kit revoked the issuer, another with the same root did not.",
                code,
            ),
        with_chain(&[&expired]).kit(&Kit::new().authority(revoking(&expired))).rejected(
            "chain-revoked-and-expired",
            "The certificate is revoked, and expired too.",
            code,
        ),
        Case::bundle(elsewhere).kit(&Kit::of(WEB, &signer()).authority(revoking(&leaf))).rejected(
            "chain-revoked-unused",
            "A revoked certificate of the key, under an id that does not rest on it.",
            code,
        ),
        with_chain(&chain).kit(&kit().signer(key_revoked)).rejected(
            "chain-key-revoked",
            "The certificate is fine, but the key is revoked under another id.",
            "signer.revoked",
        ),
    ]
}

/// Certificates beside a signature that need not be there.
fn hints() -> Vec<Case> {
    let leaf = root().leaf(&signer(), &uri(URI));
    let other = root().leaf(&stranger(), &uri(URI));
    let digest = |der: &[u8]| {
        genten_primitives::encoding::base64url(genten_primitives::Sha256Digest::of(der).as_bytes())
    };
    let draft = || Draft::new(&signer(), &signer().did_key());
    let two: [Value; 2] = [x509_chain(&[&leaf]), x509_chain(&[&other])];
    vec![
        Case::bundle(Draft::new(&signer(), URI).bundle(&two)).kit(&kit()).rejected(
            "chain-of-another-beside",
            "A second chain beside the good one, for another key.",
            "chain.other-key",
        ),
        Case::bundle(Draft::new(&stranger(), URI).bundle(&[x509_chain(&[&leaf])]))
            .kit(&kit())
            .rejected(
                "chain-of-another",
                "The signer's true certificate beside a stranger's signature.",
                "jws.signature.mismatch",
            ),
        trusting_bundle(draft().header("x5t#S256", digest(&other)).bundle(&[x509_chain(&[&leaf])]))
            .rejected(
                "chain-other-than-named",
                "The signature names another certificate than the one that came along.",
                "chain.other-certificate",
            ),
        Case::bundle(draft().header("x5t#S256", digest(&leaf)).bundle(&[]))
            .kit(&Kit::of(&signer().did_key(), &signer()).authority(with(
                authority(&root().der, PATTERN),
                json!({"revoked": [sha256(&leaf)]}),
            )))
            .rejected(
                "chain-named-and-revoked",
                "The signature names a certificate that the kit revoked, and leaves it out.",
                "chain.revoked",
            ),
        trusting_bundle(draft().bundle(&[x509_chain(&[&other])])).rejected(
            "chain-other-key",
            "A did:key with the certificate of another key.",
            "chain.other-key",
        ),
        trusting_bundle(draft().bundle(&[x509_chain(&[&leaf])])).accepted(
            "good-chain-not-used",
            "A did:key with a certificate on which nothing rests.",
            &["chain.not-used"],
        ),
    ]
}
