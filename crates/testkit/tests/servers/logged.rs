//! Entries to be logged, and checks of what a log says of them.

use std::io;
use std::sync::LazyLock;

use genten_testkit::log::TestLog;
use genten_testkit::{LogServer, SeedKey};
use genten_tlog::rekor::{EntryError, HashedRekord, LogEntry, LoggedEntry, RekorLog};
use genten_tlog::{Checkpoint, LogIdentity, UnverifiedCheckpoint};

use crate::client::{Reply, get, request};

/// The entry over a message, always the same.
pub(crate) fn rekord(message: &str) -> HashedRekord {
    static SIGNER: LazyLock<SeedKey> = LazyLock::new(|| SeedKey::es256("signer"));
    SIGNER.rekord(message.as_bytes())
}

pub(crate) async fn server() -> LogServer {
    LogServer::start(TestLog::empty("log.example")).await.unwrap()
}

pub(crate) async fn send(server: &LogServer, body: &[u8]) -> io::Result<Reply> {
    request("POST", &format!("{}/api/v2/log/entries", server.url()), body).await
}

pub(crate) async fn submit(server: &LogServer, rekord: &HashedRekord) -> Reply {
    send(server, &rekord.to_request()).await.unwrap()
}

/// What the answer shows under the key of the server's log.
pub(crate) fn verified(
    server: &LogServer,
    reply: &Reply,
    rekord: &HashedRekord,
) -> Result<LoggedEntry, EntryError> {
    let key = server.with_log(|log| log.note_key().clone());
    LogEntry::read(&reply.body)?.verify(&rekord.to_body(), &RekorLog::of_key(key), &[])
}

pub(crate) fn identity(log: &TestLog) -> LogIdentity {
    LogIdentity::new(log.origin(), vec![log.note_key().clone()]).unwrap()
}

/// The checkpoint that the server serves, verified.
pub(crate) async fn checkpoint(server: &LogServer) -> Checkpoint {
    let reply = get(&format!("{}/checkpoint", server.read_url())).await;
    let unverified = UnverifiedCheckpoint::parse(&reply.body).unwrap();
    unverified.verify(&server.with_log(identity), &[]).unwrap()
}
