//! The checks, one file each. All of them run for every manifest of a known version: an early fault hides no later fact.

pub(crate) mod archive;
pub(crate) mod batch;
pub(crate) mod content;
pub(crate) mod contradiction;
pub(crate) mod ct;
pub(crate) mod established;
pub(crate) mod evidence;
pub(crate) mod key_status;
pub(crate) mod log_codes;
pub(crate) mod logging;
pub(crate) mod moments;
pub(crate) mod result;
pub(crate) mod signature;
pub(crate) mod signer;
pub(crate) mod signer_certificate;
pub(crate) mod source;
pub(crate) mod stamp_codes;
pub(crate) mod stamps;
pub(crate) mod times;
pub(crate) mod transport;
