//! `docs/cli.md`: what both programs say when they are asked for help.

use std::error::Error;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

use crate::repository::{cargo, output};

const HEAD: &str = "\
# Command lines

<!-- Made by `cargo xtask docs` from the programs' own help; do not edit. -->

Options, their meaning and exit statuses are stable; wording and layout of text may get better.
";

/// The page. Builds both programs.
///
/// # Errors
///
/// A program does not build or does not run.
pub(crate) fn page() -> Result<String, Box<dyn Error>> {
    output(cargo().args(["build", "--workspace", "--bins", "--quiet"]))?;
    let mut page = HEAD.to_owned();
    for program in ["verify", "genten"] {
        describe(&[program], &mut page)?;
    }
    Ok(page)
}

fn describe(words: &[&str], page: &mut String) -> Result<(), Box<dyn Error>> {
    let help = help(words)?;
    let (level, name) = ("#".repeat(words.len() + 1), words.join(" "));
    write!(page, "\n{level} `{name}`\n\n```text\n{}\n```\n", help.trim_end())?;
    for command in commands(&help) {
        describe(&[words, &[command]].concat(), page)?;
    }
    Ok(())
}

/// The long help, as wide as it is where there is no terminal.
fn help(words: &[&str]) -> Result<String, Box<dyn Error>> {
    let (program, rest) = words.split_first().ok_or("no program")?;
    // All programs of the workspace are built side by side.
    let mut command = Command::new(std::env::current_exe()?.with_file_name(program));
    command
        .args(rest)
        .arg("--help")
        .stdin(Stdio::null())
        .env_remove("COLUMNS")
        .env("NO_COLOR", "1");
    let help = output(&mut command)?;
    let lines = help.lines().map(str::trim_end);
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// The names in the section `Commands:` of a help text.
fn commands(help: &str) -> Vec<&str> {
    let section = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let entries = section.take_while(|line| !line.is_empty());
    let names = entries.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_help() {
        let help = "Does.\n\nCommands:\n  one    First\n         goes on\n  two-b  Second\n  help   Print\n\nOptions:\n  -x";
        assert_eq!(commands(help), ["one", "two-b"]);
        assert_eq!(commands("Options:\n  -x"), [""; 0]);
    }
}
