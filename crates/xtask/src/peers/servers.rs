//! The servers of the recorded world.

use std::error::Error;
use std::path::{Path, PathBuf};

use super::authority::Authority;
use super::install::Programs;
use super::log_server::LogServer;
use super::witness::{Witness, policy_of_all};
use super::world::{ORIGIN, WITNESSES};

/// The running world.
pub(super) struct Servers<'p> {
    pub(super) log_port: u16,
    pub(super) tsa_port: u16,
    /// The folder that the log keeps its tiles in.
    pub(super) log_folder: PathBuf,
    /// The C2SP policy under which the log publishes: both witnesses.
    pub(super) policy: String,
    /// The chain of the timestamp authority, PEM.
    pub(super) tsa_chain: String,
    /// Stopped when dropped.
    _running: (LogServer<'p>, [Witness; 2], Authority),
}

impl<'p> Servers<'p> {
    pub(super) fn start(programs: &'p Programs, folder: &Path) -> Result<Self, Box<dyn Error>> {
        let [one, two] = WITNESSES.map(|name| Witness::start(programs, folder, name, ORIGIN));
        let witnesses = [one?, two?];
        let policy = policy_of_all(ORIGIN, &witnesses);
        let authority = Authority::start(programs, folder)?;
        let log = LogServer::new(programs, &folder.join("log"), ORIGIN)?;
        let mut log = log.witnessed_by(&policy)?;
        log.start(&[])?;
        Ok(Self {
            log_port: log.port(),
            tsa_port: authority.port(),
            log_folder: log.tiles(),
            policy,
            tsa_chain: authority.chain.clone(),
            _running: (log, witnesses, authority),
        })
    }
}
