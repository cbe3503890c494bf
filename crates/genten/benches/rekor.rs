//! Against a real Rekor v2 log: ten thousand manifests through one batch entry, and single entries with 64 under way, beside a
//! plain loop of 64 connections that posts the same kind of bodies.
//!
//! `scripts/check-speed rekor` starts the log and runs this with the file that describes it in `GENTEN_BENCH_LOG`, and the URL
//! in `GENTEN_BENCH_URL`.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on should panic")]

use std::path::Path;
use std::time::{Duration, Instant};

use genten::store::Home;
use genten::{Alone, Facts, Flush, Genten, KeyRing, LogRules, LogTarget};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_tlog::rekor::HashedRekord;

/// Manifests in one batch.
const MANIFESTS: usize = 10_000;

/// Entries of each turn of the comparison, and its turns.
const SINGLES: usize = 640;
const TURNS: usize = 11;

/// Requests at a time.
const PARALLEL: usize = 64;

fn main() {
    let (Ok(file), Ok(url)) =
        (std::env::var("GENTEN_BENCH_LOG"), std::env::var("GENTEN_BENCH_URL"))
    else {
        return println!("skipped: no real log; `scripts/check-speed rekor` starts one");
    };
    // The plain client of the comparison asks for one, although it speaks no TLS here.
    rustls::crypto::aws_lc_rs::default_provider().install_default().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        batch(&file).await;
        singles(&file, &url).await;
    });
}

fn now() -> Timestamp {
    Timestamp::from_system_time(std::time::SystemTime::now()).unwrap()
}

fn genten(folder: &Path, file: &str, alone: Alone) -> Genten {
    let (key, _) = KeyRing::of(&Home::open(folder).unwrap()).content_log_key("default").unwrap();
    let rules = LogRules { alone, ..LogRules::default() };
    let builder = Genten::builder().home(folder).log(LogTarget::file(file).unwrap());
    builder.log_rules(rules).content_log_key(key).build().unwrap()
}

async fn attest(genten: &Genten, count: usize) {
    for number in 0..count {
        let url = format!("https://law.example/documents/{number}");
        let facts = Facts::of_body(&url, &now().to_string(), number.to_string().as_bytes());
        genten.attest(&facts.unwrap()).await.unwrap();
    }
}

async fn batch(file: &str) {
    let folder = tempfile::tempdir().unwrap();
    let genten = genten(folder.path(), file, Alone::None);
    let start = Instant::now();
    for number in 0..MANIFESTS {
        let url = format!("https://law.example/documents/{number}");
        let facts = Facts::of_body(&url, &now().to_string(), number.to_string().as_bytes());
        let attested = genten.attest(&facts.unwrap()).await.unwrap();
        let bundle = folder.path().join(format!("{number}.provenance.json"));
        std::fs::write(&bundle, attested.bundle().to_json()).unwrap();
        genten.journal().unwrap().update_bundle_path(&attested.manifest_id, &bundle).unwrap();
    }
    let signed = start.elapsed();
    let report = genten.submitter().unwrap().flush(Flush::All).await.unwrap();
    assert_eq!((report.logged(), report.completed), (1, MANIFESTS as u64), "{report:?}");
    println!("{MANIFESTS} manifests signed and saved: {signed:?}");
    println!("logged by one entry, bundles completed: {:?}", start.elapsed() - signed);
}

async fn singles(file: &str, url: &str) {
    let mut ratios = Vec::new();
    for turn in 0..TURNS {
        let folder = tempfile::tempdir().unwrap();
        let genten = genten(folder.path(), file, Alone::All);
        attest(&genten, SINGLES).await;
        let start = Instant::now();
        let report = genten.submitter().unwrap().flush(Flush::All).await.unwrap();
        assert_eq!(report.logged(), SINGLES as u64, "{report:?}");
        let ours = start.elapsed();
        let plain = plain_loop(url, &bodies(turn)).await;
        ratios.push(plain.as_secs_f64() / ours.as_secs_f64());
        println!(
            "{SINGLES} single entries, {PARALLEL} at a time: {ours:?}, a plain loop {plain:?}"
        );
    }
    ratios.sort_by(f64::total_cmp);
    println!("single entries, times the plain loop: {:.2}", ratios[TURNS / 2]);
}

/// Requests that the log takes, different ones in each turn.
fn bodies(turn: usize) -> Vec<Vec<u8>> {
    use genten::jws::{Algorithm, ContentLogKey, ContentLogSigner as _, SecretKey};
    let seed = Sha256Digest::of(format!("{turn} {:?}", Instant::now()).as_bytes());
    let key = SecretKey::from_bytes(Algorithm::Es256, seed.as_bytes()).unwrap();
    let key = ContentLogKey::new(key).unwrap();
    let body = |number: usize| {
        let digest = Sha256Digest::of(&number.to_be_bytes());
        let der = key.sign_prehash(&digest).unwrap().to_der().unwrap();
        HashedRekord::new(digest.as_bytes(), &der, key.public_key()).unwrap().to_request()
    };
    (0..SINGLES).map(body).collect()
}

/// Each connection posts its share, one after the other, and looks at nothing but the status.
async fn plain_loop(url: &str, bodies: &[Vec<u8>]) -> Duration {
    let url = format!("{url}/api/v2/log/entries");
    let start = Instant::now();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let share = bodies.len().div_ceil(PARALLEL);
    let posts = bodies.chunks(share).map(|bodies| {
        let (client, url, bodies) = (client.clone(), url.clone(), bodies.to_vec());
        tokio::spawn(async move {
            for body in bodies {
                let request = client.post(&url).header("content-type", "application/json");
                let answer = request.body(body).send().await.unwrap();
                assert_eq!(answer.status().as_u16(), 201);
                answer.bytes().await.unwrap();
            }
        })
    });
    for post in posts.collect::<Vec<_>>() {
        post.await.unwrap();
    }
    start.elapsed()
}
