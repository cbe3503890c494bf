//! The TLS configuration: who is trusted, and a verifier that notes what it is shown.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use genten_primitives::Sha256Digest;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, WebPkiServerVerifier};
use rustls::crypto::CryptoProvider;
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, ServerName, UnixTime};

use crate::certificate;
use crate::error::{FetchError, SetupError};
use crate::exchange::{TlsFacts, Trust};
use crate::recorder::{Alpn, Clock};

tokio::task_local! {
    /// What the handshake of the connection under construction has shown so far.
    pub(crate) static HANDSHAKE: RefCell<Handshake>;
}

/// What one handshake showed, also when it was refused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handshake {
    pub(crate) chain: Vec<Vec<u8>>,
    ocsp: Option<Vec<u8>>,
    version: Option<&'static str>,
    authority: Option<Authority>,
}

/// Who vouches for a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Authority {
    Mozilla,
    Added,
    Nobody,
}

impl Handshake {
    /// The facts of an accepted handshake; `None` for one that was not completed.
    pub(crate) fn facts(self, proxy: bool) -> Option<TlsFacts> {
        let leaf = self.chain.first()?;
        let facts = certificate::leaf_facts(leaf)?;
        let trust = match self.authority? {
            Authority::Mozilla if facts.sct_list.is_some() => Trust::PublicWithSct,
            Authority::Mozilla => Trust::PublicWithoutSct,
            Authority::Added => Trust::PrivateRoot,
            Authority::Nobody => Trust::Unverified,
        };
        Some(TlsFacts {
            version: self.version?,
            leaf_sha256: Sha256Digest::of(leaf),
            spki_sha256: facts.spki_sha256,
            issuer: facts.issuer,
            trust,
            proxy,
            ocsp: self.ocsp,
            sct_list: facts.sct_list,
            chain: self.chain,
        })
    }
}

/// Writes into the handshake of this task, if there is one.
fn note(write: impl FnOnce(&mut Handshake)) {
    // Outside a connection of ours (which does not happen) the note would have no reader.
    let _ = HANDSHAKE.try_with(|cell| write(&mut cell.borrow_mut()));
}

/// The client configuration: no resumption, so that every connection shows its certificate.
pub(crate) fn config(
    roots: &[Vec<u8>],
    verify: bool,
    alpn: Alpn,
    clock: Arc<dyn Clock>,
) -> Result<ClientConfig, FetchError> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier = Arc::new(NotingVerifier::new(&provider, roots, verify, clock)?);
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| setup(SetupError::Client(error.into())))?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth();
    config.resumption = Resumption::disabled();
    config.alpn_protocols = alpn.protocols();
    Ok(config)
}

/// The certificates (DER) of a PEM text; at least one.
pub(crate) fn roots_from_pem(pem: &[u8]) -> Result<Vec<Vec<u8>>, FetchError> {
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match certificates {
        Ok(list) if !list.is_empty() => Ok(list.iter().map(|der| der.to_vec()).collect()),
        _ => Err(setup(SetupError::Roots)),
    }
}

fn setup(reason: SetupError) -> FetchError {
    FetchError::Setup { reason }
}

/// Verifies like webpki does, first by the Mozilla roots and then by the added ones, and notes what it is shown.
struct NotingVerifier {
    mozilla: Arc<WebPkiServerVerifier>,
    added: Option<Arc<WebPkiServerVerifier>>,
    verify: bool,
    clock: Arc<dyn Clock>,
}

impl NotingVerifier {
    fn new(
        provider: &Arc<CryptoProvider>,
        roots: &[Vec<u8>],
        verify: bool,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, FetchError> {
        let mozilla = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let mut added = RootCertStore::empty();
        for root in roots {
            let root = CertificateDer::from_slice(root);
            added.add(root.into_owned()).map_err(|_| setup(SetupError::Roots))?;
        }
        let added = (!added.is_empty()).then(|| webpki(provider, added)).transpose()?;
        Ok(Self { mozilla: webpki(provider, mozilla)?, added, verify, clock })
    }

    fn judge(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
    ) -> Result<Authority, rustls::Error> {
        if !self.verify {
            return Ok(Authority::Nobody);
        }
        let now = self.now();
        let ask = |verifier: &WebPkiServerVerifier| {
            verifier.verify_server_cert(leaf, intermediates, host, &[], now)
        };
        let Err(refusal) = ask(&self.mozilla) else { return Ok(Authority::Mozilla) };
        match self.added.as_deref().map(ask) {
            Some(Ok(_)) => Ok(Authority::Added),
            // The chain led to an added root and failed there: that reason says more.
            Some(Err(error)) if !is_unknown_issuer(&error) => Err(error),
            _ => Err(refusal),
        }
    }

    fn now(&self) -> UnixTime {
        let seconds = u64::try_from(self.clock.now().as_millis() / 1000).unwrap_or(0);
        UnixTime::since_unix_epoch(std::time::Duration::from_secs(seconds))
    }
}

fn webpki(
    provider: &Arc<CryptoProvider>,
    roots: RootCertStore,
) -> Result<Arc<WebPkiServerVerifier>, FetchError> {
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
        .build()
        .map_err(|error| setup(SetupError::Client(error.into())))
}

fn is_unknown_issuer(error: &rustls::Error) -> bool {
    matches!(error, rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer))
}

impl fmt::Debug for NotingVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NotingVerifier")
    }
}

impl ServerCertVerifier for NotingVerifier {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let chain = std::iter::once(leaf).chain(intermediates).map(|der| der.to_vec()).collect();
        // A new chain replaces that of an earlier handshake, such as with a proxy that speaks TLS itself.
        note(|handshake| {
            *handshake = Handshake {
                chain,
                ocsp: (!ocsp.is_empty()).then(|| ocsp.to_vec()),
                ..Handshake::default()
            };
        });
        let authority = self.judge(leaf, intermediates, host)?;
        note(|handshake| handshake.authority = Some(authority));
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        leaf: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        note(|handshake| handshake.version = Some("TLSv1.2"));
        self.mozilla.verify_tls12_signature(message, leaf, signature)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        leaf: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        note(|handshake| handshake.version = Some("TLSv1.3"));
        self.mozilla.verify_tls13_signature(message, leaf, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.mozilla.supported_verify_schemes()
    }
}
