//! Sends entries to a Rekor v2 log, and believes the proof that comes back only after it was verified.

mod answer;
mod check;
mod error;

use std::time::Duration;

use genten_tlog::rekor::HashedRekord;

pub use check::UnloggableError;
pub use error::{Next, SubmitError};

use crate::accept::{Submitted, Verdict, accept};
use crate::{Answer, HttpError, LogEndpoint, LogHttp, LogReader, Place, ServiceUrl, TreeCache};

/// Largest answer that is read, in bytes.
const MAX_ANSWER: usize = 10 << 20;

/// Where entries are sent, below the base URL.
const ENTRIES: &str = "api/v2/log/entries";

/// A client of one log. Cheap to clone; submissions may run in parallel, and should: a log answers each only when its next
/// checkpoint is there.
///
/// ```no_run
/// use genten_rekor::{LogEndpoint, LogHttp, Next, RekorClient};
/// use genten_tlog::rekor::HashedRekord;
/// # async fn send(endpoint: LogEndpoint, rekord: HashedRekord) -> Result<(), Box<dyn std::error::Error>> {
/// let client = RekorClient::new(LogHttp::builder().build()?, endpoint);
/// match client.submit(&rekord).await {
///     Ok(submitted) => println!("entry {}", submitted.logged.index()),
///     Err(error) if error.next() == Next::Never => return Err(error.into()),
///     Err(error) => println!("{error}; {}", error.hint()),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct RekorClient {
    http: LogHttp,
    endpoint: LogEndpoint,
    reader: Option<LogReader>,
}

impl RekorClient {
    /// A client of this log.
    pub fn new(http: LogHttp, endpoint: LogEndpoint) -> Self {
        let reader = endpoint
            .read_location()
            .cloned()
            .map(|location| LogReader::new(http.clone(), location, endpoint.trust().clone()));
        Self { http, endpoint, reader }
    }

    /// Keeps tiles that were read for [`recover`](Self::recover).
    #[must_use]
    pub fn with_cache(mut self, cache: TreeCache) -> Self {
        self.reader = self.reader.map(|reader| reader.with_cache(cache));
        self
    }

    /// The log.
    pub fn endpoint(&self) -> &LogEndpoint {
        &self.endpoint
    }

    /// The reader of the log; `None` when it is not known where it is read.
    pub fn reader(&self) -> Option<&LogReader> {
        self.reader.as_ref()
    }

    /// Makes the log keep an entry, and verifies its proof. A log that has the entry already is as good: its proof is then
    /// read from the log's tiles.
    ///
    /// # Errors
    /// [`SubmitError::next`] says what to do. What the log would refuse without a reason is refused here with one.
    pub async fn submit(&self, rekord: &HashedRekord) -> Result<Submitted, SubmitError> {
        check::check(rekord)?;
        let url = self.endpoint.write_url().ok_or(SubmitError::NoWriteUrl)?.below(ENTRIES);
        let answer = self.post(&url, rekord).await?;
        match answer.status {
            201 => self.accept(rekord, answer.body),
            409 => match self.recover(rekord, place(&answer)).await {
                Ok(submitted) => Ok(submitted),
                Err(source) => Err(SubmitError::Recover { source, answer: answer.body }),
            },
            _ => Err(refusal(&answer)),
        }
    }

    /// Sends an entry. A sender that gave up while the log was still adding the same entry has let it down (499): a moment later
    /// the log has the entry, and says so.
    async fn post(&self, url: &ServiceUrl, rekord: &HashedRekord) -> Result<Answer, SubmitError> {
        let mut pauses = PAUSES.iter();
        loop {
            let body = rekord.to_request();
            let sent = self.http.post(url, "application/json", body, MAX_ANSWER);
            let answer = sent.await.map_err(without_answer)?;
            match pauses.next() {
                Some(pause) if answer.status == LET_DOWN => tokio::time::sleep(*pause).await,
                _ => return Ok(answer),
            }
        }
    }

    /// Verifies what the log has answered earlier (TransparencyLogEntry, JSON).
    ///
    /// # Errors
    /// [`SubmitError::Wrong`], or [`SubmitError::NoQuorum`].
    pub fn accept(&self, rekord: &HashedRekord, answer: Vec<u8>) -> Result<Submitted, SubmitError> {
        match accept(&self.endpoint, rekord, &answer) {
            Verdict::Accepted(submitted) => Ok(submitted),
            Verdict::NoQuorum(source, logged) => {
                Err(SubmitError::NoQuorum { index: logged.index(), source })
            }
            Verdict::Wrong(source) => Err(SubmitError::Wrong { source, answer }),
        }
    }
}

/// What a log answers to whoever sends an entry that it was adding for somebody who has gone.
const LET_DOWN: u16 = 499;

/// Before the same bytes are sent again then: longer than real logs take to add an entry.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(500), Duration::from_secs(1), Duration::from_secs(2)];

fn without_answer(error: HttpError) -> SubmitError {
    match error {
        HttpError::Coding { .. } | HttpError::Redirect { .. } | HttpError::TooLarge { .. } => {
            SubmitError::Unreadable(error)
        }
        error if error.was_sent() => SubmitError::OutcomeUnknown(error),
        error => SubmitError::Unreached(error),
    }
}

fn place(answer: &Answer) -> Place {
    answer::index(answer).map_or(Place::NotBefore(0), Place::At)
}

/// What the other statuses mean (rekor-tiles, `service.go`).
fn refusal(answer: &Answer) -> SubmitError {
    let (status, retry_after) = (answer.status, answer.retry_after);
    let message = answer::message(answer);
    match status {
        400 => SubmitError::Rejected { message },
        405 => SubmitError::Frozen { message },
        429 | LET_DOWN | 500 | 502 | 503 | 504 => {
            SubmitError::Busy { status, retry_after, message }
        }
        _ => SubmitError::Unexpected { status, retry_after, message },
    }
}
