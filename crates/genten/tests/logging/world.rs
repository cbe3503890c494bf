//! A log, a timestamp authority, a clock, and a folder with a file that describes the log.

use std::path::{Path, PathBuf};

use genten::jws::Algorithm;
use genten::primitives::{Sha256Digest, Timestamp};
use genten::tlog::NoteKey;
use genten::{Flush, Genten, GentenBuilder, LogTarget};
use genten_primitives::key::pem;
use genten_testkit::log::TestLog;
use genten_testkit::tsa::Tsa;
use genten_testkit::{Clock, LogServer, TsaServer};

use crate::producer::{Producer, content_key, signer};
use crate::reader::Reader;

/// The time on every clock at the beginning.
pub(crate) const NOW: &str = "2026-11-30T08:15:00Z";

pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    /// The producer's clock, which can be wrong.
    pub(crate) clock: Clock,
    /// The clock of everybody else.
    pub(crate) true_clock: Clock,
    pub(crate) log: LogServer,
    pub(crate) tsa: TsaServer,
}

impl World {
    /// A log with a few entries of others.
    pub(crate) async fn new() -> Self {
        Self::with(TestLog::new("log.example")).await
    }

    pub(crate) async fn with(log: TestLog) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [clock, true_clock] = [0; 2].map(|_| Clock::at(NOW.parse().unwrap()));
        let tsa = TsaServer::start(Tsa::new("Example TSA"), true_clock.clone()).await.unwrap();
        let log = LogServer::start(log).await.unwrap();
        let chain = tsa.tsa().certificates().map(|der| pem::encode("CERTIFICATE", der)).concat();
        std::fs::write(folder.path().join("tsa.pem"), chain).unwrap();
        let world = Self { folder, clock, true_clock, log, tsa };
        world.describe(&world.log.url(), &world.tsa.url());
        world
    }

    /// Writes the file that describes the log, with these URLs.
    pub(crate) fn describe(&self, log: &str, tsa: &str) {
        self.describe_reading(log, tsa, &self.log.read_url());
    }

    /// The same, where the log is read somewhere else.
    pub(crate) fn describe_reading(&self, log: &str, tsa: &str, read: &str) {
        let vkey = self.log_key().to_vkey();
        let text = format!(
            "version = 1\n[log]\nvkey = {vkey:?}\nurl = {log:?}\nread_url = {read:?}\n\
             [[timestamp_authority]]\nname = \"tsa\"\nurl = {tsa:?}\ncertificates = \"tsa.pem\"\n"
        );
        std::fs::write(self.path("log.toml"), text).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn target(&self) -> LogTarget {
        LogTarget::file(self.path("log.toml")).unwrap()
    }

    pub(crate) fn log_key(&self) -> NoteKey {
        self.log.with_log(|log| log.note_key().clone())
    }

    /// The time of the producer.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn advance(&self, seconds: i64) {
        self.clock.advance_millis(seconds * 1000);
        self.true_clock.advance_millis(seconds * 1000);
    }

    /// A producer with a home and the log, without a signer.
    pub(crate) fn builder(&self) -> GentenBuilder {
        builder(self.folder.path(), &self.clock)
    }

    pub(crate) fn producer(&self) -> Producer {
        self.producer_of(self.builder().signer(signer(Algorithm::Es256, 1)))
    }

    pub(crate) fn producer_of(&self, builder: GentenBuilder) -> Producer {
        Producer::new(builder.build().unwrap(), self.folder.path(), &self.clock)
    }

    pub(crate) fn reader(&self, producer: &Producer) -> Reader {
        Reader::of(&producer.genten, &[self.log_key()], self.tsa.tsa())
    }

    /// Everything has arrived, once, and stays as it is.
    #[track_caller]
    pub(crate) fn expect_arrived(&self, producer: &Producer) {
        let now = self.true_clock.now();
        expect_arrived(&self.reader(producer), producer, &[&self.log], now);
    }

    /// Sending again sends nothing and changes no bundle.
    pub(crate) async fn expect_quiet(&self, producer: &Producer) {
        let posts = || (self.log.posts(), self.tsa.posts());
        let bundles = || producer.saved().iter().map(|one| one.bundle()).collect::<Vec<_>>();
        let before = (posts(), bundles());
        let report = producer.flush(Flush::All).await;
        assert!(report.logs.is_empty() && report.is_complete(), "{report:?}");
        assert_eq!(report.completed, 0);
        assert_eq!((posts(), bundles()), before);
    }
}

fn builder(folder: &Path, clock: &Clock) -> GentenBuilder {
    let clock = clock.clone();
    Genten::builder()
        .home(folder.join("home"))
        .clock(move || clock.now())
        .log(LogTarget::file(folder.join("log.toml")).unwrap())
        .content_log_key(content_key())
}

/// The producer of the world in this folder, in another process.
pub(crate) fn producer_in(folder: &Path) -> Producer {
    let clock = Clock::at(NOW.parse().unwrap());
    let genten = builder(folder, &clock).signer(signer(Algorithm::Es256, 1)).build().unwrap();
    Producer::new(genten, folder, &clock)
}

/// Every bundle holds its evidence, and each body stands in these logs exactly once.
#[track_caller]
pub(crate) fn expect_arrived(
    reader: &Reader,
    producer: &Producer,
    logs: &[&LogServer],
    now: Timestamp,
) {
    let counts = producer.counts();
    let open = [counts.waiting, counts.queued, counts.sent, counts.rejected, counts.unplaced];
    assert_eq!(open, [0; 5], "{counts:?}, {:?}", producer.saved().len());
    for one in producer.saved() {
        let words =
            if one.is_static { &["log", "time", "log.content"][..] } else { &["log", "time"] };
        assert_eq!(reader.verdict(&one.bundle(), words, now), "accept");
        for body in bodies(producer, &one.id) {
            let places: usize = logs.iter().map(|log| log.indices_of(&body).len()).sum();
            assert_eq!(places, 1, "{}", String::from_utf8_lossy(&body));
        }
    }
}

/// The bodies of all entries about a manifest.
pub(crate) fn bodies(producer: &Producer, id: &Sha256Digest) -> Vec<Vec<u8>> {
    let evidence = producer.genten.journal().unwrap().outbox().evidence(id).unwrap();
    evidence.into_iter().map(|one| one.body).collect()
}
