//! The absolute URL of a fetch, byte for byte as requested.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

/// Longest URL in bytes.
const LIMIT: usize = 8 << 10;

/// An absolute URI in RFC 3986 characters, without user information and fragment. Never re-encoded, never normalised.
///
/// ```
/// use genten_manifest::{SourceUrl, SourceUrlError};
/// let url: SourceUrl = "https://law.example/?id=a%20b&x".parse().unwrap();
/// assert_eq!(url.as_str(), "https://law.example/?id=a%20b&x");
/// assert_eq!("https://user:pw@law.example/".parse::<SourceUrl>(), Err(SourceUrlError::UserInfo));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceUrl(String);

/// Why a text is not the URL of a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceUrlError {
    /// A character that RFC 3986 does not know.
    #[error("a character that RFC 3986 excludes: percent-encode it before the request")]
    Character,
    /// A `#`: a fragment is never sent.
    #[error("a fragment, which is never sent to the server")]
    Fragment,
    /// No host after `http://` or `https://`, or one that is no host.
    #[error("no valid host")]
    Host,
    /// No scheme, so not absolute.
    #[error("not an absolute URL")]
    NotAbsolute,
    /// A `%` without two hexadecimal digits.
    #[error("a percent sign without two hexadecimal digits")]
    PercentEncoding,
    /// Longer than 8 KiB.
    #[error("longer than 8192 bytes")]
    TooLong,
    /// A user name or password, which would be published with the manifest.
    #[error("a user name or password in the URL")]
    UserInfo,
}

impl SourceUrl {
    /// The URL as requested.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The scheme, in the spelling of the URL.
    pub fn scheme(&self) -> &str {
        self.0.split(':').next().unwrap_or_default()
    }

    /// Whether the scheme is `http` or `https`.
    pub fn is_web(&self) -> bool {
        self.is_https() || self.scheme().eq_ignore_ascii_case("http")
    }

    /// Whether the scheme is `https`.
    pub fn is_https(&self) -> bool {
        self.scheme().eq_ignore_ascii_case("https")
    }

    /// The URL as browsers and HTTP libraries read it (WHATWG URL): scheme and host in small letters, no default port, dot
    /// segments resolved. To compare with what a reader has in mind, never to write down.
    pub fn resolved(&self) -> Option<String> {
        url::Url::parse(&self.0).ok().map(String::from)
    }

    /// The authority (`host[:port]`) of a URL with one.
    pub fn authority(&self) -> Option<&str> {
        let rest = self.0[self.scheme().len()..].strip_prefix("://")?;
        rest.split(['/', '?']).next()
    }

    /// Whether this is the URL's scheme, in any case of letters.
    pub fn has_scheme(&self, scheme: &str) -> bool {
        self.scheme().eq_ignore_ascii_case(scheme)
    }

    /// The host as written, brackets of an IPv6 literal included, without the port.
    pub fn host(&self) -> Option<&str> {
        let authority = self.authority()?;
        match authority.find(']') {
            Some(end) => authority.get(..=end),
            None => authority.split(':').next(),
        }
    }
}

impl FromStr for SourceUrl {
    type Err = SourceUrlError;

    fn from_str(text: &str) -> Result<Self, SourceUrlError> {
        if text.len() > LIMIT {
            return Err(SourceUrlError::TooLong);
        }
        if let Some(bad) = text.bytes().find(|byte| !is_uri_character(*byte)) {
            return Err(if bad == b'#' {
                SourceUrlError::Fragment
            } else {
                SourceUrlError::Character
            });
        }
        check_percent(text)?;
        let (scheme, rest) = text.split_once(':').ok_or(SourceUrlError::NotAbsolute)?;
        if !is_scheme(scheme) || rest.is_empty() {
            return Err(SourceUrlError::NotAbsolute);
        }
        let url = Self(text.to_owned());
        check_authority(&url)?;
        Ok(url)
    }
}

/// Unreserved, reserved (but `#`) and `%` of RFC 3986 section 2.
fn is_uri_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&'()*+,;=%".contains(&byte)
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

fn check_percent(text: &str) -> Result<(), SourceUrlError> {
    let followed = |rest: &str| {
        rest.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    match text.split('%').skip(1).all(followed) {
        true => Ok(()),
        false => Err(SourceUrlError::PercentEncoding),
    }
}

fn check_authority(url: &SourceUrl) -> Result<(), SourceUrlError> {
    let Some(authority) = url.authority() else {
        return if url.is_web() { Err(SourceUrlError::Host) } else { Ok(()) };
    };
    if authority.contains('@') {
        return Err(SourceUrlError::UserInfo);
    }
    if !url.is_web() {
        return Ok(());
    }
    let host = url.host().unwrap_or_default();
    let port = &authority[host.len()..];
    let port_fits = match port.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_digit()),
        None => port.is_empty(),
    };
    if is_host(host) && port_fits { Ok(()) } else { Err(SourceUrlError::Host) }
}

/// A name, or an IPv6 address in brackets (RFC 3986 section 3.2.2); brackets stand nowhere else.
fn is_host(host: &str) -> bool {
    match host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && !host.contains(['[', ']']),
    }
}

impl fmt::Display for SourceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_kept_byte_for_byte() {
        for text in [
            "https://a.example",
            "https://a.example?q",
            "HTTPS://A.example:443/%7e/../b//c;x?a=1&a=2+3'(*)",
            "http://[::1]:8080/",
            "db:table/7",
            "file:///etc/hosts",
            "s3://bucket/key",
            "urn:isbn:0451450523",
        ] {
            assert_eq!(text.parse::<SourceUrl>().unwrap().as_str(), text);
        }
    }

    #[test]
    fn each_fault_has_its_name() {
        use SourceUrlError as E;
        let longest = format!("{:x<LIMIT$}", "https://a.example/");
        assert!(longest.parse::<SourceUrl>().is_ok());
        let long = longest + "x";
        for (text, want) in [
            ("https://a.example/a b", E::Character),
            ("https://a.example/\\", E::Character),
            ("https://a.example/\u{202e}", E::Character),
            ("https://a.example/\r\n", E::Character),
            ("https://a.example/{}|", E::Character),
            ("https://bücher.example/", E::Character),
            ("https://a.example/#top", E::Fragment),
            ("https://", E::Host),
            ("https:///path", E::Host),
            ("https:a.example", E::Host),
            ("http://a.example:8x/", E::Host),
            ("http://[::1]8/", E::Host),
            ("https://:443/", E::Host),
            ("https://]/", E::Host),
            ("https://[]/", E::Host),
            ("https://[a.example]/", E::Host),
            ("https://a[::1]/", E::Host),
            ("/path", E::NotAbsolute),
            ("a.example/path", E::NotAbsolute),
            ("", E::NotAbsolute),
            ("1a:b", E::NotAbsolute),
            ("db:", E::NotAbsolute),
            ("https://a.example/%zz", E::PercentEncoding),
            ("https://a.example/%4", E::PercentEncoding),
            (&long, E::TooLong),
            ("https://user@a.example/", E::UserInfo),
            ("https://user:pw@a.example/", E::UserInfo),
            ("s3://key:secret@bucket/", E::UserInfo),
        ] {
            assert_eq!(text.parse::<SourceUrl>(), Err(want), "{text:?}");
        }
    }

    #[test]
    fn one_place_has_one_resolved_form() {
        let resolved = |text: &str| text.parse::<SourceUrl>().unwrap().resolved();
        for text in ["https://a.example", "HTTPS://A.example:443/", "https://a.example/b/%2e%2e/./"]
        {
            assert_eq!(resolved(text).as_deref(), Some("https://a.example/"), "{text}");
        }
        assert_eq!(resolved("db:table/7").as_deref(), Some("db:table/7"));
        assert_eq!(resolved("https://a.example:99999/"), None);
    }

    #[test]
    fn parts_are_found() {
        let url: SourceUrl = "https://[::1]:8443?x=a/b".parse().unwrap();
        assert_eq!((url.host(), url.authority()), (Some("[::1]"), Some("[::1]:8443")));
        let url: SourceUrl = "http://a.example/x:y@z".parse().unwrap();
        assert_eq!(url.host(), Some("a.example"));
        assert!(url.is_web() && !url.is_https());
    }
}
