#![doc = include_str!("../README.md")]

mod algorithm;
mod signer;
mod verifier;

pub use josekit;

pub use signer::{GentenJwsSigner, JosekitSigner, JosekitSignerError, NotOurs};
pub use verifier::GentenJwsVerifier;
