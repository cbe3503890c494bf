//! The logs of a trusted root.

use genten_primitives::json::Value;
use genten_primitives::key::{KeyDetails, KeyError};
use genten_primitives::{PublicKey, Sha256, Sha256Digest};

use super::trusted_root::TrustedRootError;
use crate::Window;
use crate::document::{bytes, optional, optional_text, required, text, window};

/// One log of a trusted root: of signatures or of certificates.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrustedLog {
    /// Where it is reached.
    pub base_url: String,
    /// Host name of the base URL, as it stands there: by Sigstore's rule the origin of its checkpoints.
    pub host: String,
    /// Its key, or why nothing of the log can be checked.
    pub key: Result<PublicKey, UnusableLog>,
    /// Kind of the key and how it signs; `None` when it is not known here.
    pub details: Option<KeyDetails>,
    /// When its key may be believed.
    pub window: Window,
    /// Its full id: as the document states it, otherwise derived from host and key.
    pub log_id: Sha256Digest,
    /// The id of its key in checkpoints where the document states one, 4 to 32 bytes. It need not be the log id.
    pub checkpoint_key_id: Option<Vec<u8>>,
    /// Who runs it.
    pub operator: Option<String>,
}

/// Why a log is known and nothing of it can be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnusableLog {
    /// Its tree is not of SHA-256.
    #[error("log does not use SHA2_256")]
    HashAlgorithm,
    /// A key that cannot be read or used.
    #[error("log has an unusable key")]
    Key(#[from] KeyError),
    /// A kind of key that is not known here.
    #[error("log has a key of an unknown kind")]
    KeyDetails,
}

/// Which rule gives a log its id.
#[derive(Clone, Copy)]
enum IdRule {
    /// SHA-256 of the key, always (RFC 6962 section 3.2).
    Certificates,
    /// Key id of signed notes: of Ed25519 keys it covers the origin.
    Signatures,
}

pub(super) fn read_tlog(log: Value<'_>) -> Result<TrustedLog, TrustedRootError> {
    read(log, IdRule::Signatures)
}

pub(super) fn read_ctlog(log: Value<'_>) -> Result<TrustedLog, TrustedRootError> {
    let read = read(log, IdRule::Certificates)?;
    let calculated = read.key.as_ref().map(|key| Sha256Digest::of(key.to_spki_der()));
    match calculated {
        Ok(calculated) if calculated != read.log_id => {
            let (path, found) = (log.path(), read.log_id);
            Err(TrustedRootError::LogId { path, found, calculated })
        }
        _ => Ok(read),
    }
}

fn read(log: Value<'_>, rule: IdRule) -> Result<TrustedLog, TrustedRootError> {
    let base_url = text(required(log, "baseUrl")?)?;
    let host =
        host(&base_url).ok_or_else(|| TrustedRootError::Host { path: log.path() })?.to_owned();
    let public_key = required(log, "publicKey")?;
    let raw = bytes(required(public_key, "rawBytes")?)?;
    let details = optional_text(public_key, "keyDetails")?.and_then(|name| name.parse().ok());
    let key = match optional_text(log, "hashAlgorithm")?.as_deref() {
        Some("SHA2_256") => key(&raw, details),
        _ => Err(UnusableLog::HashAlgorithm),
    };
    check_details(public_key, &key, details)?;
    let log_id = stated_id(log)?.unwrap_or_else(|| derived_id(&key, &raw, &host, rule));
    let window = window(required(public_key, "validFor")?)?;
    let checkpoint_key_id = checkpoint_key_id(log)?;
    let operator = optional_text(log, "operator")?;
    Ok(TrustedLog { base_url, host, key, details, window, log_id, checkpoint_key_id, operator })
}

fn key(raw: &[u8], details: Option<KeyDetails>) -> Result<PublicKey, UnusableLog> {
    match details {
        None => Err(UnusableLog::KeyDetails),
        Some(KeyDetails::RsaPkcs1) => Ok(PublicKey::from_pkcs1_der(raw)?),
        Some(_) => Ok(PublicKey::from_spki_der(raw)?),
    }
}

fn check_details(
    public_key: Value<'_>,
    key: &Result<PublicKey, UnusableLog>,
    details: Option<KeyDetails>,
) -> Result<(), TrustedRootError> {
    match (key, details) {
        (Ok(key), Some(details)) if !details.fits(key) => {
            let (path, key) = (public_key.path(), key.kind());
            Err(TrustedRootError::KeyDetails { path, details, key })
        }
        _ => Ok(()),
    }
}

fn stated_id(log: Value<'_>) -> Result<Option<Sha256Digest>, TrustedRootError> {
    let key_id = optional(log, "logId").and_then(|id| optional(id, "keyId"));
    let Some(value) = key_id else { return Ok(None) };
    let id = bytes(value)?;
    match <[u8; 32]>::try_from(&*id) {
        Ok(id) => Ok(Some(Sha256Digest::from_bytes(id))),
        Err(_) => Err(TrustedRootError::LogIdLength { path: value.path(), found: id.len() }),
    }
}

fn derived_id(
    key: &Result<PublicKey, UnusableLog>,
    raw: &[u8],
    host: &str,
    rule: IdRule,
) -> Sha256Digest {
    let Ok(key) = key else { return Sha256Digest::of(raw) };
    match (rule, key.ed25519_bytes()) {
        (IdRule::Signatures, Some(ed25519)) => {
            let mut hasher = Sha256::new();
            hasher.update(host.as_bytes());
            hasher.update(b"\n\x01");
            hasher.update(ed25519);
            hasher.finish()
        }
        _ => Sha256Digest::of(key.to_spki_der()),
    }
}

/// A LogId, as `logId` is one.
fn checkpoint_key_id(log: Value<'_>) -> Result<Option<Vec<u8>>, TrustedRootError> {
    let Some(id) = optional(log, "checkpointKeyId") else { return Ok(None) };
    let value = required(id, "keyId")?;
    let id = bytes(value)?;
    match id.len() {
        4..=32 => Ok(Some(id)),
        found => Err(TrustedRootError::CheckpointKeyId { path: value.path(), found }),
    }
}

/// The host name of a URL, without its port; never normalised.
fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = match authority.split_once(':') {
        Some((host, port)) if is_port(port) => host,
        Some(_) => return None,
        None => authority,
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    (!host.is_empty() && host.bytes().all(plain)).then_some(host)
}

fn is_port(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_is_what_stands_between_scheme_and_path() {
        for (url, expected) in [
            ("https://rekor.sigstore.dev", "rekor.sigstore.dev"),
            ("http://rekor-local:3000", "rekor-local"),
            ("https://log.example:443/a:b/c", "log.example"),
            ("https://Log.example?x", "Log.example"),
            ("http://10.0.0.1/", "10.0.0.1"),
        ] {
            assert_eq!(host(url), Some(expected));
        }
        for bad in [
            "",
            "rekor.example",
            "ftp://rekor.example",
            "https://",
            "https:///path",
            "https://:80",
            "https://a b",
            "https://user@host",
            "https://user:1@host",
            "https://host:",
            "https://host:port",
            "https://h\u{f6}st",
            "https://h\n",
        ] {
            assert_eq!(host(bad), None, "{bad}");
        }
    }
}
