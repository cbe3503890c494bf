//! Timestamps: published ones, those of OpenSSL, and each rule broken once by an authority made for it.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read files, and their helpers stand outside of test functions"
)]

#[path = "../common/mod.rs"]
mod common;

mod attributes;
mod authority;
mod judging;
mod make;
mod openssl;
mod published;
mod request;
mod shape;
mod signer;

use genten_pki::{
    Certificate, TimestampAuthority, TimestampError, TimestampToken, VerifiedTimestamp,
    certificates_from_pem,
};

/// An authority without a window, from a PEM file of signer to trust anchor.
fn authority(pem: &std::path::Path) -> TimestampAuthority {
    let certificates = certificates_from_pem(&std::fs::read_to_string(pem).unwrap()).unwrap();
    unbounded(certificates)
}

fn unbounded(certificates: Vec<Certificate>) -> TimestampAuthority {
    TimestampAuthority::new("test".to_owned(), certificates, None, None).unwrap()
}

fn verify(
    token: &[u8],
    message: &[u8],
    authorities: &[TimestampAuthority],
) -> Result<VerifiedTimestamp, TimestampError> {
    TimestampToken::from_der(token)?.verify(message, authorities)
}

/// The answer about something with RSA in it: good where the build can check it, otherwise "cannot say".
fn good_with_aws_lc<T: std::fmt::Debug>(answer: &Result<T, TimestampError>) {
    use TimestampError::{PathNotCheckable, SignatureNotCheckable};
    match answer {
        Ok(_) | Err(SignatureNotCheckable { .. } | PathNotCheckable { .. }) => {}
        Err(error) => panic!("{error}"),
    }
    assert_eq!(answer.is_ok(), cfg!(feature = "aws-lc"), "{answer:?}");
}
