//! The checks, one room each. All of them run for every manifest: an early fault hides no later fact.

pub(crate) mod content;
pub(crate) mod contradiction;
pub(crate) mod evidence;
pub(crate) mod key_status;
pub(crate) mod later;
pub(crate) mod signature;
pub(crate) mod signer_certificate;
pub(crate) mod source;
pub(crate) mod times;
pub(crate) mod transport;
