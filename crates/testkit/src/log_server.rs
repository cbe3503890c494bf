//! A Rekor v2 log on loopback sockets: it takes entries and serves tiles as rekor-tiles v2.3.0 does.

mod answers;
mod ledger;
mod protojson;
mod read_fault;
mod request;
mod service;
mod write_fault;

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::sync::Arc;

use self::ledger::{Cosigners, Ledger};
pub use self::read_fault::ReadFault;
use self::service::Service;
pub use self::write_fault::WriteFault;
use crate::authority::Identity;
use crate::log::TestLog;
use crate::server::listen;
use crate::site::HttpsSite;
use crate::witness::Witness;
use crate::{Clock, Faults, SeenRequest, TestkitError};

/// A running log. It stops when it is dropped.
///
/// `POST <url>/api/v2/log/entries` takes an entry after the checks of the real server, and publishes a checkpoint at once;
/// one that is there already is answered with 409. Checkpoint and tiles are read below [`read_url`](Self::read_url);
/// partial tiles are there for the sizes that had a checkpoint. It speaks HTTP/1.1, one request on a connection.
///
/// ```
/// use genten_testkit::LogServer;
/// use genten_testkit::log::TestLog;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), genten_testkit::TestkitError> {
/// let server = LogServer::start(TestLog::empty("log.example")).await?;
/// println!("POST {}/api/v2/log/entries", server.url());
/// println!("GET {}/checkpoint", server.read_url());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct LogServer {
    service: Arc<Service>,
    site: HttpsSite,
    files: Option<HttpsSite>,
}

/// A log to be started.
#[derive(Debug)]
pub struct LogServerBuilder {
    log: TestLog,
    identity: Option<Identity>,
    cosigners: Option<Cosigners>,
    memory: usize,
    reads_elsewhere: bool,
}

impl LogServer {
    /// Serves this log over plain HTTP.
    ///
    /// # Errors
    ///
    /// When there is no socket.
    pub async fn start(log: TestLog) -> Result<Self, TestkitError> {
        Self::builder(log).start().await
    }

    /// A server of this log, to be described.
    pub fn builder(log: TestLog) -> LogServerBuilder {
        LogServerBuilder {
            log,
            identity: None,
            cosigners: None,
            memory: usize::MAX,
            reads_elsewhere: false,
        }
    }

    /// The URL that a signing config has: entries are sent to `/api/v2/log/entries` below it. The host is `localhost`.
    pub fn url(&self) -> String {
        self.site.url("")
    }

    /// The URL below which `checkpoint` and `tile/` are read.
    pub fn read_url(&self) -> String {
        match &self.files {
            Some(files) => files.url(""),
            None => self.site.url("/api/v2"),
        }
    }

    /// Refuses connections from now on, and cuts those that are open. A log that is read elsewhere can still be read.
    ///
    /// # Errors
    ///
    /// When the port cannot be kept.
    pub async fn stop_listening(&self) -> io::Result<()> {
        self.site.stop_listening().await
    }

    /// Takes connections again, at the same port.
    ///
    /// # Errors
    ///
    /// When there is no socket.
    pub async fn listen_again(&self) -> io::Result<()> {
        self.site.listen_again().await
    }

    /// The faults of requests to take an entry.
    pub fn writes(&self) -> Faults<WriteFault> {
        self.service.writes.clone()
    }

    /// The faults of requests for the checkpoint.
    pub fn checkpoints(&self) -> Faults<ReadFault> {
        self.service.reads.checkpoints.clone()
    }

    /// The faults of requests for tiles with hashes.
    pub fn tiles(&self) -> Faults<ReadFault> {
        self.service.reads.tiles.clone()
    }

    /// The faults of requests for bundles of entries.
    pub fn bundles(&self) -> Faults<ReadFault> {
        self.service.reads.bundles.clone()
    }

    /// The faults of requests for one file, such as `tile/0/000`: they come before those of its kind.
    pub fn file(&self, path: &str) -> Faults<ReadFault> {
        self.service.reads.at(path)
    }

    /// Looks at the log.
    pub fn with_log<T>(&self, look: impl FnOnce(&TestLog) -> T) -> T {
        look(&self.service.ledger().log)
    }

    /// Takes these leaves, whatever they are, and publishes one checkpoint over all.
    pub fn append<L: Into<Vec<u8>>>(&self, leaves: impl IntoIterator<Item = L>) {
        let mut ledger = self.service.ledger();
        for leaf in leaves {
            ledger.log.append(leaf);
        }
        ledger.publish();
    }

    /// Serves another log from now on, such as this one [`truncated`](TestLog::truncated): a backup that was restored.
    pub fn replace_log(&self, log: TestLog) {
        self.service.ledger().replace(log);
    }

    /// Signs a checkpoint over all leaves, with cosignatures of now.
    pub fn publish(&self) {
        self.service.ledger().publish();
    }

    /// How many requests to take an entry have been dealt with, whatever became of them: what was to be taken is in the log,
    /// though an answer may still be held back.
    pub fn posts(&self) -> usize {
        self.service.received.count()
    }

    /// Waits until there were so many.
    pub async fn wait_for_posts(&self, posts: usize) {
        self.service.received.reaches(posts).await;
    }

    /// The bodies of these requests.
    pub fn bodies(&self) -> Vec<Vec<u8>> {
        self.service.received.bodies()
    }

    /// How many different ones there are among these bodies.
    pub fn distinct_bodies(&self) -> usize {
        self.bodies().into_iter().collect::<HashSet<_>>().len()
    }

    /// Where in the log a canonical body stands: one index says that it was logged once.
    pub fn indices_of(&self, body: &[u8]) -> Vec<usize> {
        self.with_log(|log| log.indices_of(body))
    }

    /// All leaves of the log with the places where they stand.
    pub fn entries(&self) -> BTreeMap<Vec<u8>, Vec<usize>> {
        let mut entries = BTreeMap::<_, Vec<_>>::new();
        self.with_log(|log| {
            for index in 0..log.len() {
                let leaf = log.leaf(index).unwrap_or_default().to_vec();
                entries.entry(leaf).or_default().push(index);
            }
        });
        entries
    }

    /// The targets of all requests that were answered so far and were not sent to take an entry.
    pub fn reads(&self) -> Vec<String> {
        let sites = [Some(&self.site), self.files.as_ref()].into_iter().flatten();
        let seen = sites.flat_map(HttpsSite::seen).filter(|request| request.method == "GET");
        seen.map(|request| request.target).collect()
    }
}

impl LogServerBuilder {
    /// Serves TLS with this identity.
    pub fn identity(mut self, identity: Identity) -> Self {
        self.identity = Some(identity);
        self
    }

    /// These witnesses cosign each checkpoint when it is published, at the time that the clock shows then.
    pub fn cosigned_by(mut self, witnesses: Vec<Witness>, clock: Clock) -> Self {
        self.cosigners = Some(Cosigners { witnesses, clock });
        self
    }

    /// Recognises only so many of the latest entries when they come again, as real servers do (256 by default); without
    /// this, all of them.
    pub fn memory(mut self, entries: usize) -> Self {
        self.memory = entries;
        self
    }

    /// Answers 501 where a log is read, as self-hosted servers do, and serves the files under another port.
    pub fn reads_elsewhere(mut self) -> Self {
        self.reads_elsewhere = true;
        self
    }

    /// Listens on a free port of 127.0.0.1, within a tokio runtime.
    ///
    /// # Errors
    ///
    /// When there is no socket, or the identity makes no TLS server.
    pub async fn start(self) -> Result<LogServer, TestkitError> {
        let ledger = Ledger::new(self.log, self.cosigners, self.memory);
        let service = Arc::new(Service::new(ledger, self.reads_elsewhere));
        let answering = Arc::clone(&service);
        let site = listen(self.identity.as_ref(), move |request| answering.answer(request)).await?;
        let reading = Arc::clone(&service);
        let files = move |request: &SeenRequest| reading.answer_file(request);
        let files = match self.reads_elsewhere {
            true => Some(listen(self.identity.as_ref(), files).await?),
            false => None,
        };
        Ok(LogServer { service, site, files })
    }
}
