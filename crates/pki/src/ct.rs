//! Certificate Transparency (RFC 6962): what the SCTs of a certificate are worth against a list of known logs.
//!
//! An SCT is a log's promise to include an entry. [`CtEntry`] is that entry, [`Sct::verify`](crate::Sct::verify) checks the
//! promise, [`CtLogList`] says who runs which log, and [`judge_scts`] puts it together: one finding per SCT, and how many
//! operators promised. Whether that is enough is the caller's decision.
//!
//! Static CT logs publish their entries in data tiles ([`DataTile`]); entry and SCT give the leaf of the Merkle tree
//! without a request.

mod entry;
mod judge;
mod log;
mod log_list;
mod tile;

pub use entry::{CtEntry, LeafIndexError, SctVerifyError};
pub use judge::{CtFindings, SctFinding, SctOutcome, judge_embedded_scts, judge_scts};
pub use log::{CtLog, CtLogState, CtLogUrls, CtStatus};
pub use log_list::{CtLogList, CtLogListError, MAX_CT_LOG_LIST};
pub use tile::{DataTile, DataTileError, DataTilePart, MAX_DATA_TILE, TileLeaf, check_issuer};
