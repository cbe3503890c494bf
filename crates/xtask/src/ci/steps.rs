//! The steps of the gate.

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::repository::{Mode, cargo, root, shown};
use crate::{deps, docs, peers, schemas};

/// How a step ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Passed,
    /// Something that it needs is not on this machine; the step said what.
    Skipped,
}

type Result<T = Done> = std::result::Result<T, Box<dyn Error>>;

/// One step.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) run: fn() -> Result,
}

/// All steps, the quick ones first.
pub(crate) const STEPS: &[Step] = &[
    Step { name: "fmt", about: "formatting", run: fmt },
    Step { name: "deps", about: "what the core must not stand on", run: check_deps },
    Step { name: "docs", about: "docs/ as the code would write it", run: check_docs },
    Step { name: "schemas", about: "schemas/ as the code would write it", run: check_schemas },
    Step { name: "clippy", about: "lints, all crates together", run: clippy },
    Step {
        name: "clippy-core",
        about: "lints, the core in pure Rust and each of its crates by itself",
        run: clippy_core,
    },
    Step { name: "test", about: "all tests", run: test },
    Step {
        name: "test-pure",
        about: "tests of the core in pure Rust, without AWS-LC",
        run: test_pure,
    },
    Step { name: "rustdoc", about: "documentation without warnings", run: rustdoc },
    Step { name: "fuzz", about: "the collected inputs of all fuzz targets, once more", run: fuzz },
    Step {
        name: "interop",
        about: "josekit, OpenSSL and sigstore-verify as oracles",
        run: interop,
    },
    Step {
        name: "interop-jose",
        about: "JOSE libraries of Node and Python as oracles",
        run: interop_jose,
    },
    Step {
        name: "mcp-clients",
        about: "what clients of MCP in TypeScript and Python save is accepted, and changes are told apart",
        run: mcp_clients,
    },
    Step {
        name: "peers",
        about: "our programs against real logs, witnesses, cosign and fsck (built with Go)",
        run: peers,
    },
    Step { name: "demo", about: "the first command of the README", run: demo },
    Step { name: "acceptance", about: "black-box checks beside the repository", run: acceptance },
];

/// Core crates, and whether they have the feature `aws-lc`.
const CORE: &[(&str, bool)] = &[
    ("genten-primitives", true),
    ("genten-manifest", false),
    ("genten-mcp", false),
    ("genten-jws", true),
    ("genten-pki", true),
    ("genten-tlog", true),
    ("genten-verify", true),
];

/// Workspaces of their own, because of what they need: OpenSSL, nightly.
const INTEROP: &str = "crates/josekit";
const FUZZ: &str = "fuzz";

fn fmt() -> Result {
    for workspace in [".", INTEROP, FUZZ].into_iter().filter(|folder| exists(folder)) {
        run(at(workspace).args(["fmt", "--all", "--check"]))?;
    }
    Ok(Done::Passed)
}

fn check_deps() -> Result {
    deps::check().map(|()| Done::Passed)
}

fn check_docs() -> Result {
    docs::make(Mode::Check).map(|()| Done::Passed)
}

fn check_schemas() -> Result {
    schemas::make(Mode::Check).map(|()| Done::Passed)
}

const DENY: &[&str] = &["--", "--deny", "warnings"];

fn clippy() -> Result {
    run(cargo().args(["clippy", "--workspace", "--all-targets"]).args(DENY))?;
    // For users who log nothing.
    let bare = ["clippy", "--package", "genten", "--no-default-features", "--all-targets"];
    run(cargo().args(bare).args(DENY))
}

/// A crate by itself has only the features that it asks for; beside others it gets theirs too.
fn clippy_core() -> Result {
    let packages = CORE.iter().flat_map(|(package, _)| ["--package", package]);
    run(cargo().args(["clippy", "--all-targets"]).args(packages).args(DENY))?;
    for (package, has_aws_lc) in CORE {
        let lint = ["clippy", "--package", package];
        run(cargo().args(lint).args(DENY))?;
        if *has_aws_lc {
            run(cargo().args(lint).args(["--features", "aws-lc"]).args(DENY))?;
        }
    }
    Ok(Done::Passed)
}

fn test() -> Result {
    run(cargo().args(["test", "--workspace"]))
}

fn test_pure() -> Result {
    let packages = CORE.iter().flat_map(|(package, _)| ["--package", package]);
    run(cargo().arg("test").args(packages))
}

fn rustdoc() -> Result {
    run(cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings"))
}

fn fuzz() -> Result {
    if !exists(FUZZ) {
        return skip("there is no folder fuzz");
    }
    run(at(FUZZ).args(["clippy", "--all-targets"]).args(DENY))?;
    run(at(FUZZ).arg("test"))
}

fn interop() -> Result {
    if !succeeds(Command::new("pkg-config").args(["--exists", "openssl"])) {
        return skip("pkg-config finds no openssl: install libssl-dev and pkg-config");
    }
    run(at(INTEROP).args(["clippy", "--workspace", "--all-targets"]).args(DENY))?;
    run(at(INTEROP).args(["test", "--workspace"]))
}

/// The script says what it skips, and ends with status 77 when that was everything.
fn interop_jose() -> Result {
    run_or_skip(&mut script("scripts/interop-jose"))
}

/// The script says what it skips, and ends with status 77 when that was everything.
fn mcp_clients() -> Result {
    run_or_skip(&mut script("scripts/mcp-clients"))
}

fn peers() -> Result {
    match peers::all()? {
        peers::Ran::Yes => Ok(Done::Passed),
        peers::Ran::NoGo => Ok(Done::Skipped),
    }
}

fn demo() -> Result {
    run(cargo().args(["run", "--release", "--package", "genten-cli", "--", "demo"]))
}

/// The levels of the checks that this version is to pass.
const LEVELS: [&str; 4] = ["A-", "B-", "C-", "D-"];

/// The level whose checks build a program with Go.
const NEEDS_GO: &str = "C-";

fn acceptance() -> Result {
    let Some(folder) = root().parent().map(|parent| parent.join("shared/acceptance")) else {
        return skip("the repository has no parent folder");
    };
    let has_go = peers::has_go();
    if !has_go {
        eprintln!("skipped: the checks {NEEDS_GO}* need Go");
    }
    let levels = LEVELS.iter().filter(|level| has_go || **level != NEEDS_GO);
    let checks: Vec<_> = levels.flat_map(|level| checks_of_level(&folder, level)).collect();
    if checks.is_empty() {
        return skip("no checks beside the repository");
    }
    for check in checks {
        run(Command::new(check).current_dir(root()))?;
    }
    Ok(Done::Passed)
}

fn checks_of_level(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let fits = |path: &PathBuf| {
        path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(prefix))
    };
    let mut checks: Vec<_> = entries.map(|entry| entry.path()).filter(fits).collect();
    checks.sort();
    checks
}

/// Cargo in a folder of the repository.
fn at(folder: &str) -> Command {
    let mut cargo = cargo();
    cargo.current_dir(root().join(folder));
    cargo
}

fn script(name: &str) -> Command {
    let mut command = Command::new(root().join(name));
    command.current_dir(root());
    command
}

fn exists(folder: &str) -> bool {
    root().join(folder).is_dir()
}

fn run(command: &mut Command) -> Result {
    eprintln!("$ {}", shown(command));
    let status = command.status().map_err(|error| format!("{}: {error}", shown(command)))?;
    if status.success() {
        Ok(Done::Passed)
    } else {
        Err(format!("{} failed", shown(command)).into())
    }
}

/// As [`run`]; status 77 means skipped, as automake has it.
fn run_or_skip(command: &mut Command) -> Result {
    eprintln!("$ {}", shown(command));
    match command.status()?.code() {
        Some(0) => Ok(Done::Passed),
        Some(77) => Ok(Done::Skipped),
        _ => Err(format!("{} failed", shown(command)).into()),
    }
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

fn skip(why: &str) -> Result {
    eprintln!("SKIPPED: {why}");
    Ok(Done::Skipped)
}
