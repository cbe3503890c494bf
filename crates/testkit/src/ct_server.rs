//! A static log of Certificate Transparency that is served: promises first, tiles later.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use genten_pki::{CtEntry, Sct};
use serde_json::Value;

use crate::ct::{CtTestLog, leaf_index, log_list};
use crate::log::TestLog;
use crate::{Answer, HttpsSite, SeedKey, SeenRequest, TestkitError};

/// Entries of others that stand at the beginning: more than fit one tile.
const OTHERS: u32 = 300;

/// Where the log is on its site.
const PREFIX: &str = "/2026/";

/// A log that promises places and keeps its promises when it is told to. It stops when it is dropped.
#[derive(Debug)]
pub struct CtServer {
    log: CtTestLog,
    site: HttpsSite,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    /// Only hashes and tiles are taken from it.
    tree: TestLog,
    promised: Vec<Vec<u8>>,
    checkpoint: String,
    fault: Option<Answer>,
}

impl CtServer {
    /// Serves a log with a few hundred entries of others, over HTTP, within a tokio runtime.
    ///
    /// # Errors
    /// No socket.
    pub async fn start(log: CtTestLog) -> Result<Self, TestkitError> {
        let mut tree = TestLog::empty("tree");
        for other in 0..OTHERS {
            tree.append(other.to_string());
        }
        let checkpoint = log.checkpoint((tree.size(), tree.root()), 0, None);
        let state = State { tree, promised: Vec::new(), checkpoint, fault: None };
        let state = Arc::new(Mutex::new(state));
        let served = Arc::clone(&state);
        let site = HttpsSite::builder().handler(move |request| lock(&served).answer(request));
        Ok(Self { log, site: site.start().await?, state })
    }

    /// The log.
    pub fn log(&self) -> &CtTestLog {
        &self.log
    }

    /// Promises the next place to an entry, at this millisecond since 1970.
    ///
    /// # Panics
    /// On a certificate that is too long for a log.
    pub fn promise(&self, millis: u64, entry: &CtEntry<'_>) -> Sct {
        let mut state = self.state();
        let index = state.tree.len() + state.promised.len();
        let index = u32::try_from(index).expect("a test makes few entries");
        let sct = self.log.sct(millis, &leaf_index(index), entry);
        // What the log hashes begins like what it signs (RFC 6962 sections 3.2 and 3.4).
        state.promised.push(sct.signed_bytes(entry).expect("a short certificate"));
        sct
    }

    /// Publishes all entries that were promised, under a checkpoint of this millisecond.
    pub fn publish(&self, millis: u64) {
        let mut state = self.state();
        let promised = std::mem::take(&mut state.promised);
        state.put(&self.log, promised, millis);
    }

    /// Publishes other entries in the places of those that were promised.
    pub fn break_promises(&self, millis: u64) {
        let mut state = self.state();
        let promised = std::mem::take(&mut state.promised);
        let others = promised.iter().map(|_| b"something else".to_vec());
        state.put(&self.log, others.collect(), millis);
    }

    /// Has the checkpoint signed by somebody else, of this millisecond.
    pub fn signed_by(&self, signer: &SeedKey, millis: u64) {
        let mut state = self.state();
        let tree = (state.tree.size(), state.tree.root());
        state.checkpoint = self.log.checkpoint(tree, millis, Some(signer));
    }

    /// Gives this answer to everything; `None`: what the log has.
    pub fn answer_with(&self, fault: Option<Answer>) {
        self.state().fault = fault;
    }

    /// How often the checkpoint was asked for.
    pub fn readings(&self) -> usize {
        let is_reading = |one: &&SeenRequest| one.target.ends_with("/checkpoint");
        self.site.seen().iter().filter(is_reading).count()
    }

    /// Refuses connections from now on; the port stays.
    ///
    /// # Errors
    /// The port cannot be kept.
    pub async fn stop_listening(&self) -> io::Result<()> {
        self.site.stop_listening().await
    }

    /// Takes connections again.
    ///
    /// # Errors
    /// The port cannot be had.
    pub async fn listen_again(&self) -> io::Result<()> {
        self.site.listen_again().await
    }

    /// A list of logs, version 3, in which these are read where they are.
    pub fn list(servers: &[&Self]) -> Value {
        let logs: Vec<_> = servers.iter().map(|server| &server.log).collect();
        let mut list = log_list(&logs);
        let operators = list["operators"].as_array_mut().into_iter().flatten();
        let listed =
            operators.flat_map(|one| one["tiled_logs"].as_array_mut().into_iter().flatten());
        for log in listed {
            let server = servers.iter().find(|server| log["description"] == server.log.name());
            log["monitoring_url"] = server.map(|server| server.site.url(PREFIX)).into();
        }
        list
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn put(&mut self, log: &CtTestLog, leaves: Vec<Vec<u8>>, millis: u64) {
        for leaf in leaves {
            self.tree.append(leaf);
        }
        self.checkpoint = log.checkpoint((self.tree.size(), self.tree.root()), millis, None);
    }

    fn answer(&self, request: &SeenRequest) -> Answer {
        if let Some(fault) = &self.fault {
            return fault.clone();
        }
        let tile = |path: &str| self.tree.tile(path.parse().ok()?);
        match request.target.strip_prefix(PREFIX) {
            Some("checkpoint") => Answer::ok(self.checkpoint.clone()),
            Some(path) => tile(path).map_or(Answer::status(404), Answer::ok),
            None => Answer::status(404),
        }
    }
}
