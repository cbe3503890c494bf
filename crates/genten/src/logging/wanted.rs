//! What is wanted of a log for one manifest.

use std::sync::Arc;

use genten_jws::{ContentLogSigner, Signature, SignedBytes};
use genten_manifest::{Claims, SourceClass};
use genten_primitives::{PublicKey, Sha256Digest};
use genten_store::{LogSubject, Want, Wanted};
use genten_tlog::rekor::HashedRekord;

use super::{Alone, LogError, LogRules, LogTarget};
use crate::signer::AnySigner;

/// What is wanted for every manifest.
#[derive(Clone)]
pub(crate) struct Wants {
    pub(crate) target: LogTarget,
    pub(crate) rules: LogRules,
    pub(crate) content_key: Option<Arc<dyn ContentLogSigner>>,
}

impl Wants {
    /// What is wanted for a manifest that was just signed.
    pub(crate) async fn of(
        &self,
        claims: &Claims,
        signed: &SignedBytes,
        signer: &AnySigner,
    ) -> Result<Vec<Wanted>, LogError> {
        let is_static = claims.source_class == Some(SourceClass::Static);
        let alone = match self.rules.alone {
            Alone::All => true,
            Alone::None => false,
            Alone::Static => is_static,
        };
        let own = match alone {
            true => of_manifest(signed, signer).await?,
            false => Want::Batch {
                signer: signer.public_key().thumbprint().to_string(),
                signed_at: claims.signed_at(),
            },
        };
        let mut wants = vec![own];
        if is_static && self.rules.static_content {
            let key = self.content_key.as_deref().ok_or(LogError::ContentKeyMissing)?;
            let body = content_body(claims.content_sha256, key)?;
            wants.push(Want::Entry { subject: LogSubject::Content, body });
        }
        let log = self.target.name();
        Ok(wants.into_iter().map(|want| Wanted { log: log.clone(), want }).collect())
    }
}

/// An entry about the manifest itself.
async fn of_manifest(signed: &SignedBytes, signer: &AnySigner) -> Result<Want, LogError> {
    let body = signer.log_body(signed.input(), signed.signature()).await?;
    Ok(Want::Entry { subject: LogSubject::Manifest, body })
}

/// The body of an entry about the bytes with this digest.
pub(super) fn content_body(
    content: Sha256Digest,
    key: &dyn ContentLogSigner,
) -> Result<Vec<u8>, LogError> {
    let signature = key.sign_prehash(&content)?;
    let der = signature.to_der().ok_or(LogError::KeyKind { kind: key.public_key().kind() })?;
    log_body(content.as_bytes(), &der, key.public_key())
}

/// The body of an entry about an ES256 signing input: its signature is that of the JWS.
pub(crate) fn es256_body(
    signing_input: &[u8],
    signature: Signature,
    key: &PublicKey,
) -> Result<Vec<u8>, LogError> {
    let der = signature.to_der().ok_or(LogError::KeyKind { kind: key.kind() })?;
    log_body(Sha256Digest::of(signing_input).as_bytes(), &der, key)
}

/// The body of an entry.
pub(crate) fn log_body(
    digest: &[u8],
    signature: &[u8],
    key: &PublicKey,
) -> Result<Vec<u8>, LogError> {
    let rekord = HashedRekord::new(digest, signature, key);
    let rekord = rekord.ok_or(LogError::KeyKind { kind: key.kind() })?;
    Ok(rekord.to_body())
}
