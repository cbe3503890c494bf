//! What gets an entry of its own, and what waits for a batch.

use std::time::Duration;

/// How manifests are grouped into log entries.
///
/// The default: sources of class `static` get entries of their own, one about the manifest and one about the content, at
/// once; all others share one entry a minute, or one for ten thousand manifests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRules {
    /// Which manifests get an entry of their own.
    pub alone: Alone,
    /// Whether the content of sources of class `static` is logged too. It needs a content log key.
    pub static_content: bool,
    /// A batch is made when the first of its manifests has waited for so long.
    pub batch_after: Duration,
    /// A batch is made when so many manifests wait; no batch is larger.
    pub batch_size: u32,
}

/// Which manifests get an entry of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alone {
    /// Every manifest.
    All,
    /// None: all go in batches.
    None,
    /// Those of sources of class `static`.
    #[default]
    Static,
}

impl Default for LogRules {
    fn default() -> Self {
        Self {
            alone: Alone::Static,
            static_content: true,
            batch_after: Duration::from_secs(60),
            batch_size: 10_000,
        }
    }
}
