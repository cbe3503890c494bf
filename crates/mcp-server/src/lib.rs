//! Servers of the Model Context Protocol whose results carry their provenance.
//!
//! [`WithProvenance`] decorates the `ToolRouter` of a server that is written with rmcp: each call gets [`Fetches`], by which the tool
//! fetches its sources or reports what it has fetched itself. After the tool has answered, one manifest for each source is
//! signed, bound to the whole result and to the call, and put into `_meta`. The content stays as it was.
//!
//! It fails closed: a tool that needs sources and recorded none gives an error instead of an answer that nobody stands
//! behind. Structured content is held against the tool's own `outputSchema`, formats included, and a tool that panics answers
//! with an error.
//!
//! For servers that are written otherwise there is [`Provenance::attach`]: JSON in, JSON out.

mod attach;
mod fetches;
mod output;
mod resource;
mod router;

pub use attach::{AttachError, Provenance, Sources};
pub use fetches::Fetches;
pub use output::{OutputError, OutputSchema, call_tool_result, check_output, fetched};
pub use router::WithProvenance;

/// The examples of the guide are compiled.
#[cfg(doctest)]
mod docs {
    #[doc = include_str!("../../../docs/mcp.md")]
    struct Guide;

    #[doc = include_str!("../../../docs/output.md")]
    struct OutputContract;
}
