//! What a tool has fetched during one call.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use genten::fetch::Exchange;
use genten::{Attested, Error, Facts, Fetch, Genten, Terms};

/// The sources of one call. A tool gets it from the request (`Extension<Fetches>` with rmcp); clones share what is recorded.
#[derive(Clone)]
pub struct Fetches {
    genten: Genten,
    record: Arc<Mutex<Record>>,
}

#[derive(Default)]
struct Record {
    sources: Vec<Source>,
    is_unreached: bool,
}

/// One source, to be signed when the result is there.
pub(crate) enum Source {
    /// Signed before, and taken from a cache now.
    Cached(Box<Attested>, Terms),
    /// Fetched here.
    Recorded(Box<Exchange>, Terms),
    /// Fetched by the tool itself.
    Reported(Box<Facts>),
}

impl Fetches {
    pub(crate) fn new(genten: Genten) -> Self {
        Self { genten, record: Arc::default() }
    }

    /// Fetches a source and records it. The exchange has the body, as it was received.
    ///
    /// # Errors
    /// The fetch failed; then nothing is recorded.
    pub async fn fetch(&self, fetch: impl Into<Fetch<'_>>) -> Result<Exchange, Error> {
        let fetch = fetch.into();
        let terms = fetch.stated_terms().clone();
        let exchange = self.genten.record(fetch).await?;
        self.add(Source::Recorded(Box::new(exchange.clone()), terms));
        Ok(exchange)
    }

    /// Records a source that the tool has fetched by its own means (`capture` will be `reported`).
    pub fn report(&self, facts: Facts) {
        self.add(Source::Reported(Box::new(facts)));
    }

    /// Records a source that was fetched and signed before, and comes from a cache now: its time stays that of the fetch.
    pub fn report_cached(&self, earlier: Attested, terms: Terms) {
        self.add(Source::Cached(Box::new(earlier), terms));
    }

    /// Says that a source could not be reached, and that the result says so: it then needs no source, and nothing is attested.
    pub fn declare_unreached(&self) {
        self.record().is_unreached = true;
    }

    /// How many sources are recorded.
    pub fn len(&self) -> usize {
        self.record().sources.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn is_unreached(&self) -> bool {
        self.record().is_unreached
    }

    pub(crate) fn take(&self) -> Vec<Source> {
        std::mem::take(&mut self.record().sources)
    }

    fn add(&self, source: Source) {
        self.record().sources.push(source);
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
