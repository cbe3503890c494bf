//! The stable codes of errors, and what to do about each.

use std::io;

use crate::error::{FetchError, RedirectError, SetupError, TlsError};

impl FetchError {
    /// The stable name of the cause, dotted lower case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Connect { .. } => "fetch.connect",
            Self::Dns { .. } => "fetch.dns",
            Self::Guarded { .. } => "fetch.guarded",
            Self::NoAnswer { .. } => "fetch.no-answer",
            Self::PartialAnswer => "fetch.partial-answer",
            Self::Protocol { .. } => "fetch.protocol",
            Self::Proxy { .. } => "fetch.proxy",
            Self::RangeMismatch { .. } => "fetch.range-mismatch",
            Self::Redirect { reason, .. } => reason.code(),
            Self::Request { .. } => "fetch.request",
            Self::Setup { reason } => reason.code(),
            Self::Sink { source } if source.kind() == io::ErrorKind::StorageFull => {
                "fetch.sink.full"
            }
            Self::Sink { .. } => "fetch.sink",
            Self::Timeout { .. } => "fetch.timeout",
            Self::Tls { reason, .. } => reason.code(),
            Self::TooLarge { .. } => "fetch.too-large",
            Self::Truncated { .. } => "fetch.truncated",
            Self::Unbound { .. } => "fetch.unbound",
            Self::Url(error) => error.code(),
        }
    }

    /// What to do, in one or two sentences for a person.
    pub fn hint(&self) -> String {
        match self {
            Self::Redirect { reason, .. } => reason.hint(),
            Self::Setup { reason } => reason.hint().into(),
            Self::Tls { reason, .. } => reason.hint().into(),
            Self::Url(error) => error.hint(),
            other => other.plain_hint().into(),
        }
    }

    fn plain_hint(&self) -> &'static str {
        match self {
            Self::Connect { .. } => "check host, port and network; the server may be down",
            Self::Dns { .. } => "check the spelling of the host and whether this machine has DNS",
            Self::Guarded { .. } => {
                "addresses inside this network are refused here; turn the guard off only for URLs that no model or stranger chose"
            }
            Self::NoAnswer { .. } => {
                "try again; the server may expect another protocol on this port"
            }
            Self::PartialAnswer => {
                "the server ignored that the whole was asked for; allow partial bodies to record it, as partial"
            }
            Self::Protocol { .. } => {
                "the server is broken, or something in between is; nothing it sends can be attested"
            }
            Self::Proxy { .. } => {
                "check the proxy's address and whether it may connect to this host"
            }
            Self::RangeMismatch { .. } => {
                "the server is broken; allow partial bodies to record what came, as partial"
            }
            Self::Request { .. } => "remove or correct this part of the request",
            Self::Sink { source } if source.kind() == io::ErrorKind::StorageFull => {
                "free space on the disk and fetch again; nothing was left behind"
            }
            Self::Sink { .. } => {
                "check the target path and its permissions; nothing was left behind"
            }
            Self::Timeout { .. } => "try again, or allow more time",
            Self::TooLarge { .. } => "raise the limit when the document may be that large",
            Self::Truncated { .. } => {
                "fetch again; allow partial bodies only when an incomplete document is wanted, it is then marked as partial"
            }
            Self::Unbound { .. } => "this is a defect of the recorder: please report it",
            Self::Redirect { .. } | Self::Setup { .. } | Self::Tls { .. } | Self::Url(_) => "",
        }
    }
}

impl RedirectError {
    fn code(&self) -> &'static str {
        match self {
            Self::Ambiguous => "fetch.redirect.ambiguous",
            Self::BodyLeak { .. } => "fetch.redirect.body",
            Self::CrossSite { .. } => "fetch.redirect.cross-site",
            Self::Downgrade => "fetch.redirect.downgrade",
            Self::Encoding { .. } => "fetch.redirect.encoding",
            Self::Location => "fetch.redirect.location",
            Self::Loop => "fetch.redirect.loop",
            Self::TooMany { .. } => "fetch.redirect.too-many",
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::BodyLeak { to } => format!("send the request to {to} itself if that is meant"),
            Self::CrossSite { to, .. } => {
                format!("fetch from {to} itself, or allow redirects to other sites")
            }
            Self::Downgrade => {
                "allow downgrades only where the content is public and its origin does not matter"
                    .into()
            }
            Self::Encoding { target } => format!("fetch {target} itself"),
            Self::TooMany { .. } => "allow more redirects when the site needs them".into(),
            Self::Ambiguous | Self::Location | Self::Loop => {
                "the server is broken or needs a login; fetch the document's own URL".into()
            }
        }
    }
}

impl SetupError {
    fn code(&self) -> &'static str {
        match self {
            Self::Client(_) => "fetch.setup.client",
            Self::GuardedProxy => "fetch.setup.guarded-proxy",
            Self::Proxy => "fetch.setup.proxy",
            Self::Roots => "fetch.setup.roots",
        }
    }

    fn hint(&self) -> &'static str {
        match self {
            Self::Client(_) => "this is a defect of the recorder: please report it",
            Self::GuardedProxy => {
                "use the guard or the proxy; with a proxy, let the proxy refuse inner addresses"
            }
            Self::Proxy => "write it as http://host:port",
            Self::Roots => "give a file with -----BEGIN CERTIFICATE----- blocks",
        }
    }
}

impl TlsError {
    fn code(&self) -> &'static str {
        match self {
            Self::Certificate(_) | Self::CertificateAuthority => "fetch.tls.certificate",
            Self::Expired => "fetch.tls.expired",
            Self::Handshake(_) => "fetch.tls.handshake",
            Self::NotYetValid => "fetch.tls.not-yet-valid",
            Self::UnknownIssuer => "fetch.tls.unknown-issuer",
            Self::WrongHost { .. } => "fetch.tls.wrong-host",
        }
    }

    fn hint(&self) -> &'static str {
        match self {
            Self::Certificate(_) => "the server, or a proxy in between, needs another certificate",
            Self::CertificateAuthority => {
                "give the server a certificate of its own, signed by that authority (with openssl: basicConstraints=CA:FALSE); if the server is not yours, something in between answers for it"
            }
            Self::Expired | Self::NotYetValid => {
                "check this machine's clock; otherwise the server must renew its certificate"
            }
            Self::Handshake(_) => "check that the port speaks TLS 1.2 or 1.3",
            Self::UnknownIssuer => {
                "a proxy between here and the origin can present its own certificate: if you know and trust the presented issuer, give its root certificate"
            }
            Self::WrongHost { .. } => {
                "check the host name; a proxy or a name server in between can lead elsewhere too"
            }
        }
    }
}
