//! What a log does with requests.

use std::sync::{Mutex, MutexGuard, PoisonError};

use genten_tlog::rekor::MAX_BODY;
use tokio::sync::watch;

use super::ledger::{Ledger, Taken};
use super::{answers, request};
use crate::{Answer, SeenRequest};

/// Where entries are sent to.
const ENTRIES: &str = "/api/v2/log/entries";
/// Below this, a log is read where it is written.
const READING: &str = "/api/v2/";

#[derive(Debug)]
pub(super) struct Service {
    ledger: Mutex<Ledger>,
    /// Whether the log is read somewhere else.
    pub(super) is_write_only: bool,
    /// The bodies of all requests to take an entry.
    received: watch::Sender<Vec<Vec<u8>>>,
}

impl Service {
    pub(super) fn new(ledger: Ledger, is_write_only: bool) -> Self {
        Self { ledger: Mutex::new(ledger), is_write_only, received: watch::Sender::default() }
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn received(&self) -> watch::Receiver<Vec<Vec<u8>>> {
        self.received.subscribe()
    }

    /// An answer of the host that takes entries.
    pub(super) fn answer(&self, request: &SeenRequest) -> Answer {
        let answer = match (request.method.as_str(), request.target.as_str()) {
            ("POST", ENTRIES) => self.write(request),
            ("GET", ENTRIES) => answers::error(501, 12, "Method Not Allowed"),
            ("GET", "/healthz") => answers::healthy(),
            ("GET", target) => match target.strip_prefix(READING) {
                Some(path) if self.is_write_only => not_here(path),
                Some(path) => self.read(path),
                None => answers::not_found(),
            },
            _ => answers::not_found(),
        };
        closing(answer, request)
    }

    /// An answer of the host that serves nothing but files.
    pub(super) fn answer_file(&self, request: &SeenRequest) -> Answer {
        let answer = match (request.method.as_str(), request.target.strip_prefix('/')) {
            ("GET", Some(path)) => self.read(path),
            _ => answers::no_file(),
        };
        closing(answer, request)
    }

    fn write(&self, request: &SeenRequest) -> Answer {
        self.received.send_modify(|bodies| bodies.push(request.body.clone()));
        self.submit(&request.body)
    }

    fn submit(&self, body: &[u8]) -> Answer {
        let rekord = match request::read(body) {
            Ok(rekord) => rekord,
            Err(request::Refused(message)) => return answers::error(400, 3, &message),
        };
        let leaf = rekord.to_body();
        if leaf.len() > MAX_BODY {
            return answers::error(500, 2, "failed to integrate entry");
        }
        let mut ledger = self.ledger();
        match ledger.take(&leaf) {
            Taken::Now(index) => answers::created(&ledger.entry(index)),
            Taken::Before(index) => answers::duplicate(index),
        }
    }

    fn read(&self, path: &str) -> Answer {
        let ledger = self.ledger();
        match path {
            "checkpoint" => answers::checkpoint(ledger.checkpoint()),
            _ => ledger.file(path).map_or_else(answers::no_file, answers::file),
        }
    }
}

/// A server whose log is read somewhere else knows the paths, but no more.
fn not_here(path: &str) -> Answer {
    match path {
        "checkpoint" => answers::unimplemented("GetCheckpoint"),
        _ if path.starts_with("tile/entries/") => answers::unimplemented("GetEntryBundle"),
        _ if path.starts_with("tile/") => answers::unimplemented("GetTile"),
        _ => answers::not_found(),
    }
}

/// Says what happens: sites answer one request on a connection of HTTP/1.1.
fn closing(answer: Answer, request: &SeenRequest) -> Answer {
    match request.protocol {
        "http/1.1" => answer.header("connection", "close"),
        _ => answer,
    }
}
