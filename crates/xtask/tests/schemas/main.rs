//! The schemas agree with the readers: on good files, and on files with one fault.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

mod bundles;
mod differences;
mod kits;
mod manifests;
mod policies;
mod reports;
mod vectors;

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::Value;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

/// The schema as it stands in the repository, with formats asserted.
fn schema(name: &str) -> Validator {
    let file = repository().join(format!("schemas/{name}.schema.json"));
    let schema: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
}

fn faults(schema: &Validator, value: &Value) -> Vec<String> {
    schema.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}
