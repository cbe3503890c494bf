//! What a site does with its connections.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::answer::{Answer, End, SeenRequest};
use crate::frames::Frame;
use crate::site::Handler;
use crate::{http1, http2};

/// What all connections of a site share.
pub(crate) struct Shared {
    pub(crate) acceptors: Vec<TlsAcceptor>,
    pub(crate) frames: Option<(Vec<Frame>, End)>,
    pub(crate) routes: HashMap<String, Answer>,
    pub(crate) handler: Option<Box<Handler>>,
    pub(crate) seen: Mutex<Vec<SeenRequest>>,
    pub(crate) connections: AtomicUsize,
}

impl Shared {
    /// Answers a request and notes it, apart from the reactor: a handler may wait for another request.
    pub(crate) async fn answer(self: &Arc<Self>, request: SeenRequest) -> Answer {
        let shared = Arc::clone(self);
        let answer = tokio::task::spawn_blocking(move || shared.answer_now(request)).await;
        let answer = answer.unwrap_or_else(|_| Answer::status(500));
        answer.is_due().await;
        answer
    }

    fn answer_now(&self, request: SeenRequest) -> Answer {
        let answer = match (self.routes.get(&request.target), &self.handler) {
            (Some(answer), _) => answer.clone(),
            (None, Some(handler)) => handler(&request),
            (None, None) => Answer::status(404),
        };
        self.seen().push(request);
        answer
    }

    pub(crate) fn seen(&self) -> std::sync::MutexGuard<'_, Vec<SeenRequest>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared")
    }
}

/// Serves until it is aborted, and all connections with it.
pub(crate) async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    while let Ok((tcp, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let number = shared.connections.fetch_add(1, Ordering::SeqCst);
        let shared = Arc::clone(&shared);
        // Errors here are clients that left or refused the certificate: often the very purpose of the test.
        connections.spawn(async move { serve(tcp, number, shared).await });
    }
}

async fn serve(tcp: TcpStream, number: usize, shared: Arc<Shared>) -> io::Result<()> {
    tcp.set_nodelay(true)?;
    if shared.acceptors.is_empty() {
        let mut tcp = tcp;
        let end = serve_http1(&mut tcp, &shared).await?;
        return finish(tcp, end).await;
    }
    let acceptor = &shared.acceptors[number % shared.acceptors.len()];
    let mut tls = acceptor.accept(tcp).await?;
    let end = if tls.get_ref().1.alpn_protocol() != Some(b"h2") {
        serve_http1(&mut tls, &shared).await?
    } else if let Some((frames, end)) = &shared.frames {
        http2::serve_frames(&mut tls, frames).await?;
        *end
    } else {
        http2::serve(tls, shared).await;
        return Ok(());
    };
    if end == End::Clean {
        tls.shutdown().await?;
    }
    let end = if end == End::Clean { End::Fin } else { end };
    if end == End::Hang {
        return drain(&mut tls).await;
    }
    finish(tls.into_inner().0, end).await
}

async fn serve_http1<S>(stream: &mut S, shared: &Arc<Shared>) -> io::Result<End>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let Some(request) = http1::read_request(stream).await? else { return Ok(End::Clean) };
    let is_head = request.method == "HEAD";
    http1::write_answer(stream, shared.answer(request).await, is_head).await
}

async fn finish(mut tcp: TcpStream, end: End) -> io::Result<()> {
    match end {
        End::Reset => tcp.set_zero_linger(),
        End::Hang => drain(&mut tcp).await,
        End::Clean | End::Fin => {
            tcp.shutdown().await?;
            // Closing with unread bytes would reset the connection.
            drain(&mut tcp).await
        }
    }
}

/// Reads until the client goes away.
async fn drain<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<()> {
    let mut buffer = [0; 4096];
    while stream.read(&mut buffer).await? > 0 {}
    Ok(())
}
