//! The repository's folder, programs run in it, and files that are made rather than written.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

/// What to do with a file that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Write it.
    Write,
    /// Fail where it is not as it would be written.
    Check,
}

/// The repository's top folder.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("the crate lies two folders deep").to_path_buf()
}

/// Cargo, as it was called to run this.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// What a program prints, or an error where it fails.
pub(crate) fn output(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output().map_err(|error| format!("{}: {error}", shown(command)))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed:\n{errors}", shown(command)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// A command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

/// Writes files below the repository, or compares them with what stands there.
///
/// # Errors
///
/// When comparing, the names of all files that differ, and the chore that makes them.
pub(crate) fn put(files: &[(String, String)], mode: Mode, chore: &str) -> Outcome {
    let mut stale = Vec::new();
    for (name, text) in files {
        let path = root().join(name);
        if std::fs::read_to_string(&path).is_ok_and(|found| found == *text) {
            continue;
        }
        match mode {
            Mode::Write => {
                std::fs::write(&path, text).map_err(|error| format!("{name}: {error}"))?
            }
            Mode::Check => stale.push(name.as_str()),
        }
    }
    match stale.as_slice() {
        [] => Ok(()),
        names => {
            Err(format!("out of date: {}; run `cargo xtask {chore}`", names.join(", ")).into())
        }
    }
}
