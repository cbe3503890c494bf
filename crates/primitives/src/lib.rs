//! The smallest parts that everything in Genten stands on: strict JSON with spans and its canonical form, strict
//! encodings, digests, times, public keys and signature checks.
//!
//! Nothing here touches a clock, a file, a socket, the environment or a source of randomness. Every parser has a limit,
//! accepts one spelling of each value, and names the rule that an input broke.

pub mod digest;
pub mod encoding;
pub mod json;
pub mod key;
pub mod pattern;
mod printable;
pub mod signature;
pub mod time;

pub use digest::{HashAlgorithm, Sha256, Sha256Digest, Sha384Digest, Sha512Digest};
pub use key::PublicKey;
pub use pattern::{PatternError, UrlPattern};
pub use printable::Printable;
pub use time::Timestamp;
