//! Signed notes (C2SP signed-note): a text, a blank line, and lines with signatures over the text.
//!
//! What a note says must not be used before a known key has signed it: [`UnverifiedCheckpoint`](crate::UnverifiedCheckpoint)
//! does that.

mod error;
mod key;
mod line_error;
mod vkey;

pub use error::{NoteError, NoteKeyError};
pub use key::{NoteKey, NoteKeyKind};
pub use line_error::LineError;

use genten_primitives::encoding::{base64, from_base64};

/// Largest note that is read, in bytes.
pub const MAX_NOTE: usize = 1 << 20;

/// Most signature lines of a note.
pub const MAX_SIGNATURES: usize = 100;

/// What a signature line begins with: an em dash and a space.
const MARK: &str = "\u{2014} ";

/// A note whose signatures nobody has checked.
///
/// ```
/// use genten_tlog::Note;
/// let note = Note::parse("text\n\n\u{2014} example.com/foo AAAAAAA=\n".as_bytes()).unwrap();
/// assert_eq!(note.unverified_text(), "text\n");
/// assert_eq!(note.signatures()[0].name(), "example.com/foo");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note<'n> {
    whole: &'n str,
    text: &'n str,
    signatures: Vec<NoteSignature<'n>>,
}

/// One signature line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature<'n> {
    name: &'n str,
    key_id: [u8; 4],
    blob: Vec<u8>,
}

impl<'n> Note<'n> {
    /// Reads a note.
    ///
    /// # Errors
    /// The first rule of section 2.1 that the bytes break.
    pub fn parse(bytes: &'n [u8]) -> Result<Self, NoteError> {
        if bytes.len() > MAX_NOTE {
            return Err(NoteError::TooLong { limit: MAX_NOTE, found: bytes.len() });
        }
        let whole = std::str::from_utf8(bytes).map_err(|_| NoteError::Utf8)?;
        if let Some(offset) = bytes.iter().position(|byte| *byte < b' ' && *byte != b'\n') {
            return Err(NoteError::ControlCharacter { offset });
        }
        let blank = whole.rfind("\n\n").ok_or(NoteError::NoBlankLine)?;
        let (text, lines) = (&whole[..=blank], &whole[blank + 2..]);
        if lines.is_empty() {
            return Err(NoteError::NoSignatures);
        }
        let lines = lines.strip_suffix('\n').ok_or(NoteError::Unterminated)?;
        Ok(Self { whole, text, signatures: signatures(lines)? })
    }

    /// What was signed, if the signatures are good; its last line feed included.
    pub fn unverified_text(&self) -> &'n str {
        self.text
    }

    /// The signature lines, in order; at least one.
    pub fn signatures(&self) -> &[NoteSignature<'n>] {
        &self.signatures
    }

    /// The bytes that the note was read from.
    pub fn as_bytes(&self) -> &'n [u8] {
        self.whole.as_bytes()
    }
}

fn signatures(lines: &str) -> Result<Vec<NoteSignature<'_>>, NoteError> {
    let mut signatures = Vec::new();
    for (line, text) in lines.split('\n').enumerate() {
        if line == MAX_SIGNATURES {
            return Err(NoteError::TooManySignatures { limit: MAX_SIGNATURES });
        }
        signatures.push(NoteSignature::parse(text, line)?);
    }
    Ok(signatures)
}

impl<'n> NoteSignature<'n> {
    fn parse(text: &'n str, line: usize) -> Result<Self, NoteError> {
        let fields = text.strip_prefix(MARK).and_then(|fields| fields.split_once(' '));
        let (name, encoded) = fields.ok_or(NoteError::LineShape { line })?;
        if !key::is_name(name) {
            return Err(NoteError::LineName { line });
        }
        let bytes =
            from_base64(encoded).map_err(|source| NoteError::LineBase64 { line, source })?;
        match bytes.split_first_chunk() {
            Some((key_id, blob)) if !blob.is_empty() => {
                Ok(Self { name, key_id: *key_id, blob: blob.to_vec() })
            }
            _ => Err(NoteError::LineLength { line, found: bytes.len() }),
        }
    }

    /// The name of the key that is said to have signed.
    pub fn name(&self) -> &'n str {
        self.name
    }

    /// A hint at the key that is said to have signed: no proof of it.
    pub fn key_id(&self) -> [u8; 4] {
        self.key_id
    }

    /// What follows the key id: for most kinds of keys the bare signature. Not empty.
    pub fn blob(&self) -> &[u8] {
        &self.blob
    }

    /// Whether the line says to be by this key.
    pub fn is_by(&self, key: &NoteKey) -> bool {
        self.key_id == key.id() && self.name == key.name()
    }
}

/// The signature line of a key, with its line feed.
///
/// ```
/// # use genten_primitives::{PublicKey, encoding::from_hex};
/// # use genten_tlog::note::{NoteKey, signature_line};
/// # let key = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
/// # let key = PublicKey::ed25519_from_bytes(&from_hex(key).unwrap()).unwrap();
/// let key = NoteKey::ed25519("example.com/log", &key).unwrap();
/// assert!(signature_line(&key, &[0; 64]).starts_with("\u{2014} example.com/log "));
/// ```
pub fn signature_line(key: &NoteKey, blob: &[u8]) -> String {
    let bytes = [&key.id()[..], blob].concat();
    [MARK, key.name(), " ", &base64(&bytes), "\n"].concat()
}
