//! What the tests share.

use genten_fetch::{Alpn, Body, Exchange, FetchError, Recorder, RecorderBuilder, Request, Sink};
use genten_testkit::{Answer, Authority, HttpsSite, Offer, SiteBuilder};

/// An authority, and a recorder that trusts it.
pub(crate) struct World {
    pub(crate) authority: Authority,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { authority: Authority::new("Test Root").unwrap() }
    }

    pub(crate) fn builder(&self) -> RecorderBuilder {
        Recorder::builder().root_pem(self.authority.root_pem()).unwrap()
    }

    pub(crate) fn recorder(&self) -> Recorder {
        self.builder().build().unwrap()
    }

    /// A site for `localhost` with these settings.
    pub(crate) fn site(&self) -> SiteBuilder {
        HttpsSite::builder().identity(self.authority.issue_for("localhost").unwrap())
    }

    /// A site with one answer for every request.
    pub(crate) async fn answering(&self, answer: Answer) -> HttpsSite {
        self.site().handler(move |_| answer.clone()).start().await.unwrap()
    }
}

pub(crate) const LIMIT: u64 = 64 << 20;

pub(crate) async fn get(recorder: &Recorder, url: String) -> Result<Exchange, FetchError> {
    recorder.fetch(Request::get(url), Sink::Memory { limit: LIMIT }).await
}

pub(crate) fn bytes(exchange: &Exchange) -> &[u8] {
    match &exchange.body {
        Body::Memory(bytes) => bytes,
        other => panic!("{other:?}"),
    }
}

/// Both protocols: what the recorder offers, and what the site does.
pub(crate) const PROTOCOLS: [(Alpn, Offer); 2] =
    [(Alpn::Http1, Offer::Http1), (Alpn::Http2, Offer::Http2)];
