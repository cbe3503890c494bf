//! The log folder, as an independent program reads it.

use super::install::Programs;
use super::servers::Servers;
use super::world::{ORIGIN, log_key};
use crate::Outcome;
use crate::repository::output;

/// The log folder is sound by an independent check.
pub(super) fn check(programs: &Programs, servers: &Servers) -> Outcome {
    let vkey = servers.log_folder.with_file_name("log.vkey");
    std::fs::write(&vkey, log_key().to_vkey())?;
    let mut fsck = programs.command("fsck");
    fsck.arg(format!("--storage_url=file://{}/", servers.log_folder.display()))
        .arg(format!("--public_key={}", vkey.display()))
        .arg(format!("--origin={ORIGIN}"))
        .arg("--ui=false");
    output(&mut fsck)?;
    eprintln!("fsck: the log folder is sound");
    Ok(())
}
