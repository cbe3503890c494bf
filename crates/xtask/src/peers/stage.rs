//! What a scenario is played with.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use super::authority::Authority;
use super::install::Programs;
use super::log_server::LogServer;
use super::site::Site;
use super::user::User;
use super::world::ORIGIN;

/// The place of one scenario: programs, and a folder that was empty when it began.
pub(super) struct Stage<'p> {
    /// The real peers.
    pub(super) peers: &'p Programs,
    /// Our own programs.
    pub(super) own: &'p Programs,
    pub(super) folder: PathBuf,
    /// How often something is to be repeated, where the caller said so.
    pub(super) rounds: Option<u32>,
}

impl<'p> Stage<'p> {
    /// A log that does not run yet.
    pub(super) fn log(&self) -> Result<LogServer<'p>, Box<dyn Error>> {
        LogServer::new(self.peers, &self.folder.join("log"), ORIGIN)
    }

    /// Another one, as the next shard is.
    pub(super) fn next_log(&self) -> Result<LogServer<'p>, Box<dyn Error>> {
        LogServer::new(self.peers, &self.folder.join("next-log"), &format!("next.{ORIGIN}"))
    }

    /// A running timestamp authority.
    pub(super) fn authority(&self) -> Result<Authority, Box<dyn Error>> {
        Authority::start(self.peers, &self.folder)
    }

    /// A site with documents, none of them yet.
    pub(super) fn site(&self) -> Result<Site, Box<dyn Error>> {
        Site::of_folder(&self.folder.join("site"))
    }

    /// Somebody with an empty home.
    pub(super) fn user(&self, name: &str) -> Result<User<'_>, Box<dyn Error>> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder)?;
        Ok(User::new(self.own, folder))
    }

    /// How often something is to be repeated: so often, unless the caller said otherwise.
    pub(super) fn rounds(&self, usual: u32) -> u32 {
        self.rounds.unwrap_or(usual)
    }
}
