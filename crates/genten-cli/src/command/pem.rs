//! Certificates that a user names by a file.

use std::path::Path;

use genten_pki::{Certificate, MAX_PEM, PemError, certificates_from_pem};

use crate::failure::{Done, Failure, read_file};

/// The certificates in a PEM file; `wanted` says which ones to give.
pub(super) fn certificates(path: &Path, wanted: &str) -> Done<Vec<Certificate>> {
    let bytes = read_file(path, MAX_PEM as u64)?;
    certificates_from_pem(&String::from_utf8_lossy(&bytes)).map_err(|error| {
        let hint = match error {
            PemError::PrivateKey { .. } => {
                "Keep the private key private: only the certificates are wanted here."
            }
            _ => wanted,
        };
        Failure::coded("key.certificate", &error, hint).about(&path.display().to_string())
    })
}
