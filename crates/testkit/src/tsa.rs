//! A timestamp authority (RFC 3161) whose tokens can be spoilt in every place. It writes DER on its own, without the code
//! under test.

use genten_pki::Certificate;
use genten_primitives::encoding::base64;
use genten_primitives::{Sha256Digest, Timestamp};
use serde_json::{Value, json};

use crate::der::{algorithm, integer, oid, seq, tlv};
use crate::log::window;
use crate::{CertificateSpec, Issuer, SeedKey};

const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2];
const TST_INFO: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 1, 4];
const CONTENT_TYPE: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 3];
const MESSAGE_DIGEST: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 4];
const CERTIFICATE_V2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 2, 47];
const TIME_STAMPING: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 8];
const ECDSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2];

/// SHA-256: the content of its object identifier.
pub const SHA256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
/// SHA-384.
pub const SHA384: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2];
/// SHA-512.
pub const SHA512: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3];
/// SHA-1, which no stamp may rest on.
pub const SHA1: &[u8] = &[0x2b, 0x0e, 3, 2, 0x1a];
/// SHA3-256, which not every verifier knows.
pub const SHA3_256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 8];

/// An authority with its certificates: its own for 2024 to 2027, and a root.
#[derive(Debug)]
pub struct Tsa {
    name: String,
    root: Issuer,
    leaf: Vec<u8>,
    key: SeedKey,
}

impl Tsa {
    /// The authority of this name, which its keys are made from.
    pub fn new(name: &str) -> Self {
        Self::valid(name, "2024-01-01T00:00:00Z", "2027-12-31T23:59:59Z")
    }

    /// The same with this P-256 key.
    pub fn with_key(name: &str, key: SeedKey) -> Self {
        Self::made(name, "2024-01-01T00:00:00Z", "2027-12-31T23:59:59Z", key)
    }

    /// The same with a certificate for these times.
    ///
    /// # Panics
    /// On texts that are no times.
    pub fn valid(name: &str, not_before: &str, not_after: &str) -> Self {
        Self::made(name, not_before, not_after, SeedKey::es256(&format!("tsa {name}")))
    }

    fn made(name: &str, not_before: &str, not_after: &str, key: SeedKey) -> Self {
        let root = Issuer::root(&CertificateSpec::ca(&format!("{name} root")));
        let mut spec = CertificateSpec::leaf(name, not_before, not_after);
        spec.extensions.push((vec![2, 5, 29, 37], true, seq(&[&oid(TIME_STAMPING)])));
        let leaf = root.issue(&spec, &key);
        Self { name: name.to_owned(), root, leaf, key }
    }

    /// Its certificates, DER, its own first.
    pub fn certificates(&self) -> [&[u8]; 2] {
        [&self.leaf, self.root.der()]
    }

    /// The key that signs its tokens.
    pub fn key(&self) -> &SeedKey {
        &self.key
    }

    /// The authority as trust kits hold it.
    pub fn in_kit(&self) -> Value {
        let certificates = self.certificates().map(base64);
        json!({"name": self.name, "certificates": certificates})
    }

    /// The authority as Sigstore trusted roots hold it.
    pub fn in_trusted_root(&self, start: &str, end: Option<&str>) -> Value {
        let certificates = self.certificates().map(|der| json!({"rawBytes": base64(der)}));
        json!({
            "subject": {"organization": "Example", "commonName": self.name},
            "uri": format!("https://{}.example", self.name),
            "certChain": {"certificates": certificates},
            "validFor": window(start, end),
        })
    }

    /// An answer with a stamp over a message.
    pub fn stamp(&self, message: &[u8], time: Timestamp) -> Vec<u8> {
        self.recipe(message, time).answer(&self.key)
    }

    /// What goes into such an answer, to be spoilt before it is signed.
    ///
    /// # Panics
    /// Never: the certificate was just made.
    pub fn recipe(&self, message: &[u8], time: Timestamp) -> Recipe {
        let leaf = Certificate::from_der(&self.leaf).expect("a certificate of this authority");
        let sid = seq(&[leaf.issuer().der(), &serial(&leaf)]);
        Recipe {
            status: Some(0),
            imprint_algorithm: SHA256.to_vec(),
            imprint: Sha256Digest::of(message).as_bytes().to_vec(),
            serial: integer(0x1234),
            gen_time: generalized_time(time),
            nonce: None,
            certificates: vec![self.leaf.clone()],
            signer_identifier: sid,
            signer_certificate: Sha256Digest::of(&self.leaf).as_bytes().to_vec(),
            digest_algorithm: SHA256.to_vec(),
            message_digest: None,
            spoil_signature: false,
            tail: Vec::new(),
        }
    }
}

/// The DER of a certificate's serial number, found without the code under test.
fn serial(certificate: &Certificate) -> Vec<u8> {
    const VERSION: [u8; 5] = [0xa0, 3, 2, 1, 2];
    let tbs = certificate.tbs_der();
    let at = tbs.windows(5).position(|five| five == VERSION).map_or(0, |at| at + 5);
    tbs[at..at + 2 + usize::from(tbs[at + 1])].to_vec()
}

/// `20261130081500Z`
fn generalized_time(time: Timestamp) -> String {
    let text = time.to_string();
    let digits: String = text.chars().take(19).filter(char::is_ascii_digit).collect();
    digits + "Z"
}

/// The parts of a token. What is `None` is made of the others.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// PKIStatus; `None` for a bare token.
    pub status: Option<u8>,
    /// Content of the object identifier of the imprint's hash function.
    pub imprint_algorithm: Vec<u8>,
    /// The hash of what is stamped.
    pub imprint: Vec<u8>,
    /// The serial number, DER.
    pub serial: Vec<u8>,
    /// Content of the GeneralizedTime.
    pub gen_time: String,
    /// The nonce, DER.
    pub nonce: Option<Vec<u8>>,
    /// The certificates in the token, DER.
    pub certificates: Vec<Vec<u8>>,
    /// Who signed: issuer and serial number, DER.
    pub signer_identifier: Vec<u8>,
    /// SHA-256 of the certificate of whoever signed, which is signed too (RFC 5816).
    pub signer_certificate: Vec<u8>,
    /// Content of the object identifier of the hash function under the signature.
    pub digest_algorithm: Vec<u8>,
    /// The digest of the content in the signed attributes.
    pub message_digest: Option<Vec<u8>>,
    /// Whether the signature is wrong.
    pub spoil_signature: bool,
    /// Behind the answer.
    pub tail: Vec<u8>,
}

impl Recipe {
    /// The answer, or the bare token.
    pub fn answer(&self, key: &SeedKey) -> Vec<u8> {
        let answer = match self.status {
            Some(status @ (0 | 1)) => seq(&[&seq(&[&[2, 1, status]]), &self.token(key)]),
            Some(status) => seq(&[&seq(&[&[2, 1, status]])]),
            None => self.token(key),
        };
        [answer, self.tail.clone()].concat()
    }

    fn info(&self) -> Vec<u8> {
        let imprint = seq(&[&algorithm(&self.imprint_algorithm), &tlv(4, &self.imprint)]);
        let (policy, time) = (oid(&[0x2a, 3, 4]), tlv(0x18, self.gen_time.as_bytes()));
        let nonce = self.nonce.as_deref().unwrap_or_default();
        seq(&[&[2, 1, 1], &policy, &imprint, &self.serial, &time, nonce])
    }

    fn attributes(&self) -> Vec<u8> {
        let attribute = |kind: &[u8], value: &[u8]| seq(&[&oid(kind), &tlv(0x31, value)]);
        let digest = || Sha256Digest::of(&self.info()).as_bytes().to_vec();
        let digest = self.message_digest.clone().unwrap_or_else(digest);
        let ess = seq(&[&seq(&[&seq(&[&tlv(4, &self.signer_certificate)])])]);
        [
            attribute(CONTENT_TYPE, &oid(TST_INFO)),
            attribute(MESSAGE_DIGEST, &tlv(4, &digest)),
            attribute(CERTIFICATE_V2, &ess),
        ]
        .concat()
    }

    fn signer(&self, key: &SeedKey) -> Vec<u8> {
        let attributes = self.attributes();
        let mut signature = key.sign_der(&tlv(0x31, &attributes));
        if self.spoil_signature {
            signature = key.sign_der(b"something else");
        }
        seq(&[
            &[2, 1, 1],
            &self.signer_identifier,
            &algorithm(&self.digest_algorithm),
            &tlv(0xa0, &attributes),
            &algorithm(ECDSA_SHA256),
            &tlv(4, &signature),
        ])
    }

    fn token(&self, key: &SeedKey) -> Vec<u8> {
        let content = seq(&[&oid(TST_INFO), &tlv(0xa0, &tlv(4, &self.info()))]);
        let data = seq(&[
            &[2, 1, 3],
            &tlv(0x31, &algorithm(&self.digest_algorithm)),
            &content,
            &tlv(0xa0, &self.certificates.concat()),
            &tlv(0x31, &self.signer(key)),
        ]);
        seq(&[&oid(SIGNED_DATA), &tlv(0xa0, &data)])
    }
}
