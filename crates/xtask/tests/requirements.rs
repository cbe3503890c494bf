//! `docs/requirements.md` against the repository: nothing is called met that no test names.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// How many requirements each document has.
const COUNTS: [(&str, usize); 5] =
    [("000", 19), ("001", 18), ("002", 18), ("003", 12), ("004", 20)];

struct Row {
    id: String,
    status: String,
    places: String,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

fn rows() -> Vec<Row> {
    let page = fs::read_to_string(repository().join("docs/requirements.md")).unwrap();
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [id, _, status, places] = cells[..] else { return None };
        let is_id = id.len() == 6 && id.starts_with("00");
        is_id.then(|| Row { id: id.into(), status: status.into(), places: places.into() })
    };
    page.lines().filter_map(row).collect()
}

/// The numbers that tests name: whole files below `tests`, and of other files what follows `#[cfg(test)]`.
fn named(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            named(&path, names);
        } else if path.extension().is_some_and(|kind| kind == "rs" || kind == "trycmd") {
            let text = fs::read_to_string(&path).unwrap();
            let is_test = path.iter().any(|part| part == "tests" || part == "tests.rs");
            let tests = if is_test {
                Some(&text[..])
            } else {
                text.split_once("#[cfg(test)]").map(|it| it.1)
            };
            numbers(tests.unwrap_or_default(), names);
        }
    }
}

fn numbers(text: &str, names: &mut BTreeSet<String>) {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let bytes = text.as_bytes();
    for (at, window) in bytes.windows(6).enumerate() {
        let is_number = window.starts_with(b"00") && window[3] == b'-';
        let has_digits = [2, 4, 5].iter().all(|place| window[*place].is_ascii_digit());
        let is_alone = !is_digit(at.checked_sub(1).and_then(|before| bytes.get(before)));
        if is_number && has_digits && is_alone && !is_digit(bytes.get(at + 6)) {
            names.insert(String::from_utf8_lossy(window).into_owned());
        }
    }
}

/// What stands between backticks and has a slash, and targets of links.
fn files(places: &str) -> Vec<PathBuf> {
    let root = repository();
    let code = places.split('`').skip(1).step_by(2).filter(|text| text.contains('/'));
    let links = places.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let links = links.filter(|link| !link.is_empty()).map(|link| root.join("docs").join(link));
    code.map(|path| root.join(path)).chain(links).collect()
}

#[test]
fn every_requirement_stands_there_once() {
    let found: Vec<_> = rows().into_iter().map(|row| row.id).collect();
    let expected = COUNTS.iter().flat_map(|(document, count)| {
        (1..=*count).map(move |number| format!("{document}-{number:02}"))
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn what_is_met_is_named_by_a_test() {
    let mut names = BTreeSet::new();
    named(&repository().join("crates"), &mut names);
    for row in rows() {
        assert!(["met", "said", "next"].contains(&row.status.as_str()), "{}", row.id);
        assert!(row.status != "met" || names.contains(&row.id), "no test names {}", row.id);
    }
}

#[test]
fn every_place_exists() {
    for row in rows() {
        let files = files(&row.places);
        assert!(!files.is_empty() || row.places.contains("(#"), "{} has no place", row.id);
        for file in files {
            assert!(file.exists(), "{}: no {}", row.id, file.display());
        }
    }
}

/// Of several files a row names at least one test where it is met.
#[test]
fn what_is_met_names_its_test() {
    let mut names = BTreeSet::new();
    for row in rows().into_iter().filter(|row| row.status == "met") {
        names.clear();
        for file in files(&row.places).iter().filter(|file| file.is_file()) {
            numbers(&fs::read_to_string(file).unwrap(), &mut names);
        }
        assert!(names.contains(&row.id), "no file of the row {} names it", row.id);
    }
}

/// A year, and a longer number, is no requirement.
#[test]
fn numbers_are_told_from_dates() {
    let mut names = BTreeSet::new();
    numbers("2000-01-01 000-011 1000-02 (000-03), 000-04", &mut names);
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["000-03", "000-04"]);
}
