//! What the servers of the kit have in common: they answer one request on a connection of HTTP/1.1, and count them.

use tokio::sync::watch;

use crate::authority::Identity;
use crate::site::{HttpsSite, Offer, SiteBuilder};
use crate::{Answer, SeenRequest, TestkitError};

/// Listens on loopback. What cuts connections short is said in HTTP/1.1, so that nothing else is offered.
pub(crate) async fn listen(
    identity: Option<&Identity>,
    handler: impl Fn(&SeenRequest) -> Answer + Send + Sync + 'static,
) -> Result<HttpsSite, TestkitError> {
    let closing = move |request: &SeenRequest| handler(request).header("connection", "close");
    let site = HttpsSite::builder().offer(Offer::Http1).handler(closing);
    identity.cloned().into_iter().fold(site, SiteBuilder::identity).start().await
}

/// The bodies of the requests that a server is there for.
#[derive(Debug, Default)]
pub(crate) struct Received(watch::Sender<Vec<Vec<u8>>>);

impl Received {
    pub(crate) fn add(&self, body: &[u8]) {
        self.0.send_modify(|bodies| bodies.push(body.to_vec()));
    }

    pub(crate) fn count(&self) -> usize {
        self.0.borrow().len()
    }

    pub(crate) fn bodies(&self) -> Vec<Vec<u8>> {
        self.0.borrow().clone()
    }

    pub(crate) async fn reaches(&self, count: usize) {
        // The sender cannot be gone: this is it.
        let _ = self.0.subscribe().wait_for(|bodies| bodies.len() >= count).await;
    }
}
