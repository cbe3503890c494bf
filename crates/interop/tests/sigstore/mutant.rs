//! Bundles with one thing changed, each from its number.

use genten_primitives::encoding::{base64, from_base64};
use serde_json::Value;

use crate::corpus::Case;
use crate::random::Random;

/// Members that are worth swapping: between two bundles both stay well formed.
const SWAPPED: [&str; 12] = [
    "/verificationMaterial/tlogEntries/0/inclusionProof",
    "/verificationMaterial/tlogEntries/0/inclusionProof/checkpoint",
    "/verificationMaterial/tlogEntries/0/inclusionProof/hashes",
    "/verificationMaterial/tlogEntries/0/inclusionPromise",
    "/verificationMaterial/tlogEntries/0/canonicalizedBody",
    "/verificationMaterial/tlogEntries/0/kindVersion",
    "/verificationMaterial/tlogEntries/0/logId",
    "/verificationMaterial/tlogEntries/0/integratedTime",
    "/verificationMaterial/tlogEntries",
    "/verificationMaterial/timestampVerificationData",
    "/verificationMaterial/certificate",
    "/messageSignature",
];

/// The case that mutant number `seed` is of, what was done to it, and what came of it.
pub(crate) fn make(seed: u64, cases: &[Case], good: &[usize]) -> (usize, String, String) {
    let mut random = Random::new(seed + 1);
    let at = *random.of(good);
    let bundle = &cases[at].bundle;
    let Ok(value) = serde_json::from_str::<Value>(bundle) else {
        let (what, text) = flip_text(bundle, &mut random);
        return (at, what, text);
    };
    let other = || serde_json::from_str::<Value>(&cases[*Random::new(!seed).of(good)].bundle);
    let (what, text) = match random.below(10) {
        0 | 1 => flip_text(bundle, &mut random),
        2..=4 => flip_bytes(value, &mut random),
        5 => remove(value, &mut random),
        6 | 7 => swap(value, &other().unwrap_or_default(), &mut random),
        8 => number(value, &mut random),
        _ => double(value, &mut random),
    };
    (at, what, text)
}

/// One character of the text.
fn flip_text(text: &str, random: &mut Random) -> (String, String) {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    let new = b" \"0Az=\\,:{[n-".get(random.below(26)).copied();
    let new = new.unwrap_or((bytes[at] ^ 1 << random.below(7)) & 0x7f);
    let old = std::mem::replace(&mut bytes[at], new);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (format!("byte {at} from {old:#x} to {new:#x}"), text)
}

/// All places below a value, as JSON pointers.
fn places(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let path = format!("{path}/{name}");
                found.push(path.clone());
                places(member, &path, found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = format!("{path}/{index}");
                found.push(path.clone());
                places(item, &path, found);
            }
        }
        _ => {}
    }
}

fn places_where(value: &Value, fits: impl Fn(&Value) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    places(value, "", &mut found);
    found.retain(|path| value.pointer(path).is_some_and(&fits));
    found
}

/// One bit of what a member holds in base64.
fn flip_bytes(mut value: Value, random: &mut Random) -> (String, String) {
    let is_bytes = |value: &Value| {
        value.as_str().is_some_and(|text| text.len() > 7 && from_base64(text).is_ok())
    };
    let places = places_where(&value, is_bytes);
    let place = random.of(&places).clone();
    let member = value.pointer_mut(&place).unwrap();
    let mut bytes = from_base64(member.as_str().unwrap()).unwrap();
    let at = random.below(bytes.len());
    bytes[at] ^= 1 << random.below(8);
    *member = base64(&bytes).into();
    (format!("byte {at} in {place}"), value.to_string())
}

fn remove(mut value: Value, random: &mut Random) -> (String, String) {
    let places = places_where(&value, |_| true);
    let place = random.of(&places).clone();
    let (parent, name) = place.rsplit_once('/').unwrap();
    match value.pointer_mut(parent) {
        Some(Value::Object(members)) => drop(members.remove(name)),
        Some(Value::Array(items)) => drop(items.remove(name.parse().unwrap())),
        _ => {}
    }
    (format!("without {place}"), value.to_string())
}

/// A member of another bundle for the same member of this one; absent there, it goes.
fn swap(mut value: Value, other: &Value, random: &mut Random) -> (String, String) {
    let place = *random.of(&SWAPPED);
    let (parent, name) = place.rsplit_once('/').unwrap();
    if let Some(Value::Object(members)) = value.pointer_mut(parent) {
        match other.pointer(place) {
            Some(theirs) => drop(members.insert(name.to_owned(), theirs.clone())),
            None => drop(members.remove(name)),
        }
    }
    (format!("another's {place}"), value.to_string())
}

/// A number in a string, one more or less, or in another spelling.
fn number(mut value: Value, random: &mut Random) -> (String, String) {
    let is_number = |value: &Value| value.as_str().is_some_and(|text| text.parse::<i64>().is_ok());
    let places = places_where(&value, is_number);
    if places.is_empty() {
        return remove(value, random);
    }
    let place = random.of(&places).clone();
    let member = value.pointer_mut(&place).unwrap();
    let number: i64 = member.as_str().unwrap().parse().unwrap();
    *member = match random.below(6) {
        0 => (number + 1).to_string().into(),
        1 => (number - 1).to_string().into(),
        2 => format!("0{number}").into(),
        3 => format!("+{number}").into(),
        4 => number.into(),
        _ => Value::Null,
    };
    (format!("{place} as {member}"), value.to_string())
}

/// An item twice, or a member of an object under a name that nobody knows.
fn double(mut value: Value, random: &mut Random) -> (String, String) {
    let places = places_where(&value, |value| value.is_array() || value.is_object());
    let place = random.of(&places).clone();
    match value.pointer_mut(&place).unwrap() {
        Value::Array(items) if !items.is_empty() => {
            let item = random.of(items).clone();
            items.push(item);
        }
        Value::Object(members) => drop(members.insert("unknown".to_owned(), 1.into())),
        _ => {}
    }
    (format!("more in {place}"), value.to_string())
}
