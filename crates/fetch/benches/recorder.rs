//! The recorder against plain reqwest with the same connection settings and a bare SHA-256 over the same bytes.
//!
//! Every fetch has a fresh TLS connection over loopback. Both take turns, fetch by fetch, so that a busy machine disturbs
//! both alike; a round compares the medians of its fetches, and the median of 11 rounds counts. The bar is 1.05.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use genten_fetch::{Alpn, Recorder, Request, Sink};
use genten_primitives::Sha256;
use genten_testkit::{Answer, Authority, Content, HttpsSite, Offer};
use rustls_pki_types::CertificateDer;

const ROUNDS: usize = 11;
const FETCHES: usize = 60;

fn main() {
    let authority = Authority::new("Bench Root").expect("a root");
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    for (alpn, offer) in [(Alpn::Http1, Offer::Http1), (Alpn::Http2, Offer::Http2)] {
        let address = serve(&authority, offer);
        for (name, path) in [("64 KiB", "/small"), ("1 MiB", "/large")] {
            let url = format!("https://localhost:{}{path}", address.port());
            let ratio = runtime.block_on(compare(&authority, alpn, &url));
            println!("{alpn:?} {name}: {ratio:.3}");
        }
    }
}

/// A site on a thread of its own.
fn serve(authority: &Authority, offer: Offer) -> SocketAddr {
    let piece = vec![7; 16 * 1024];
    let body =
        |times| Answer::status(200).content(Content::Repeated { piece: piece.clone(), times });
    let builder = HttpsSite::builder()
        .identity(authority.issue_for("localhost").expect("an identity"))
        .offer(offer)
        .route("/small", body(4))
        .route("/large", body(64));
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let site = builder.start().await.expect("a site");
            sender.send(site.address()).expect("a listener");
            std::future::pending::<()>().await;
        });
    });
    receiver.recv().expect("an address")
}

async fn compare(authority: &Authority, alpn: Alpn, url: &str) -> f64 {
    let recorder = Recorder::builder().root_pem(authority.root_pem()).expect("a root");
    let recorder = recorder.alpn(alpn).build().expect("a recorder");
    let client = plain_client(authority, alpn);
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let (mut recorded, mut plain) = (Vec::new(), Vec::new());
        for _ in 0..FETCHES {
            recorded.push(time_of(record(&recorder, url)).await);
            plain.push(time_of(get(&client, url)).await);
        }
        ratios.push(median(recorded).as_secs_f64() / median(plain).as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}

async fn time_of(fetch: impl Future<Output = ()>) -> Duration {
    let start = Instant::now();
    fetch.await;
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

async fn record(recorder: &Recorder, url: &str) {
    let exchange = recorder.fetch(Request::get(url), Sink::Discard).await.expect("an exchange");
    assert!(exchange.tls.is_some());
}

async fn get(client: &reqwest::Client, url: &str) {
    let mut response = client.get(url).send().await.expect("an answer");
    let mut hasher = Sha256::new();
    while let Some(chunk) = response.chunk().await.expect("a whole body") {
        hasher.update(&chunk);
    }
    std::hint::black_box(hasher.finish());
}

fn plain_client(authority: &Authority, alpn: Alpn) -> reqwest::Client {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    roots.add(CertificateDer::from_slice(authority.root_der())).expect("a root");
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.resumption = rustls::client::Resumption::disabled();
    let protocol = if alpn == Alpn::Http2 { &b"h2"[..] } else { b"http/1.1" };
    config.alpn_protocols = vec![protocol.to_vec()];
    reqwest::Client::builder()
        .tls_backend_preconfigured(config)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .pool_max_idle_per_host(0)
        .build()
        .expect("a client")
}
