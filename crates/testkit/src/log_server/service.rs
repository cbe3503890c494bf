//! What a log does with requests.

use std::sync::{Mutex, MutexGuard, PoisonError};

use genten_tlog::rekor::MAX_BODY;

use super::ledger::Ledger;
use super::read_fault::{self, ReadFault, ReadFaults};
use super::write_fault::{self, WriteFault};
use super::{answers, request};
use crate::server::Received;
use crate::{Answer, Faults, SeenRequest};

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
    pub(super) received: Received,
    pub(super) writes: Faults<WriteFault>,
    pub(super) reads: ReadFaults,
}

impl Service {
    pub(super) fn new(ledger: Ledger, is_write_only: bool) -> Self {
        Self {
            ledger: Mutex::new(ledger),
            is_write_only,
            received: Received::default(),
            writes: Faults::default(),
            reads: ReadFaults::default(),
        }
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An answer of the host that takes entries.
    pub(super) fn answer(&self, request: &SeenRequest) -> Answer {
        match (request.method.as_str(), request.target.as_str()) {
            ("POST", ENTRIES) => self.write(request),
            ("GET", ENTRIES) => answers::error(501, 12, "Method Not Allowed"),
            ("GET", "/healthz") => answers::healthy(),
            ("GET", target) => match target.strip_prefix(READING) {
                Some(path) if self.is_write_only => not_here(path),
                Some(path) => self.read(path),
                None => answers::not_found(),
            },
            _ => answers::not_found(),
        }
    }

    /// An answer of the host that serves nothing but files.
    pub(super) fn answer_file(&self, request: &SeenRequest) -> Answer {
        match (request.method.as_str(), request.target.strip_prefix('/')) {
            ("GET", Some(path)) => self.read(path),
            _ => answers::no_file(),
        }
    }

    fn write(&self, request: &SeenRequest) -> Answer {
        let body = &request.body;
        let answer = match self.writes.take() {
            WriteFault::Net(fault) => fault.apply(|| self.submit(&WriteFault::Honest, body)),
            WriteFault::Frozen => answers::frozen(),
            fault => self.submit(&fault, body),
        };
        // Whoever waits for the count finds the fault used up and the entry taken.
        self.received.add(body);
        answer
    }

    fn submit(&self, fault: &WriteFault, body: &[u8]) -> Answer {
        let rekord = match request::read(body) {
            Ok(rekord) => rekord,
            Err(request::Refused(message)) => return answers::error(400, 3, &message),
        };
        let leaf = rekord.to_body();
        if leaf.len() > MAX_BODY {
            return answers::error(500, 2, "failed to integrate entry");
        }
        write_fault::answer(fault, &mut self.ledger(), &leaf)
    }

    fn read(&self, path: &str) -> Answer {
        let read = |fault: &ReadFault| read_fault::answer(fault, &self.ledger(), path);
        match self.reads.take(path) {
            ReadFault::Net(fault) => fault.apply(|| read(&ReadFault::Honest)),
            fault => read(&fault),
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
