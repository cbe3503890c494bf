//! What the tests share: a folder with a home, an authority, sites below it, and a reader of what was signed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use genten::manifest::{Claims, UnverifiedBundle};
use genten::store::{Durability, Entry, Filter, Home};
use genten::{Body, KeyRing, Policy, Report, Trust, Verifier};
use genten_primitives::Timestamp;
use genten_testkit::{Answer, Authority, HttpsSite, Identity, Leaf, Offer, SiteBuilder};
use tokio::runtime::Runtime;

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            status: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    #[track_caller]
    pub(crate) fn expect(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{self:#?}");
        self
    }

    /// Data on standard output.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.stdout.contains(text), "no {text:?} in {self:#?}");
        self
    }

    /// Talk on standard error.
    #[track_caller]
    pub(crate) fn talks(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }

    #[track_caller]
    pub(crate) fn keeps_quiet_about(self, secret: &str) -> Self {
        assert!(!self.stdout.contains(secret) && !self.stderr.contains(secret), "{self:#?}");
        self
    }

    /// The objects of `--json`, one a line.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<serde_json::Value> {
        let object = |line| serde_json::from_str(line).unwrap();
        self.stdout.lines().map(object).collect()
    }
}

/// A folder of its own, and what a test needs around it.
pub(crate) struct World {
    pub(crate) authority: Authority,
    folder: tempfile::TempDir,
    runtime: Runtime,
}

impl World {
    pub(crate) fn new() -> Self {
        let authority = Authority::new("Test Root").unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ca.pem"), authority.root_pem()).unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(4).enable_all().build().unwrap();
        Self { authority, folder, runtime }
    }

    /// An identity for `localhost` and `127.0.0.1`.
    pub(crate) fn identity(&self) -> Identity {
        self.authority.issue(&Leaf::new(["localhost", "127.0.0.1"])).unwrap()
    }

    /// A site with such an identity, over HTTP/1.1, where an answer can misbehave.
    pub(crate) fn site(&self) -> SiteBuilder {
        HttpsSite::builder().identity(self.identity()).offer(Offer::Http1)
    }

    pub(crate) fn start(&self, site: SiteBuilder) -> HttpsSite {
        self.runtime.block_on(site.start()).unwrap()
    }

    /// A site with these answers.
    pub(crate) fn serving<const N: usize>(&self, routes: [(&str, Answer); N]) -> HttpsSite {
        let site = routes
            .into_iter()
            .fold(self.site(), |site, (target, answer)| site.route(target, answer));
        self.start(site)
    }

    pub(crate) fn block_on<F: Future>(&self, work: F) -> F::Output {
        self.runtime.block_on(work)
    }

    /// Where the program runs.
    pub(crate) fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.work().join(name)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn ca(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The files of the working folder, hidden ones too.
    pub(crate) fn files(&self) -> Vec<String> {
        names(&self.work())
    }

    /// The program, in the working folder, with nothing else in its environment.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_genten"));
        command
            .args(arguments)
            .current_dir(self.work())
            .env_clear()
            .env("GENTEN_HOME", self.home())
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn genten(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    /// `genten fetch` that trusts the authority.
    pub(crate) fn fetch_command(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(&["fetch", "--ca"]);
        command.arg(self.ca()).args(arguments);
        command
    }

    pub(crate) fn fetch(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.fetch_command(arguments))
    }

    pub(crate) fn refetch(&self, arguments: &[&str]) -> Run {
        let mut command = self.command(&["refetch", "--ca"]);
        Run::of(command.arg(self.ca()).args(arguments))
    }

    pub(crate) fn claims(&self, bundle: &str) -> Claims {
        let bundle = UnverifiedBundle::read(&self.read(bundle)).unwrap();
        bundle.manifest().claims().clone()
    }

    /// What a reader says who trusts all keys of the home.
    pub(crate) fn judge(&self, bundle: &[u8], body: &Body) -> Report {
        let ring = KeyRing::of(&Home::open(self.home()).unwrap());
        let key = |name: &String| ring.load(name).unwrap().signer.key().public_key().clone();
        let keys = ring.names().unwrap().iter().map(key).collect();
        let trust = Trust { keys, ..Trust::default() };
        Verifier::new(trust, Policy::built_in("basic").unwrap()).verify_bytes(bundle, body, now())
    }

    /// The saved pair `NAME` and `NAME.provenance.json` is accepted.
    #[track_caller]
    pub(crate) fn accepts(&self, name: &str) {
        let body = Body::of(&self.read(name));
        let report = self.judge(&self.read(&format!("{name}.provenance.json")), &body);
        assert_eq!(report.verdict.as_str(), "accept", "{:?}", report.verdict.because());
    }

    /// The rows of the journal, the oldest first.
    pub(crate) fn journal(&self) -> Vec<Entry> {
        let home = Home::open(self.home()).unwrap();
        let journal = home.journal(Durability::Normal).unwrap();
        journal.check().unwrap();
        journal.list(&Filter::default()).unwrap().map(Result::unwrap).collect()
    }
}

pub(crate) fn names(folder: &Path) -> Vec<String> {
    let name =
        |item: std::io::Result<std::fs::DirEntry>| item.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap()).unwrap()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A tool of the system, or a word that the test was skipped.
pub(crate) fn has(tool: &str) -> bool {
    let found = Command::new(tool).arg("--help").output().is_ok();
    if !found {
        eprintln!("SKIPPED: {tool} is not installed");
    }
    found
}
