//! From the errors of the HTTP stack to ours: which layer failed first, and why.

use std::error::Error;
use std::io;

use rustls::CertificateError;

use crate::completeness::Cut;
use crate::connection::Slot;
use crate::error::{FetchError, TlsError};
use crate::resolve::{NoAddress, Refusal};

/// An error and its causes, also those inside an `io::Error`, which its `source()` skips.
fn causes(error: &reqwest::Error) -> Vec<&(dyn Error + 'static)> {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |&last| {
        let inside = last.downcast_ref::<io::Error>().and_then(|error| error.get_ref());
        inside.map(|inner| inner as &(dyn Error + 'static)).or_else(|| last.source())
    })
    .collect()
}

fn find<'e, T: Error + 'static>(causes: &[&'e (dyn Error + 'static)]) -> Option<&'e T> {
    causes.iter().find_map(|cause| cause.downcast_ref::<T>())
}

/// The system's own error, under those that wrap it.
fn innermost_io<'e>(causes: &[&'e (dyn Error + 'static)]) -> Option<&'e io::Error> {
    causes.iter().rev().find_map(|cause| cause.downcast_ref::<io::Error>())
}

/// The request failed before there was an answer.
pub(crate) fn before_answer(
    error: reqwest::Error,
    host: &str,
    slot: &Slot,
    proxied: bool,
    connect_limit: std::time::Duration,
) -> FetchError {
    let host = host.to_owned();
    let error = error.without_url();
    let causes = causes(&error);
    if let Some(&Refusal { address, class }) = find(&causes) {
        return FetchError::Guarded { host, address, class };
    }
    if let Some(NoAddress(source)) = find(&causes) {
        return FetchError::Dns { host, source: copy(source) };
    }
    if let Some(tls) = find::<rustls::Error>(&causes) {
        return FetchError::Tls { host, reason: tls_error(tls), presented: slot.presented() };
    }
    if error.is_connect() && error.is_timeout() {
        let waiting_for = crate::error::Waiting::Connection;
        return FetchError::Timeout { waiting_for, limit: connect_limit };
    }
    if error.is_connect() {
        return not_connected(error, host, proxied);
    }
    if broke_off(&causes) {
        return FetchError::NoAnswer { host, source: error.into() };
    }
    FetchError::Protocol { host, source: error.into() }
}

/// Whether the peer left before there was an answer, rather than answering nonsense.
fn broke_off(causes: &[&(dyn Error + 'static)]) -> bool {
    if let Some(h2) = find::<h2::Error>(causes) {
        return h2.is_io() || (h2.is_remote() && (h2.is_reset() || h2.is_go_away()));
    }
    let Some(hyper) = find::<hyper::Error>(causes) else { return false };
    let is_io = innermost_io(causes).is_some();
    !hyper.is_parse() && (is_io || hyper.is_incomplete_message() || hyper.is_canceled())
}

fn not_connected(error: reqwest::Error, host: String, proxied: bool) -> FetchError {
    match innermost_io(&causes(&error)).map(copy) {
        // A handshake that the other side ends without a word is an end of file here.
        Some(source) if source.kind() == io::ErrorKind::UnexpectedEof && !proxied => {
            let reason = TlsError::Handshake(source.to_string());
            FetchError::Tls { host, reason, presented: None }
        }
        Some(source) => FetchError::Connect { host, source },
        None if proxied => FetchError::Proxy { host, source: error.into() },
        None => FetchError::Protocol { host, source: error.into() },
    }
}

/// An `io::Error` of the same kind and number.
fn copy(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(number) => io::Error::from_raw_os_error(number),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

/// The name alone: rustls gives it as `DnsName("host")`.
fn bare_name(presented: &str) -> String {
    let quoted = presented.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"'));
    quoted.map_or(presented, |(name, _)| name).to_owned()
}

fn tls_error(error: &rustls::Error) -> TlsError {
    use CertificateError as Bad;
    let rustls::Error::InvalidCertificate(bad) = error else {
        return TlsError::Handshake(error.to_string());
    };
    match bad {
        Bad::Expired | Bad::ExpiredContext { .. } => TlsError::Expired,
        Bad::NotValidYet | Bad::NotValidYetContext { .. } => TlsError::NotYetValid,
        Bad::UnknownIssuer => TlsError::UnknownIssuer,
        Bad::NotValidForName => TlsError::WrongHost { names: Vec::new() },
        Bad::NotValidForNameContext { presented, .. } => {
            TlsError::WrongHost { names: presented.iter().map(|name| bare_name(name)).collect() }
        }
        Bad::Other(other) if is_authority(other) => TlsError::CertificateAuthority,
        other => TlsError::Certificate(other.to_string()),
    }
}

/// What a self-signed certificate made with a tool's defaults is, most of the time.
fn is_authority(error: &rustls::OtherError) -> bool {
    let error = error.0.downcast_ref::<webpki::Error>();
    matches!(error, Some(webpki::Error::CaUsedAsEndEntity))
}

/// How a body broke off.
pub(crate) fn cut(error: &reqwest::Error) -> Cut {
    let causes = causes(error);
    if let Some(h2) = find::<h2::Error>(&causes) {
        return if h2.is_reset() && h2.is_remote() {
            Cut::Reset
        } else if h2.is_io() {
            Cut::Closed
        } else if h2.is_library() || h2.reason() == Some(h2::Reason::PROTOCOL_ERROR) {
            Cut::Malformed
        } else {
            Cut::Reset
        };
    }
    let Some(io) = innermost_io(&causes) else { return Cut::Malformed };
    match io.kind() {
        io::ErrorKind::UnexpectedEof if io.to_string().contains("close_notify") => {
            Cut::NoCloseNotify
        }
        io::ErrorKind::UnexpectedEof => Cut::Closed,
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Cut::Reset,
        _ => Cut::Malformed,
    }
}
