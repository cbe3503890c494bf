//! What every command shares: the home, the form of output.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use genten::jws::ContentLogKey;
use genten::store::Home;
use genten::{Genten, GentenBuilder, KeyRing};

use crate::failure::{Done, Failure};

/// The options that come before every command.
pub(crate) struct Context {
    home: Option<PathBuf>,
    pub(crate) json: bool,
    /// The log that is sent to, once everything that the command was asked to sign is signed.
    pub(crate) sending_to: OnceLock<String>,
}

impl Context {
    pub(crate) fn new(home: Option<PathBuf>, json: bool) -> Self {
        Self { home, json, sending_to: OnceLock::new() }
    }

    /// The folder of the home; not made here.
    pub(crate) fn home_path(&self) -> Done<PathBuf> {
        if let Some(home) = &self.home {
            return Ok(home.clone());
        }
        directories::ProjectDirs::from("dev", "genten", "genten")
            .map(|folders| folders.data_dir().to_owned())
            .ok_or_else(|| {
                Failure::usage(
                    "this user has no home folder",
                    "Give a folder with --home DIR or GENTEN_HOME.",
                )
            })
    }

    /// The home, made where it is missing.
    pub(crate) fn home(&self) -> Done<Home> {
        Ok(Home::open(self.home_path()?)?)
    }

    /// The home, which is not made for looking into it: whoever watches a wrong folder must hear of that.
    pub(crate) fn existing_home(&self) -> Done<Home> {
        let path = self.home_path()?;
        match path.is_dir() {
            true => Ok(Home::open(path)?),
            false => Err(nothing_there(&path, "no such home")),
        }
    }

    /// The same, where something was signed or queued.
    pub(crate) fn home_with_journal(&self) -> Done<Home> {
        let path = self.home_path()?;
        match path.join("journal.db").exists() {
            true => self.existing_home(),
            false => Err(nothing_there(&path, "no home with a journal")),
        }
    }

    pub(crate) fn keys(&self) -> Done<KeyRing> {
        Ok(KeyRing::of(&self.home()?))
    }

    /// A builder that signs with the named key, or with the default one, which is made where there is none.
    pub(crate) fn genten(&self, key: Option<&str>) -> Done<GentenBuilder> {
        let ring = self.keys()?;
        let mut builder = Genten::builder().home(self.home_path()?);
        match key {
            Some(name) => builder = builder.key(name),
            None => {
                let (key, is_new) = ring.default_or_new()?;
                if is_new {
                    let id = genten::jws::Signer::key_id(&key.signer);
                    eprintln!("genten: made a signing key, {id}");
                    eprintln!(
                        "genten: it is kept in {}; back it up",
                        ring.path(&key.name)?.display()
                    );
                }
            }
        }
        Ok(builder)
    }

    /// The content log key that belongs to the named signing key, made where there is none.
    pub(crate) fn content_log_key(&self, name: &str) -> Done<ContentLogKey> {
        let (key, is_new) = self.keys()?.content_log_key(name)?;
        if is_new {
            eprintln!(
                "genten: made a key for logging contents, which signs nothing else: {name}.content-log.key"
            );
        }
        Ok(key)
    }
}

fn nothing_there(path: &Path, what: &str) -> Failure {
    Failure::usage(
        format!("{}: {what}", path.display()),
        "Check --home and GENTEN_HOME. Nothing was made: the first command that signs or logs makes a home, and so does `genten log init`.",
    )
}
