//! What a log signs, held against what it has shown before.

use genten_rekor::{ForkKind, HistoryError, LogHistory, Next};
use genten_testkit::{LogServer, NetFault, ReadFault};
use genten_tlog::Checkpoint;

use crate::support::{numbered, reader};

async fn log_of(entries: usize) -> LogServer {
    let server = LogServer::start(numbered(entries)).await.unwrap();
    server.publish();
    server
}

async fn checkpoint(server: &LogServer) -> Checkpoint {
    reader(server).signed_checkpoint().await.unwrap()
}

#[tokio::test]
async fn all_checkpoints_of_a_log_that_grows_are_its_history() {
    let server = log_of(0).await;
    let mut checkpoints = vec![checkpoint(&server).await];
    for size in [1, 2, 255, 256, 257, 700] {
        let entries = server.with_log(|log| log.len())..size;
        server.append(entries.map(|entry| entry.to_string()));
        checkpoints.push(checkpoint(&server).await);
    }
    for known in [None, Some(checkpoints[0].clone()), Some(checkpoints[3].clone())] {
        let mut history = LogHistory::new(reader(&server), known);
        for one in checkpoints.iter().rev() {
            history.admit(one).await.unwrap();
        }
        assert_eq!(history.known(), checkpoints.last());
    }
    let before = server.reads().len();
    let mut history = LogHistory::new(reader(&server), None);
    for one in &checkpoints {
        history.admit(one).await.unwrap();
    }
    let reads = server.reads();
    let asked = reads[before..].iter().filter(|path| path.ends_with("/checkpoint")).count();
    assert_eq!(asked, 1, "once for all that are not newer");
}

#[tokio::test]
async fn a_tree_for_one_client_alone_is_proof_against_the_log() {
    let server = log_of(300).await;
    let honest = checkpoint(&server).await;
    server.checkpoints().next([ReadFault::SplitView]);
    let other = checkpoint(&server).await;
    let mut history = LogHistory::new(reader(&server), None);
    history.admit(&honest).await.unwrap();
    let HistoryError::Fork(fork) = history.admit(&other).await.unwrap_err() else { panic!() };
    assert_eq!(fork.kind, ForkKind::SameSize);
    fork.check(reader(&server).trust()).unwrap();

    server.append(["one more"]);
    let newer = checkpoint(&server).await;
    history.admit(&newer).await.unwrap();
    let error = history.admit(&other).await.unwrap_err();
    assert_eq!((error.code(), error.next()), ("rekor.history.fork", Next::Person));
    let HistoryError::Fork(fork) = error else { panic!() };
    assert!(matches!(fork.kind, ForkKind::OtherBeginning(_)));
    fork.check(reader(&server).trust()).unwrap();
    assert_eq!(history.known(), Some(&newer), "what was believed stays");
    history.admit(&honest).await.unwrap();
}

#[tokio::test]
async fn a_log_that_was_set_back_is_told_from_one_that_is_late() {
    let server = log_of(300).await;
    let known = checkpoint(&server).await;
    let before = server.with_log(|log| log.truncated(200));
    let earlier = LogServer::start(before.clone()).await.unwrap();
    let earlier = checkpoint(&earlier).await;

    server.append(["one more"]);
    let newest = checkpoint(&server).await;
    server.checkpoints().next([ReadFault::Earlier]);
    let mut history = LogHistory::new(reader(&server), Some(known.clone()));
    let error = history.admit(&newest).await.unwrap_err();
    assert_eq!(error.code(), "rekor.history.not-yet");
    server.checkpoints().next([ReadFault::Earlier]);
    let mut history = LogHistory::new(reader(&server), Some(newest.clone()));
    history.admit(&known).await.unwrap();

    server.replace_log(before);
    let mut history = LogHistory::new(reader(&server), Some(known.clone()));
    let error = history.admit(&earlier).await.unwrap_err();
    assert!(matches!(error, HistoryError::Behind { .. }), "{error:?}");
    assert_eq!(history.known(), Some(&known));
}

#[tokio::test]
async fn a_log_that_cannot_be_read_proves_nothing() {
    let server = log_of(300).await;
    let seen = checkpoint(&server).await;
    for fault in [ReadFault::Missing, ReadFault::Net(NetFault::Reset), ReadFault::FlippedBit] {
        let mut history = LogHistory::new(reader(&server), None);
        server.tiles().always(fault);
        let error = history.admit(&seen).await.unwrap_err();
        assert!(matches!(error, HistoryError::Read(_)), "{error:?}");
        server.tiles().clear();
        history.admit(&seen).await.unwrap();
    }
}
