//! What the program says of itself.

use crate::world::World;

/// Every command whose help is no list of commands.
const COMMANDS: &[&[&str]] = &[
    &["demo"],
    &["key", "new"],
    &["key", "list"],
    &["key", "show"],
    &["key", "public"],
    &["key", "did-document"],
    &["fetch"],
    &["refetch"],
    &["attest"],
    &["inspect"],
    &["bundle", "show"],
    &["bundle", "add"],
    &["export"],
    &["trust", "new"],
    &["trust", "add-root"],
    &["trust", "add-log"],
    &["trust", "add-tsa"],
    &["trust", "add-ct"],
    &["trust", "show"],
    &["trust", "check"],
    &["log", "status"],
    &["log", "check"],
    &["log", "submit"],
    &["log", "flush"],
    &["log", "proof"],
    &["log", "serve"],
    &["mcp", "check-output"],
    &["mcp", "citations"],
    &["mcp", "sources"],
    &["journal", "list"],
    &["journal", "show"],
    &["journal", "export"],
    &["completions"],
    &["man"],
];

#[test]
fn every_command_helps_and_does_nothing_else() {
    let world = World::new();
    for command in COMMANDS {
        for help in ["-h", "--help"] {
            let run = world.genten(&[command, &[help][..]].concat()).expect(0);
            assert!(run.stderr.is_empty(), "{run:#?}");
            let run = run.says(&format!("Usage: genten {}", command.join(" ")));
            assert!(run.stdout.lines().all(|line| line.chars().count() <= 100), "{run:#?}");
        }
    }
    assert!(!world.home().exists());
    assert_eq!(world.files(), [""; 0]);
}

#[test]
fn the_version_is_that_of_the_package() {
    let world = World::new();
    let version = concat!("genten ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(world.genten(&["--version"]).expect(0).stdout, version);
}

#[test]
fn what_was_typed_wrongly_is_explained() {
    let world = World::new();
    world.genten(&[]).expect(2).talks("requires a subcommand").talks("--help");
    world.genten(&["fetsch"]).expect(2).talks("fetch");
    world.genten(&["fetch", "--clas", "static"]).expect(2).talks("--class");
}

#[test]
fn texts_are_as_they_were() {
    let cases = trycmd::TestCases::new();
    cases.default_bin_path(env!("CARGO_BIN_EXE_genten")).case("tests/cmd/help.trycmd");
}
