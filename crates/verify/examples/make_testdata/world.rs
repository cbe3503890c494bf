//! Who is who in the cases.

use crate::common::case::{Case, expectation};
use crate::common::keys::{Key, ed25519, es256};
use crate::common::manifest::Draft;

/// A signer whose DID document the kit holds.
pub(crate) const DID: &str = "did:web:mcp.example.org";

/// Its key.
pub(crate) const WEB: &str = "did:web:mcp.example.org#key-1";

/// The signer with the P-256 key.
pub(crate) fn signer() -> Key {
    es256("signer")
}

/// The signer with the Ed25519 key.
pub(crate) fn edwards() -> Key {
    ed25519("signer")
}

/// Somebody else.
pub(crate) fn stranger() -> Key {
    es256("stranger")
}

/// A plain manifest by [`signer`] under its did:key.
pub(crate) fn draft() -> Draft {
    Draft::new(&signer(), &signer().did_key())
}

/// A manifest, with [`signer`] trusted by name.
pub(crate) fn trusting(manifest: impl Into<Vec<u8>>) -> Case {
    Case::manifest(manifest).signer(&signer().did_key())
}

/// A bundle, with [`signer`] trusted by name.
pub(crate) fn trusting_bundle(bundle: impl Into<Vec<u8>>) -> Case {
    Case::bundle(bundle).signer(&signer().did_key())
}

/// A list with one signed certificate timestamp of a log that nobody knows, as `ct_log_proof`.
pub(crate) fn sct_list() -> String {
    let signature = [0x30, 6, 2, 1, 1, 2, 1, 1];
    let mut sct = vec![0]; // version
    sct.extend([7; 32]); // log
    sct.extend(1_796_000_000_000_u64.to_be_bytes()); // time
    sct.extend([0, 0, 4, 3, 0, 8]); // no extensions, ECDSA with SHA-256, length
    sct.extend(signature);
    let length = |bytes: &[u8]| u16::try_from(bytes.len()).unwrap().to_be_bytes();
    let item = [length(&sct).as_slice(), &sct].concat();
    let list = [length(&item).as_slice(), &item].concat();
    format!("sct-list:{}", genten_primitives::encoding::base64url(&list))
}

/// Gives a case its name and what must come of it.
pub(crate) trait Named {
    fn named(self, id: &str, about: &str, verdict: &str, code: &str) -> Case;

    fn accepted(self, id: &str, about: &str, also: &[&str]) -> Case;

    fn rejected(self, id: &str, about: &str, code: &str) -> Case;

    fn reviewed(self, id: &str, about: &str, code: &str) -> Case;

    fn also(self, codes: &[&str]) -> Case;
}

impl Named for Case {
    fn named(self, id: &str, about: &str, verdict: &str, code: &str) -> Case {
        let expected = expectation(verdict, code, &[]);
        Case { id: id.to_owned(), about: about.to_owned(), expected, ..self }
    }

    fn accepted(self, id: &str, about: &str, also: &[&str]) -> Case {
        self.named(id, about, "accept", "").also(also)
    }

    fn rejected(self, id: &str, about: &str, code: &str) -> Case {
        self.named(id, about, "reject", code)
    }

    fn reviewed(self, id: &str, about: &str, code: &str) -> Case {
        self.named(id, about, "review", code)
    }

    fn also(mut self, codes: &[&str]) -> Case {
        self.expected.also = codes.iter().map(|code| (*code).to_owned()).collect();
        self
    }
}
