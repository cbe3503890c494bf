//! One fault at a time, everywhere in a document: schema and reader have to judge each alike.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::{Value, json};

/// A document with one thing changed, and where and how.
struct Mutant {
    place: String,
    change: String,
    document: Value,
}

/// Values that stand for what they are not: wrong types, wrong spellings, boundaries.
fn junk() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(99),
        json!(1000),
        json!(4_294_967_295_u64),
        json!(9_007_199_254_740_991_u64),
        json!(""),
        json!("x"),
        json!(" "),
        json!("Ā"),
        json!("a\nb"),
        json!("2020-01-01T00:00:00Z"),
        json!("2026-02-30T00:00:00Z"),
        json!("2026-11-30T08:15:60Z"),
        json!("2026-11-30T08:15:00.12Z"),
        json!("2026-11-30T08:15:00+00:00"),
        json!("0000-01-01T00:00:00Z"),
        json!("A".repeat(64)),
        json!("QUE"),
        json!("QUF="),
        json!("QUE="),
        json!("https://"),
        json!("https://user@a.example/"),
        json!("https://a.example/#f"),
        json!("https://a.example/%zz"),
        json!("https://a.example:x/"),
        json!("HTTPS://a.example"),
        json!("https://a.example/*"),
        json!("https://*/"),
        json!("file:///x"),
        json!("did:key:zDn"),
        json!("did:example:1#k"),
        json!("did:web:a#k"),
        json!("urn:x"),
        json!("log#01"),
        json!("log#1"),
        json!([]),
        json!([null]),
        json!([["a"]]),
        json!([["a", ""]]),
        json!({}),
        json!({ "x": 1 }),
    ]
}

fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(i, item)| places(item, &format!("{at}/{i}"), found));
        }
        Value::Object(members) => {
            let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
            members.iter().for_each(|(name, value)| {
                places(value, &format!("{at}/{}", escaped(name)), found);
            });
        }
        _ => {}
    }
}

fn mutants(document: &Value) -> Vec<Mutant> {
    let mut all = Vec::new();
    places(document, "", &mut all);
    let mut mutants = Vec::new();
    for place in all {
        for value in junk() {
            mutants.push(mutant(document, &place, format!("= {value}"), |target| *target = value));
        }
        let target = document.pointer(&place).unwrap();
        for name in target.as_object().into_iter().flat_map(|members| members.keys()) {
            let change = format!("without {name}");
            mutants.push(mutant(document, &place, change, |target| {
                target.as_object_mut().unwrap().remove(name);
            }));
        }
        if target.is_object() {
            for name in ["surprise", "x.example"] {
                let change = format!("with {name}");
                mutants.push(mutant(document, &place, change, |target| target[name] = json!(1)));
            }
        }
        if target.as_array().is_some_and(|items| !items.is_empty()) {
            mutants.push(mutant(document, &place, "emptied".into(), |target| *target = json!([])));
        }
    }
    mutants
}

fn mutant(document: &Value, place: &str, change: String, mend: impl FnOnce(&mut Value)) -> Mutant {
    let mut copy = document.clone();
    mend(copy.pointer_mut(place).unwrap());
    Mutant { place: place.to_owned(), change, document: copy }
}

/// Judges `document` and everything one fault away from it by schema and reader.
///
/// `less` names the places where the schema says less than the reader, each with the reason; a place where both agree after
/// all does not belong there.
pub(crate) fn compare(
    schema: &Validator,
    accepts: impl Fn(&Value) -> bool,
    document: &Value,
    less: &[(&str, &str)],
) {
    assert_eq!(super::faults(schema, document), [] as [String; 0]);
    assert!(accepts(document), "the reader refuses the document itself");
    let mut used = BTreeSet::new();
    let mut compared = 0;
    for mutant in mutants(document) {
        let (by_schema, by_reader) = (schema.is_valid(&mutant.document), accepts(&mutant.document));
        compared += 1;
        if by_schema == by_reader {
            continue;
        }
        let words = format!("{} {}", mutant.place, mutant.change);
        let known = less.iter().position(|(start, _)| words.starts_with(start));
        match known {
            Some(index) if by_schema => drop(used.insert(index)),
            _ => panic!("{words}: schema says {by_schema}, reader says {by_reader}"),
        }
    }
    let stale: Vec<_> = less
        .iter()
        .enumerate()
        .filter(|(i, _)| !used.contains(i))
        .map(|(_, known)| known)
        .collect();
    assert!(stale.is_empty(), "schema and reader agree after all: {stale:?}");
    assert!(compared > 100, "only {compared} comparisons");
}
