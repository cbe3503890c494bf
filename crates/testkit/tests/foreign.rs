//! The testkit against tools of other makers: what it makes must be real to them.
//!
//! A test says that it skipped when its tool (`curl`, `openssl`) is not installed.

#![cfg(all(unix, feature = "net"))]
#![expect(clippy::unwrap_used, reason = "a helper of a test may panic like the test")]

use std::process::{Command, Output};

use genten_primitives::key::pem;
use genten_testkit::log::TestLog;
use genten_testkit::tsa::Tsa;
use genten_testkit::{
    Answer, Authority, Clock, Content, Framing, HttpsSite, KeyKind, Leaf, LogServer, NetFault,
    Offer, SeedKey, TsaServer, WriteFault,
};

/// Runs a tool; `None` when it is not installed.
async fn run(command: &mut Command) -> Option<Output> {
    let name = command.get_program().to_owned();
    let mut command = std::mem::replace(command, Command::new(""));
    let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap();
    if output.is_err() {
        eprintln!("SKIPPED: {name:?} is not installed");
    }
    output.ok()
}

#[tokio::test]
async fn openssl_accepts_the_chains() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let root = Authority::new("Test Root").unwrap();
    let below = root.intermediate("Test Intermediate").unwrap();
    let lists = [vec![0, 3, 0, 1, 7], vec![7; 200], vec![7; 70_000]];
    for (kind, list) in
        [KeyKind::EcdsaP256, KeyKind::Rsa2048, KeyKind::EcdsaP256].into_iter().zip(lists)
    {
        let leaf = Leaf::new(["localhost", "127.0.0.1"]).key(kind).sct_list(list);
        let identity = below.issue(&leaf).unwrap();
        std::fs::write(path("root.pem"), root.root_pem()).unwrap();
        std::fs::write(path("leaf.pem"), identity.leaf_pem()).unwrap();
        std::fs::write(path("below.der"), &identity.chain()[1]).unwrap();
        let mut convert = Command::new("openssl");
        convert.args(["x509", "-inform", "DER", "-in"]).arg(path("below.der"));
        let Some(output) = run(convert.arg("-out").arg(path("below.pem"))).await else { return };
        assert!(output.status.success(), "{output:?}");
        let mut verify = Command::new("openssl");
        verify.arg("verify").arg("-CAfile").arg(path("root.pem"));
        verify.arg("-untrusted").arg(path("below.pem")).arg(path("leaf.pem"));
        let Some(output) = run(&mut verify).await else { return };
        assert!(output.status.success(), "{output:?}");
    }
}

#[tokio::test]
async fn curl_gets_what_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let root = Authority::new("Test Root").unwrap();
    let pem = folder.path().join("root.pem");
    std::fs::write(&pem, root.root_pem()).unwrap();
    let body = vec![7; 100_000];
    for (offer, version) in [(Offer::Http1, "1.1"), (Offer::Http2, "2")] {
        for framing in [Framing::Length, Framing::Chunked(999), Framing::Close] {
            let content = Content::Repeated { piece: vec![7; 10_000], times: 10 };
            let site = HttpsSite::builder()
                .identity(root.issue_for("localhost").unwrap())
                .offer(offer)
                .route("/old", Answer::redirect(302, "/new?x"))
                .route("/new?x", Answer::status(200).content(content).framing(framing))
                .start()
                .await
                .unwrap();
            let mut curl = Command::new("curl");
            curl.args(["-sSL", "--data", "q=1", "-w", "%{stderr}%{http_version}", "--cacert"]);
            let Some(output) = run(curl.arg(&pem).arg(site.url("/old"))).await else { return };
            assert!(output.status.success(), "{output:?}");
            assert_eq!(output.stdout, body);
            assert_eq!(String::from_utf8_lossy(&output.stderr), version);
            let seen = site.seen();
            assert_eq!((seen[0].method.as_str(), &seen[0].body[..]), ("POST", &b"q=1"[..]));
            assert_eq!((seen[1].method.as_str(), seen[1].target.as_str()), ("GET", "/new?x"));
        }
    }
}

#[tokio::test]
async fn curl_logs_an_entry_over_tls() {
    let folder = tempfile::tempdir().unwrap();
    let root = Authority::new("Test Root").unwrap();
    let (pem, body) = (folder.path().join("root.pem"), folder.path().join("body"));
    std::fs::write(&pem, root.root_pem()).unwrap();
    let server = LogServer::builder(TestLog::empty("log.example"))
        .identity(root.issue_for("localhost").unwrap())
        .start()
        .await
        .unwrap();
    std::fs::write(&body, SeedKey::es256("signer").rekord(b"message").to_request()).unwrap();
    for (fault, status, is_whole) in [
        (WriteFault::Net(NetFault::Reset), "000", false),
        (WriteFault::Net(NetFault::CutInAnswer), "201", false),
        (WriteFault::Honest, "409", true),
    ] {
        server.writes().next([fault]);
        let mut curl = Command::new("curl");
        curl.args(["-sS", "-o", "/dev/null", "-w", "%{http_code}", "--data-binary"]);
        curl.arg(format!("@{}", body.display())).arg("--cacert").arg(&pem);
        let url = format!("{}/api/v2/log/entries", server.url());
        let Some(output) = run(curl.arg(url)).await else { return };
        assert_eq!(String::from_utf8_lossy(&output.stdout), status);
        assert_eq!(output.status.success(), is_whole, "{output:?}");
    }
    assert_eq!((server.posts(), server.with_log(TestLog::len)), (3, 1));
}

#[tokio::test]
async fn openssl_asks_for_a_stamp_and_accepts_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let clock = Clock::at("2026-11-30T08:00:00Z".parse().unwrap());
    let server = TsaServer::start(Tsa::new("Example TSA"), clock).await.unwrap();
    std::fs::write(path("data"), "signature").unwrap();
    let certificate = path("leaf.pem");
    for (name, der) in ["leaf.pem", "root.pem"].iter().zip(server.tsa().certificates()) {
        std::fs::write(path(name), pem::encode("CERTIFICATE", der)).unwrap();
    }
    let mut query = Command::new("openssl");
    query.args(["ts", "-query", "-sha256", "-cert", "-data"]).arg(path("data"));
    let Some(output) = run(query.arg("-out").arg(path("query"))).await else { return };
    assert!(output.status.success(), "{output:?}");
    let mut curl = Command::new("curl");
    curl.args(["-sS", "-H", "content-type: application/timestamp-query", "--data-binary"]);
    curl.arg(format!("@{}", path("query").display())).arg("-o").arg(path("reply"));
    let Some(output) = run(curl.arg(server.url())).await else { return };
    assert!(output.status.success(), "{output:?}");
    let mut verify = Command::new("openssl");
    verify.args(["ts", "-verify", "-attime", "1796025600", "-in"]).arg(path("reply"));
    verify.arg("-queryfile").arg(path("query")).arg("-CAfile").arg(path("root.pem"));
    let Some(output) = run(verify.arg("-untrusted").arg(certificate)).await else { return };
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_clock_stands_still_until_it_is_moved() {
    let clock = Clock::at("2026-11-30T08:00:00Z".parse().unwrap());
    let same = clock.clone();
    assert_eq!(clock.now(), same.now());
    same.advance_millis(-3_600_000);
    assert_eq!(clock.now().to_string(), "2026-11-30T07:00:00.000Z");
    clock.advance_millis(i64::MAX);
    assert_eq!(clock.now().to_string(), "2026-11-30T07:00:00.000Z");
}
