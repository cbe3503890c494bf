//! Timestamps (RFC 3161): somebody else's word that some bytes existed at a moment.
//!
//! A token is read once and then checked against the authorities of a trust kit. Nothing in it is believed before: embedded
//! certificates are hints that must agree with the kit, and the path was checked when the kit's authority was prepared.
//! Whether a certificate has expired today does not matter, only whether it was valid at the time of the stamp; revocations
//! are not asked for.

mod authority;
mod cms;
mod error;
mod ess;
mod hash;
mod identity;
mod info;
mod request;
mod tag;
mod token;
mod verify;

use der::asn1::ObjectIdentifier;

pub use authority::{TimestampAuthority, TimestampAuthorityError};
pub use error::{TimestampError, TimestampPart, TimestampSigner};
pub use hash::{HashAlgorithm, HashValue};
pub use request::{TimestampRequest, TimestampResponseError};
pub use token::TimestampToken;
pub use verify::VerifiedTimestamp;

/// Largest timestamp that is read, in bytes.
pub const MAX_TIMESTAMP: usize = 1 << 20;

/// Most certificates that a token may embed.
pub const MAX_EMBEDDED: usize = 32;

/// Most signed attributes of a token.
pub const MAX_ATTRIBUTES: usize = 32;

const TIME_STAMPING: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.8");
