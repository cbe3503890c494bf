//! Each fault of writing does what it says, and nothing else.

use std::io::ErrorKind;
use std::time::Duration;

use genten_testkit::log::TestLog;
use genten_testkit::{Gate, LogServer, NetFault, Refusal, RetryAfter, WriteFault};
use genten_tlog::rekor::{EntryError, HashedRekord};
use genten_tlog::{CheckpointError, ProofError};

use crate::client::{Reply, request};
use crate::logged::{checkpoint, rekord, send, server, submit, verified};

/// The answer to an entry that meets this fault.
async fn faulty(server: &LogServer, fault: WriteFault, rekord: &HashedRekord) -> Reply {
    server.writes().next([fault]);
    submit(server, rekord).await
}

/// How the connection ends for an entry that meets this fault.
async fn broken(server: &LogServer, fault: NetFault, rekord: &HashedRekord) -> ErrorKind {
    server.writes().next([WriteFault::Net(fault)]);
    send(server, &rekord.to_request()).await.unwrap_err().kind()
}

fn times_logged(server: &LogServer, rekord: &HashedRekord) -> usize {
    server.indices_of(&rekord.to_body()).len()
}

#[tokio::test]
async fn a_reset_takes_nothing() {
    let (server, entry) = (server().await, rekord("message"));
    assert_eq!(broken(&server, NetFault::Reset, &entry).await, ErrorKind::ConnectionReset);
    assert_eq!((server.posts(), times_logged(&server, &entry)), (1, 0));
    assert_eq!(submit(&server, &entry).await.status, 201);
}

#[tokio::test]
async fn an_entry_whose_answer_was_cut_is_there_when_it_comes_again() {
    let server = server().await;
    let (first, second) = (rekord("first"), rekord("second"));
    let end = broken(&server, NetFault::CutBeforeAnswer, &first).await;
    assert_eq!(end, ErrorKind::UnexpectedEof);
    let reply = faulty(&server, WriteFault::Net(NetFault::CutInAnswer), &second).await;
    assert_eq!((reply.status, reply.is_whole()), (201, false));
    assert!(!reply.body.is_empty());
    for (entry, index) in [(first, "0"), (second, "1")] {
        let reply = submit(&server, &entry).await;
        assert_eq!((reply.status, reply.header("x-log-index")), (409, Some(index)));
        assert_eq!(times_logged(&server, &entry), 1);
    }
}

#[tokio::test]
async fn refusals_say_when_to_come_back_and_take_nothing() {
    let (server, entry) = (server().await, rekord("message"));
    let date = RetryAfter::At("2026-11-30T08:15:00Z".parse().unwrap());
    for (status, when, header) in [
        (429, Some(RetryAfter::Seconds(7)), Some("7")),
        (500, None, None),
        (502, None, None),
        (503, Some(date), Some("Mon, 30 Nov 2026 08:15:00 GMT")),
    ] {
        let refusal = Refusal::status(status);
        let refusal = when.map_or(refusal.clone(), |when| refusal.retry_after(when));
        let reply = faulty(&server, WriteFault::Net(NetFault::Refuse(refusal)), &entry).await;
        assert_eq!((reply.status, reply.header("retry-after")), (status, header));
    }
    assert_eq!(times_logged(&server, &entry), 0);
    let fault = WriteFault::Net(NetFault::RefuseAfterwards(Refusal::status(504)));
    assert_eq!(faulty(&server, fault, &entry).await.status, 504);
    assert_eq!(times_logged(&server, &entry), 1);
}

#[tokio::test]
async fn a_held_answer_comes_when_the_gate_opens() {
    let (server, gate) = (server().await, Gate::new());
    server.writes().next([WriteFault::Net(NetFault::Hold(gate.clone()))]);
    let url = format!("{}/api/v2/log/entries", server.url());
    let sending = tokio::spawn(async move {
        request("POST", &url, &rekord("message").to_request()).await.unwrap()
    });
    server.wait_for_posts(1).await;
    assert_eq!(times_logged(&server, &rekord("message")), 1);
    assert_eq!(submit(&server, &rekord("other")).await.status, 201);
    assert!(!sending.is_finished());
    gate.open();
    assert_eq!(sending.await.unwrap().status, 201);
}

#[tokio::test]
async fn a_delayed_answer_is_the_right_one() {
    let (server, entry) = (server().await, rekord("message"));
    let delay = Duration::from_millis(20);
    let begin = std::time::Instant::now();
    let reply = faulty(&server, WriteFault::Net(NetFault::Delay(delay)), &entry).await;
    assert!(begin.elapsed() >= delay);
    verified(&server, &reply, &entry).unwrap();
}

#[tokio::test]
async fn a_frozen_log_names_no_other() {
    let (server, entry) = (server().await, rekord("message"));
    server.writes().always(WriteFault::Frozen);
    for _ in 0..2 {
        let reply = submit(&server, &entry).await;
        let text = "This log has been frozen, please switch to the latest log.\n";
        assert_eq!((reply.status, reply.text()), (405, text));
    }
    server.writes().clear();
    assert_eq!(submit(&server, &entry).await.status, 201);
    assert_eq!(times_logged(&server, &entry), 1);
}

#[tokio::test]
async fn conflicts_can_say_less_or_lie() {
    let server = server().await;
    let conflict =
        "{\"code\":6, \"message\":\"an equivalent entry already exists in the transparency log";
    for (number, fault, header, end) in [
        (0, WriteFault::ConflictWithoutHeader, None, " with index 0\", \"details\":[]}"),
        (1, WriteFault::ConflictWithoutIndex, None, "\", \"details\":[]}"),
        (2, WriteFault::ConflictElsewhere, Some("3"), " with index 3\", \"details\":[]}"),
    ] {
        let entry = rekord(&number.to_string());
        let reply = faulty(&server, fault, &entry).await;
        assert_eq!((reply.status, reply.header("x-log-index")), (409, header));
        assert_eq!(reply.text(), format!("{conflict}{end}"));
        assert_eq!(server.indices_of(&entry.to_body()), [number]);
    }
}

#[tokio::test]
async fn answers_that_lie_do_not_verify() {
    let (server, entry) = (server().await, rekord("message"));
    for fault in [WriteFault::OtherEntry, WriteFault::TamperedProof] {
        let reply = faulty(&server, fault, &entry).await;
        let error = verified(&server, &reply, &entry).unwrap_err();
        assert!(matches!(error, EntryError::Inclusion(ProofError::RootMismatch { .. })));
    }
    let reply = faulty(&server, WriteFault::ForeignKey, &entry).await;
    let error = verified(&server, &reply, &entry).unwrap_err();
    assert!(matches!(error, EntryError::Checkpoint(CheckpointError::LogSignature { .. })));
    assert_eq!(times_logged(&server, &entry), 1);
}

#[tokio::test]
async fn the_entry_of_somebody_else_is_proven() {
    let (server, entry) = (server().await, rekord("message"));
    let reply = faulty(&server, WriteFault::OtherEntry, &entry).await;
    let other = genten_tlog::rekor::LogEntry::read(&reply.body).unwrap();
    other.check_form(other.body().unwrap()).unwrap();
    assert_ne!(other.body().unwrap(), entry.to_body());
    assert_eq!(times_logged(&server, &entry), 1);
}

#[tokio::test]
async fn a_log_that_was_set_back_proves_an_entry_in_a_smaller_tree() {
    let (server, entry) = (server().await, rekord("message"));
    server.append(vec!["early"; 10]);
    let before = checkpoint(&server).await;
    let reply = faulty(&server, WriteFault::Rollback, &entry).await;
    let logged = verified(&server, &reply, &entry).unwrap();
    assert_eq!((before.size().get(), logged.checkpoint().size().get()), (10, 6));
    assert_eq!(checkpoint(&server).await, before);
    assert_eq!(times_logged(&server, &entry), 0);
}

#[tokio::test]
async fn a_split_view_proves_an_entry_in_another_tree_of_the_same_size() {
    for early in [0, 1, 10] {
        let (server, entry) = (server().await, rekord("message"));
        server.append(vec!["early"; early]);
        let reply = faulty(&server, WriteFault::SplitView, &entry).await;
        let logged = verified(&server, &reply, &entry).unwrap();
        let public = checkpoint(&server).await;
        assert_eq!(logged.checkpoint().size(), public.size());
        assert_ne!(logged.checkpoint().root(), public.root());
        assert_eq!(times_logged(&server, &entry), 1);
    }
}

#[tokio::test]
async fn answers_can_be_malformed_and_oversize() {
    let server = server().await;
    let (first, second) = (rekord("first"), rekord("second"));
    let reply = faulty(&server, WriteFault::Net(NetFault::Malformed), &first).await;
    assert_eq!((reply.status, reply.is_whole()), (201, true));
    assert!(matches!(verified(&server, &reply, &first), Err(EntryError::Json(_))));
    let bytes = 11 << 20;
    let mut reply = faulty(&server, WriteFault::Net(NetFault::Oversize(bytes)), &second).await;
    assert_eq!((reply.status, reply.is_whole(), reply.body.len()), (201, true, bytes));
    let end = reply.body.iter().rposition(|byte| *byte != b' ').unwrap();
    reply.body.truncate(end + 1);
    verified(&server, &reply, &second).unwrap();
}

#[tokio::test]
async fn faults_come_in_the_order_in_which_they_were_given() {
    let server = server().await;
    let refuse = |status| WriteFault::Net(NetFault::Refuse(Refusal::status(status)));
    server.writes().next([refuse(500), WriteFault::Honest]);
    server.writes().next([refuse(502)]);
    server.writes().always(refuse(503));
    let mut statuses = Vec::new();
    for number in 0..5 {
        statuses.push(submit(&server, &rekord(&number.to_string())).await.status);
    }
    assert_eq!(statuses, [500, 201, 502, 503, 503]);
    assert_eq!((server.posts(), server.with_log(TestLog::len)), (5, 1));
}
