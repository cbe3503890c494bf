//! Lists of signed certificate timestamps (RFC 6962 section 3.3), as structure only: no signature is checked here.
//!
//! ```text
//! u16 length || (u16 length || SCT)*
//! SCT: u8 version (0) | log id [32] | u64 milliseconds | u16 length || extensions | u8 hash | u8 signature algorithm
//!      | u16 length || signature
//! ```
//!
//! A list is not empty, nor is an SCT in it; every length must add up. What is accepted is written back to the same bytes.

use genten_primitives::{Sha256Digest, Timestamp};

/// Most SCTs of one list.
pub const MAX_SCTS: usize = 64;

/// A SignedCertificateTimestampList.
///
/// ```
/// use genten_pki::SctList;
/// assert!(SctList::from_bytes(&[0, 0]).is_err(), "a list has at least one SCT");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SctList(Vec<ListedSct>);

/// One entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListedSct {
    /// Of another version, which nobody here understands: never counted, never fatal.
    Unknown {
        /// The entry, version included.
        bytes: Vec<u8>,
    },
    /// Of version 1.
    V1(Sct),
}

/// A promise of a log to hold a certificate (RFC 6962 section 3.2), version 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sct {
    /// SHA-256 of the log's SubjectPublicKeyInfo.
    pub log_id: Sha256Digest,
    /// Milliseconds since 1970.
    pub timestamp: u64,
    /// Extensions as sent; part of what is signed.
    pub extensions: Vec<u8>,
    /// How the log signed.
    pub algorithm: SctAlgorithm,
    /// The signature.
    pub signature: Vec<u8>,
}

/// Hash and signature algorithm of an SCT (RFC 5246 section 7.4.1.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SctAlgorithm {
    /// ECDSA with SHA-256.
    EcdsaSha256,
    /// A pair that no log may use (RFC 6962 section 2.1.4).
    Other {
        /// HashAlgorithm.
        hash: u8,
        /// SignatureAlgorithm.
        signature: u8,
    },
    /// RSA PKCS#1 with SHA-256.
    RsaSha256,
}

/// Which part a length belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SctPart {
    /// One entry of the list.
    Entry,
    /// The extensions of an SCT, or one of them.
    Extensions,
    /// The fields of an SCT before its signature.
    Header,
    /// The list.
    List,
    /// The signature of an SCT.
    Signature,
}

/// Why some bytes are not a list of SCTs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SctError {
    /// The same extension twice in one SCT.
    #[error("sct has the extension {kind} twice")]
    DuplicateExtension {
        /// Its type.
        kind: u8,
    },
    /// A list or an entry without content.
    #[error("{part:?} of an sct list is empty")]
    Empty {
        /// Which part.
        part: SctPart,
    },
    /// The extension leaf_index has other than 5 bytes.
    #[error("leaf_index of {found} bytes instead of 5")]
    LeafIndex {
        /// Its length in bytes.
        found: usize,
    },
    /// More SCTs than any server sends: each may cost the check of a signature.
    #[error("sct list has more than {MAX_SCTS} scts")]
    TooMany,
    /// Bytes after the end.
    #[error("{remaining} bytes after the {part:?} of an sct list")]
    TrailingBytes {
        /// What ended.
        part: SctPart,
        /// How many bytes follow.
        remaining: usize,
    },
    /// A length points beyond the end.
    #[error("{part:?} of an sct list is cut off")]
    Truncated {
        /// Which part.
        part: SctPart,
    },
}

impl SctList {
    /// Reads the TLS encoding, outer length included.
    ///
    /// # Errors
    /// Lengths that do not add up, an empty list, an empty entry, more than [`MAX_SCTS`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SctError> {
        let mut reader = Reader(bytes);
        let mut entries = Reader(reader.vector(SctPart::List)?);
        reader.finish(SctPart::List)?;
        let mut list = Vec::new();
        while !entries.0.is_empty() {
            if list.len() == MAX_SCTS {
                return Err(SctError::TooMany);
            }
            list.push(ListedSct::from_bytes(entries.vector(SctPart::Entry)?)?);
        }
        if list.is_empty() { Err(SctError::Empty { part: SctPart::List }) } else { Ok(Self(list)) }
    }

    /// The entries, in order; at least one.
    pub fn entries(&self) -> &[ListedSct] {
        &self.0
    }

    /// The entries of version 1.
    pub fn v1(&self) -> impl Iterator<Item = &Sct> {
        self.0.iter().filter_map(|entry| match entry {
            ListedSct::V1(sct) => Some(sct),
            ListedSct::Unknown { .. } => None,
        })
    }

    /// The TLS encoding: the bytes that the list was read from.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut entries = Vec::new();
        for entry in &self.0 {
            push_vector(&entry.to_bytes(), &mut entries);
        }
        let mut bytes = Vec::new();
        push_vector(&entries, &mut bytes);
        bytes
    }
}

impl ListedSct {
    fn from_bytes(bytes: &[u8]) -> Result<Self, SctError> {
        match bytes.split_first() {
            None => Err(SctError::Empty { part: SctPart::Entry }),
            Some((0, fields)) => Sct::from_fields(fields).map(Self::V1),
            Some(_) => Ok(Self::Unknown { bytes: bytes.to_vec() }),
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::V1(sct) => sct.to_bytes(),
            Self::Unknown { bytes } => bytes.clone(),
        }
    }
}

impl Sct {
    /// Reads what follows the version.
    fn from_fields(fields: &[u8]) -> Result<Self, SctError> {
        let mut reader = Reader(fields);
        let log_id = Sha256Digest::from_bytes(reader.array(SctPart::Header)?);
        let timestamp = u64::from_be_bytes(reader.array(SctPart::Header)?);
        let extensions = reader.vector(SctPart::Extensions)?.to_vec();
        let [hash, signature] = reader.array(SctPart::Header)?;
        let algorithm = SctAlgorithm::from_pair(hash, signature);
        let signature = reader.vector(SctPart::Signature)?.to_vec();
        reader.finish(SctPart::Entry)?;
        Ok(Self { log_id, timestamp, extensions, algorithm, signature })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0];
        bytes.extend(self.log_id.as_bytes());
        bytes.extend(self.timestamp.to_be_bytes());
        push_vector(&self.extensions, &mut bytes);
        bytes.extend(self.algorithm.to_pair());
        push_vector(&self.signature, &mut bytes);
        bytes
    }

    /// The moment of the promise; `None` after the year 9999.
    pub fn time(&self) -> Option<Timestamp> {
        i64::try_from(self.timestamp).ok().and_then(Timestamp::from_millis)
    }

    /// Where a static CT log put the certificate: its extension leaf_index (type 0), `u8 type | u16 length | data` with an
    /// index of 5 bytes. Other types are passed over.
    ///
    /// # Errors
    /// Extensions that are no such list; a type twice; an index of another length. Logs that are not static may use the
    /// extensions as they like.
    pub fn leaf_index(&self) -> Result<Option<u64>, SctError> {
        leaf_index(&self.extensions)
    }
}

/// The leaf_index among the extensions of an SCT or of a log entry.
pub(crate) fn leaf_index(extensions: &[u8]) -> Result<Option<u64>, SctError> {
    let mut reader = Reader(extensions);
    let mut seen = [false; 256];
    let mut index = None;
    while !reader.0.is_empty() {
        let [kind] = reader.array(SctPart::Extensions)?;
        let data = reader.vector(SctPart::Extensions)?;
        if std::mem::replace(&mut seen[usize::from(kind)], true) {
            return Err(SctError::DuplicateExtension { kind });
        }
        if kind == 0 {
            index = Some(five_bytes(data)?);
        }
    }
    Ok(index)
}

fn five_bytes(data: &[u8]) -> Result<u64, SctError> {
    let &[a, b, c, d, e] = data else { return Err(SctError::LeafIndex { found: data.len() }) };
    Ok(u64::from_be_bytes([0, 0, 0, a, b, c, d, e]))
}

impl SctAlgorithm {
    fn from_pair(hash: u8, signature: u8) -> Self {
        match (hash, signature) {
            (4, 3) => Self::EcdsaSha256,
            (4, 1) => Self::RsaSha256,
            _ => Self::Other { hash, signature },
        }
    }

    fn to_pair(self) -> [u8; 2] {
        match self {
            Self::EcdsaSha256 => [4, 3],
            Self::RsaSha256 => [4, 1],
            Self::Other { hash, signature } => [hash, signature],
        }
    }
}

/// Appends `u16 length || content`.
fn push_vector(content: &[u8], out: &mut Vec<u8>) {
    let length = u16::try_from(content.len()).expect("vectors were read with lengths of 16 bits");
    out.extend(length.to_be_bytes());
    out.extend(content);
}

/// The bytes that are still to be read.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn array<const N: usize>(&mut self, part: SctPart) -> Result<[u8; N], SctError> {
        let (array, rest) = self.0.split_first_chunk().ok_or(SctError::Truncated { part })?;
        self.0 = rest;
        Ok(*array)
    }

    fn vector(&mut self, part: SctPart) -> Result<&'b [u8], SctError> {
        let length = usize::from(u16::from_be_bytes(self.array(part)?));
        let (vector, rest) = self.0.split_at_checked(length).ok_or(SctError::Truncated { part })?;
        self.0 = rest;
        Ok(vector)
    }

    fn finish(self, part: SctPart) -> Result<(), SctError> {
        match self.0.len() {
            0 => Ok(()),
            remaining => Err(SctError::TrailingBytes { part, remaining }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sct(extensions: &[u8]) -> Sct {
        Sct {
            log_id: Sha256Digest::of(b"log"),
            timestamp: 1_796_026_500_125,
            extensions: extensions.to_vec(),
            algorithm: SctAlgorithm::EcdsaSha256,
            signature: vec![0x30, 0],
        }
    }

    fn list(entries: &[&[u8]]) -> Vec<u8> {
        let mut inner = Vec::new();
        entries.iter().for_each(|entry| push_vector(entry, &mut inner));
        let mut bytes = Vec::new();
        push_vector(&inner, &mut bytes);
        bytes
    }

    #[test]
    fn a_list_has_so_many_scts_and_no_more() {
        let one = sct(&[]).to_bytes();
        let of = |count| SctList::from_bytes(&list(&vec![one.as_slice(); count]));
        assert_eq!(of(MAX_SCTS).unwrap().entries().len(), MAX_SCTS);
        assert_eq!(of(MAX_SCTS + 1), Err(SctError::TooMany));
    }

    #[test]
    fn lengths_must_add_up() {
        let one = sct(&[]).to_bytes();
        let good = list(&[&one, &[7, 1]]);
        let read = SctList::from_bytes(&good).unwrap();
        assert_eq!(read.v1().count(), 1);
        assert_eq!(read.entries()[1], ListedSct::Unknown { bytes: vec![7, 1] });
        assert_eq!(read.to_bytes(), good);
        for shorter in 0..good.len() {
            let error = SctList::from_bytes(&good[..shorter]);
            assert_eq!(error, Err(SctError::Truncated { part: SctPart::List }));
        }
        let error = |bytes: &[u8]| SctList::from_bytes(bytes).unwrap_err();
        let trailing = |part| SctError::TrailingBytes { part, remaining: 1 };
        assert_eq!(error(&[&good[..], &[0]].concat()), trailing(SctPart::List));
        assert_eq!(error(&list(&[&[&one[..], &[0]].concat()])), trailing(SctPart::Entry));
        assert_eq!(error(&list(&[])), SctError::Empty { part: SctPart::List });
        assert_eq!(error(&list(&[&one, &[]])), SctError::Empty { part: SctPart::Entry });
        assert_eq!(error(&[0, 1, 0]), SctError::Truncated { part: SctPart::Entry });
    }

    #[test]
    fn each_field_can_be_cut_off() {
        use SctPart::{Extensions, Header, Signature};
        let one = sct(&[1, 2]).to_bytes();
        for length in 1..one.len() {
            let part = match length {
                0..41 | 45..47 => Header,
                41..45 => Extensions,
                _ => Signature,
            };
            let read = SctList::from_bytes(&list(&[&one[..length]]));
            assert_eq!(read, Err(SctError::Truncated { part }), "{length}");
        }
    }

    #[test]
    fn algorithms_keep_their_numbers() {
        for pair in [[4, 3], [4, 1], [5, 3], [4, 2], [8, 7], [0, 0]] {
            assert_eq!(SctAlgorithm::from_pair(pair[0], pair[1]).to_pair(), pair);
        }
    }

    #[test]
    fn leaf_index_of_a_static_log() {
        let index = |extensions: &[u8]| sct(extensions).leaf_index();
        assert_eq!(index(&[]), Ok(None));
        assert_eq!(index(&[0, 0, 5, 0, 0, 1, 0, 2]), Ok(Some(0x1_0002)));
        assert_eq!(index(&[9, 0, 1, 7, 0, 0, 5, 0xff, 0, 0, 0, 1]), Ok(Some(0xff_0000_0001)));
        assert_eq!(index(&[0, 0, 4, 0, 0, 0, 1]), Err(SctError::LeafIndex { found: 4 }));
        assert_eq!(index(&[9, 0, 0, 9, 0, 0]), Err(SctError::DuplicateExtension { kind: 9 }));
        let cut = Err(SctError::Truncated { part: SctPart::Extensions });
        assert_eq!(index(&[0, 0]), cut);
        assert_eq!(index(&[0, 0, 5, 0]), cut);
    }

    #[test]
    fn times_beyond_the_calendar_are_none() {
        let at = |timestamp| Sct { timestamp, ..sct(&[]) }.time().map(|time| time.to_string());
        assert_eq!(at(1_796_026_500_125).as_deref(), Some("2026-11-30T08:15:00.125Z"));
        assert_eq!(at(u64::MAX), None);
        assert_eq!(at(253_402_300_800_000), None);
    }
}
