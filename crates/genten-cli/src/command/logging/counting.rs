//! How much of a sending is left, while it lasts.

use std::time::{Duration, Instant};

use genten::{FlushReport, LogError};
use indicatif::ProgressBar;

use crate::context::Context;
use crate::failure::Done;
use crate::progress;

/// A log that says nothing for longer is waited for in so many words.
const SILENCE: Duration = Duration::from_secs(5);

/// How often it is looked at how much is left.
const LOOK: Duration = Duration::from_millis(250);

/// Shows how much is left of a work that sends: with a bar, or where nobody sees one, with a word when it takes long.
pub(super) struct Counting<L> {
    bar: ProgressBar,
    left: L,
    total: u64,
    done: u64,
    heard: Instant,
    is_told: bool,
}

impl<L: Fn() -> Done<u64>> Counting<L> {
    pub(super) fn new(context: &Context, left: L, is_quiet: bool) -> Done<Self> {
        let bar = progress::bar("log entries", context.json);
        let total = left()?;
        bar.set_length(total);
        let is_told = is_quiet || !bar.is_hidden();
        Ok(Self { bar, left, total, done: 0, heard: Instant::now(), is_told })
    }

    pub(super) async fn until(
        mut self,
        work: impl Future<Output = Result<FlushReport, LogError>>,
    ) -> Done<FlushReport> {
        let mut work = std::pin::pin!(work);
        let report = loop {
            tokio::select! {
                report = &mut work => break report,
                () = tokio::time::sleep(LOOK) => self.look()?,
            }
        };
        self.bar.finish_and_clear();
        Ok(report?)
    }

    fn look(&mut self) -> Done {
        let done = self.total.saturating_sub((self.left)()?);
        if done != self.done {
            (self.done, self.heard) = (done, Instant::now());
        }
        let waits = self.heard.elapsed() >= SILENCE;
        if waits && done < self.total && !std::mem::replace(&mut self.is_told, true) {
            eprintln!("genten: waiting for the log; Ctrl-C is safe, what is queued stays queued");
        }
        self.bar.set_message(match waits {
            false => "log entries",
            true => "log entries, waiting for the log (Ctrl-C is safe)",
        });
        self.bar.set_position(done);
        Ok(())
    }
}
