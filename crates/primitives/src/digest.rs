//! SHA-256, SHA-384 and SHA-512 values and a streaming SHA-256.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::str::FromStr;

use sha2::Digest as _;

use crate::encoding::{self, EncodingError};

/// How much of a reader is in memory at a time.
const PIECE: usize = 64 << 10;

/// A SHA-256 value; its text form is 64 lower-case hexadecimal digits.
///
/// ```
/// use genten_primitives::Sha256Digest;
/// let digest = Sha256Digest::of(b"abc");
/// assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sha256Digest([u8; 32]);

impl Sha256Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// Digest and number of all bytes that a reader gives, at constant memory.
    ///
    /// # Errors
    /// The reader's.
    ///
    /// ```
    /// use genten_primitives::Sha256Digest;
    /// let (digest, bytes) = Sha256Digest::of_reader(&b"abc"[..]).unwrap();
    /// assert_eq!((digest, bytes), (Sha256Digest::of(b"abc"), 3));
    /// ```
    pub fn of_reader(reader: impl Read) -> io::Result<(Self, u64)> {
        let mut hasher = Sha256::new();
        let bytes = each_piece(reader, |piece| hasher.update(piece))?;
        Ok((hasher.finish(), bytes))
    }

    /// The digest whose 32 bytes are already known.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Hands all bytes that a reader gives to `each`, a piece at a time; how many they were.
fn each_piece(reader: impl Read, mut each: impl FnMut(&[u8])) -> io::Result<u64> {
    // Only what is filled of it is ever touched.
    let (mut reader, mut bytes) = (BufReader::with_capacity(PIECE, reader), 0);
    loop {
        let length = match reader.fill_buf() {
            Ok([]) => return Ok(bytes),
            Ok(piece) => {
                each(piece);
                piece.len()
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        reader.consume(length);
        bytes += length as u64;
    }
}

impl fmt::Display for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encoding::hex(&self.0))
    }
}

impl fmt::Debug for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha256Digest({self})")
    }
}

impl FromStr for Sha256Digest {
    type Err = EncodingError;

    fn from_str(text: &str) -> Result<Self, EncodingError> {
        encoding::from_hex(text).map(Self)
    }
}

/// A SHA-384 value, as some timestamps and certificates use it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sha384Digest([u8; 48]);

impl Sha384Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha384::digest(bytes).into())
    }

    /// The digest whose 48 bytes are already known.
    pub const fn from_bytes(bytes: [u8; 48]) -> Self {
        Self(bytes)
    }

    /// The 48 bytes.
    pub const fn as_bytes(&self) -> &[u8; 48] {
        &self.0
    }
}

impl fmt::Debug for Sha384Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha384Digest({})", encoding::hex(&self.0))
    }
}

/// A SHA-512 value, the prehash of Ed25519ph.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sha512Digest([u8; 64]);

impl Sha512Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha512::digest(bytes).into())
    }

    /// The digest whose 64 bytes are already known.
    pub const fn from_bytes(bytes: [u8; 64]) -> Self {
        Self(bytes)
    }

    /// The 64 bytes.
    pub const fn as_bytes(&self) -> &[u8; 64] {
        &self.0
    }
}

impl fmt::Debug for Sha512Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha512Digest({})", encoding::hex(&self.0))
    }
}

/// A hash function of the SHA-2 family (FIPS 180-4), where a format lets its user choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HashAlgorithm {
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl HashAlgorithm {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sha256, Self::Sha384, Self::Sha512];

    /// How many bytes a digest has.
    #[expect(clippy::len_without_is_empty, reason = "no digest is empty")]
    pub const fn len(self) -> usize {
        match self {
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// The digest of `bytes`.
    ///
    /// ```
    /// use genten_primitives::digest::HashAlgorithm;
    /// assert!(HashAlgorithm::ALL.into_iter().all(|hash| hash.digest(b"abc").len() == hash.len()));
    /// ```
    pub fn digest(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha256 => sha2::Sha256::digest(bytes).to_vec(),
            Self::Sha384 => sha2::Sha384::digest(bytes).to_vec(),
            Self::Sha512 => sha2::Sha512::digest(bytes).to_vec(),
        }
    }

    /// The name before a digest in hex: `sha256`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
        }
    }

    /// The name in the protobuf JSON of Sigstore: `SHA2_256`.
    pub const fn sigstore_name(self) -> &'static str {
        match self {
            Self::Sha256 => "SHA2_256",
            Self::Sha384 => "SHA2_384",
            Self::Sha512 => "SHA2_512",
        }
    }

    /// The hash function with this name in the protobuf JSON of Sigstore.
    pub fn from_sigstore_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hash| hash.sigstore_name() == name)
    }
}

/// The digests of the same bytes by every hash function of [`HashAlgorithm`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digests {
    sha256: [u8; 32],
    sha384: [u8; 48],
    sha512: [u8; 64],
}

impl Digests {
    /// The digests of all bytes that a reader gives, at constant memory.
    ///
    /// # Errors
    /// The reader's.
    ///
    /// ```
    /// use genten_primitives::digest::{Digests, HashAlgorithm};
    /// let digests = Digests::of_reader(&b"abc"[..]).unwrap();
    /// for hash in HashAlgorithm::ALL {
    ///     assert_eq!(digests.get(hash), hash.digest(b"abc"));
    /// }
    /// ```
    pub fn of_reader(reader: impl Read) -> io::Result<Self> {
        let mut sha256 = sha2::Sha256::new();
        let (mut sha384, mut sha512) = (sha2::Sha384::new(), sha2::Sha512::new());
        each_piece(reader, |piece| {
            sha256.update(piece);
            sha384.update(piece);
            sha512.update(piece);
        })?;
        Ok(Self {
            sha256: sha256.finalize().into(),
            sha384: sha384.finalize().into(),
            sha512: sha512.finalize().into(),
        })
    }

    /// The digest by one function.
    pub fn get(&self, hash: HashAlgorithm) -> &[u8] {
        match hash {
            HashAlgorithm::Sha256 => &self.sha256,
            HashAlgorithm::Sha384 => &self.sha384,
            HashAlgorithm::Sha512 => &self.sha512,
        }
    }
}

/// SHA-256 over bytes that arrive in pieces.
///
/// ```
/// use genten_primitives::{Sha256, Sha256Digest};
/// let mut hasher = Sha256::new();
/// hasher.update(b"a");
/// hasher.update(b"bc");
/// assert_eq!(hasher.finish(), Sha256Digest::of(b"abc"));
/// ```
#[derive(Clone, Default)]
pub struct Sha256(sha2::Sha256);

impl Sha256 {
    /// A hasher that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next piece.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all pieces.
    pub fn finish(self) -> Sha256Digest {
        Sha256Digest(self.0.finalize().into())
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sha256")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4, the example "abc".
    #[test]
    fn known_answers() {
        let expected = encoding::from_hex(concat!(
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163",
            "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
        ))
        .unwrap();
        assert_eq!(Sha384Digest::of(b"abc"), Sha384Digest::from_bytes(expected));
        assert_eq!(Sha384Digest::of(b"abc").as_bytes(), &expected);
        assert_ne!(Sha384Digest::of(b"abd").as_bytes(), &expected);
    }
}
