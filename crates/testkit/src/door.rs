//! The port of a site: open, or shut so that connections are refused, and always the same port.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::serve::{Shared, accept};

/// Connections that wait to be accepted, at most.
const BACKLOG: u32 = 1024;

/// It shuts for good when it is dropped.
#[derive(Debug)]
pub(crate) struct Door {
    address: SocketAddr,
    state: Mutex<State>,
}

/// One of the two is there.
#[derive(Debug, Default)]
struct State {
    serving: Option<JoinHandle<()>>,
    /// Holds the port without listening: connections are refused, and nobody else gets the port.
    holding: Option<TcpSocket>,
}

impl Door {
    pub(crate) fn new(listener: TcpListener, shared: &Arc<Shared>) -> io::Result<Self> {
        let address = listener.local_addr()?;
        let serving = Some(tokio::spawn(accept(listener, Arc::clone(shared))));
        Ok(Self { address, state: Mutex::new(State { serving, holding: None }) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) async fn close(&self) -> io::Result<()> {
        let mut state = self.state.lock().await;
        if let Some(task) = state.serving.take() {
            task.abort();
            // The listener is gone once the task has ended.
            let _ = task.await;
            state.holding = Some(bound(self.address)?);
        }
        Ok(())
    }

    pub(crate) async fn open(&self, shared: &Arc<Shared>) -> io::Result<()> {
        let mut state = self.state.lock().await;
        if let Some(socket) = state.holding.take() {
            let listener = socket.listen(BACKLOG)?;
            state.serving = Some(tokio::spawn(accept(listener, Arc::clone(shared))));
        }
        Ok(())
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        if let Some(task) = &self.state.get_mut().serving {
            task.abort();
        }
    }
}

fn bound(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Connections that have just ended keep the port otherwise. On Windows they do not, and the option means more.
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}
