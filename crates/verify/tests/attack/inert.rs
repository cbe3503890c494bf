//! What of the evidence counts for nothing: a copy that differs in this alone is as good as the original.
//!
//! Everything else was signed, or is compared with something that was. Each line has its reason; a mutant that differs elsewhere
//! and still counts as the original did is a hole.

use std::collections::BTreeSet;

use serde_json::Value;

/// Members of evidence and bundles that nothing rests on. `#` stands for an index.
const INERT: &[(&str, &str)] = &[
    ("/entry/integratedTime", "logs of version 2 state no time: the member is not read"),
    ("/entry/inclusionPromise", "logs of version 2 make no promise: the member is not read"),
    ("/verificationMaterial/tlogEntries/#/integratedTime", "the same in a Sigstore bundle"),
    ("/verificationMaterial/tlogEntries/#/inclusionPromise", "the same in a Sigstore bundle"),
    (
        "/verificationMaterial/publicKey/hint",
        "the caller's key decides; the hint is for finding it",
    ),
    ("/messageSignature/messageDigest", "the artifact's own digest is what is signed"),
    ("/mediaType", "the versions differ in what they must hold, which is there"),
];

/// Members that repeat what the checkpoint signs: they may be absent, and may not disagree.
const REPEATED: &[&str] = &["/inclusionProof/rootHash", "/inclusionProof/treeSize"];

/// All members that are read. A member of another name says nothing.
const READ: &[&str] = &[
    "algorithm",
    "canonicalizedBody",
    "certificate",
    "certificates",
    "checkpoint",
    "content",
    "created_at",
    "digest",
    "dsseEnvelope",
    "entry",
    "envelope",
    "hashes",
    "hint",
    "inclusionPromise",
    "inclusionProof",
    "index",
    "integratedTime",
    "keyId",
    "kind",
    "kindVersion",
    "logId",
    "logIndex",
    "mediaType",
    "messageDigest",
    "messageSignature",
    "payload",
    "payloadType",
    "publicKey",
    "rawBytes",
    "rfc3161Timestamps",
    "rootHash",
    "sig",
    "signature",
    "signatures",
    "signedEntryTimestamp",
    "signedTimestamp",
    "statement",
    "subject",
    "timestampVerificationData",
    "tlogEntries",
    "token",
    "treeSize",
    "type",
    "verificationMaterial",
    "version",
    "x509CertificateChain",
];

/// The places in which two values differ, but those that count for nothing.
pub(crate) fn counting(original: &Value, mutant: &Value) -> Vec<String> {
    let mut places = Vec::new();
    leaves(original, mutant, "", &mut places);
    places.retain(|(path, left, right)| !is_inert(path, left.as_ref(), right.as_ref()));
    places.into_iter().map(|(path, ..)| path).collect()
}

type Place = (String, Option<Value>, Option<Value>);

fn leaves(left: &Value, right: &Value, path: &str, places: &mut Vec<Place>) {
    match (left, right) {
        _ if left == right => {}
        (Value::Object(one), Value::Object(two)) => {
            let names: BTreeSet<_> = one.keys().chain(two.keys()).collect();
            for name in names {
                let path = format!("{path}/{name}");
                match (one.get(name), two.get(name)) {
                    (Some(one), Some(two)) => leaves(one, two, &path, places),
                    // A member without value is none.
                    (Some(Value::Null), None) | (None, Some(Value::Null)) => {}
                    (one, two) => places.push((path, one.cloned(), two.cloned())),
                }
            }
        }
        (Value::Array(one), Value::Array(two)) if one.len() == two.len() => {
            for (one, two) in one.iter().zip(two) {
                leaves(one, two, &format!("{path}/#"), places);
            }
        }
        _ => places.push((path.to_owned(), Some(left.clone()), Some(right.clone()))),
    }
}

fn is_inert(path: &str, left: Option<&Value>, right: Option<&Value>) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_absent = right.is_none_or(Value::is_null);
    let is_listed = INERT.iter().any(|(inert, _)| path.starts_with(inert));
    let is_repeated = REPEATED.iter().any(|repeated| path.ends_with(repeated)) && is_absent;
    let is_unread = name != "#" && !READ.contains(&name) && left.is_none();
    // The same token twice is one stamp.
    let is_doubled = name == "rfc3161Timestamps" && has_the_same_items(left, right);
    // Of an Ed25519 key's entry the body itself holds the signature; stated beside it, it must be the same.
    let is_stated_twice = path == "/signature" && is_absent;
    let is_stranger = path.ends_with("/checkpoint/envelope") && same_but_for_strangers(left, right);
    let is_outside_of_token = name == "token" || name == "signedTimestamp";
    is_listed
        || is_repeated
        || is_unread
        || is_doubled
        || is_stated_twice
        || is_stranger
        || (is_outside_of_token && same_token(left, right))
}

fn has_the_same_items(left: Option<&Value>, right: Option<&Value>) -> bool {
    let items = |list: Option<&Value>| -> BTreeSet<String> {
        list.and_then(Value::as_array).into_iter().flatten().map(Value::to_string).collect()
    };
    !items(left).is_empty() && items(left) == items(right)
}

/// Checkpoints that differ only in lines of cosigners whom no policy asks.
fn same_but_for_strangers(left: Option<&Value>, right: Option<&Value>) -> bool {
    let known = |note: Option<&Value>| -> Option<Vec<String>> {
        let (text, lines) = note?.as_str()?.split_once("\n\n")?;
        let is_of_log =
            |line: &&str| line.starts_with("\u{2014} log.") || line.starts_with("\u{2014} ecdsa.");
        let signed = lines.lines().filter(is_of_log).map(str::to_owned);
        Some([text.to_owned()].into_iter().chain(signed).collect())
    };
    known(left).is_some() && known(left) == known(right)
}

/// Answers with the same signed content and signature: the frame around the token, the list of hash functions, and
/// certificates that the kit holds itself are signed by nobody.
fn same_token(left: Option<&Value>, right: Option<&Value>) -> bool {
    let signed = |token: Option<&Value>| -> Option<(Vec<u8>, Vec<u8>)> {
        let der = genten_primitives::encoding::from_base64(token?.as_str()?).ok()?;
        let info = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 1, 4];
        let at = der.windows(info.len()).position(|part| part == info)?;
        // The content follows its type; the signed attributes and the signature are the last 200 bytes.
        Some((der.get(at..at + 90)?.to_vec(), der[der.len().checked_sub(200)?..].to_vec()))
    };
    signed(left).is_some() && signed(left) == signed(right)
}
