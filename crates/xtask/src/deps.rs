//! The boundary of the core: what decides must not be able to reach a network, a database or a source of randomness.

use std::collections::BTreeSet;

use crate::Outcome;
use crate::repository::{cargo, output};

const CORE: &[&str] = &[
    "genten-primitives",
    "genten-manifest",
    "genten-jws",
    "genten-mcp",
    "genten-pki",
    "genten-tlog",
    "genten-verify",
];

/// Crates that a core crate must not stand on, however far down.
const FORBIDDEN: &[&str] = &[
    "getrandom",
    "hyper",
    "libsqlite3-sys",
    "mio",
    "native-tls",
    "openssl",
    "openssl-sys",
    "reqwest",
    "rusqlite",
    "rustls",
    "socket2",
    "tokio",
];

/// One build whose tree is looked at.
struct Build {
    package: &'static str,
    features: &'static [&'static str],
}

fn builds() -> impl Iterator<Item = Build> {
    let core = CORE.iter().map(|package| Build { package, features: &[] });
    core.chain([
        Build { package: "genten-verify-cli", features: &[] },
        Build { package: "genten-verify-cli", features: &["--no-default-features"] },
    ])
}

/// Looks at the tree of each build, on every platform.
///
/// # Errors
///
/// Each forbidden crate with the path that leads to it.
pub(crate) fn check() -> Outcome {
    let mut faults = Vec::new();
    for build in builds() {
        for found in build.forbidden()? {
            faults.push(build.path_to(&found)?);
        }
    }
    match faults.as_slice() {
        [] => Ok(()),
        paths => Err(paths.join("\n\n").into()),
    }
}

impl Build {
    /// Normal dependencies only: what is linked.
    fn tree(&self, arguments: &[&str]) -> Result<String, Box<dyn std::error::Error>> {
        let common = ["tree", "--quiet", "--package", self.package, "--edges", "normal"];
        output(cargo().args(common).args(["--target", "all"]).args(self.features).args(arguments))
    }

    fn forbidden(&self) -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let tree = self.tree(&["--prefix", "none"])?;
        let names: BTreeSet<_> =
            tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
        if !names.contains(self.package) {
            return Err(format!("cargo tree does not know {}", self.package).into());
        }
        let forbidden = names.into_iter().filter(|name| FORBIDDEN.contains(name));
        Ok(forbidden.map(str::to_owned).collect())
    }

    fn path_to(&self, name: &str) -> Result<String, Box<dyn std::error::Error>> {
        let path = self.tree(&["--invert", name])?;
        let build = [&[self.package], self.features].concat().join(" ");
        Ok(format!("{build} stands on {name}:\n{path}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forbidden_crate_is_found_with_the_way_to_it() {
        let fetch = Build { package: "genten-fetch", features: &[] };
        assert!(fetch.forbidden().unwrap().contains(&"tokio".to_owned()));
        let path = fetch.path_to("rustls").unwrap();
        assert!(path.contains("└── genten-fetch v"), "{path}");
    }

    #[test]
    fn a_package_that_does_not_exist_is_an_error() {
        assert!(Build { package: "genten-nothing", features: &[] }.forbidden().is_err());
    }
}
