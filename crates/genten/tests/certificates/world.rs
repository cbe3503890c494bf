//! A log of certificates, a site whose certificate it has promised to hold, a producer who fetches there, and a reader.

use std::path::PathBuf;

use genten::fetch::Recorder;
use genten::jws::{Algorithm, LocalSigner, SecretKey};
use genten::primitives::Timestamp;
use genten::store::{Certificate, CertificateCounts};
use genten::verify::kit::KIT_MEDIA_TYPE;
use genten::{
    Attested, Body, Flush, FlushReport, Genten, GentenBuilder, LogRules, LogTarget, Policy, Trust,
    TrustKit, Verifier,
};
use genten_testkit::ct::{CtTestLog, sct_list};
use genten_testkit::{Answer, Authority, Clock, CtServer, HttpsSite, Leaf};
use serde_json::json;

/// The time on every clock at the beginning.
const NOW: &str = "2026-11-30T08:15:00Z";

pub(crate) struct World {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) clock: Clock,
    pub(crate) root: Authority,
    pub(crate) authority: Authority,
    pub(crate) log: CtServer,
}

impl World {
    pub(crate) async fn new() -> Self {
        let root = Authority::new("Test Root").unwrap();
        Self {
            folder: tempfile::tempdir().unwrap(),
            clock: Clock::at(NOW.parse().unwrap()),
            authority: root.intermediate("Test CA").unwrap(),
            root,
            log: CtServer::start(CtTestLog::new("static", "One")).await.unwrap(),
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Now, as logs of certificates write it.
    pub(crate) fn millis(&self) -> u64 {
        self.now().as_millis().unsigned_abs()
    }

    /// A site with a new certificate that the log has promised to hold, and has not published.
    pub(crate) async fn site(&self) -> HttpsSite {
        self.promised_site(&[&self.log]).await
    }

    /// The same, promised by these logs in this order.
    pub(crate) async fn promised_site(&self, logs: &[&CtServer]) -> HttpsSite {
        let made = self.millis() - 1000;
        let precertificate = self.authority.precertify(&Leaf::new(["localhost"])).unwrap();
        let promise = |log: &&CtServer| log.promise(made, &precertificate.entry());
        let list = sct_list(&logs.iter().map(promise).collect::<Vec<_>>());
        let identity = precertificate.certify(list).unwrap();
        let site = HttpsSite::builder().identity(identity);
        site.handler(|request| Answer::ok(request.target.clone())).start().await.unwrap()
    }

    /// The same, published.
    pub(crate) async fn published_site(&self) -> HttpsSite {
        let site = self.site().await;
        self.log.publish(self.millis());
        site
    }

    pub(crate) fn list(&self) -> Vec<u8> {
        CtServer::list(&[&self.log]).to_string().into_bytes()
    }

    /// A producer with a home, who knows no log.
    pub(crate) fn builder(&self) -> GentenBuilder {
        let (clock, fetching) = (self.clock.clone(), self.clock.clone());
        let recorder = Recorder::builder().root_pem(self.root.root_pem()).unwrap();
        let recorder = recorder.clock(move || fetching.now()).build().unwrap();
        let key = SecretKey::from_bytes(Algorithm::Es256, &[7; 32]).unwrap();
        Genten::builder()
            .recorder(recorder)
            .clock(move || clock.now())
            .signer(LocalSigner::did_key(key))
            .home(self.folder.path().join("home"))
    }

    /// The producer with the list of logs.
    pub(crate) fn producer(&self) -> Producer {
        Producer(self.builder().ct_logs(self.list()).build().unwrap())
    }

    /// The same, who logs manifests in the home's own log too.
    pub(crate) fn logging_producer(&self) -> Producer {
        let builder = self.builder().ct_logs(self.list()).log(LogTarget::Home);
        let rules = LogRules { static_content: false, ..LogRules::default() };
        Producer(builder.log_rules(rules).build().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Fetches from a site, and saves the bundle under this name.
    pub(crate) async fn fetch(
        &self,
        producer: &Producer,
        site: &HttpsSite,
        name: &str,
    ) -> Attested {
        let attested = producer.0.fetch(&site.url(&format!("/{name}"))[..]).await.unwrap();
        producer.0.save_bundle(&attested, self.path(name)).unwrap();
        attested
    }

    pub(crate) fn bundle(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// What a reader says who knows signer and log, and requires the word `ct`.
    pub(crate) fn verdict(&self, name: &str) -> String {
        let signer = Producer(self.builder().without_journal().build().unwrap()).0;
        let key: serde_json::Value = serde_json::from_str(&signer.public_key().to_jwk()).unwrap();
        let kit = json!({
            "media_type": KIT_MEDIA_TYPE,
            "signers": [{"key_id": signer.key_id().as_str(), "public_key": key, "status": "active"}],
            "ct_log_list": CtServer::list(&[&self.log]),
        });
        let kit = TrustKit::read(kit.to_string().as_bytes()).unwrap();
        let policy = "version = 1\nname = \"test\"\n[require]\ndefault = [\"signature\", \"signer\", \"ct\"]\n";
        let trust = Trust { kit, ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::read(policy).unwrap());
        let report = verifier.verify_bytes(&self.bundle(name), &Body::NotGiven, self.now());
        let because = report.verdict.because().map_or("", |code| code.as_str());
        format!("{} {because}", report.verdict.as_str()).trim_end().to_owned()
    }

    /// What was kept against the log.
    pub(crate) fn evidence(&self) -> Vec<String> {
        let folder = std::fs::read_dir(self.path("home/evidence"));
        let read = |file: std::io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(file.unwrap().path()).unwrap()
        };
        folder.into_iter().flatten().map(read).collect()
    }
}

pub(crate) struct Producer(pub(crate) Genten);

impl Producer {
    pub(crate) async fn flush(&self, how: Flush) -> FlushReport {
        self.0.submitter().unwrap().flush(how).await.unwrap()
    }

    /// How many were proven, put off and failed.
    pub(crate) async fn prove(&self, how: Flush) -> (u64, u64, u64) {
        let certificates = self.flush(how).await.certificates;
        assert!(certificates.error.is_none() && !certificates.is_busy, "{certificates:?}");
        (certificates.proven, certificates.postponed, certificates.failed)
    }

    pub(crate) fn counts(&self) -> CertificateCounts {
        self.0.journal().unwrap().certificates().counts().unwrap()
    }

    pub(crate) fn stuck(&self) -> Vec<Certificate> {
        self.0.journal().unwrap().certificates().stuck(100).unwrap()
    }

    /// Why the only certificate that has met a difficulty is not proven.
    pub(crate) fn reason(&self) -> String {
        let [stuck] = <[_; 1]>::try_from(self.stuck()).unwrap();
        stuck.detail.unwrap()
    }

    /// When the next certificate is due.
    pub(crate) fn next_due(&self, now: Timestamp) -> Option<Timestamp> {
        self.0.journal().unwrap().certificates().next_due(now).unwrap()
    }
}
