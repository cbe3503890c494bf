//! Every collected input once more, on stable, without a fuzzer.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use genten_fuzz::TARGETS;

/// Most inputs that one target keeps in the repository.
const MOST: usize = 40;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn names(folder: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(here().join(folder)).unwrap();
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    entries.map(|entry| stem(entry.unwrap().path())).collect()
}

fn inputs(target: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(here().join("corpus").join(target)).unwrap();
    let mut inputs: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    inputs
}

#[test]
fn every_target_has_a_program_and_inputs() {
    let targets = TARGETS.iter().map(|target| target.name.to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(names("fuzz_targets"), targets);
    assert_eq!(names("corpus"), targets);
}

/// Both outcomes are there, so that a target which refuses everything does not pass for one that finds nothing.
#[test]
fn every_input_is_replayed() {
    for target in TARGETS {
        let inputs = inputs(target.name);
        assert!(inputs.len() <= MOST, "{} keeps {} inputs", target.name, inputs.len());
        let outcomes: BTreeSet<_> = inputs
            .iter()
            .map(|input| {
                println!("{}", input.display());
                (target.run)(&std::fs::read(input).unwrap())
            })
            .collect();
        assert_eq!(outcomes.len(), 2, "{}: all of its inputs end alike", target.name);
    }
}

/// Pieces and neighbours of every input: what a fuzzer tries first.
#[test]
fn cut_and_changed_inputs_are_survived() {
    for target in TARGETS {
        for input in inputs(target.name) {
            let bytes = std::fs::read(&input).unwrap();
            let step = (bytes.len() / 20).max(1);
            for at in (0..bytes.len()).step_by(step) {
                (target.run)(&bytes[..at]);
                let mut changed = bytes.clone();
                changed[at] ^= 1 << (at % 8);
                (target.run)(&changed);
            }
        }
    }
}
