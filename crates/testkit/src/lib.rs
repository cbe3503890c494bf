//! A small world to test provenance software in: certificate authorities, HTTPS upstreams that behave or misbehave
//! exactly as told, proxies, and a clock that stands still.
//!
//! Everything is real where it matters: certificates are signed, TLS is spoken over loopback sockets, HTTP/1.1 and
//! HTTP/2 bytes are on the wire. Nothing needs a network or a file.
//!
//! ```
//! use genten_testkit::{Answer, Authority, HttpsSite};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), genten_testkit::TestkitError> {
//! let authority = Authority::new("Example Root")?;
//! let site = HttpsSite::builder()
//!     .identity(authority.issue_for("localhost")?)
//!     .route("/hello", Answer::ok("hello"))
//!     .start()
//!     .await?;
//! println!("{} is trusted by {}", site.url("/hello"), authority.root_pem());
//! # Ok(())
//! # }
//! ```

mod answer;
mod authority;
mod clock;
mod frames;
mod http1;
mod http2;
mod proxy;
mod site;

use std::io;

pub use answer::{Answer, Content, End, Framing, SeenRequest};
pub use authority::{Authority, Identity, KeyKind, Leaf};
pub use clock::Clock;
pub use frames::Frame;
pub use proxy::ConnectProxy;
pub use site::{HttpsSite, Offer, SiteBuilder};

/// Why a part of the world could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TestkitError {
    /// A certificate or key could not be made.
    #[error("no certificate")]
    Certificate(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// No socket.
    #[error("no socket")]
    Io(#[from] io::Error),
    /// The identities do not make a TLS server.
    #[error("no TLS server")]
    Tls(#[source] Box<dyn std::error::Error + Send + Sync>),
}
