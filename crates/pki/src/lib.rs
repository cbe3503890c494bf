//! X.509 for Genten: certificates, the paths of signers, the TLS chains behind a fetch, lists of signed certificate
//! timestamps, and timestamps by RFC 3161.
//!
//! Everything is an argument: time, roots and revoked certificates come in, facts come out. Only DER is read, in one
//! spelling, and every parser has a limit. Signatures are checked by `genten-primitives`, paths are built by
//! rustls-webpki; the rules around them that decide who may sign a manifest stand here, each with an error of its own.

mod algorithm;
mod asn1;
mod certificate;
mod ct;
mod document;
mod extensions;
mod host;
mod moment;
mod name;
mod oid;
mod path_algorithm;
mod pem;
mod sct_list;
mod signature;
mod signer;
mod sigstore;
mod tbs;
mod timestamp;
mod tls;

pub use algorithm::SignatureAlgorithm;
pub use certificate::{Certificate, CertificateError, MAX_CERTIFICATE, Validity};
pub use ct::{
    CtEntry, CtFindings, CtLog, CtLogList, CtLogListError, CtLogState, CtLogUrls, CtStatus,
    DataTile, DataTileError, DataTilePart, LeafIndexError, MAX_CT_LOG_LIST, MAX_DATA_TILE,
    SctFinding, SctOutcome, SctVerifyError, TileLeaf, check_issuer, judge_embedded_scts,
    judge_scts,
};
pub use document::DocumentError;
pub use extensions::{KeyUsage, SubjectAltNames};
pub use host::covering_name;
pub use moment::{Moment, Window};
pub use name::{MAX_NAME_TEXT, Name};
pub use oid::{Oid, OidError};
pub use pem::{MAX_PEM, PemError, certificates_from_pem};
pub use sct_list::{ListedSct, MAX_SCTS, Sct, SctAlgorithm, SctError, SctList, SctPart};
pub use signature::IssuerSignatureError;
pub use signer::{AuthorityError, AuthorityParts, ChainError, SignerAuthority, SignerPath};
pub use signer::{verify_signer_path, verify_signer_path_at_any_time};
pub use sigstore::{
    AuthoritySubject, FulcioError, MAX_TRUSTED_ROOT, Selector, Service, ServiceError, ServiceRule,
    SigningCertificate, SigningConfig, SigningConfigError, SigningIdentity, TrustedAuthority,
    TrustedLog, TrustedRoot, TrustedRootError, UnusableLog, VerifiedSct,
    verify_signing_certificate,
};
pub use timestamp::{
    HashAlgorithm, HashValue, MAX_ATTRIBUTES, MAX_EMBEDDED, MAX_TIMESTAMP, TimestampAuthority,
    TimestampAuthorityError, TimestampError, TimestampPart, TimestampRequest,
    TimestampResponseError, TimestampSigner, TimestampToken, VerifiedTimestamp,
};
pub use tls::{
    LeafIssuer, PreparedTlsChain, TlsChainError, TlsChainFacts, TlsClaims, check_tls_chain,
};

/// Most certificates in one chain, leaf included.
pub const MAX_CHAIN: usize = 10;

/// The text of a certificate's issuer for the member `tls.issuer` of a manifest: [`Name`]'s text form. Recorder and
/// verifier both take it from here, so that they agree byte for byte.
pub fn issuer_text(certificate: &Certificate) -> String {
    certificate.issuer().to_string()
}
