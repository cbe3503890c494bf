//! Whom TLS trusts: Mozilla's roots, and those of the user.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject as _;

use super::HttpError;

/// The client configuration, by the embedded Mozilla set and the added roots (DER).
pub(super) fn config(roots: &[Vec<u8>]) -> Result<ClientConfig, HttpError> {
    let mut store = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for root in roots {
        let root = CertificateDer::from_slice(root);
        store.add(root.into_owned()).map_err(|_| HttpError::Roots)?;
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| HttpError::Setup { source: error.into() })?
        .with_root_certificates(store)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The certificates (DER) of a PEM text; at least one.
pub(super) fn roots_from_pem(pem: &[u8]) -> Result<Vec<Vec<u8>>, HttpError> {
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match certificates {
        Ok(list) if !list.is_empty() => Ok(list.iter().map(|der| der.to_vec()).collect()),
        _ => Err(HttpError::Roots),
    }
}
