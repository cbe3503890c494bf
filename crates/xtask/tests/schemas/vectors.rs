//! The test data of the repository, as far as the readers take it, fits the schemas.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{bundles, faults, kits, manifests, repository, schema};

fn json_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => json_files(&path, found),
            false if path.extension().is_some_and(|extension| extension == "json") => {
                found.push(path)
            }
            false => {}
        }
    }
}

/// The schema for a file that a reader takes, without members of a later version.
fn schema_for(bytes: &[u8]) -> Option<&'static str> {
    let json: Value = serde_json::from_slice(bytes).ok()?;
    if manifests::accepts(&json) {
        return Some("provenance-manifest");
    }
    if bundles::accepts(&json) {
        return Some("provenance-bundle");
    }
    kits::accepts(&json).then_some("trust-kit")
}

#[test]
fn good_test_data_fits() {
    let mut files = Vec::new();
    json_files(&repository().join("testdata"), &mut files);
    let mut compared = 0;
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let Some(name) = schema_for(&bytes) else { continue };
        let json: Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(faults(&schema(name), &json), [] as [String; 0], "{}", file.display());
        compared += 1;
    }
    if compared == 0 {
        eprintln!("SKIPPED: testdata has no manifest, bundle or trust kit yet");
    }
}
