//! TimeStampReq (RFC 3161 section 2.4.1), read without the code under test.

use crate::der::{self, Element};
use crate::tsa::{SHA256, SHA384, SHA512};

/// What is to be stamped, and how the answer has to look.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Query {
    /// Content of the object identifier of the hash function.
    pub(super) algorithm: Vec<u8>,
    pub(super) imprint: Vec<u8>,
    /// Content of the INTEGER.
    pub(super) nonce: Option<Vec<u8>>,
    pub(super) wants_certificate: bool,
}

/// Why there will be no stamp, as Sigstore's authority says it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refused(pub(super) &'static str);

impl Query {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let query = Self::parse(bytes).ok_or(Refused("Error generating timestamp response"))?;
        let length = match query.algorithm.as_slice() {
            SHA256 => 32,
            SHA384 => 48,
            SHA512 => 64,
            _ => return Err(Refused("Weak hash algorithm in timestamp request")),
        };
        match query.imprint.len() == length {
            true => Ok(query),
            false => Err(Refused("Message digest has incorrect length for specified algorithm")),
        }
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let parts = der::elements(only(bytes, 0x30)?)?;
        let [Element { tag: 2, content: [1] }, imprint, optional @ ..] = parts.as_slice() else {
            return None;
        };
        let imprint = der::elements(imprint.content)?;
        let [algorithm, Element { tag: 4, content: imprint }] = imprint.as_slice() else {
            return None;
        };
        let algorithm = der::elements(algorithm.content)?;
        let Element { tag: 6, content: algorithm } = algorithm.first()? else { return None };
        let find = |tag| optional.iter().find(|part| part.tag == tag).map(|part| part.content);
        Some(Self {
            algorithm: algorithm.to_vec(),
            imprint: imprint.to_vec(),
            nonce: find(2).map(<[u8]>::to_vec),
            wants_certificate: find(1) == Some(&[0xff]),
        })
    }
}

/// The content of the one element that the bytes are.
fn only(bytes: &[u8], tag: u8) -> Option<&[u8]> {
    match der::elements(bytes)?.as_slice() {
        [element] if element.tag == tag => Some(element.content),
        _ => None,
    }
}
