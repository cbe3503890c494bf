//! A sender that runs on beside a program.

use std::time::Duration;

use super::{Flush, FlushReport, Submitter};
use crate::LogError;

/// How long what is under way may take to end.
const GRACE: Duration = Duration::from_secs(10);

const SHORTEST: Duration = Duration::from_millis(200);
const LONGEST: Duration = Duration::from_secs(5);

impl Submitter {
    /// How long nothing will be due, at most a few seconds: another process may queue something at any time.
    fn pause(&self) -> Result<Duration, LogError> {
        let (outbox, now) = (self.journal.outbox(), (self.clock)());
        let mut due = Vec::new();
        for log in outbox.logs_to_serve()? {
            due.extend(outbox.next_due(&log, now)?);
        }
        let patience = i64::try_from(self.rules.batch_after.as_millis()).unwrap_or(i64::MAX);
        let batches = outbox.waiting()?;
        due.extend(batches.iter().filter_map(|one| one.oldest.checked_add_millis(patience)));
        if self.ct_logs.is_some() {
            due.extend(self.journal.certificates().next_due(now)?);
        }
        let wait = due.into_iter().map(|due| due.millis_since(now)).min();
        let wait = wait.and_then(|wait| u64::try_from(wait).ok()).map(Duration::from_millis);
        Ok(wait.unwrap_or(LONGEST).clamp(SHORTEST, LONGEST))
    }

    /// Sends whatever becomes due, until `stop` completes; what is under way then has ten seconds to end, and else is sent again,
    /// byte for byte, by whoever sends next. Failures are told to `tell` and tried again.
    ///
    /// ```no_run
    /// # async fn run(genten: genten::Genten, shutdown: tokio::sync::oneshot::Receiver<()>) {
    /// let submitter = genten.submitter().expect("there is a home");
    /// tokio::spawn(submitter.run(shutdown, |report| {
    ///     if !report.as_ref().is_ok_and(|report| report.is_complete()) {
    ///         eprintln!("not everything has been logged yet: {report:?}");
    ///     }
    /// }));
    /// # }
    /// ```
    pub async fn run(
        self,
        stop: impl Future,
        mut tell: impl FnMut(&Result<FlushReport, LogError>),
    ) {
        let mut stop = std::pin::pin!(stop);
        loop {
            let mut flush = std::pin::pin!(self.flush(Flush::Due));
            tokio::select! {
                report = &mut flush => tell(&report),
                _ = &mut stop => {
                    if let Ok(report) = tokio::time::timeout(GRACE, flush).await {
                        tell(&report);
                    }
                    return;
                }
            }
            let pause = self.pause().unwrap_or(LONGEST);
            tokio::select! {
                _ = &mut stop => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }
}
