//! A forward proxy that opens tunnels (CONNECT, RFC 9110 section 9.3.6).

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::{TestkitError, http1};

/// A running proxy. It stops when it is dropped.
#[derive(Debug)]
pub struct ConnectProxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

impl ConnectProxy {
    /// A proxy that leads every tunnel to `target`, whatever it is asked for; without a target it answers 403.
    ///
    /// # Errors
    ///
    /// When there is no socket.
    pub async fn start(target: Option<SocketAddr>) -> Result<Self, TestkitError> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let asked = Arc::new(Mutex::default());
        let task = tokio::spawn(accept(listener, target, Arc::clone(&asked)));
        Ok(Self { address, asked, task })
    }

    /// The proxy's URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The targets (`host:port`) that tunnels were asked for.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for ConnectProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

type Asked = Arc<Mutex<Vec<String>>>;

async fn accept(listener: TcpListener, target: Option<SocketAddr>, asked: Asked) {
    while let Ok((tcp, _)) = listener.accept().await {
        let asked = Arc::clone(&asked);
        tokio::spawn(async move { tunnel(tcp, target, asked).await });
    }
}

async fn tunnel(mut tcp: TcpStream, target: Option<SocketAddr>, asked: Asked) -> io::Result<()> {
    let Some(request) = http1::read_request(&mut tcp).await? else { return Ok(()) };
    asked.lock().unwrap_or_else(PoisonError::into_inner).push(request.target);
    match target {
        Some(target) if request.method == "CONNECT" => {
            let mut upstream = TcpStream::connect(target).await?;
            tcp.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").await?;
            tokio::io::copy_bidirectional(&mut tcp, &mut upstream).await?;
        }
        _ => tcp.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n").await?,
    }
    Ok(())
}
