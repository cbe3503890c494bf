//! The output contract: results that say where their data comes from, in a shape that their `outputSchema` demands.
//!
//! A result is `{"data": …, "provenance": …}`. The data is the tool's own; the provenance names the sources, and data may refer to
//! them by `sourceRefs`. [`OutputContract`] makes the schema and the result; [`faults`] finds what no schema can say.
//!
//! What is stated here is the server's word, which nothing signs: manifests do that, and `verify` compares the two.
//!
//! ```
//! use genten_mcp::output::{Description, Fetched, OutputContract, StatedProvenance, StatedSource};
//! use genten_primitives::Sha256Digest;
//!
//! let contract = OutputContract::default();
//! let data = br#"{"type":"object","required":["text"],"properties":{"text":{"type":"string"}}}"#;
//! let schema = contract.schema(data)?; // the tool's outputSchema
//! # assert!(schema.starts_with(br#"{"$schema":"#));
//!
//! let fetched = Fetched {
//!     uri: "https://law.example/1".to_owned(),
//!     retrieved_at: "2026-11-30T08:15:00Z".parse()?,
//!     content_sha256: Some(Sha256Digest::of(b"Article 1.")),
//! };
//! let description = Description {
//!     title: "Law on Everything".to_owned(), // as the source calls itself
//!     publisher: "Ministry of Examples".to_owned(),
//!     source_type: "law".to_owned(),
//! };
//! let source = StatedSource::new("law-1", fetched, description);
//! let provenance = StatedProvenance::new("2026-11-30T08:15:01Z".parse()?, vec![source]);
//! let output = contract.output(br#"{"text":"Article 1.","sourceRefs":["law-1"]}"#, &provenance)?;
//! assert!(output.structured().starts_with(r#"{"data":{"text":"Article 1.","#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod contract;
mod formats;
mod mirror;
mod pointer;
#[cfg(feature = "schema")]
mod schema;
mod stated;

pub use check::{Fault, FaultCode, MAX_FAULTS, faults, has_shape};
pub use contract::{DataSchemaError, Output, OutputContract, OutputError, SOURCE_TYPES};
pub use mirror::text_faults;
#[cfg(feature = "schema")]
pub use schema::{OutputSchema, OutputSchemaError};
pub use stated::{
    Date, DateError, Description, Fetched, StatedError, StatedProvenance, StatedSource,
    Transformation, TransformationKind,
};

use genten_primitives::Sha256Digest;

/// A digest as a source's `contentHash`: `sha256:` and 64 hexadecimal digits. Manifests have the digits alone.
///
/// It says that bytes are the same, and neither who published them, nor that they are true, nor how they came.
pub fn content_hash(digest: Sha256Digest) -> String {
    format!("sha256:{digest}")
}

/// The digest in a `contentHash`; `None` where it is none, or spelled otherwise.
pub fn digest_of_content_hash(text: &str) -> Option<Sha256Digest> {
    text.strip_prefix("sha256:")?.parse().ok()
}
