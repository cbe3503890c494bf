//! What a monitor looks for in entries: keys, signatures and digests, in entries of every kind.
//!
//! Entries are searched rather than read: a kind that is not known here can still hold a key that is.

use genten_primitives::encoding::from_base64;
use genten_primitives::json::{self, Limits, Value};
use genten_tlog::rekor::{HashedRekord, LoggedKey};
use genten_tlog::tile::MAX_ENTRY;

/// The kinds of Rekor v2. Logs hold `dsse` from before June 2026.
const KNOWN: [&str; 2] = ["dsse 0.0.2", "hashedrekord 0.0.2"];

/// Longest name of a kind that is kept, in characters.
const MAX_KIND: usize = 80;

/// What was found in an entry.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Kind and version; absent where the entry has none.
    pub(super) kind: Option<String>,
    pub(super) signatures: Vec<Signed>,
    pub(super) digests: Vec<Vec<u8>>,
    /// The entry itself, where it is of the kind and in the one spelling that can be checked.
    pub(super) rekord: Option<HashedRekord>,
}

/// A signature with its key.
#[derive(Debug)]
pub(super) struct Signed {
    pub(super) signature: Vec<u8>,
    pub(super) key: LoggedKey,
}

impl Found {
    /// Searches an entry; `None` for one that is not JSON.
    pub(super) fn of(entry: &[u8]) -> Option<Self> {
        let document = json::read_foreign(entry, Limits::bytes(MAX_ENTRY)).ok()?;
        let (kind, rekord) = (kind(document.root()), HashedRekord::read(entry).ok());
        let mut found = Self { kind, rekord, ..Self::default() };
        found.search(document.root());
        Some(found)
    }

    fn search(&mut self, value: Value<'_>) {
        for (_, member) in value.members().into_iter().flatten() {
            self.search(member);
        }
        for item in value.items().into_iter().flatten() {
            self.search(item);
        }
        self.signatures.extend(signed(value));
        self.digests.extend(value.get("digest").and_then(bytes));
    }
}

pub(super) fn is_known(kind: &str) -> bool {
    KNOWN.contains(&kind)
}

fn kind(entry: Value<'_>) -> Option<String> {
    let text = |name| entry.get(name).and_then(Value::as_str);
    let kind = [text("kind")?, text("apiVersion")?].join(" ");
    Some(kind.chars().take(MAX_KIND).collect())
}

/// `{"content":…,"verifier":{"publicKey":{"rawBytes":…}}}`, or with `x509Certificate`.
fn signed(value: Value<'_>) -> Option<Signed> {
    let verifier = value.get("verifier")?;
    let raw = |name| verifier.get(name).and_then(|key| key.get("rawBytes")).and_then(bytes);
    let certificate = || raw("x509Certificate").map(LoggedKey::Certificate);
    let key = raw("publicKey").map(LoggedKey::PublicKey).or_else(certificate)?;
    Some(Signed { signature: value.get("content").and_then(bytes).unwrap_or_default(), key })
}

fn bytes(value: Value<'_>) -> Option<Vec<u8>> {
    from_base64(&value.as_str()?).ok()
}
