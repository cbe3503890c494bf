//! What a log refuses (400): our client says why before it sends, since the log gives no reason. What only the log can know
//! is kept, and sent again when it has been settled.

use std::error::Error;

use genten_jws::{Algorithm, ContentLogKey, ContentLogSigner as _};
use genten_primitives::Sha256Digest;
use genten_primitives::key::KeyDetails;
use genten_rekor::{LogEndpoint, LogHttp, RekorClient};
use genten_tlog::rekor::{HashedRekord, LoggedKey};

use super::expect;
use crate::Outcome;
use crate::peers::http;
use crate::peers::log_server::LogServer;
use crate::peers::stage::Stage;
use crate::peers::world::secret;

pub(super) fn play(stage: &Stage<'_>) -> Outcome {
    let mut log = stage.log()?;
    log.start(&[])?;
    for (code, status, rekord) in unloggable()? {
        refused_by_both(&log, code, status, &rekord)?;
    }
    altered(stage, &log)?;
    expect("entries in the log", log.size()?, 0)?;
    settled(stage, &mut log)
}

/// What our client says, what status the log answers, and of which entry.
type Unloggable = (&'static str, u16, HashedRekord);

/// Entries that no log takes. Pure Ed25519 makes this version of the server stumble.
fn unloggable() -> Result<[Unloggable; 5], Box<dyn Error>> {
    let key = ContentLogKey::new(secret(Algorithm::Es256, "content log"))?;
    let digest = Sha256Digest::of(b"a document");
    let signature = key.sign_prehash(&digest)?.to_der().ok_or("no ECDSA signature")?;
    let good = HashedRekord::new(digest.as_bytes(), &signature, key.public_key());
    let good = good.ok_or("logs take P-256 keys")?;
    let other = Sha256Digest::of(b"another document").as_bytes().to_vec();
    let ed25519 = secret(Algorithm::EdDsa, "content log").public_key().to_spki_der().to_vec();
    let large = LoggedKey::Certificate(vec![0; 60_000]);
    let by_key = |key| HashedRekord { key, ..good.clone() };
    let pure = HashedRekord {
        details: KeyDetails::Ed25519,
        signature: vec![1; 64],
        ..by_key(LoggedKey::PublicKey(ed25519))
    };
    Ok([
        ("rekor.unloggable.signature", 400, HashedRekord { digest: other, ..good.clone() }),
        (
            "rekor.unloggable.digest-length",
            400,
            HashedRekord { digest: vec![1; 20], ..good.clone() },
        ),
        ("rekor.unloggable.pure-ed25519", 500, pure),
        ("rekor.unloggable.key", 400, by_key(LoggedKey::PublicKey(vec![1; 40]))),
        ("rekor.unloggable.too-large", 400, by_key(large)),
    ])
}

/// Our client gives the reason and sends nothing; the log, asked all the same, refuses without one.
fn refused_by_both(log: &LogServer<'_>, code: &str, status: u16, rekord: &HashedRekord) -> Outcome {
    let endpoint = LogEndpoint::new(log.key())?.write_to(log.url().parse()?);
    let client = RekorClient::new(LogHttp::builder().build()?, endpoint);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let error = runtime.block_on(client.submit(rekord)).err().ok_or("it was accepted")?;
    expect("our client says", error.code(), code)?;
    let path = "/api/v2/log/entries";
    let answer = http::send("POST", log.port(), path, "application/json", &rekord.to_request())?;
    let words = String::from_utf8_lossy(&answer.body).into_owned();
    eprintln!("{code} ({error}): the log says {} {words}", answer.status);
    expect("the log's status", answer.status, status)
}

/// A manifest whose signature does not hold is not even queued.
fn altered(stage: &Stage<'_>, log: &LogServer<'_>) -> Outcome {
    let user = stage.user("careless")?;
    user.describe(log, "")?;
    user.sign("law.txt", "--log none")?;
    let bundle = std::fs::read_to_string(user.path("law.txt.provenance.json"))?;
    user.write("altered.json", bundle.replace("static.genten.example", "static.genten.invalid"))?;
    let words = user.refused("log submit altered.json --log log.toml")?;
    eprintln!("an altered manifest: {}", words.lines().next().unwrap_or_default());
    expect("what is queued", user.genten("log status")?.trim(), "nothing was ever queued for a log")
}

/// A log whose operator allows Ed25519ph only refuses what other logs take.
fn settled(stage: &Stage<'_>, log: &mut LogServer<'_>) -> Outcome {
    log.start(&["--client-signing-algorithms=ed25519-ph"])?;
    let user = stage.user("patient")?;
    user.describe(log, "")?;
    user.sign("law.txt", "--class static --log log.toml")?;
    expect("refused entries", user.status()?.count("rejected"), 2)?;
    expect("why", user.status()?.reason(), "rekor.submit.rejected")?;
    log.start(&[])?;
    user.refused("log flush")?;
    expect("what was refused is not sent again by itself", user.status()?.count("rejected"), 2)?;
    user.genten("log flush --rejected")?;
    user.trust(&[&log.key().to_vkey()])?;
    user.accepts("law.txt.provenance.json", &["log", "log.content"]).map(drop)
}
