//! The programs, built from pinned versions.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Outcome;
use crate::repository::{cargo, output, root};

/// Name of the program, package and version. Some packages build a program of another name.
const PROGRAMS: [(&str, &str, &str); 6] = [
    ("rekor-server", "posix", "github.com/sigstore/rekor-tiles/v2/cmd/rekor-server/posix@v2.3.0"),
    (
        "omniwitness",
        "omniwitness",
        "github.com/transparency-dev/witness/cmd/omniwitness@v0.0.0-20260720115447-2e1c6971d19e",
    ),
    (
        "timestamp-server",
        "timestamp-server",
        "github.com/sigstore/timestamp-authority/v2/cmd/timestamp-server@v2.1.3",
    ),
    ("tesseract", "posix", "github.com/transparency-dev/tesseract/cmd/tesseract/posix@v0.1.1"),
    ("fsck", "fsck", "github.com/transparency-dev/tessera/cmd/fsck@v1.0.4"),
    ("cosign", "cosign", "github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3"),
];

/// Our own programs: package and name.
const OWN: [(&str, &str); 2] = [("genten-cli", "genten"), ("genten-verify-cli", "verify")];

/// A folder with programs.
pub(super) struct Programs(PathBuf);

impl Programs {
    /// A program, to be started.
    pub(super) fn command(&self, name: &str) -> Command {
        Command::new(self.0.join(name))
    }
}

/// Builds our own programs and keeps them in `folder`: another build, of another state of the tree, may replace those in the
/// target folder at any time.
pub(super) fn own(folder: &Path) -> Result<Programs, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    for (package, name) in OWN {
        let mut build = cargo();
        build.args(["build", "--quiet", "--message-format=json", "--package", package]);
        let messages = output(build.args(["--bin", name]))?;
        let built = messages.lines().rev().find_map(executable);
        keep(&built.ok_or_else(|| format!("cargo built no {name}"))?, &folder.join(name))?;
    }
    Ok(Programs(folder.to_owned()))
}

fn executable(message: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(message).ok()?;
    message["executable"].as_str().map(PathBuf::from)
}

/// A link costs nothing; a target folder on another disk has to be copied from.
fn keep(built: &Path, kept: &Path) -> Outcome {
    if std::fs::hard_link(built, kept).is_err() {
        std::fs::copy(built, kept)?;
    }
    Ok(())
}

pub(crate) fn has_go() -> bool {
    let mut go = Command::new("go");
    let go = go.arg("version").stdout(Stdio::null()).stderr(Stdio::null());
    go.status().is_ok_and(|status| status.success())
}

/// Builds what is not there yet; `None` where that would need Go and there is none. A folder of another place can be named by
/// `GENTEN_PEERS`, so that it outlives a clone.
pub(super) fn all() -> Result<Option<Programs>, Box<dyn Error>> {
    let folder =
        std::env::var_os("GENTEN_PEERS").map_or_else(|| root().join("peers/go"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, built, package) in PROGRAMS {
        let stamp = folder.join(format!("{name}.version"));
        let is_there = std::fs::read_to_string(&stamp).is_ok_and(|found| found == package);
        if is_there {
            continue;
        }
        if !has_go() {
            return Ok(None);
        }
        install(&folder, name, built, package)?;
        std::fs::write(&stamp, package)?;
    }
    Ok(Some(Programs(folder)))
}

fn install(folder: &Path, name: &str, built: &str, package: &str) -> Result<(), Box<dyn Error>> {
    eprintln!("$ go install {package}");
    let mut go = Command::new("go");
    output(go.args(["install", "-trimpath", package]).env("GOBIN", folder))?;
    if name != built {
        std::fs::rename(folder.join(built), folder.join(name))?;
    }
    Ok(())
}
