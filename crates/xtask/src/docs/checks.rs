//! `docs/checks.md`: every code that a report can name.

use std::fmt::Write as _;

use genten_verify::Code;

const HEAD: &str = "\
# Checks and codes

<!-- Made by `cargo xtask docs` from crates/verify/src/code/table.rs; do not edit. -->

Every check, note and error of `verify` has one of these codes. They are stable: scripts may rely on them, and
`verify --explain CODE` prints what stands here. The order is the rank: of several reasons for a verdict, the report names
the one that stands first.

| code | meaning | what to do |
| --- | --- | --- |
";

/// The page.
pub(crate) fn page() -> String {
    let mut page = HEAD.to_owned();
    for code in Code::all() {
        let (meaning, advice) = (cell(code.meaning()), cell(code.advice()));
        let _ = writeln!(page, "| `{code}` | {meaning} | {advice} |");
    }
    page
}

/// A bar would end the cell, and `<` could begin a tag.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}
