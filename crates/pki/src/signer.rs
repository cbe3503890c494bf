//! Signers that are known by a certificate: from the signer's certificate to a root of a trust kit.

mod authority;
mod error;
mod path;

pub(crate) use authority::ANY_PURPOSE;
pub use authority::{AuthorityError, AuthorityParts, SignerAuthority};
pub use error::ChainError;
pub(crate) use path::{CheckedByUs, unix_time};
pub use path::{SignerPath, verify_signer_path, verify_signer_path_at_any_time};
