//! The demo's upstreams: real HTTPS servers in this process, under an authority of their own.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use genten::store::Home;
use genten::{Genten, KeyRing, LogTarget};
use genten_fetch::Recorder;
use genten_testkit::{Answer, Authority, End, HttpsSite, Offer, TestkitError};

use super::REPORT_IT;
use crate::failure::{Done, Failure, write_file};

pub(super) const STANDARD: &str = "The demo standard\n\n\
    1. A fetch MUST be signed by whoever made it.\n\
    2. A reader MUST be able to check the signature without a network.\n\
    3. Nobody MUST be believed for more than was checked.\n";
pub(super) const LAW: &str =
    "Article 1. Every source has an origin.\nArticle 2. The origin is not changed by copying.\n";
pub(super) const CIRCULAR: &str =
    "<!doctype html><title>Circular 12</title><p>Copies are free of charge.</p>\n";

/// Everything that the demo talks to.
pub(super) struct World {
    pub(super) site: HttpsSite,
    /// A server whose certificate is for another host.
    pub(super) impostor: HttpsSite,
    /// A server that hangs up before the end of its answer.
    pub(super) broken: HttpsSite,
    authority: Authority,
}

impl World {
    pub(super) async fn start(dir: &Path) -> Done<Self> {
        let authority = Authority::new("Genten demo authority").map_err(failed)?;
        // As on the web: the root signs an issuer, the issuer signs servers, and servers send both.
        let issuer = authority.intermediate("Genten demo issuer").map_err(failed)?;
        let identity = issuer.issue_for("localhost").map_err(failed)?;
        let law = Answer::ok(gzip(LAW)?)
            .header("content-type", "text/plain; charset=utf-8")
            .header("content-encoding", "gzip")
            .header("etag", "\"rev-2026-04-01\"");
        let site = HttpsSite::builder()
            .identity(identity)
            .route(
                "/standard.txt",
                Answer::ok(STANDARD).header("content-type", "text/plain; charset=utf-8"),
            )
            .route("/laws/321?as-of=2026-04-01", law)
            .route("/circulars/12", Answer::redirect(301, "/archive/2026/12.html"))
            .route(
                "/archive/2026/12.html",
                Answer::ok(CIRCULAR).header("content-type", "text/html"),
            )
            .start()
            .await
            .map_err(failed)?;
        let identity = issuer.issue_for("localhost").map_err(failed)?;
        let half = format!("HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{STANDARD}");
        let broken = HttpsSite::builder()
            .identity(identity)
            .offer(Offer::Http1)
            .route("/standard.txt", Answer::raw(half, End::Clean))
            .start()
            .await
            .map_err(failed)?;
        let stranger = authority.issue_for("another-host.example").map_err(failed)?;
        let impostor = HttpsSite::builder()
            .identity(stranger)
            .route("/standard.txt", Answer::ok(STANDARD))
            .start()
            .await
            .map_err(failed)?;
        write_file(&dir.join("authority.pem"), authority.root_pem().as_bytes())?;
        Ok(Self { site, impostor, broken, authority })
    }

    /// A signer with a home and a log of its own that trusts the demo's authority for its connections.
    pub(super) fn genten(&self, home: &Path) -> Done<Genten> {
        let recorder = Recorder::builder().root_pem(self.authority.root_pem())?.build()?;
        let (content_key, _) = KeyRing::of(&Home::open(home)?).content_log_key("default")?;
        let builder = Genten::builder().home(home).recorder(recorder);
        Ok(builder.log(LogTarget::Home).content_log_key(content_key).build()?)
    }

    /// A certificate of another host, by the same authority.
    pub(super) fn other_chain(&self) -> Done<Vec<Vec<u8>>> {
        let identity = self.authority.issue_for("another-host.example").map_err(failed)?;
        Ok(identity.chain().to_vec())
    }
}

fn failed(error: TestkitError) -> Failure {
    Failure::coded("demo.world", &error, "The demo needs to open sockets on 127.0.0.1.")
}

fn gzip(text: &str) -> Done<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    written.map_err(|error| Failure::new(format!("gzip: {error}"), REPORT_IT))
}
