//! What logging costs: on an answer, for ten thousand manifests, and for whoever follows a log.
//!
//! `cargo bench -p genten --bench logging`; the log that is followed stays in `GENTEN_BENCH_HOME`, if that names a folder, so that
//! the memory of a process that follows it can be measured.

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a bench that cannot go on should panic"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use genten::jws::{Algorithm, ContentLogKey, ContentLogSigner as _, SecretKey};
use genten::rekor::Begin;
use genten::store::{Durability, Home};
use genten::{
    Body, Facts, Flush, Following, Genten, KeyRing, LogTarget, Policy, Trust, TrustKit, Verifier,
    follow, home_log,
};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_tlog::rekor::HashedRekord;

/// Manifests that are logged together.
const MANIFESTS: usize = 10_000;

/// Answers whose time is taken, of each kind.
const ANSWERS: usize = 4_000;

/// Entries of the log that is followed.
const ENTRIES: usize = 70_000;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        answers().await;
        batch().await;
        following().await;
    });
}

fn now() -> Timestamp {
    Timestamp::from_system_time(std::time::SystemTime::now()).unwrap()
}

fn genten(folder: &Path, log: bool) -> Genten {
    let builder = Genten::builder().home(folder);
    if !log {
        return builder.build().unwrap();
    }
    let (key, _) = KeyRing::of(&Home::open(folder).unwrap()).content_log_key("default").unwrap();
    builder.log(LogTarget::Home).content_log_key(key).build().unwrap()
}

fn facts(number: usize) -> (Facts, Vec<u8>) {
    let body = format!("document {number}").into_bytes();
    let url = format!("https://law.example/documents/{number}");
    (Facts::of_body(&url, &now().to_string(), &body).unwrap(), body)
}

/// The time of signing and recording an answer, with and without a log, taking turns.
async fn answers() {
    let folder = tempfile::tempdir().unwrap();
    let plain = genten(&folder.path().join("plain"), false);
    let logging = genten(&folder.path().join("logging"), true);
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for number in 0..ANSWERS {
        let (mut facts, _) = facts(number);
        // Every other one is of the costlier kind, with two entries of its own.
        if number % 2 == 0 {
            facts.terms.class = Some(genten::manifest::SourceClass::Static);
        }
        for (genten, times) in [(&plain, &mut without), (&logging, &mut with)] {
            let start = Instant::now();
            genten.attest(&facts).await.unwrap();
            times.push(start.elapsed());
        }
    }
    let [plain, logged] = [&mut without, &mut with].map(|times| at(times, 99));
    println!("an answer, 99 of 100 within: {plain:?} without a log, {logged:?} with one");
    println!("overhead of the outbox, p99: {:?}", logged.saturating_sub(plain));
}

fn at(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times[times.len() * percent / 100]
}

/// From facts to bundles that hold their proof, through one entry of the home's own log; then all of them verified.
async fn batch() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let genten = genten(&home, true);
    let start = Instant::now();
    let mut bodies = Vec::new();
    for number in 0..MANIFESTS {
        let (facts, body) = facts(number);
        let attested = genten.attest(&facts).await.unwrap();
        let bundle = folder.path().join(format!("{number}.provenance.json"));
        std::fs::write(&bundle, attested.bundle().to_json()).unwrap();
        genten.journal().unwrap().update_bundle_path(&attested.manifest_id, &bundle).unwrap();
        bodies.push(body);
    }
    let signed = start.elapsed();
    let report = genten.submitter().unwrap().flush(Flush::All).await.unwrap();
    let logged = start.elapsed();
    assert_eq!((report.logged(), report.completed), (1, MANIFESTS as u64));
    let verifier = verifier(&genten);
    for (number, body) in bodies.iter().enumerate() {
        let bundle =
            std::fs::read(folder.path().join(format!("{number}.provenance.json"))).unwrap();
        let report = verifier.verify_bytes(&bundle, &Body::of(body), now());
        assert_eq!(report.verdict.as_str(), "accept");
    }
    println!("{MANIFESTS} manifests, one log entry:");
    println!("  signed and saved {signed:?}, logged and completed {:?}", logged - signed);
    println!("  verified {:?}", start.elapsed() - logged);
}

fn verifier(genten: &Genten) -> Verifier {
    let log = home_log(genten.home().unwrap()).unwrap();
    let policies = format!("log {}\\nquorum none\\n", log.folder().key().to_vkey());
    let kit = format!(
        r#"{{"media_type":"{}","signers":[{{"key_id":"{}","public_key":{},"status":"active"}}],"tlog_policies":["{policies}"]}}"#,
        genten::verify::kit::KIT_MEDIA_TYPE,
        genten.key_id(),
        genten.public_key().to_jwk(),
    );
    let kit = TrustKit::read(kit.as_bytes()).unwrap();
    let policy = "version = 1\nname = \"bench\"\n[require]\n\
        default = [\"signature\", \"signer\", \"content\", \"log\"]\n";
    Verifier::new(Trust { kit, ..Trust::default() }, Policy::read(policy).unwrap())
}

/// Entries by a key that nobody watches.
fn entries() -> Vec<Vec<u8>> {
    let key = SecretKey::from_bytes(Algorithm::Es256, &[7; 32]).unwrap();
    let key = ContentLogKey::new(key).unwrap();
    let entry = |number: usize| {
        let digest = Sha256Digest::of(&number.to_be_bytes());
        let der = key.sign_prehash(&digest).unwrap().to_der().unwrap();
        HashedRekord::new(digest.as_bytes(), &der, key.public_key()).unwrap().to_body()
    };
    (0..ENTRIES).map(entry).collect()
}

/// A log of entries that a monitor has never seen, read from its folder.
async fn following() {
    let folder = tempfile::tempdir().unwrap();
    let place = std::env::var_os("GENTEN_BENCH_HOME").map(PathBuf::from);
    let home = Home::open(place.unwrap_or_else(|| folder.path().join("home"))).unwrap();
    let log = home_log(&home).unwrap();
    let mut writer = log.lock(None).unwrap();
    for some in entries().chunks(10_000) {
        writer.append(some).unwrap();
    }
    drop(writer);
    let journal = home.journal(Durability::Full).unwrap();
    let begin = Some(Begin::FirstEntry);
    let following = Following { log: LogTarget::Home, keys: Vec::new(), begin };
    let start = Instant::now();
    let followed = follow(&home, &journal, &following, now(), &mut |_, _| {}).await.unwrap();
    let rate = ENTRIES as f64 / start.elapsed().as_secs_f64();
    assert_eq!(followed.report.unwrap().tally.entries, ENTRIES as u64);
    println!("{ENTRIES} entries of a folder followed: {rate:.0} a second");
}
