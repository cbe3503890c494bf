//! Submissions: what is sent, what is believed, and what is to be done about the rest.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use genten_rekor::{Next, RekorClient, SubmitError, Submitted, UnloggableError, WrongEntry};
use genten_testkit::log::{Handing, TestLog};
use genten_testkit::{Answer, Authority, End, Framing, HttpsSite, SeedKey};
use genten_tlog::rekor::{HashedRekord, LoggedKey};

use crate::support::{
    Recorded, answering, client, endpoint, live_key, recording, recordings, settings, site,
};

/// A log in memory that was given our entry, and its answer.
pub(crate) struct World {
    pub(crate) log: TestLog,
    pub(crate) rekord: HashedRekord,
    pub(crate) answer: serde_json::Value,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::handing(&Handing::default())
    }

    pub(crate) fn handing(handing: &Handing<'_>) -> Self {
        let mut log = TestLog::new("log.example");
        let rekord = SeedKey::es256("signer").rekord(b"a manifest");
        let answer = log.log(&rekord.to_body(), handing);
        Self { log, rekord, answer }
    }

    pub(crate) fn answer(&self) -> Answer {
        Answer::status(201).body(self.answer.to_string())
    }

    pub(crate) fn client(&self, site: &HttpsSite) -> RekorClient {
        client(endpoint(site, self.log.note_key().clone()))
    }

    pub(crate) async fn submit(&self, body: String) -> Result<Submitted, SubmitError> {
        let site = answering(Answer::status(201).body(body)).await;
        self.client(&site).submit(&self.rekord).await
    }

    pub(crate) async fn error(&self, answer: Answer) -> SubmitError {
        let site = answering(answer).await;
        self.client(&site).submit(&self.rekord).await.unwrap_err()
    }

    pub(crate) async fn wrong(&self, answer: impl ToString) -> WrongEntry {
        let answer = answer.to_string();
        match self.error(Answer::status(201).body(answer.clone())).await {
            SubmitError::Wrong { source, answer: evidence } => {
                assert_eq!(evidence, answer.as_bytes());
                source
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The recorded client of the real log, and the site that repeats one of its answers.
async fn replayed(recorded: &Recorded) -> (RekorClient, HttpsSite) {
    let site = answering(recorded.answer()).await;
    (client(endpoint(&site, live_key())), site)
}

#[tokio::test]
async fn recorded_answers_of_a_real_log_are_believed_as_they_came() {
    for (name, index) in [("es256-first", 0), ("es256-same-digest-new-signature", 1)] {
        let recorded = recording(name);
        let (client, site) = replayed(&recorded).await;
        let submitted = client.submit(&recorded.rekord().unwrap()).await.unwrap();
        let kept: serde_json::Value = serde_json::from_slice(&submitted.entry).unwrap();
        assert_eq!(kept, serde_json::from_str::<serde_json::Value>(&recorded.body).unwrap());
        assert_eq!(submitted.logged.index().get(), index);
        let [request] = &site.seen()[..] else { panic!() };
        assert_eq!((&*request.method, &*request.target), ("POST", "/api/v2/log/entries"));
        assert_eq!(request.header("content-type").unwrap(), "application/json");
        assert!(request.header("user-agent").unwrap().starts_with("genten/"));
        let sent: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        assert_eq!(sent, recorded.request);
    }
}

/// A process that dies while it sends leaves the log adding an entry for nobody (seen with rekor-server).
#[tokio::test]
async fn an_entry_that_the_log_was_adding_for_somebody_who_has_gone_is_sent_again() {
    let world = World::new();
    let (posts, good) = (AtomicUsize::new(0), world.answer());
    let let_down = r#"{"code":1,"message":"add entry: await: context canceled"}"#;
    let site = site(move |_| match posts.fetch_add(1, Ordering::SeqCst) {
        0 | 1 => Answer::status(499).body(let_down),
        _ => good.clone(),
    });
    let site = site.await;
    assert!(world.client(&site).submit(&world.rekord).await.is_ok());
    let seen = site.seen();
    assert!(seen.len() == 3 && seen.iter().all(|request| request.body == seen[0].body));
}

#[tokio::test]
async fn what_the_real_log_refused_is_refused_here_with_a_reason_and_not_sent() {
    let codes = [
        ("bad-signature", "rekor.unloggable.signature"),
        ("short-digest", "rekor.unloggable.digest-length"),
        ("raw-signature-not-der", "rekor.unloggable.signature"),
        ("wrong-keydetails", "rekor.unloggable.key"),
        ("pure-ed25519-keydetails", "rekor.unloggable.pure-ed25519"),
    ];
    for (name, code) in codes {
        let recorded = recording(name);
        let (client, site) = replayed(&recorded).await;
        let error = client.submit(&recorded.rekord().unwrap()).await.unwrap_err();
        assert_eq!((error.code(), error.next()), (code, Next::Never), "{name}");
        assert!(!error.hint().is_empty());
        assert!(site.seen().is_empty(), "{name}");
    }
}

#[tokio::test]
async fn entries_that_no_log_takes_are_not_sent() {
    let world = World::new();
    let site = answering(world.answer()).await;
    let mut long = world.rekord.clone();
    long.key = LoggedKey::Certificate(vec![0x30; 60_000]);
    let error = world.client(&site).submit(&long).await.unwrap_err();
    let SubmitError::Unloggable(error) = error else { panic!("{error:?}") };
    assert!(matches!(error, UnloggableError::TooLarge { limit: 65_535, .. }), "{error:?}");
    let mut unknown = world.rekord.clone();
    unknown.key = LoggedKey::PublicKey(vec![0x30, 0]);
    let error = world.client(&site).submit(&unknown).await.unwrap_err();
    assert_eq!(error.code(), "rekor.unloggable.key");
    assert!(site.seen().is_empty());
}

#[tokio::test]
async fn each_refusal_of_the_real_log_is_permanent_and_told_in_its_words() {
    let refusals: Vec<_> = recordings().into_iter().filter(|one| one.status == 400).collect();
    assert!(refusals.len() >= 10);
    for recorded in refusals {
        let error = World::new().error(recorded.answer()).await;
        let words: serde_json::Value = serde_json::from_str(&recorded.body).unwrap();
        match &error {
            SubmitError::Rejected { message } => {
                assert_eq!(message, words["message"].as_str().unwrap())
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(error.next(), Next::Never);
    }
}

#[tokio::test]
async fn a_frozen_log_says_that_another_shard_takes_entries() {
    let words = "This log has been frozen, please switch to the latest log.";
    let error = World::new().error(Answer::status(405).body(words)).await;
    assert!(matches!(&error, SubmitError::Frozen { message } if message == words), "{error:?}");
    assert_eq!((error.next(), error.code()), (Next::OtherShard, "rekor.submit.frozen"));
}

#[tokio::test]
async fn busy_logs_are_left_alone_as_long_as_they_want() {
    let body = r#"{"code":14, "message":"reached max pushback; retry", "details":[]}"#;
    for status in [429, 500, 502, 503, 504] {
        let answer = Answer::status(status).body(body);
        let error = World::new().error(answer.clone()).await;
        let SubmitError::Busy { message, .. } = &error else { panic!("{error:?}") };
        assert_eq!(message, "reached max pushback; retry");
        assert_eq!(error.next(), Next::Later { after: None });
        let error = World::new().error(answer.clone().header("retry-after", "120")).await;
        assert_eq!(error.next(), Next::Later { after: Some(Duration::from_secs(120)) });
        let answer = answer
            .header("date", "Mon, 30 Nov 2026 08:15:00 GMT")
            .header("retry-after", "Mon, 30 Nov 2026 08:16:30 GMT");
        let error = World::new().error(answer).await;
        assert_eq!(error.next(), Next::Later { after: Some(Duration::from_secs(90)) });
    }
}

#[tokio::test]
async fn other_statuses_are_told_with_a_piece_of_their_text() {
    for status in [200, 204, 401, 403, 404, 501] {
        let text = "ä".repeat(3000);
        let body = if status == 204 { String::new() } else { text };
        let error = World::new().error(Answer::status(status).body(body)).await;
        let SubmitError::Unexpected { status: found, message, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(*found, status);
        assert!(message.len() <= 1024 && (status == 204 || message.len() == 1024));
        assert_eq!(error.next(), Next::Later { after: None });
    }
}

#[tokio::test]
async fn nothing_was_sent_where_nobody_listens_or_tls_fails() {
    let world = World::new();
    let site = answering(world.answer()).await;
    let client = world.client(&site);
    drop(site);
    let error = client.submit(&world.rekord).await.unwrap_err();
    assert!(matches!(error, SubmitError::Unreached(_)), "{error:?}");
    assert_eq!(error.next(), Next::Later { after: None });

    let authority = Authority::new("Unknown Root").unwrap();
    let identity = authority.issue_for("localhost").unwrap();
    let site = HttpsSite::builder().identity(identity).start().await.unwrap();
    let error = world.client(&site).submit(&world.rekord).await.unwrap_err();
    let SubmitError::Unreached(error) = error else { panic!("{error:?}") };
    assert_eq!(error.code(), "rekor.http.tls");
    assert!(site.seen().is_empty());
}

#[tokio::test]
async fn a_root_of_ones_own_is_trusted_when_it_is_given() {
    let world = World::new();
    let authority = Authority::new("Own Root").unwrap();
    let answer = world.answer();
    let site = HttpsSite::builder()
        .identity(authority.issue_for("localhost").unwrap())
        .handler(move |_| answer.clone());
    let site = site.start().await.unwrap();
    let http = settings().root_pem(authority.root_pem()).unwrap().build().unwrap();
    let client = RekorClient::new(http, endpoint(&site, world.log.note_key().clone()));
    assert!(client.submit(&world.rekord).await.is_ok());
}

#[tokio::test]
async fn cuts_leave_the_outcome_unknown() {
    let world = World::new();
    let whole = world.answer.to_string();
    let head = format!("HTTP/1.1 201 Created\r\ncontent-length: {}\r\n\r\n", whole.len());
    let cut = |bytes: String, end| world.error(Answer::raw(bytes, end));
    for end in [End::Fin, End::Reset] {
        for bytes in [String::new(), head[..20].to_owned(), [&head, &whole[..100]].concat()] {
            let error = cut(bytes, end).await;
            assert!(matches!(error, SubmitError::OutcomeUnknown(_)), "{error:?}");
            assert_eq!(error.next(), Next::SameBytesAgain);
        }
    }
    let error = cut("250 smtp.example at your service\r\n".to_owned(), End::Fin).await;
    assert!(matches!(error, SubmitError::OutcomeUnknown(_)), "{error:?}");
    let chunked = world.answer().framing(Framing::Chunked(100)).end(End::Fin);
    let error = world.error(chunked).await;
    assert!(matches!(error, SubmitError::OutcomeUnknown(_)), "{error:?}");
}

#[tokio::test]
async fn a_cut_after_the_whole_answer_does_not_matter() {
    let world = World::new();
    let site = answering(world.answer().end(End::Fin)).await;
    assert!(world.client(&site).submit(&world.rekord).await.is_ok());
}

#[tokio::test]
async fn silence_leaves_the_outcome_unknown() {
    let world = World::new();
    let site = answering(Answer::raw("", End::Hang)).await;
    let http = settings().total_timeout(Duration::from_millis(200)).build().unwrap();
    let client = RekorClient::new(http, endpoint(&site, world.log.note_key().clone()));
    let error = client.submit(&world.rekord).await.unwrap_err();
    let SubmitError::OutcomeUnknown(cause) = &error else { panic!("{error:?}") };
    assert_eq!((cause.code(), error.next()), ("rekor.http.timeout", Next::SameBytesAgain));
}

#[tokio::test]
async fn answers_without_end_are_cut_off() {
    let huge = genten_testkit::Content::Repeated { piece: vec![b' '; 1 << 16], times: 1 << 10 };
    for framing in [Framing::Length, Framing::Chunked(1 << 16)] {
        let answer = Answer::status(201).content(huge.clone()).framing(framing);
        let error = World::new().error(answer).await;
        assert_eq!((error.code(), error.next()), ("rekor.http.too-large", Next::SameBytesAgain));
    }
}

#[tokio::test]
async fn a_redirect_does_not_carry_the_entry_elsewhere() {
    let world = World::new();
    let other = answering(world.answer()).await;
    for location in [other.url_at("127.0.0.1", "/"), "ftp://localhost/".to_owned()] {
        let error = world.error(Answer::redirect(307, location)).await;
        assert_eq!((error.code(), error.next()), ("rekor.http.redirect", Next::Person));
        assert_eq!(error.hint(), "use the URL to which the service has moved");
    }
    // It would become a GET.
    let error = world.error(Answer::redirect(302, "/elsewhere")).await;
    assert_eq!(error.code(), "rekor.http.redirect");
    let error = world.error(Answer::redirect(308, "/around")).await;
    assert_eq!(error.code(), "rekor.http.redirect");
    assert!(other.seen().is_empty());
}

#[tokio::test]
async fn a_redirect_within_the_host_is_followed_with_the_entry() {
    let world = World::new();
    let answer = world.answer();
    let site = site(move |request| match &*request.target {
        "/moved" => answer.clone(),
        _ => Answer::redirect(308, "/moved"),
    })
    .await;
    assert!(world.client(&site).submit(&world.rekord).await.is_ok());
    let [first, second] = &site.seen()[..] else { panic!() };
    assert_eq!((&first.method, &first.body), (&second.method, &second.body));
}

#[tokio::test]
async fn without_a_url_nothing_is_sent() {
    let world = World::new();
    let endpoint = genten_rekor::LogEndpoint::new(world.log.note_key().clone()).unwrap();
    let error = client(endpoint).submit(&world.rekord).await.unwrap_err();
    assert_eq!((error.next(), error.code()), (Next::Person, "rekor.submit.no-url"));
}
