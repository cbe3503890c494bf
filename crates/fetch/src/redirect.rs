//! Which redirects are followed, and what goes with the request.
//!
//! The target is `Location` resolved by the WHATWG URL rules against the URL of the answer, without its fragment (RFC
//! 9110 section 10.2.2). Every hop is a request of its own on a connection of its own.

use http::{HeaderMap, Method, StatusCode, header};
use url::{Host, Origin, Url};

use crate::error::RedirectError;
use crate::fields;
use crate::url::{self as urls, UrlError};

/// Which redirects to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedirectPolicy {
    pub(crate) limit: Option<usize>,
    pub(crate) cross_site: CrossSite,
    pub(crate) allow_downgrade: bool,
}

/// What to do about a redirect to another site, which is another registrable domain by the public suffix list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossSite {
    /// Follow it.
    Allow,
    /// End the fetch with an error.
    Refuse,
    /// Follow it with a warning in the exchange.
    Warn,
}

impl Default for RedirectPolicy {
    /// Up to ten, a warning for other sites, never from https to http.
    fn default() -> Self {
        Self::limited(10)
    }
}

impl RedirectPolicy {
    /// Follows up to `limit` redirects; one more is an error.
    pub fn limited(limit: usize) -> Self {
        Self { limit: Some(limit), cross_site: CrossSite::Warn, allow_downgrade: false }
    }

    /// Follows none: an answer that redirects is the answer.
    pub fn none() -> Self {
        Self { limit: None, ..Self::limited(0) }
    }

    /// What to do about redirects to other sites.
    pub fn cross_site(mut self, cross_site: CrossSite) -> Self {
        self.cross_site = cross_site;
        self
    }

    /// Follows redirects from https to http. Off by default: anybody on the way can change such an answer.
    pub fn allow_downgrade(mut self, allow: bool) -> Self {
        self.allow_downgrade = allow;
        self
    }
}

/// Where an answer leads.
#[derive(Debug)]
pub(crate) struct Step {
    /// `Location`, verbatim.
    pub(crate) location: String,
    pub(crate) target: Url,
    /// Whether the target is another site, and that is to be told.
    pub(crate) warns_of_site: bool,
    /// Whether the target is another origin, so that nothing secret may go with the request.
    pub(crate) cross_origin: bool,
}

/// The step that an answer asks for, or `None` when it is the final answer.
pub(crate) fn step(
    from: &Url,
    status: StatusCode,
    headers: &HeaderMap,
    policy: &RedirectPolicy,
) -> Result<Option<Step>, RedirectError> {
    if policy.limit.is_none() || !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = location(headers)? else { return Ok(None) };
    let target = target(from, &location)?;
    if from.scheme() == "https" && target.scheme() == "http" && !policy.allow_downgrade {
        return Err(RedirectError::Downgrade);
    }
    let cross_site = !same_site(from, &target);
    if cross_site && policy.cross_site == CrossSite::Refuse {
        return Err(RedirectError::CrossSite { from: host(from), to: host(&target) });
    }
    let cross_origin = origin(from) != origin(&target);
    let warns_of_site = cross_site && policy.cross_site == CrossSite::Warn;
    Ok(Some(Step { location, target, warns_of_site, cross_origin }))
}

/// The method of the next request (RFC 9110 section 15.4 and what all browsers do).
pub(crate) fn next_method(method: &Method, status: StatusCode) -> Method {
    match status {
        StatusCode::SEE_OTHER if method != Method::HEAD => Method::GET,
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND if method == Method::POST => Method::GET,
        _ => method.clone(),
    }
}

fn location(headers: &HeaderMap) -> Result<Option<String>, RedirectError> {
    let mut fields = headers.get_all(header::LOCATION).iter();
    let Some(first) = fields.next() else { return Ok(None) };
    if fields.any(|other| other != first) {
        return Err(RedirectError::Ambiguous);
    }
    Ok(Some(fields::text(first)))
}

fn target(from: &Url, location: &str) -> Result<Url, RedirectError> {
    let mut target = from.join(location).map_err(|_| RedirectError::Location)?;
    target.set_fragment(None);
    if let Some(utf8) = as_utf8(location).and_then(|text| from.join(&text).ok())
        && utf8 != target
    {
        return Err(RedirectError::Encoding { target: urls::spelling(&utf8) });
    }
    match urls::check(target.as_str()) {
        Ok(_) => Ok(target),
        Err(UrlError::Character { spelling }) => Err(RedirectError::Encoding { target: spelling }),
        Err(_) => Err(RedirectError::Location),
    }
}

/// A location whose raw bytes are non-ASCII UTF-8 means one URL to a browser and another by the rule that a header byte
/// is a character; this is the browser's reading of it.
fn as_utf8(location: &str) -> Option<String> {
    let bytes: Vec<u8> = location.chars().filter_map(|c| u8::try_from(c).ok()).collect();
    if bytes.is_ascii() { None } else { String::from_utf8(bytes).ok() }
}

fn origin(url: &Url) -> Origin {
    url.origin()
}

/// The host as it stands in the URL.
pub(crate) fn host(url: &Url) -> String {
    url.host_str().unwrap_or("").to_owned()
}

/// Whether two URLs belong to one registrable domain (`www.example.co.jp` and `example.co.jp`), or have the same host.
pub(crate) fn same_site(one: &Url, other: &Url) -> bool {
    let (Some(one), Some(other)) = (one.host(), other.host()) else { return false };
    match (&one, &other) {
        (Host::Domain(a), Host::Domain(b)) => a == b || registrable(a) == registrable(b),
        _ => one == other,
    }
}

/// The registrable domain; the whole name where the list knows none.
fn registrable(name: &str) -> &str {
    psl::domain_str(name).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    fn at(location: &[u8]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::LOCATION, http::HeaderValue::from_bytes(location).unwrap());
        headers
    }

    fn go(from: &str, location: &[u8]) -> Result<String, RedirectError> {
        let policy = RedirectPolicy::default();
        step(&url(from), StatusCode::FOUND, &at(location), &policy)
            .map(|step| step.unwrap().target.into())
    }

    fn encoding(target: &str) -> Result<String, RedirectError> {
        Err(RedirectError::Encoding { target: urls::spelling(&url(target)) })
    }

    #[test]
    fn locations_resolve_by_the_url_rules() {
        assert_eq!(go("https://h/a/b", b"../c?x#f"), Ok("https://h/c?x".into()));
        assert_eq!(go("https://h/a/b", b"//k/c"), Ok("https://k/c".into()));
        assert_eq!(go("https://h/a", b"/\xe9"), Ok("https://h/%C3%A9".into()));
        assert_eq!(go("https://h/a", b"/x y"), Ok("https://h/x%20y".into()));
        assert_eq!(go("https://h/a", b"ftp://h/"), Err(RedirectError::Location));
        assert_eq!(go("https://h/a", b"https://u:p@h/"), Err(RedirectError::Location));
        assert_eq!(go("https://h/a", b"http://h/"), Err(RedirectError::Downgrade));
        assert_eq!(go("http://h/a", b"https://h/"), Ok("https://h/".into()));
        assert_eq!(go("https://h/a", b"/x|y"), encoding("https://h/x%7Cy"));
        assert_eq!(go("https://h/a", "/ü".as_bytes()), encoding("https://h/%C3%BC"));
    }

    #[test]
    fn only_redirects_with_one_location_lead_on() {
        let policy = RedirectPolicy::default();
        for status in [StatusCode::OK, StatusCode::MULTIPLE_CHOICES, StatusCode::NOT_MODIFIED] {
            assert!(step(&url("https://h/"), status, &at(b"/x"), &policy).unwrap().is_none());
        }
        let none = HeaderMap::new();
        assert!(step(&url("https://h/"), StatusCode::FOUND, &none, &policy).unwrap().is_none());
        let mut two = at(b"/x");
        two.append(header::LOCATION, "/x".parse().unwrap());
        assert!(step(&url("https://h/"), StatusCode::FOUND, &two, &policy).unwrap().is_some());
        two.append(header::LOCATION, "/y".parse().unwrap());
        assert_eq!(
            step(&url("https://h/"), StatusCode::FOUND, &two, &policy).unwrap_err(),
            RedirectError::Ambiguous
        );
        let stay = RedirectPolicy::none();
        assert!(step(&url("https://h/"), StatusCode::FOUND, &at(b"/"), &stay).unwrap().is_none());
    }

    #[test]
    fn sites_are_registrable_domains() {
        for (a, b, same) in [
            ("www.example.org", "example.org", true),
            ("a.example.co.jp", "b.example.co.jp", true),
            ("laws.e-gov.go.jp", "www.mhlw.go.jp", false),
            ("a.co.uk", "b.co.uk", false),
            ("127.0.0.1", "127.0.0.2", false),
            ("127.0.0.1", "127.0.0.1", true),
            ("localhost", "localhost", true),
            ("a.example.com.evil.net", "a.example.com", false),
        ] {
            let url = |host: &str| format!("https://{host}/").parse().unwrap();
            assert_eq!(same_site(&url(a), &url(b)), same, "{a} {b}");
        }
    }

    #[test]
    fn methods() {
        let next = |method, status| next_method(&method, StatusCode::from_u16(status).unwrap());
        assert_eq!(next(Method::POST, 302), Method::GET);
        assert_eq!(next(Method::POST, 303), Method::GET);
        assert_eq!(next(Method::PUT, 303), Method::GET);
        assert_eq!(next(Method::HEAD, 303), Method::HEAD);
        assert_eq!(next(Method::POST, 307), Method::POST);
        assert_eq!(next(Method::PUT, 301), Method::PUT);
    }
}
