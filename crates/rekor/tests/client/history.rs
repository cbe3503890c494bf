//! What a log signs, held against what it has shown before.

use genten_rekor::{
    ForkEvidence, ForkKind, HistoryError, LogHistory, LogReader, LogTrust, Next, TreeLocation,
    compare,
};
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::{LogServer, NetFault, ReadFault};
use genten_tlog::Checkpoint;

use crate::support::{http, numbered, reader};

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
    let mut growing = LogHistory::new(reader(&server), None);
    for size in [1, 2, 255, 256, 257, 700] {
        let entries = server.with_log(|log| log.len())..size;
        server.append(entries.map(|entry| entry.to_string()));
        checkpoints.push(checkpoint(&server).await);
        growing.admit(&checkpoints[checkpoints.len() - 1]).await.unwrap();
    }
    assert_eq!(growing.known(), checkpoints.last());
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
    let alone = ForkEvidence { second: fork.first.clone(), ..*fork };
    alone.check(reader(&server).trust()).unwrap_err();

    server.append(["one more"]);
    let newer = checkpoint(&server).await;
    history.admit(&newer).await.unwrap();
    let error = history.admit(&other).await.unwrap_err();
    assert_eq!((error.code(), error.next()), ("rekor.history.fork", Next::Person));
    let HistoryError::Fork(fork) = error else { panic!() };
    assert!(matches!(fork.kind, ForkKind::OtherBeginning(_)));
    fork.check(reader(&server).trust()).unwrap();
    let grown = ForkEvidence { kind: ForkKind::SameSize, ..*fork };
    grown.check(reader(&server).trust()).unwrap_err();
    assert_eq!(history.known(), Some(&newer), "what was believed stays");
    history.admit(&honest).await.unwrap();
}

/// Two logs that one reader believes: what the one has signed says nothing against the other.
#[tokio::test]
async fn checkpoints_of_two_origins_are_never_compared() {
    let logs = ["one.example", "two.example"].map(|origin| {
        let mut log = TestLog::empty(origin);
        for entry in 0..7 {
            log.append(entry.to_string());
        }
        log
    });
    let trust = LogTrust::of_keys(&logs.each_ref().map(|log| log.note_key().clone())).unwrap();
    let [one, two] = logs;
    let folder = tempfile::tempdir().unwrap();
    two.write_folder(folder.path(), &Handing::default()).unwrap();
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let latest = reader.signed_checkpoint().await.unwrap();
    for log in [one.clone(), one.with_leaf(0, "another"), one.truncated(4), two.with_leaf(0, "x")] {
        let shown = reader.trust().verify(log.checkpoint(&Handing::default()).as_bytes()).unwrap();
        let is_other = shown.origin() != latest.origin();
        let error = LogHistory::new(reader.clone(), None).admit(&shown).await.unwrap_err();
        assert_eq!(matches!(error, HistoryError::Origin { .. }), is_other, "{error:?}");
        let mut known = LogHistory::new(reader.clone(), Some(shown.clone()));
        let error = known.admit(&latest).await.unwrap_err();
        assert_eq!(matches!(error, HistoryError::Origin { .. }), is_other, "{error:?}");
        let compared = compare(&reader, &shown, &latest).await;
        assert_eq!(compared.is_err(), is_other, "{compared:?}");
        let [first, second] = [&shown, &latest]
            .map(|checkpoint| String::from_utf8(checkpoint.note().to_vec()).unwrap());
        let fork = ForkEvidence { first, second, kind: ForkKind::SameSize };
        assert_eq!(fork.check(reader.trust()).is_err(), is_other);
    }
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

    // What comes after it is another tree, with tiles of the same names.
    server.append((200..300).map(|entry| format!("new {entry}")));
    server.checkpoints().next([ReadFault::Earlier]);
    let error = history.admit(&earlier).await.unwrap_err();
    assert!(matches!(error, HistoryError::Behind { .. }), "{error:?}");
}

/// Whoever shows somebody else another checkpoint can have the same tiles for both.
#[tokio::test]
async fn what_was_known_binds_the_larger_and_the_smaller_tree() {
    let (tree, other) = (numbered(300), numbered(200).with_leaf(7, "another"));
    let folder = tempfile::tempdir().unwrap();
    tree.write_folder(folder.path(), &Handing::default()).unwrap();
    let trust = LogTrust::of_keys(&[tree.note_key().clone()]).unwrap();
    let reader = LogReader::new(http(), TreeLocation::Folder(folder.path().into()), trust);
    let [larger, smaller] = [&tree, &other].map(|log| log.checkpoint(&Handing::default()));
    for (known, published) in [(&smaller, &larger), (&larger, &smaller)] {
        std::fs::write(folder.path().join("checkpoint"), published).unwrap();
        let read = |note: &String| reader.trust().verify(note.as_bytes()).unwrap();
        let mut history = LogHistory::new(reader.clone(), Some(read(known)));
        let error = history.admit(&read(&larger)).await.unwrap_err();
        assert!(matches!(error, HistoryError::Fork(_)), "{error:?}");
    }
}

#[tokio::test]
async fn two_roots_for_one_size_need_no_tiles_to_be_a_fork() {
    let server = log_of(300).await;
    let known = checkpoint(&server).await;
    server.replace_log(numbered(300).with_leaf(7, "another"));
    server.tiles().always(ReadFault::Missing);
    let seen = checkpoint(&server).await;
    let mut history = LogHistory::new(reader(&server), Some(known));
    let error = history.admit(&seen).await.unwrap_err();
    assert!(matches!(error, HistoryError::Fork(_)), "{error:?}");
}

/// A cache keeps the checkpoint of yesterday, and not the tiles of today.
#[tokio::test]
async fn an_old_copy_of_a_log_that_goes_on_is_waited_for() {
    let server = log_of(300).await;
    server.append(["one more"]);
    let known = checkpoint(&server).await;
    let mut log = server.with_log(TestLog::clone);
    log.append("and one");
    let read = |log: &TestLog| {
        let note = log.checkpoint(&Handing::default());
        reader(&server).trust().verify(note.as_bytes()).unwrap()
    };
    let (answer, forked) = (read(&log), read(&log.truncated(301).with_leaf(0, "another")));
    server.checkpoints().always(ReadFault::Earlier);
    server.tiles().always(ReadFault::Missing);
    let history = || LogHistory::new(reader(&server), Some(known.clone()));
    for one in [&answer, &known] {
        let error = history().admit(one).await.unwrap_err();
        assert!(matches!(error, HistoryError::NotYet { .. }), "{error:?}");
    }
    let error = history().admit(&forked).await.unwrap_err();
    assert!(matches!(error, HistoryError::Fork(_)), "{error:?}");
    server.checkpoints().clear();
    server.tiles().clear();
    server.append(["and one"]);
    history().admit(&answer).await.unwrap();
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
