//! A small world to test provenance software in: certificate authorities, HTTPS upstreams that behave or misbehave
//! exactly as told, proxies, transparency logs, witnesses, timestamp authorities, and a clock that stands still.
//!
//! Everything is real where it matters: certificates are signed, TLS is spoken over loopback sockets, HTTP/1.1 and
//! HTTP/2 bytes are on the wire. Nothing needs a network or a file.
//!
//! `LogServer` and `TsaServer` are a log and a timestamp authority to send things to. They answer as real ones do, until
//! they are told otherwise (`Faults`). `CtServer` is a log of certificates to be read.
//!
//! Everything that opens sockets is behind the feature `net`, which is on by default. What is left without it ([`log`],
//! [`witness`], [`tsa`], [`ct`], [`fulcio`]) is the same on every run: keys are made from names ([`SeedKey`]).
//!
//! ```
//! # #[cfg(not(feature = "net"))]
//! # fn main() {}
//! # #[cfg(feature = "net")]
//! # mod net {
//! use genten_testkit::{Answer, Authority, HttpsSite};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # pub async fn main() -> Result<(), genten_testkit::TestkitError> {
//! let authority = Authority::new("Example Root")?;
//! let site = HttpsSite::builder()
//!     .identity(authority.issue_for("localhost")?)
//!     .route("/hello", Answer::ok("hello"))
//!     .start()
//!     .await?;
//! println!("{} is trusted by {}", site.url("/hello"), authority.root_pem());
//! # Ok(())
//! # }
//! # }
//! # #[cfg(feature = "net")]
//! # use net::main;
//! ```

#[cfg(feature = "net")]
mod answer;
#[cfg(feature = "net")]
mod authority;
mod clock;
pub mod ct;
#[cfg(feature = "net")]
mod ct_server;
pub mod der;
#[cfg(feature = "net")]
mod door;
mod environment;
#[cfg(feature = "net")]
mod faults;
#[cfg(feature = "net")]
mod frames;
pub mod fulcio;
#[cfg(feature = "net")]
mod http1;
#[cfg(feature = "net")]
mod http2;
mod issuer;
pub mod log;
#[cfg(feature = "net")]
mod log_server;
#[cfg(feature = "net")]
mod proxy;
mod seed;
#[cfg(feature = "net")]
mod serve;
#[cfg(feature = "net")]
mod server;
#[cfg(feature = "net")]
mod site;
pub mod tsa;
#[cfg(feature = "net")]
mod tsa_server;
pub mod witness;

use std::io;

#[cfg(feature = "net")]
pub use answer::{Answer, Content, End, Framing, SeenRequest};
#[cfg(feature = "net")]
pub use authority::{Authority, Identity, KeyKind, Leaf, Precertificate};
pub use clock::Clock;
#[cfg(feature = "net")]
pub use ct_server::CtServer;
pub use environment::has_dead_proxies;
#[cfg(feature = "net")]
pub use faults::{Faults, Gate, NetFault, Refusal, RetryAfter};
#[cfg(feature = "net")]
pub use frames::Frame;
pub use issuer::{CertificateSpec, Issuer};
#[cfg(feature = "net")]
pub use log_server::{LogServer, LogServerBuilder, ReadFault, WriteFault};
#[cfg(feature = "net")]
pub use proxy::ConnectProxy;
pub use seed::SeedKey;
#[cfg(feature = "net")]
pub use site::{HttpsSite, Offer, SiteBuilder};
#[cfg(feature = "net")]
pub use tsa_server::{StampFault, TsaServer, TsaServerBuilder};

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
