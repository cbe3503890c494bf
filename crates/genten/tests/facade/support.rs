//! What the tests share: an authority, sites below it, a producer that trusts it, and a verifier that trusts the producer.

use std::path::Path;

use genten::fetch::{Recorder, RecorderBuilder};
use genten::jws::{Algorithm, LocalSigner, SecretKey};
use genten::manifest::{Claims, UnverifiedBundle};
use genten::primitives::Timestamp;
use genten::{Attested, Body, Genten, GentenBuilder, Policy, Report, Trust, Verifier};
use genten_testkit::{Answer, Authority, Clock, HttpsSite, Identity, SiteBuilder};

/// The time on every clock at the beginning.
pub(crate) const NOW: &str = "2026-11-30T08:15:00.250Z";

/// An authority, a host's identity under it, and a clock.
pub(crate) struct World {
    pub(crate) authority: Authority,
    pub(crate) identity: Identity,
    pub(crate) clock: Clock,
}

impl World {
    pub(crate) fn new() -> Self {
        let authority = Authority::new("Test Root").unwrap();
        let identity = authority.issue_for("localhost").unwrap();
        Self { authority, identity, clock: Clock::at(time(NOW)) }
    }

    /// A site for `localhost`.
    pub(crate) fn site(&self) -> SiteBuilder {
        HttpsSite::builder().identity(self.identity.clone())
    }

    /// A site with one answer for every request.
    pub(crate) async fn answering(&self, answer: Answer) -> HttpsSite {
        self.site().handler(move |_| answer.clone()).start().await.unwrap()
    }

    /// A recorder that trusts the authority and reads the clock.
    pub(crate) fn recorder(&self) -> RecorderBuilder {
        let clock = self.clock.clone();
        let builder = Recorder::builder().root_pem(self.authority.root_pem()).unwrap();
        builder.clock(move || clock.now())
    }

    /// A producer without signer and home.
    pub(crate) fn builder(&self) -> GentenBuilder {
        let clock = self.clock.clone();
        Genten::builder().recorder(self.recorder().build().unwrap()).clock(move || clock.now())
    }

    /// A producer that keeps nothing.
    pub(crate) fn genten(&self) -> Genten {
        self.builder().signer(signer(7)).build().unwrap()
    }

    /// A producer with a home, and a key in it.
    pub(crate) fn at_home(&self, home: &Path) -> Genten {
        self.builder().home(home).build().unwrap()
    }

    /// What a reader says who trusts the producer's key, under the policy `basic`.
    pub(crate) fn judge(&self, genten: &Genten, attested: &Attested, body: &[u8]) -> Report {
        self.judge_under("basic", genten, attested, body)
    }

    pub(crate) fn judge_under(
        &self,
        policy: &str,
        genten: &Genten,
        attested: &Attested,
        body: &[u8],
    ) -> Report {
        let policy = Policy::built_in(policy).or_else(|| Policy::read(policy).ok()).unwrap();
        verifier(genten, policy).verify_bytes(
            &attested.bundle().to_json(),
            &Body::of(body),
            self.clock.now(),
        )
    }
}

/// A reader who was given the producer's public key.
pub(crate) fn verifier(genten: &Genten, policy: Policy) -> Verifier {
    let trust = Trust { keys: vec![genten.public_key().clone()], ..Trust::default() };
    Verifier::new(trust, policy)
}

/// A policy that asks for this beside signature and signer.
pub(crate) fn policy_requiring(word: &str) -> String {
    let words = format!("[\"signature\", \"signer\", \"{word}\"]");
    format!("version = 1\nname = \"test\"\n[require]\ndefault = {words}\n")
}

/// Verdict and reason, such as `review class.local`.
pub(crate) fn verdict(report: &Report) -> String {
    let because = report.verdict.because().map_or("", |code| code.as_str());
    format!("{} {because}", report.verdict.as_str()).trim_end().to_owned()
}

/// The claims as somebody else reads them from the saved bundle.
pub(crate) fn read_back(attested: &Attested) -> Claims {
    let bundle = UnverifiedBundle::read(&attested.bundle().to_json()).unwrap();
    assert!(bundle.unknown_members().is_empty());
    bundle.manifest().claims().clone()
}

pub(crate) fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A key that is the same for the same number.
pub(crate) fn secret(number: u8) -> SecretKey {
    SecretKey::from_bytes(Algorithm::Es256, &[number; 32]).unwrap()
}

pub(crate) fn signer(number: u8) -> LocalSigner {
    LocalSigner::did_key(secret(number))
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Whether `secret` stands anywhere below a folder, in whatever file.
pub(crate) fn is_found_below(folder: &Path, secret: &str) -> bool {
    std::fs::read_dir(folder).unwrap().map(Result::unwrap).any(|item| {
        if item.file_type().unwrap().is_dir() {
            return is_found_below(&item.path(), secret);
        }
        let bytes = std::fs::read(item.path()).unwrap();
        bytes.windows(secret.len()).any(|window| window == secret.as_bytes())
    })
}
