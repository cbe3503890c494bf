//! Fetches over HTTP(S) and records what happened: the exact bytes, every hop, and the TLS connection that delivered
//! them.
//!
//! A [`Recorder`] takes a [`Request`] and a [`Sink`] and returns an [`Exchange`]. The bytes that are hashed are the bytes
//! that came: nothing is decoded, followed, repeated, spliced or cached on the way. A body that is not whole is an error
//! unless the caller asks for partial ones; a URL that could not be sent as written is refused with the spelling that can.
//!
//! ```no_run
//! use genten_fetch::{Recorder, Request, Sink};
//!
//! # async fn example() -> Result<(), genten_fetch::FetchError> {
//! let recorder = Recorder::builder().build()?;
//! let request = Request::get("https://www.rfc-editor.org/rfc/rfc9421.txt");
//! let exchange = recorder.fetch(request, Sink::File("rfc9421.txt".into())).await?;
//! println!("{} {}", exchange.content_sha256, exchange.completeness.as_str());
//! # Ok(())
//! # }
//! ```
//!
//! What a recording shows is the word of whoever runs the recorder: TLS proves nothing to third parties.

mod body;
mod certificate;
mod classify;
mod completeness;
mod connection;
mod credentials;
mod decoding;
mod error;
mod exchange;
mod fields;
mod guard;
mod hint;
mod idle;
mod range;
mod recorder;
mod redirect;
mod request;
mod resolve;
mod run;
mod sink;
mod summary;
mod tls;
mod url;

pub use completeness::{Completeness, Cut};
pub use decoding::{DecodeFailure, DecodeLimits};
pub use error::{
    Cause, FetchError, PresentedCertificate, RedirectError, RequestError, SetupError, TlsError,
    Waiting,
};
pub use exchange::{
    Anomaly, AnomalyKind, Body, Decoded, Exchange, Hop, Protocol, RequestFacts, Retrieval,
    TlsFacts, Trust, Warning,
};
pub use fields::Fields;
pub use guard::{AddressClass, Guard};
pub use range::ByteRange;
pub use recorder::{Alpn, Clock, Recorder, RecorderBuilder};
pub use redirect::{CrossSite, RedirectPolicy};
pub use request::Request;
pub use sink::Sink;
pub use url::{MAX_URL_BYTES, Spelling, UrlError, displayed_url};
