//! A gate that holds answers back until a test opens it.

use std::sync::Arc;

use tokio::sync::watch;

/// Shut at first; once open, it stays so. Clones are the same gate.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<watch::Sender<bool>>);

impl Gate {
    /// A gate that is shut.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets everything pass that waits, and all that comes later.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    pub(crate) async fn passed(&self) {
        // The sender cannot be gone: this is it.
        let _ = self.0.subscribe().wait_for(|is_open| *is_open).await;
    }
}
