//! What the tests share: the recordings of a real log, and clients of loopback servers.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use genten_primitives::HashAlgorithm;
use genten_primitives::encoding::from_base64;
use genten_rekor::{
    LogEndpoint, LogHttp, LogHttpBuilder, LogReader, LogTrust, ReadError, RekorClient, TreeLocation,
};
use genten_testkit::log::TestLog;
use genten_testkit::{Answer, HttpsSite, LogServer, SeenRequest};
use genten_tlog::rekor::{HashedRekord, LoggedKey};
use genten_tlog::{Checkpoint, NoteKey};
use serde_json::Value;

/// What was asked of the write interface of the real log, and the log's key.
const RECORDED: &str = include_str!("../../../testkit/tests/servers/write-api.json");
const RECORDED_KEY: &str = include_str!("../../../testkit/tests/servers/log.vkey");

/// A file or folder of the recorded log; says so aloud when it is absent.
pub(crate) fn live(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors/rekor-live");
    let found = folder.join(name);
    if !found.exists() {
        eprintln!("SKIPPED: no {}", found.display());
        return None;
    }
    Some(found)
}

pub(crate) fn live_text(name: &str) -> Option<String> {
    Some(std::fs::read_to_string(live(name)?).unwrap())
}

pub(crate) fn live_key() -> NoteKey {
    RECORDED_KEY.trim().parse().unwrap()
}

pub(crate) fn live_log() -> Option<TreeLocation> {
    live("log").map(TreeLocation::Folder)
}

/// One request to the real log with its answer.
pub(crate) struct Recorded {
    pub(crate) name: String,
    pub(crate) request: Value,
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

pub(crate) fn recordings() -> Vec<Recorded> {
    let list: Vec<Value> = serde_json::from_str(RECORDED).unwrap();
    list.iter().map(Recorded::read).collect()
}

pub(crate) fn recording(name: &str) -> Recorded {
    recordings().into_iter().find(|one| one.name == name).unwrap()
}

impl Recorded {
    fn read(value: &Value) -> Self {
        let headers = value["headers"].as_object().into_iter().flatten();
        let headers = headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().into()));
        Self {
            name: value["name"].as_str().unwrap().to_owned(),
            request: value["request"].clone(),
            status: value["status"].as_u64().unwrap().try_into().unwrap(),
            headers: headers.collect(),
            body: value["body"].as_str().unwrap_or_default().to_owned(),
        }
    }

    /// The entry that was asked for; `None` where the request is no such entry at all.
    pub(crate) fn rekord(&self) -> Option<HashedRekord> {
        let request = &self.request["hashedRekordRequestV002"];
        let verifier = &request["signature"]["verifier"];
        let bytes = |value: &Value| from_base64(value.as_str()?).ok();
        Some(HashedRekord {
            hash: HashAlgorithm::Sha256,
            digest: bytes(&request["digest"])?,
            signature: bytes(&request["signature"]["content"])?,
            details: verifier["keyDetails"].as_str()?.parse().ok()?,
            key: LoggedKey::PublicKey(bytes(&verifier["publicKey"]["rawBytes"])?),
        })
    }

    /// The recorded answer, without these fields.
    pub(crate) fn answer_without(&self, hidden: &[&str]) -> Answer {
        let shown = self.headers.iter().filter(|(name, _)| {
            name != "content-length" && name != "connection" && !hidden.contains(&name.as_str())
        });
        let answer = Answer::status(self.status).body(self.body.clone());
        shown.fold(answer, |answer, (name, value)| answer.header(name, value.clone()))
    }

    pub(crate) fn answer(&self) -> Answer {
        self.answer_without(&[])
    }
}

/// Settings for servers on this machine, which answer at once or never.
pub(crate) fn settings() -> LogHttpBuilder {
    LogHttp::builder().total_timeout(Duration::from_secs(20))
}

pub(crate) fn http() -> LogHttp {
    settings().build().unwrap()
}

/// A site that answers every request in this way.
pub(crate) async fn site(
    handler: impl Fn(&SeenRequest) -> Answer + Send + Sync + 'static,
) -> HttpsSite {
    HttpsSite::builder().handler(handler).start().await.unwrap()
}

pub(crate) async fn answering(answer: Answer) -> HttpsSite {
    site(move |_| answer.clone()).await
}

/// A client of the log with this key that writes to the site and reads nowhere.
pub(crate) fn endpoint(site: &HttpsSite, key: NoteKey) -> LogEndpoint {
    LogEndpoint::new(key).unwrap().write_to(site.url("").parse().unwrap())
}

pub(crate) fn client(endpoint: LogEndpoint) -> RekorClient {
    RekorClient::new(http(), endpoint)
}

/// The files of a folder, as a static file server has them.
pub(crate) async fn files(folder: PathBuf) -> HttpsSite {
    site(move |request| {
        let path = folder.join(request.target.trim_start_matches('/'));
        match std::fs::read(path) {
            Ok(bytes) => Answer::ok(bytes),
            Err(_) => Answer::status(404),
        }
    })
    .await
}

/// A reader of the log that is served there.
pub(crate) fn reader(server: &LogServer) -> LogReader {
    let key = server.with_log(|log| log.note_key().clone());
    let location = TreeLocation::Url(server.read_url().parse().unwrap());
    LogReader::new(http(), location, LogTrust::of_keys(&[key]).unwrap())
}

/// A log of so many entries, each of them the text of its index.
pub(crate) fn numbered(entries: usize) -> TestLog {
    let mut log = TestLog::empty("log.example");
    for entry in 0..entries {
        log.append(entry.to_string());
    }
    log
}

/// All entries of a range, with their indices.
pub(crate) async fn entries(
    reader: &LogReader,
    checkpoint: &Checkpoint,
    range: Range<u64>,
) -> Result<Vec<(u64, Vec<u8>)>, ReadError> {
    let (mut walk, mut all) = (reader.entries(checkpoint, range).await?, Vec::new());
    while let Some(chunk) = walk.next().await? {
        all.extend(chunk.entries().map(|(index, entry)| (index, entry.to_vec())));
    }
    Ok(all)
}
