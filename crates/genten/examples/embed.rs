//! Fetch, sign, save, verify: what a program does that embeds the library. The website is one on this machine, so that the
//! example needs no network; run it with `cargo run -p genten --example embed`.

use std::error::Error;
use std::time::SystemTime;

use genten::fetch::Recorder;
use genten::primitives::Timestamp;
use genten::verify::TrustedSigner;
use genten::{Body, Genten, Policy, Trust, Verdict, Verifier};
use genten_testkit::{Answer, Authority, HttpsSite};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (site, recorder) = website().await?;
    let folder = tempfile::tempdir()?;

    // The producer: one object for the whole program. The key is made where there is none.
    let genten = Genten::builder().home(folder.path().join("home")).recorder(recorder).build()?;
    let attested = genten.fetch(site.url("/rfc/rfc8890.txt")).await?;
    let file = folder.path().join("rfc8890.txt");
    std::fs::write(&file, attested.body().unwrap_or_default())?;
    std::fs::write(file.with_extension("txt.provenance.json"), attested.bundle().to_json())?;

    // The reader: knows the producer's id, which contains the key, and has the two files. No network.
    let signer = TrustedSigner::new(genten.key_id().as_str())?;
    let trust = Trust { signers: vec![signer], ..Trust::default() };
    let verifier = Verifier::new(trust, Policy::built_in("basic").ok_or("no such policy")?);
    let bundle = std::fs::read(file.with_extension("txt.provenance.json"))?;
    let body = std::fs::read(&file)?;
    let report = verifier.verify_bytes(&bundle, &Body::of(&body), now()?);
    assert_eq!(report.verdict, Verdict::Accept);
    let changed = verifier.verify_bytes(&bundle, &Body::of(b"something else"), now()?);
    assert!(matches!(changed.verdict, Verdict::Reject { .. }));

    println!("{}: {}", attested.manifest.claims.source_url, report.verdict.as_str());
    Ok(())
}

fn now() -> Result<Timestamp, Box<dyn Error>> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
    Timestamp::from_millis(i64::try_from(since.as_millis())?)
        .ok_or_else(|| "a clock that cannot be".into())
}

/// A website with an authority of its own, and a recorder that trusts it. On the web the default recorder will do.
async fn website() -> Result<(HttpsSite, Recorder), Box<dyn Error>> {
    let authority = Authority::new("Example Root")?;
    let site = HttpsSite::builder()
        .identity(authority.issue_for("localhost")?)
        .route("/rfc/rfc8890.txt", Answer::ok("The Internet is for End Users\n"))
        .start()
        .await?;
    Ok((site, Recorder::builder().root_pem(authority.root_pem())?.build()?))
}
