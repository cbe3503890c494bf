//! Wrong copies of good inputs: bytes flipped, members taken away, doubled, turned into other types, exchanged.

use serde_json::{Value, json};

/// Bits that are flipped in every byte: the lowest, the one between capitals and small letters, the highest.
const FLIPS: [u8; 3] = [0x01, 0x20, 0x80];

/// How many wrong bytes an input has.
pub(crate) fn flip_count(original: &[u8]) -> usize {
    original.len() * FLIPS.len()
}

/// The wrong byte of this number.
pub(crate) fn flip(original: &[u8], number: usize) -> (String, Vec<u8>) {
    let (at, flip) = (number / FLIPS.len(), FLIPS[number % FLIPS.len()]);
    let mut mutant = original.to_vec();
    mutant[at] ^= flip;
    (format!("byte {at} ^ {flip:#04x}"), mutant)
}

/// One byte less, one more.
pub(crate) fn length_changes(original: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut mutants = Vec::new();
    for at in [0, original.len() / 3, original.len() / 2, original.len() - 1] {
        let mut without = original.to_vec();
        without.remove(at);
        mutants.push((format!("without byte {at}"), without));
        let mut twice = original.to_vec();
        twice.insert(at, original[at]);
        mutants.push((format!("byte {at} twice"), twice));
        mutants.push((format!("cut at {at}"), original[..at].to_vec()));
    }
    mutants
}

/// Every member and item of `original` removed, renamed, doubled, retyped, and exchanged with others: those of the same
/// input, and those at the same place of `other`.
pub(crate) fn member_changes(original: &Value, other: &Value) -> Vec<(String, Vec<u8>)> {
    let mut mutants = Vec::new();
    let paths = paths(original);
    for path in &paths {
        let value = original.pointer(path).unwrap();
        let mut add = |what: &str, mutant: Value| {
            if mutant != *original {
                mutants.push((format!("{path} {what}"), mutant.to_string().into_bytes()));
            }
        };
        add("removed", without(original, path));
        add("renamed", renamed(original, path));
        for retyped in retyped(value) {
            add(&format!("as {retyped:.20}"), replaced(original, path, retyped));
        }
        if let Some(theirs) = other.pointer(path) {
            add("of another", replaced(original, path, theirs.clone()));
        }
        for text in doubled(original, path, other) {
            mutants.push((format!("{path} doubled"), text.into_bytes()));
        }
    }
    for pair in paths.windows(2) {
        let exchanged = exchanged(original, &pair[0], &pair[1]);
        if let Some(mutant) = exchanged.filter(|mutant| mutant != original) {
            mutants.push((
                format!("{} and {} exchanged", pair[0], pair[1]),
                mutant.to_string().into_bytes(),
            ));
        }
    }
    mutants
}

/// The JSON pointer of everything in a value but the value itself.
fn paths(value: &Value) -> Vec<String> {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(object) => {
            object.iter().map(|(name, value)| (name.replace('/', "~1"), value)).collect()
        }
        Value::Array(items) => {
            items.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect()
        }
        _ => Vec::new(),
    };
    let mut all = Vec::new();
    for (name, child) in children {
        all.push(format!("/{name}"));
        all.extend(paths(child).into_iter().map(|path| format!("/{name}{path}")));
    }
    all
}

fn split(path: &str) -> (&str, String) {
    let (parent, name) = path.rsplit_once('/').unwrap();
    (parent, name.replace("~1", "/"))
}

fn without(original: &Value, path: &str) -> Value {
    let (parent, name) = split(path);
    let mut mutant = original.clone();
    match mutant.pointer_mut(parent).unwrap() {
        Value::Object(object) => drop(object.remove(&name)),
        Value::Array(items) => drop(items.remove(name.parse().unwrap())),
        _ => unreachable!("only objects and arrays have children"),
    }
    mutant
}

fn renamed(original: &Value, path: &str) -> Value {
    let (parent, name) = split(path);
    let mut mutant = original.clone();
    if let Value::Object(object) = mutant.pointer_mut(parent).unwrap() {
        let value = object.remove(&name).unwrap();
        object.insert(format!("{name}x"), value);
    }
    mutant
}

fn replaced(original: &Value, path: &str, value: Value) -> Value {
    let mut mutant = original.clone();
    *mutant.pointer_mut(path).unwrap() = value;
    mutant
}

/// The value as other types, some of which a careless reader would take for the same.
fn retyped(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(0), json!("")],
        Value::Bool(truth) => {
            vec![json!(!truth), json!(truth.to_string()), json!(i32::from(*truth))]
        }
        Value::Number(number) => {
            vec![json!(number.to_string()), json!([number]), json!(-1), json!(null)]
        }
        Value::String(text) => {
            vec![
                json!([text]),
                json!({"": text}),
                json!(""),
                json!(null),
                json!(format!("{text} ")),
            ]
        }
        Value::Array(items) => {
            let again = [items.as_slice(), items].concat();
            let reversed: Vec<_> = items.iter().rev().cloned().collect();
            vec![json!({}), json!([]), json!(null), json!(again), json!(reversed)]
        }
        Value::Object(_) => vec![json!([value]), json!({}), json!(null), json!(value.to_string())],
    }
}

/// The text of `original` with the member at `path` twice: another value first, and another value last.
fn doubled(original: &Value, path: &str, other: &Value) -> Vec<String> {
    let (parent, name) = split(path);
    if !original.pointer(parent).unwrap().is_object() {
        return Vec::new();
    }
    const MARK: &str = "doubled-member-goes-here";
    let value = original.pointer(path).unwrap();
    let second = other.pointer(path).cloned().unwrap_or(json!("x"));
    let marked = replaced(original, path, json!(MARK)).to_string();
    let name = json!(name).to_string();
    let both = |first: &Value, last: &Value| {
        marked.replacen(&format!("\"{MARK}\""), &format!("{first},{name}:{last}"), 1)
    };
    vec![both(value, &second), both(&second, value), both(value, value)]
}

fn exchanged(original: &Value, left: &str, right: &str) -> Option<Value> {
    if right.starts_with(left) {
        return None;
    }
    let (one, two) = (original.pointer(left)?.clone(), original.pointer(right)?.clone());
    Some(replaced(&replaced(original, left, two), right, one))
}
