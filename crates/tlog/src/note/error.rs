//! What can be wrong with a note and with the text form of a key.

use genten_primitives::encoding::EncodingError;
use genten_primitives::key::{KeyError, KeyKind};

use super::NoteKeyKind;

/// Why some bytes are not a signed note. Lines are counted from 0, from the first signature line on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoteError {
    /// A control character other than a line feed.
    #[error("note has a control character at byte {offset}")]
    ControlCharacter {
        /// Where.
        offset: usize,
    },
    /// A signature that is not canonical base64.
    #[error("signature line {line} of the note is malformed")]
    LineBase64 {
        /// Which line.
        line: usize,
        /// What is wrong.
        source: EncodingError,
    },
    /// A signature line without room for a key id and a signature.
    #[error("signature line {line} of the note has {found} bytes, fewer than 5")]
    LineLength {
        /// Which line.
        line: usize,
        /// Bytes that it decodes to.
        found: usize,
    },
    /// A key name that is empty, or holds a space or a plus sign.
    #[error("signature line {line} of the note has no valid key name")]
    LineName {
        /// Which line.
        line: usize,
    },
    /// A line among the signatures that is none: an em dash, a space, a name, a space, base64.
    #[error("line {line} among the signatures of the note is none")]
    LineShape {
        /// Which line.
        line: usize,
    },
    /// Nothing separates a text from signatures.
    #[error("note has no blank line before its signatures")]
    NoBlankLine,
    /// Nothing after the blank line.
    #[error("note has no signatures")]
    NoSignatures,
    /// More bytes than are read.
    #[error("note of {found} bytes is longer than {limit}")]
    TooLong {
        /// Bytes that are read at most.
        limit: usize,
        /// Bytes given.
        found: usize,
    },
    /// More signature lines than are read.
    #[error("note has more than {limit} signatures")]
    TooManySignatures {
        /// Lines that are read at most.
        limit: usize,
    },
    /// The last line has no line feed.
    #[error("note does not end in a line feed")]
    Unterminated,
    /// Not UTF-8.
    #[error("note is not utf-8")]
    Utf8,
}

/// Why something is not a key for notes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoteKeyError {
    /// The key is not canonical base64.
    #[error("key is malformed")]
    Base64(#[source] EncodingError),
    /// The key id is not 8 lower-case hexadecimal digits.
    #[error("key id is malformed")]
    IdText(#[source] EncodingError),
    /// The key id is not that of name, kind and key.
    #[error("key id {found:08x} instead of {expected:08x}")]
    IdMismatch {
        /// The id that follows from name, kind and key.
        expected: u32,
        /// The id given.
        found: u32,
    },
    /// The bytes are no public key.
    #[error("key is not usable")]
    Key(#[from] KeyError),
    /// A public key of a kind that cannot sign so.
    #[error("{key} key cannot make signatures of the kind {kind}")]
    KeyMismatch {
        /// The kind of signature.
        kind: NoteKeyKind,
        /// The kind of the key.
        key: KeyKind,
    },
    /// A key of another length.
    #[error("key has {found} bytes instead of {expected}")]
    Length {
        /// Bytes of such a key.
        expected: usize,
        /// Bytes given.
        found: usize,
    },
    /// ML-DSA-44 (kind 0x06), which nothing here can check.
    #[error("ml-dsa-44 keys are not supported")]
    MlDsaUnsupported,
    /// A name that is empty, or holds a space, a plus sign or a control character.
    #[error("key name is empty or holds a space, a plus sign or a control character")]
    Name,
    /// A second spelling of the key, such as a compressed point.
    #[error("key is not in its canonical encoding")]
    NonCanonical,
    /// Not of the form `name+id+key`.
    #[error("not of the form name+id+key")]
    Parts,
    /// A private key where a public one is wanted.
    #[error("a private key, not a public one")]
    PrivateKey,
    /// More bytes than are read.
    #[error("key text of {found} bytes is longer than {limit}")]
    TooLong {
        /// Bytes that are read at most.
        limit: usize,
        /// Bytes given.
        found: usize,
    },
    /// A kind of signature that nobody here knows.
    #[error("unknown kind of signature {found:#04x}")]
    UnknownKind {
        /// The byte that names it.
        found: u8,
    },
    /// A private kind (0xff) with another identifier than Sigstore's for RSA.
    #[error("private kind of signature with an unknown identifier")]
    UnknownPrivateKind,
}
