//! Keys that sign notes: a name, a kind, a public key, and the ids that follow from them.

use std::fmt;

use genten_primitives::key::KeyKind;
use genten_primitives::{PublicKey, Sha256, Sha256Digest};

use super::NoteKeyError;
use super::vkey;

/// A key that may sign notes.
///
/// Text form: the vkey of C2SP signed-note, `<name>+<8 hexadecimal digits>+<base64 of kind and key>`.
///
/// ```
/// use genten_tlog::note::{NoteKey, NoteKeyKind};
/// let text = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
/// let key: NoteKey = text.parse().unwrap();
/// assert_eq!((key.name(), key.kind()), ("example.com/foo", NoteKeyKind::Ed25519));
/// assert_eq!(key.to_vkey(), text);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct NoteKey {
    name: String,
    kind: NoteKeyKind,
    key: PublicKey,
    full_id: Sha256Digest,
}

/// How a key signs notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoteKeyKind {
    /// 0x04: Ed25519 cosignature with a time, by a witness or mirror (C2SP tlog-cosignature).
    Cosignature,
    /// 0x02: ECDSA with SHA-256 as DER.
    Ecdsa,
    /// 0x01: Ed25519.
    Ed25519,
    /// 0x05: tree head signature of RFC 6962 section 3.5 (C2SP static-ct-api).
    Rfc6962,
    /// 0xff with Sigstore's identifier: RSA PKCS#1 v1.5 with SHA-256.
    RsaPkcs1,
}

/// Sigstore's identifier of RSA signatures among the private kinds.
pub(super) const RSA_IDENTIFIER: &[u8] = b"PKIX-RSA-PKCS#1v1.5";

impl NoteKeyKind {
    /// The byte that stands for it in ids and vkeys.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Ed25519 => 0x01,
            Self::Ecdsa => 0x02,
            Self::Cosignature => 0x04,
            Self::Rfc6962 => 0x05,
            Self::RsaPkcs1 => 0xff,
        }
    }

    /// Whether such a signature is the log's own; otherwise it is a cosigner's.
    pub const fn is_of_log(self) -> bool {
        !matches!(self, Self::Cosignature)
    }

    fn fits(self, key: KeyKind) -> bool {
        match key {
            KeyKind::Ed25519 => matches!(self, Self::Ed25519 | Self::Cosignature),
            KeyKind::P256 | KeyKind::P384 => matches!(self, Self::Ecdsa | Self::Rfc6962),
            KeyKind::Rsa { .. } => matches!(self, Self::RsaPkcs1 | Self::Rfc6962),
            _ => false,
        }
    }
}

impl fmt::Display for NoteKeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cosignature => "cosignature",
            Self::Ecdsa => "ECDSA",
            Self::Ed25519 => "Ed25519",
            Self::Rfc6962 => "RFC 6962 tree head",
            Self::RsaPkcs1 => "RSA PKCS#1",
        })
    }
}

/// Making.
impl NoteKey {
    /// A key that signs as [`NoteKeyKind::Ed25519`].
    ///
    /// # Errors
    /// A name that no line can hold; a key of another kind.
    pub fn ed25519(name: &str, key: &PublicKey) -> Result<Self, NoteKeyError> {
        Self::new(name, NoteKeyKind::Ed25519, key)
    }

    /// A key that signs as [`NoteKeyKind::Ecdsa`].
    ///
    /// # Errors
    /// As [`ed25519`](Self::ed25519).
    pub fn ecdsa(name: &str, key: &PublicKey) -> Result<Self, NoteKeyError> {
        Self::new(name, NoteKeyKind::Ecdsa, key)
    }

    /// A key that signs as [`NoteKeyKind::RsaPkcs1`]. Checked with the feature `aws-lc` only.
    ///
    /// # Errors
    /// As [`ed25519`](Self::ed25519).
    pub fn rsa_pkcs1(name: &str, key: &PublicKey) -> Result<Self, NoteKeyError> {
        Self::new(name, NoteKeyKind::RsaPkcs1, key)
    }

    /// A key that signs as [`NoteKeyKind::Cosignature`].
    ///
    /// # Errors
    /// As [`ed25519`](Self::ed25519).
    pub fn cosignature(name: &str, key: &PublicKey) -> Result<Self, NoteKeyError> {
        Self::new(name, NoteKeyKind::Cosignature, key)
    }

    /// A key that signs as [`NoteKeyKind::Rfc6962`].
    ///
    /// # Errors
    /// As [`ed25519`](Self::ed25519).
    pub fn rfc6962(name: &str, key: &PublicKey) -> Result<Self, NoteKeyError> {
        Self::new(name, NoteKeyKind::Rfc6962, key)
    }

    /// The key of a log that signs in the usual way of its kind of key: 0x01, 0x02 or 0xff.
    ///
    /// # Errors
    /// A name that no line can hold.
    pub fn for_log(name: &str, key: &PublicKey) -> Result<Self, NoteKeyError> {
        match key.kind() {
            KeyKind::Ed25519 => Self::ed25519(name, key),
            KeyKind::Rsa { .. } => Self::rsa_pkcs1(name, key),
            _ => Self::ecdsa(name, key),
        }
    }

    pub(super) fn new(
        name: &str,
        kind: NoteKeyKind,
        key: &PublicKey,
    ) -> Result<Self, NoteKeyError> {
        if !is_name(name) {
            return Err(NoteKeyError::Name);
        }
        if !kind.fits(key.kind()) {
            return Err(NoteKeyError::KeyMismatch { kind, key: key.kind() });
        }
        Ok(Self {
            name: name.to_owned(),
            kind,
            key: key.clone(),
            full_id: full_id(name, kind, key),
        })
    }
}

/// Reading.
impl NoteKey {
    /// The name in signature lines.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it signs.
    pub fn kind(&self) -> NoteKeyKind {
        self.kind
    }

    /// The public key.
    pub fn key(&self) -> &PublicKey {
        &self.key
    }

    /// The id in signature lines: a hint of 32 bits, the first bytes of [`full_id`](Self::full_id).
    pub fn id(&self) -> [u8; 4] {
        let [a, b, c, d, ..] = *self.full_id.as_bytes();
        [a, b, c, d]
    }

    /// The digest of which the id is a part (C2SP signed-note, key ids). Sigstore's trusted roots name logs by it.
    pub fn full_id(&self) -> Sha256Digest {
        self.full_id
    }

    /// The text form.
    pub fn to_vkey(&self) -> String {
        vkey::write(self)
    }
}

fn full_id(name: &str, kind: NoteKeyKind, key: &PublicKey) -> Sha256Digest {
    if kind == NoteKeyKind::Ecdsa {
        return Sha256Digest::of(key.to_spki_der());
    }
    let mut hasher = Sha256::new();
    hasher.update(name.as_bytes());
    hasher.update(&[b'\n', kind.byte()]);
    match (kind, key.ed25519_bytes()) {
        (NoteKeyKind::Rfc6962, _) => {
            hasher.update(Sha256Digest::of(key.to_spki_der()).as_bytes());
        }
        (_, Some(bytes)) => hasher.update(bytes),
        (_, None) => {
            hasher.update(RSA_IDENTIFIER);
            hasher.update(key.to_spki_der());
        }
    }
    hasher.finish()
}

/// Whether a signature line can hold the name (C2SP signed-note): not empty, no white space of Unicode, no plus sign; and no
/// control characters, which no note holds.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|c| c == '+' || c < ' ' || c.is_whitespace())
}

impl fmt::Debug for NoteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NoteKey({})", self.to_vkey())
    }
}
