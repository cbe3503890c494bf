//! Work on several tasks at a time, with the results in the order of the tasks.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// How many tasks for each worker may lie between the one that is read and the one whose result is awaited.
const LOOK_AHEAD: usize = 4;

/// More threads than this help nobody, and systems refuse far more.
const MAX_JOBS: usize = 256;

/// How many tasks at a time. Nobody asks the system for the number of its cores, which means reading files, before there are
/// two tasks.
#[derive(Clone, Copy)]
pub(crate) struct Jobs {
    pub(crate) asked: Option<NonZeroUsize>,
    pub(crate) cores: fn() -> usize,
}

impl Jobs {
    /// As many as the caller says.
    #[cfg(test)]
    pub(crate) fn of(count: usize) -> Self {
        Self { asked: NonZeroUsize::new(count), cores: || 1 }
    }

    fn is_one(self) -> bool {
        self.asked == Some(NonZeroUsize::MIN)
    }

    fn count(self) -> usize {
        self.asked.map_or_else(self.cores, usize::from).min(MAX_JOBS)
    }
}

/// Does `work` on every task, `jobs` at a time, and hands the results to `each` in the order of the tasks.
///
/// Tasks are drawn only a little ahead of the results, so that neither fill the memory. When `each` breaks, no more
/// tasks are drawn. A single task, or a single job, needs no threads.
pub(crate) fn ordered<T: Send, R: Send>(
    mut tasks: impl Iterator<Item = T> + Send,
    jobs: Jobs,
    work: impl Fn(T) -> R + Sync,
    mut each: impl FnMut(R) -> ControlFlow<()>,
) {
    if jobs.is_one() {
        let _ = tasks.try_for_each(|task| each(work(task)));
        return;
    }
    let Some(first) = tasks.next() else { return };
    let Some(second) = tasks.next() else {
        let _ = each(work(first));
        return;
    };
    parallel([first, second].into_iter().chain(tasks), jobs.count(), work, each);
}

/// A task, and where its result is awaited.
type Order<T, R> = (T, SyncSender<R>);

fn parallel<T: Send, R: Send>(
    tasks: impl Iterator<Item = T> + Send,
    jobs: usize,
    work: impl Fn(T) -> R + Sync,
    mut each: impl FnMut(R) -> ControlFlow<()>,
) {
    let (orders, for_workers) = sync_channel::<Order<T, R>>(jobs * LOOK_AHEAD);
    let (promises, awaited) = sync_channel::<Receiver<R>>(jobs * LOOK_AHEAD);
    let for_workers = Mutex::new(for_workers);
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| fulfil(&for_workers, &work));
        }
        scope.spawn(move || draw(tasks, &promises, &orders));
        // Whatever ends the loop drops `awaited`, which stops the drawing and then the workers.
        for promise in awaited {
            let Ok(result) = promise.recv() else { break };
            if each(result).is_break() {
                break;
            }
        }
    });
}

fn draw<T, R>(
    tasks: impl Iterator<Item = T>,
    promises: &SyncSender<Receiver<R>>,
    orders: &SyncSender<Order<T, R>>,
) {
    for task in tasks {
        let (result, promise) = sync_channel(1);
        if promises.send(promise).is_err() || orders.send((task, result)).is_err() {
            return;
        }
    }
}

fn fulfil<T, R>(orders: &Mutex<Receiver<Order<T, R>>>, work: &impl Fn(T) -> R) {
    loop {
        let order = orders.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((task, result)) = order else { return };
        // Nobody waits any more once the results are broken off.
        let _ = result.send(work(task));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Work whose tasks take turns at being slow.
    fn uneven(task: usize) -> usize {
        (0..(task % 7) * 20_000).fold(task, |sum, _| std::hint::black_box(sum));
        task
    }

    #[test]
    fn results_come_in_the_order_of_the_tasks() {
        for jobs in [1, 2, 3, 16] {
            for count in [0, 1, 2, 3, 500] {
                let mut results = Vec::new();
                ordered(0..count, Jobs::of(jobs), uneven, |result| {
                    results.push(result);
                    ControlFlow::Continue(())
                });
                assert!(results.into_iter().eq(0..count), "{jobs} {count}");
            }
        }
    }

    #[test]
    fn tasks_are_drawn_only_a_little_ahead_and_no_more_after_a_break() {
        for jobs in [1, 2, 8] {
            let (drawn, mut seen) = (AtomicUsize::new(0), 0);
            let tasks = (0..).inspect(|_| _ = drawn.fetch_add(1, Ordering::SeqCst));
            ordered(tasks, Jobs::of(jobs), uneven, |_| {
                seen += 1;
                let ahead = drawn.load(Ordering::SeqCst) - seen;
                assert!(ahead <= 2 * jobs * LOOK_AHEAD + jobs + 2, "{jobs}: {ahead}");
                if seen == 300 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(seen, 300);
        }
    }
}
