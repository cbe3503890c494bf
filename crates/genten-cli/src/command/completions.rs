//! `genten completions` and `genten man`: both come from the one definition of the command line.

use std::path::Path;

use clap::CommandFactory as _;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::Cli;
use crate::failure::{Done, Failure, write_file};
use crate::output;

/// Prints the completions for a shell.
pub(super) fn shell(shell: Shell) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "genten", &mut script);
    output::bytes(&script);
    Ok(())
}

/// Writes `genten.1`, and a page for every command below.
pub(super) fn man(folder: &Path) -> Done {
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    pages(&command, folder)
}

fn pages(command: &clap::Command, folder: &Path) -> Done {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        pages(below, folder)?;
    }
    let page = Man::new(command.clone());
    let path = folder.join(page.get_filename());
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| Failure::file(&path, &error))?;
    write_file(&path, &text)
}
