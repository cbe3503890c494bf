//! A timestamp authority whose tokens can be spoilt in every place. It writes DER on its own, without the code under test.

use genten_pki::{Certificate, HashAlgorithm, TimestampAuthority};
use genten_primitives::{Sha256Digest, Sha384Digest, Sha512Digest, Timestamp};
use rcgen::{CertificateParams, CustomExtension, KeyPair, KeyUsagePurpose, SigningKey as _};

use crate::common::{Ca, Edit, key, p256, root};

pub(crate) const MESSAGE: &[u8] = b"the stamped bytes";
pub(crate) const GEN_TIME: &str = "2025-06-01T12:00:00Z";

pub(crate) const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2];
pub(crate) const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];
pub(crate) const TST_INFO: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 1, 4];
pub(crate) const CONTENT_TYPE: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 3];
pub(crate) const MESSAGE_DIGEST: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 4];
pub(crate) const SIGNING_TIME: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 5];
pub(crate) const OLD_CERTIFICATE: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 2, 12];
pub(crate) const CERTIFICATE_V2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 2, 47];
pub(crate) const TIME_STAMPING: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 8];
pub(crate) const CODE_SIGNING: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 3];
pub(crate) const SHA1: &[u8] = &[0x2b, 0x0e, 3, 2, 0x1a];
pub(crate) const SHA256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
pub(crate) const SHA384: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2];
pub(crate) const SHA512: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3];
pub(crate) const SHA3_256: &[u8] = &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 8];
pub(crate) const ECDSA_SHA1: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 1];
pub(crate) const ECDSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2];
pub(crate) const ECDSA_SHA384: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 3];
pub(crate) const ECDSA_SHA512: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 4];
pub(crate) const ED25519: &[u8] = &[0x2b, 0x65, 0x70];
pub(crate) const RSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 10];

pub(crate) fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let header = match length {
        0..0x80 => vec![tag, length as u8],
        0x80..0x100 => vec![tag, 0x81, length as u8],
        _ => vec![tag, 0x82, (length >> 8) as u8, length as u8],
    };
    [header, content.to_vec()].concat()
}

pub(crate) fn seq(parts: &[&[u8]]) -> Vec<u8> {
    tlv(0x30, &parts.concat())
}

pub(crate) fn oid(content: &[u8]) -> Vec<u8> {
    tlv(6, content)
}

pub(crate) fn algorithm(content: &[u8]) -> Vec<u8> {
    seq(&[&oid(content)])
}

pub(crate) fn hash(algorithm: HashAlgorithm, bytes: &[u8]) -> Vec<u8> {
    match algorithm {
        HashAlgorithm::Sha256 => Sha256Digest::of(bytes).as_bytes().to_vec(),
        HashAlgorithm::Sha384 => Sha384Digest::of(bytes).as_bytes().to_vec(),
        HashAlgorithm::Sha512 => Sha512Digest::of(bytes).as_bytes().to_vec(),
    }
}

/// `SEQUENCE { algorithm, OCTET STRING }`
pub(crate) fn imprint(algorithm_oid: &[u8], hash: &[u8]) -> Vec<u8> {
    seq(&[&algorithm(algorithm_oid), &tlv(4, hash)])
}

/// An attribute with these values.
pub(crate) fn attribute(kind: &[u8], values: &[&[u8]]) -> Vec<u8> {
    seq(&[&oid(kind), &tlv(0x31, &values.concat())])
}

/// SigningCertificateV2 or the old kind, of one certificate.
pub(crate) fn ess(parts: &[&[u8]]) -> Vec<u8> {
    seq(&[&seq(&[&seq(parts)])])
}

/// The IssuerSerial of a certificate.
pub(crate) fn issuer_serial(issuer: &[u8], serial: &[u8]) -> Vec<u8> {
    seq(&[&seq(&[&tlv(0xa4, issuer)]), serial])
}

/// The DER of a certificate's serial number, found without the code under test.
pub(crate) fn serial(certificate: &Certificate) -> Vec<u8> {
    let tbs = certificate.tbs_der();
    let at = tbs.windows(5).position(|five| five == [0xa0, 3, 2, 1, 2]).unwrap() + 5;
    tbs[at..at + 2 + usize::from(tbs[at + 1])].to_vec()
}

/// An authority with its key.
pub(crate) struct Tsa {
    pub(crate) root: Ca,
    pub(crate) leaf: Certificate,
    key: KeyPair,
}

/// The extended key usage as rcgen does not write it.
pub(crate) fn purposes(list: &[&[u8]], is_critical: bool) -> CustomExtension {
    let list: Vec<u8> = list.iter().flat_map(|purpose| oid(purpose)).collect();
    let mut extension = CustomExtension::from_oid_content(&[2, 5, 29, 37], tlv(0x30, &list));
    extension.set_criticality(is_critical);
    extension
}

pub(crate) fn stamping(params: &mut CertificateParams) {
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.custom_extensions = vec![purposes(&[TIME_STAMPING], true)];
}

pub(crate) fn tsa() -> Tsa {
    Tsa::below(root("stamping root", &|_| {}), &stamping, p256())
}

impl Tsa {
    pub(crate) fn below(root: Ca, edit: Edit<'_>, key: KeyPair) -> Self {
        let leaf = root.leaf_of(&key, edit);
        Self { root, leaf, key }
    }

    pub(crate) fn with_key(algorithm: &'static rcgen::SignatureAlgorithm) -> Self {
        Self::below(root("stamping root", &|_| {}), &stamping, key(algorithm))
    }

    pub(crate) fn certificates(&self) -> Vec<Certificate> {
        vec![self.leaf.clone(), self.root.certificate()]
    }

    pub(crate) fn authority(&self) -> TimestampAuthority {
        crate::unbounded(self.certificates())
    }

    pub(crate) fn window(
        &self,
        from: Option<Timestamp>,
        until: Option<Timestamp>,
    ) -> TimestampAuthority {
        TimestampAuthority::new("test".to_owned(), self.certificates(), from, until).unwrap()
    }

    /// The answer with a token that `edit` spoilt.
    pub(crate) fn stamp(&self, edit: &dyn Fn(&mut Recipe)) -> Vec<u8> {
        let mut recipe = Recipe::new(&self.leaf);
        edit(&mut recipe);
        recipe.answer(&self.key)
    }
}

/// Every part of a token. What is `None` is made of the others.
pub(crate) struct Recipe {
    /// PKIStatusInfo; `None` for a bare token.
    pub(crate) status: Option<Vec<u8>>,
    pub(crate) content_info_type: Vec<u8>,
    pub(crate) version: u8,
    pub(crate) content_type: Vec<u8>,
    /// Version, policy.
    pub(crate) info_head: Vec<u8>,
    pub(crate) imprint: Vec<u8>,
    pub(crate) serial: Vec<u8>,
    /// Content of the GeneralizedTime.
    pub(crate) gen_time: String,
    /// Whatever follows in the TSTInfo.
    pub(crate) info_tail: Vec<u8>,
    pub(crate) without_content: bool,
    /// The field `[0]`.
    pub(crate) certificates: Vec<u8>,
    pub(crate) signer_head: Vec<u8>,
    pub(crate) digest_algorithm: Vec<u8>,
    pub(crate) digest: HashAlgorithm,
    pub(crate) message_digest: Option<Vec<u8>>,
    pub(crate) ess: Vec<u8>,
    /// The attributes, once they are made.
    pub(crate) edit_attributes: fn(&mut Vec<Vec<u8>>),
    /// The attributes, once they are signed.
    pub(crate) edit_signed: fn(&mut Vec<Vec<u8>>),
    pub(crate) without_attributes: bool,
    pub(crate) signature_algorithm: Vec<u8>,
    pub(crate) edit_signature: fn(&mut Vec<u8>),
    pub(crate) signer_tail: Vec<u8>,
    pub(crate) signers: usize,
    /// Behind the token, within the answer.
    pub(crate) answer_tail: Vec<u8>,
}

impl Recipe {
    fn new(leaf: &Certificate) -> Self {
        let sid = seq(&[leaf.issuer().der(), &serial(leaf)]);
        Self {
            status: Some(seq(&[&[2, 1, 0]])),
            content_info_type: SIGNED_DATA.to_vec(),
            version: 3,
            content_type: TST_INFO.to_vec(),
            info_head: [&[2, 1, 1][..], &oid(&[0x2a, 3, 4])].concat(),
            imprint: imprint(SHA256, &hash(HashAlgorithm::Sha256, MESSAGE)),
            serial: vec![2, 2, 0x12, 0x34],
            gen_time: "20250601120000Z".to_owned(),
            info_tail: Vec::new(),
            without_content: false,
            certificates: tlv(0xa0, leaf.der()),
            signer_head: [&[2, 1, 1], &sid[..]].concat(),
            digest_algorithm: algorithm(SHA256),
            digest: HashAlgorithm::Sha256,
            message_digest: None,
            ess: attribute(
                CERTIFICATE_V2,
                &[&ess(&[&tlv(4, &hash(HashAlgorithm::Sha256, leaf.der()))])],
            ),
            edit_attributes: |_| {},
            edit_signed: |_| {},
            without_attributes: false,
            signature_algorithm: algorithm(ECDSA_SHA256),
            edit_signature: |_| {},
            signer_tail: Vec::new(),
            signers: 1,
            answer_tail: Vec::new(),
        }
    }

    fn info(&self) -> Vec<u8> {
        let time = tlv(0x18, self.gen_time.as_bytes());
        seq(&[&self.info_head, &self.imprint, &self.serial, &time, &self.info_tail])
    }

    fn attributes(&self) -> Vec<Vec<u8>> {
        let digest = hash(self.digest, &self.info());
        let digest = self.message_digest.clone().unwrap_or_else(|| tlv(4, &digest));
        let mut attributes = vec![
            attribute(CONTENT_TYPE, &[&oid(TST_INFO)]),
            attribute(SIGNING_TIME, &[&tlv(0x17, b"250601120000Z")]),
            attribute(MESSAGE_DIGEST, &[&digest]),
            self.ess.clone(),
        ];
        (self.edit_attributes)(&mut attributes);
        attributes
    }

    fn signer(&self, key: &KeyPair) -> Vec<u8> {
        let mut attributes = self.attributes();
        let signed =
            if self.without_attributes { self.info() } else { tlv(0x31, &attributes.concat()) };
        let mut signature = key.sign(&signed).unwrap();
        (self.edit_signature)(&mut signature);
        (self.edit_signed)(&mut attributes);
        let attributes = match self.without_attributes {
            true => Vec::new(),
            false => tlv(0xa0, &attributes.concat()),
        };
        let signature = tlv(4, &signature);
        seq(&[
            &self.signer_head,
            &self.digest_algorithm,
            &attributes,
            &self.signature_algorithm,
            &signature,
            &self.signer_tail,
        ])
    }

    fn token(&self, key: &KeyPair) -> Vec<u8> {
        let content = tlv(0xa0, &tlv(4, &self.info()));
        let content = if self.without_content { Vec::new() } else { content };
        let signers: Vec<u8> = (0..self.signers).flat_map(|_| self.signer(key)).collect();
        let data = seq(&[
            &[2, 1, self.version],
            &tlv(0x31, &self.digest_algorithm),
            &seq(&[&oid(&self.content_type), &content]),
            &self.certificates,
            &tlv(0x31, &signers),
        ]);
        seq(&[&oid(&self.content_info_type), &tlv(0xa0, &data)])
    }

    fn answer(&self, key: &KeyPair) -> Vec<u8> {
        match &self.status {
            Some(status) => seq(&[status, &self.token(key), &self.answer_tail]),
            None => self.token(key),
        }
    }
}
