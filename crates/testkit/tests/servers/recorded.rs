//! Against the answers of a real server (rekor-tiles v2.3.0, `write-api.json`).

use genten_primitives::encoding::base64;
use genten_primitives::json::{self, Limits};
use genten_testkit::log::TestLog;
use genten_testkit::{CertificateSpec, Issuer, LogServer, SeedKey};
use genten_tlog::rekor::{HashedRekord, LoggedKey};
use serde_json::Value;

use crate::client::{Reply, request};
use crate::logged::{send, server, submit};

const RECORDED: &str = include_str!("write-api.json");

fn exchanges() -> Vec<Value> {
    serde_json::from_str(RECORDED).unwrap()
}

/// The bodies as they were sent: by Python on one line, with spaces behind colons and commas.
fn bodies() -> Vec<Vec<u8>> {
    let document = json::read(RECORDED.as_bytes(), Limits::bytes(1 << 20)).unwrap();
    let exchanges = document.root().items().unwrap();
    let requests = exchanges.filter_map(|exchange| {
        let is_large = exchange.get("name")?.as_str()? == "too-large";
        let request = exchange.get("request")?;
        Some(match request.get("raw") {
            Some(_) if is_large => vec![b'x'; (4 << 20) + 1],
            Some(raw) => raw.as_str()?.as_bytes().to_vec(),
            None => on_one_line(request.raw_text()).into_bytes(),
        })
    });
    requests.collect()
}

fn on_one_line(json: &str) -> String {
    json.lines().map(str::trim).collect::<String>().replace(",\"", ", \"")
}

/// The recorded text, with the id and the signature of our own log.
fn ours(recorded: &str, reply: &Reply) -> String {
    let theirs: Value = serde_json::from_str(recorded).unwrap();
    let ours: Value = serde_json::from_slice(&reply.body).unwrap();
    let parts = own_parts(&theirs).into_iter().zip(own_parts(&ours));
    parts.fold(recorded.to_owned(), |text, (theirs, ours)| text.replace(&theirs, &ours))
}

/// The id of the log and the signature of its checkpoint, if it is an entry.
fn own_parts(answer: &Value) -> Vec<String> {
    let id = answer["logId"]["keyId"].as_str();
    let note = answer["inclusionProof"]["checkpoint"]["envelope"].as_str();
    let signature = note.and_then(|note| note.trim_end().rsplit(' ').next());
    [id, signature].into_iter().flatten().map(str::to_owned).collect()
}

#[tokio::test]
async fn the_answers_to_writes_are_those_of_a_real_server() {
    let server = LogServer::start(TestLog::empty("rekor-local")).await.unwrap();
    let mut compared = 0;
    for (exchange, body) in exchanges().iter().zip(bodies()) {
        let reply = send(&server, &body).await.unwrap();
        let name = &exchange["name"];
        assert_eq!(Value::from(reply.status), exchange["status"], "{name}");
        assert_eq!(reply.text(), ours(exchange["body"].as_str().unwrap(), &reply), "{name}");
        let recorded = exchange["headers"].as_object().unwrap();
        let mut headers: Vec<_> =
            recorded.iter().map(|(name, value)| (&**name, value.as_str().unwrap())).collect();
        let mut ours = reply.headers();
        headers.sort_unstable();
        ours.sort_unstable();
        assert_eq!(ours, headers, "{name}");
        compared += 1;
    }
    assert_eq!(compared, 14);
}

#[tokio::test]
async fn a_host_that_is_not_read_says_so_as_a_real_server_does() {
    let log = TestLog::empty("rekor-local");
    let server = LogServer::builder(log).reads_elsewhere().start().await.unwrap();
    let mut compared = 0;
    for exchange in exchanges() {
        let name = exchange["name"].as_str().unwrap();
        let Some(path) = name.strip_prefix("GET ") else { continue };
        let reply = request("GET", &format!("{}{path}", server.url()), b"").await.unwrap();
        assert_eq!(Value::from(reply.status), exchange["status"], "{name}");
        assert_eq!(reply.text(), exchange["body"], "{name}");
        compared += 1;
    }
    assert_eq!(compared, 4);
}

#[tokio::test]
async fn names_with_underscores_mean_the_same() {
    let server = server().await;
    let rekord = SeedKey::es256("signer").rekord(b"message");
    let request = String::from_utf8(rekord.to_request()).unwrap();
    let request = request
        .replace("hashedRekordRequestV002", "hashed_rekord_request_v002")
        .replace("publicKey", "public_key")
        .replace("rawBytes", "raw_bytes")
        .replace("keyDetails", "key_details");
    assert_eq!(send(&server, request.as_bytes()).await.unwrap().status, 201);
    assert_eq!(server.indices_of(&rekord.to_body()), [0]);
}

/// An entry under a certificate that brings so many bytes along.
fn certified(bytes: usize) -> HashedRekord {
    let key = SeedKey::es256("signer");
    let mut spec = CertificateSpec::leaf("signer", "2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z");
    spec.extensions.push((vec![1, 3, 6, 1, 4, 1, 99999, 1], false, vec![0; bytes]));
    let certificate = Issuer::root(&CertificateSpec::ca("root")).issue(&spec, &key);
    HashedRekord { key: LoggedKey::Certificate(certificate), ..key.rekord(b"message") }
}

#[tokio::test]
async fn an_entry_that_fits_no_bundle_is_not_integrated() {
    let server = server().await;
    let (fits, too_long) = (certified(48_000), certified(49_000));
    assert!(fits.to_body().len() < 65_535 && too_long.to_body().len() > 65_535);
    let reply = submit(&server, &too_long).await;
    let message = "{\"code\":2, \"message\":\"failed to integrate entry\", \"details\":[]}";
    assert_eq!((reply.status, reply.text()), (500, message));
    assert_eq!(submit(&server, &fits).await.status, 201);
    assert_eq!(server.with_log(TestLog::len), 1);
}

#[tokio::test]
async fn requests_that_contradict_themselves_are_refused_with_the_place() {
    let server = server().await;
    let rekord = SeedKey::es256("signer").rekord(b"message");
    let request = String::from_utf8(rekord.to_request()).unwrap();
    let twice = request
        .replace("\"publicKey\":", "\"x509Certificate\":{\"rawBytes\":\"AA==\"},\"publicKey\":");
    let digest = format!("\"{}\"", base64(&rekord.digest));
    let number = request.replace(&digest, "7");
    for (request, message) in [
        (twice, "error parsing \\\"x509Certificate\\\", oneof"),
        (number, "invalid value for bytes field digest: 7"),
        ("[1]".to_owned(), "syntax error (line 1:1): unexpected token [1]"),
        ("?".to_owned(), "invalid character '?' looking for beginning of value"),
        ("{".to_owned(), "unexpected EOF"),
        ("nul".to_owned(), "unexpected EOF"),
    ] {
        let reply = send(&server, request.as_bytes()).await.unwrap();
        assert_eq!(reply.status, 400, "{request}");
        assert!(reply.text().contains(message), "{request}: {}", reply.text());
    }
    assert_eq!(server.with_log(TestLog::len), 0);
    assert_eq!(server.posts(), 6);
}
