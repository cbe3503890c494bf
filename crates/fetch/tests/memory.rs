//! Memory does not grow with the body. A process of its own, because it looks at the memory of the whole process.

#![cfg(target_os = "linux")]

use genten_fetch::{Alpn, Completeness, Recorder, Request, Sink};
use genten_testkit::{Answer, Authority, Content, Framing, HttpsSite, Offer};

const MIB: u64 = 1 << 20;

/// A line of `/proc/self/status` in bytes.
fn status(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Forgets the highest memory use so far.
fn reset_peak() -> bool {
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// A server that answers a request for one KiB with 289 MB, without length or validator. The whole is recorded as
/// the whole, in constant memory; the server in the same process has to share the allowance.
#[tokio::test]
async fn a_large_body_in_constant_memory() {
    let authority = Authority::new("Test Root").unwrap();
    let large = Content::Repeated { piece: vec![7; 64 * 1024], times: 289 * 16 };
    for (alpn, offer) in [(Alpn::Http1, Offer::Http1), (Alpn::Http2, Offer::Http2)] {
        let answer =
            Answer::status(200).content(large.clone()).framing(Framing::Chunked(64 * 1024));
        let site = HttpsSite::builder()
            .identity(authority.issue_for("localhost").unwrap())
            .offer(offer)
            .route("/large", answer)
            .handler(|_| Answer::ok("small"))
            .start()
            .await
            .unwrap();
        let builder = Recorder::builder().root_pem(authority.root_pem()).unwrap();
        let recorder = builder.alpn(alpn).build().unwrap();
        recorder.fetch(Request::get(site.url("/small")), Sink::Discard).await.unwrap();
        let (Some(idle), true) = (status("VmRSS:"), reset_peak()) else {
            return eprintln!("SKIPPED: this system does not tell its memory use");
        };
        let folder = tempfile::tempdir().unwrap();
        let sink = Sink::File(folder.path().join("large"));
        let request = Request::get(site.url("/large")).range(0..=1023);
        let exchange = recorder.fetch(request, sink).await.unwrap();
        assert_eq!((exchange.status, exchange.content_bytes), (200, 289 * MIB));
        assert_eq!((exchange.completeness, exchange.range), (Completeness::Complete, None));
        let grown = status("VmHWM:").unwrap().saturating_sub(idle);
        assert!(grown <= 16 * MIB, "{alpn:?}: grown by {grown} bytes");
        eprintln!("{alpn:?}: 289 MiB in {} KiB above idle", grown / 1024);
    }
}
