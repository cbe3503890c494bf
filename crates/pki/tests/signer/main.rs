//! Paths of signers: each rule broken once, in certificates made for it.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read and write files, and their helpers stand outside of test functions"
)]

#[path = "../common/mod.rs"]
mod common;

mod issuers;
mod leaf;
mod signatures;

use common::{Ca, root, time, uri};
use genten_pki::{
    AuthorityParts, Certificate, ChainError, Oid, SignerAuthority, SignerPath, verify_signer_path,
};
use genten_primitives::Timestamp;
use rcgen::CertificateParams;

const KEY_ID: &str = "https://mcp.example.org/signer/1";
const AT: &str = "2025-06-01T00:00:00Z";

fn parts(root: &Ca) -> AuthorityParts {
    AuthorityParts {
        roots: vec![root.certificate()],
        san_uri: vec!["https://mcp.example.org/*".parse().unwrap()],
        ..AuthorityParts::default()
    }
}

fn authority(root: &Ca) -> SignerAuthority {
    SignerAuthority::new(parts(root)).unwrap()
}

fn authority_with_eku(root: &Ca, purposes: &[&str]) -> SignerAuthority {
    let eku = purposes.iter().map(|purpose| purpose.parse::<Oid>().unwrap()).collect();
    SignerAuthority::new(AuthorityParts { eku: Some(eku), ..parts(root) }).unwrap()
}

fn plain(_: &mut CertificateParams) {}

fn signer(params: &mut CertificateParams) {
    params.subject_alt_names = vec![uri(KEY_ID)];
}

fn verify(
    leaf: &Certificate,
    intermediates: &[&Ca],
    authority: &SignerAuthority,
) -> Result<SignerPath, ChainError> {
    verify_at(leaf, intermediates, authority, time(AT))
}

fn verify_at(
    leaf: &Certificate,
    intermediates: &[&Ca],
    authority: &SignerAuthority,
    at: Timestamp,
) -> Result<SignerPath, ChainError> {
    let intermediates: Vec<_> = intermediates.iter().map(|ca| ca.certificate()).collect();
    verify_signer_path(leaf, &intermediates, authority, KEY_ID, at)
}

/// The answer to a leaf directly below the root.
fn direct(edit: common::Edit<'_>) -> Result<SignerPath, ChainError> {
    let root = root("root", &plain);
    let leaf = root.leaf(&|params| {
        signer(params);
        edit(params);
    });
    verify(&leaf, &[], &authority(&root))
}

/// The answer to a leaf below one intermediate.
fn below(edit: common::Edit<'_>, leaf_edit: common::Edit<'_>) -> Result<SignerPath, ChainError> {
    let root = root("root", &plain);
    let ca = root.ca("intermediate", edit);
    let leaf = ca.leaf(&|params| {
        signer(params);
        leaf_edit(params);
    });
    verify(&leaf, &[&ca], &authority(&root))
}
