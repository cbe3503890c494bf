//! A limit on the time between two pieces of a body that costs next to nothing per piece.

use std::future::{Future as _, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// One timer for a whole body: it is moved when it fires too early, not with every piece.
pub(crate) struct Idle {
    timer: Pin<Box<Sleep>>,
    limit: Duration,
}

/// Nothing came for as long as allowed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Elapsed;

impl Idle {
    pub(crate) fn new(limit: Duration) -> Self {
        Self { timer: Box::pin(tokio::time::sleep(limit)), limit }
    }

    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }

    /// Waits for `poll` to be ready, at most as long as the limit allows from now.
    pub(crate) async fn wait_for<T>(
        &mut self,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Result<T, Elapsed> {
        let due = Instant::now().checked_add(self.limit);
        poll_fn(move |context| match poll(context) {
            Poll::Ready(ready) => Poll::Ready(Ok(ready)),
            Poll::Pending => self.poll_elapsed(due, context).map(|()| Err(Elapsed)),
        })
        .await
    }

    fn poll_elapsed(&mut self, due: Option<Instant>, context: &mut Context<'_>) -> Poll<()> {
        // A limit beyond the end of time is none.
        let Some(due) = due else { return Poll::Pending };
        while self.timer.as_mut().poll(context).is_ready() {
            if Instant::now() >= due {
                return Poll::Ready(());
            }
            self.timer.as_mut().reset(due);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_limit_counts_from_the_last_piece() {
        let mut idle = Idle::new(Duration::from_secs(60));
        for _ in 0..5 {
            let mut piece = Box::pin(tokio::time::sleep(Duration::from_secs(59)));
            assert_eq!(idle.wait_for(|context| piece.as_mut().poll(context)).await, Ok(()));
        }
        let start = Instant::now();
        assert_eq!(idle.wait_for(|_| Poll::<()>::Pending).await, Err(Elapsed));
        let waited = start.elapsed();
        assert!(
            waited >= Duration::from_secs(60) && waited < Duration::from_secs(61),
            "{waited:?}"
        );
    }
}
