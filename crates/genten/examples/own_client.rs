//! A fetch by an HTTP client of your own, signed as reported. Here the client is a bare socket of the standard library; run
//! it with `cargo run -p genten --example own_client`.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::SystemTime;

use genten::jws::{Algorithm, LocalSigner, SecretKey};
use genten::manifest::{Capture, Http};
use genten::primitives::{Sha256Digest, Timestamp};
use genten::{Body, Facts, Genten, Policy, Trust, Verdict, Verifier};
use genten_testkit::{Answer, HttpsSite};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let answer = Answer::ok("Article 1.\n").header("content-type", "text/plain");
    let site = HttpsSite::builder().route("/law?id=1", answer).start().await?;

    // Fetch with the own client, and note the time when the last byte came.
    let response = get(site.address(), "/law?id=1")?;
    let received_at = now()?;

    // Tell the facts. What is not known is left out.
    let url = site.url("/law?id=1").parse()?;
    let digest = Sha256Digest::of(&response.body);
    let mut facts = Facts::new(url, received_at, digest, Some(response.body.len() as u64));
    facts.http = Some(Http {
        media_type: response.media_type.map(|text| text.parse()).transpose()?,
        ..Http::with_status(response.status)
    });

    let key = SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32])?; // yours comes from a safe place
    let genten = Genten::builder().signer(LocalSigner::did_key(key)).build()?;
    let attested = genten.attest(&facts).await?;
    let claims = &attested.manifest.claims;
    assert_eq!(claims.capture, Some(Capture::Reported));

    let trust = Trust { keys: vec![genten.public_key().clone()], ..Trust::default() };
    let verifier = Verifier::new(trust, Policy::built_in("basic").ok_or("no such policy")?);
    let bundle = attested.bundle().to_json();
    let report = verifier.verify_bytes(&bundle, &Body::of(&response.body), now()?);
    assert_eq!(report.verdict, Verdict::Accept);
    println!("{}: {}, as {}", claims.source_url, report.verdict.as_str(), report.basis.as_str());
    Ok(())
}

struct Response {
    status: u16,
    media_type: Option<String>,
    body: Vec<u8>,
}

/// As little HTTP/1.1 as will do. It asks for `identity`, so that the body is the bytes as stored.
fn get(address: SocketAddr, target: &str) -> Result<Response, Box<dyn Error>> {
    let mut stream = TcpStream::connect(address)?;
    let ask = "accept-encoding: identity\r\nconnection: close";
    write!(stream, "GET {target} HTTP/1.1\r\nhost: {address}\r\n{ask}\r\n\r\n")?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").ok_or("no end of head")?;
    let head = std::str::from_utf8(&bytes[..end])?;
    let status = head.split(' ').nth(1).ok_or("no status")?.parse()?;
    let media_type = head.lines().find_map(|line| line.strip_prefix("content-type: "));
    let media_type = media_type.map(ToOwned::to_owned);
    Ok(Response { status, media_type, body: bytes[end + 4..].to_vec() })
}

fn now() -> Result<Timestamp, Box<dyn Error>> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    Timestamp::from_millis(i64::try_from(since.as_millis())?)
        .ok_or_else(|| "a clock that cannot be".into())
}
