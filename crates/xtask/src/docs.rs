//! Documents that are made from the code, so that they cannot disagree with it.

mod checks;
mod cli;

use crate::Outcome;
use crate::repository::{self, Mode};

/// Makes all of them.
///
/// # Errors
///
/// The programs do not build; when checking, the files that are out of date.
pub(crate) fn make(mode: Mode) -> Outcome {
    let files =
        [("docs/checks.md".to_owned(), checks::page()), ("docs/cli.md".to_owned(), cli::page()?)];
    repository::put(&files, mode, "docs")
}
