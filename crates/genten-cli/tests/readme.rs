//! The console blocks of the README, run as they stand; and its cargo commands, which are those of the gate.
//!
//! A block is a row of `$ command` lines, run in a folder of its own that holds the repository's `testdata`. `? N` below one
//! is its exit status (0 where there is none), and the lines below are what it prints, with `...` for any lines and `[..]` for
//! any characters.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const README: &str = include_str!("../../../README.md");

/// The programs that the README speaks of.
const PROGRAMS: [&str; 2] = ["genten", "verify"];

struct Step {
    command: String,
    status: i32,
    output: Vec<String>,
}

#[test]
fn console_blocks_are_true() {
    let Some(verify) = verify() else { return };
    let folder = tempfile::tempdir().unwrap();
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    std::os::unix::fs::symlink(testdata, folder.path().join("testdata")).unwrap();
    let genten = Path::new(env!("CARGO_BIN_EXE_genten")).parent().unwrap().to_owned();
    let system = std::env::var_os("PATH").unwrap_or_default();
    let own = [genten, verify.parent().unwrap().to_owned()];
    let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&system))).unwrap();
    let steps = steps(&blocks("console"));
    assert!(steps.len() >= 3, "the README shows how it goes");
    for step in steps {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{{ {}; }} 2>&1", step.command));
        shell.current_dir(folder.path()).stdin(Stdio::null());
        shell.env("PATH", &path).env("GENTEN_HOME", folder.path().join("home"));
        let output = shell.output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let about = format!("$ {}\n{printed}", step.command);
        assert_eq!(output.status.code(), Some(step.status), "{about}");
        let lines: Vec<&str> = printed.trim_end().lines().collect();
        assert!(step.output.is_empty() || fits(&step.output, &lines), "{about}");
    }
}

#[test]
fn programs_are_shown_at_work() {
    let steps = steps(&blocks("console"));
    for program in PROGRAMS {
        let shown = steps.iter().any(|step| step.command.starts_with(program));
        assert!(shown, "{program}");
    }
}

/// They are too long to run here, so the gate runs them: literally, but for the long form of `-p`.
#[test]
fn cargo_commands_are_those_of_the_gate() {
    let gate = Path::new(env!("CARGO_MANIFEST_DIR")).join("../xtask/src/ci/steps.rs");
    let gate = std::fs::read_to_string(gate).unwrap();
    let gate = gate.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut count = 0;
    for line in blocks("text").concat() {
        if !["cargo run", "cargo test"].iter().any(|begin| line.starts_with(begin)) {
            continue;
        }
        let long = |word: &str| format!("{:?}", if word == "-p" { "--package" } else { word });
        let words: Vec<String> = line.split_whitespace().skip(1).map(long).collect();
        assert!(gate.contains(&format!("[{}]", words.join(", "))), "{line}");
        count += 1;
    }
    assert!(count >= 2, "the README says how to begin");
}

/// The program of the other package, built beside this one.
fn verify() -> Option<PathBuf> {
    let Some(cargo) = std::env::var_os("CARGO") else {
        eprintln!("SKIPPED: there is no cargo to build verify with");
        return None;
    };
    let folder = Path::new(env!("CARGO_BIN_EXE_genten")).parent().unwrap();
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--package", "genten-verify-cli", "--bin", "verify"]);
    build.arg("--target-dir").arg(folder.parent().unwrap());
    if folder.ends_with("release") {
        build.arg("--release");
    }
    assert!(build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
    Some(folder.join("verify"))
}

/// The lines of every block in this language.
fn blocks(language: &str) -> Vec<Vec<&'static str>> {
    let mut blocks = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = line.strip_prefix("```") {
            let block = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.extend((found == language).then_some(block));
        }
    }
    blocks
}

fn steps(blocks: &[Vec<&str>]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in blocks.iter().flatten() {
        if let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step { command: command.to_owned(), status: 0, output: Vec::new() });
            continue;
        }
        let step = steps.last_mut().expect("a block begins with a command");
        match line.strip_prefix("? ") {
            Some(status) => step.status = status.parse().unwrap(),
            None => step.output.push((*line).to_owned()),
        }
    }
    for step in &mut steps {
        while step.output.last().is_some_and(String::is_empty) {
            step.output.pop();
        }
    }
    steps
}

fn fits(pattern: &[String], lines: &[&str]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..]))
        }
        Some((first, rest)) => lines
            .split_first()
            .is_some_and(|(line, others)| line_fits(first, line) && fits(rest, others)),
    }
}

fn line_fits(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((begin, rest)) => line.strip_prefix(begin).is_some_and(|after| {
            let mut ends = after.char_indices().map(|(at, _)| at).chain([after.len()]);
            ends.any(|at| line_fits(rest, &after[at..]))
        }),
    }
}

#[test]
fn patterns_are_as_they_say() {
    let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    assert!(fits(&owned(&["a [..] c", "..."]), &["a b c", "d", "e"]));
    assert!(fits(&owned(&["...", "d"]), &["d"]));
    assert!(!fits(&owned(&["a [..] c"]), &["a b d"]));
    assert!(!fits(&owned(&["a"]), &["a", "b"]));
    assert!(line_fits("[..]é", "aéé"));
}
