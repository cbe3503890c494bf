//! URLs of services.

use std::fmt;
use std::str::FromStr;

use url::Url;

/// The http or https URL of a service: of a log, of its tiles, or of a timestamp authority.
///
/// ```
/// use genten_rekor::ServiceUrl;
/// let log: ServiceUrl = "https://log.example/2026/".parse().unwrap();
/// assert_eq!(log.below("api/v2").to_string(), "https://log.example/2026/api/v2");
/// assert!("ftp://log.example".parse::<ServiceUrl>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ServiceUrl(Url);

/// Why a text is not the URL of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceUrlError {
    /// A user name or password, which would end up in messages.
    #[error("url of a service has a user name or password")]
    Credentials,
    /// A fragment, which is never sent.
    #[error("url of a service has a fragment")]
    Fragment,
    /// No URL at all.
    #[error("not a url")]
    Malformed,
    /// A scheme that is neither http nor https.
    #[error("url of a service is neither http nor https")]
    Scheme,
}

impl ServiceUrlError {
    /// The stable name of the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Credentials => "rekor.url.credentials",
            Self::Fragment => "rekor.url.fragment",
            Self::Malformed => "rekor.url.malformed",
            Self::Scheme => "rekor.url.scheme",
        }
    }

    /// What to do.
    pub fn hint(&self) -> &'static str {
        "give a URL such as https://log.example, without user, password and fragment"
    }
}

impl FromStr for ServiceUrl {
    type Err = ServiceUrlError;

    fn from_str(text: &str) -> Result<Self, ServiceUrlError> {
        Self::new(Url::parse(text).map_err(|_| ServiceUrlError::Malformed)?)
    }
}

impl ServiceUrl {
    fn new(url: Url) -> Result<Self, ServiceUrlError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(ServiceUrlError::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(ServiceUrlError::Credentials);
        }
        if url.fragment().is_some() {
            return Err(ServiceUrlError::Fragment);
        }
        Ok(Self(url))
    }

    /// The URL of a path below this one; a query stays.
    pub fn below(&self, path: &str) -> Self {
        let mut url = self.0.clone();
        url.set_path(&[self.0.path().trim_end_matches('/'), "/", path].concat());
        Self(url)
    }

    /// The host as it stands in the URL.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// The host, with the port where the URL states one: for messages.
    pub(super) fn place(&self) -> &str {
        self.0.authority()
    }

    /// Whether both are the same but for slashes at the end.
    pub fn is_same_service(&self, other: &Self) -> bool {
        self.to_string().trim_end_matches('/') == other.to_string().trim_end_matches('/')
            && self.0.query() == other.0.query()
    }

    pub(super) fn as_url(&self) -> &Url {
        &self.0
    }

    /// Where a `Location` in an answer from here leads.
    pub(super) fn resolve(&self, location: &str) -> Option<Self> {
        let mut url = self.0.join(location).ok()?;
        url.set_fragment(None);
        Self::new(url).ok()
    }

    pub(super) fn may_lead_to(&self, target: &Self) -> bool {
        let is_downgrade = self.0.scheme() == "https" && target.0.scheme() == "http";
        !is_downgrade && self.0.host() == target.0.host()
    }
}

/// Without its query, which may hold a secret.
impl fmt::Display for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut url = self.0.clone();
        url.set_query(None);
        f.write_str(url.as_str())
    }
}

impl fmt::Debug for ServiceUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServiceUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> ServiceUrl {
        text.parse().unwrap()
    }

    #[test]
    fn only_plain_http_urls_name_services() {
        use ServiceUrlError as E;
        let error = |text: &str| text.parse::<ServiceUrl>().unwrap_err();
        assert_eq!(error("log.example"), E::Malformed);
        assert_eq!(error("https://"), E::Malformed);
        assert_eq!(error("file:///log"), E::Scheme);
        assert_eq!(error("https://user@log.example"), E::Credentials);
        assert_eq!(error("https://:word@log.example"), E::Credentials);
        assert_eq!(error("https://log.example/#top"), E::Fragment);
    }

    #[test]
    fn paths_go_below_whatever_slash_ends_it() {
        for base in ["https://h:1/a", "https://h:1/a/", "https://h:1/a//"] {
            assert_eq!(url(base).below("tile/0/000").to_string(), "https://h:1/a/tile/0/000");
        }
        assert_eq!(url("https://h").below("checkpoint").to_string(), "https://h/checkpoint");
        let signed = url("https://h/a?token=t").below("b");
        assert_eq!(signed.as_url().as_str(), "https://h/a/b?token=t");
        assert_eq!(signed.to_string(), "https://h/a/b", "the query may be a secret");
    }

    #[test]
    fn services_are_compared_without_slashes_at_the_end() {
        assert!(url("https://h/a/").is_same_service(&url("https://h:443/a")));
        assert!(!url("https://h/a").is_same_service(&url("http://h/a")));
        assert!(!url("https://h/a").is_same_service(&url("https://h/b")));
        assert!(!url("https://h/a?x").is_same_service(&url("https://h/a")));
    }

    #[test]
    fn redirects_stay_with_the_host_and_with_tls() {
        let from = url("https://h/a");
        let leads =
            |location: &str| from.resolve(location).is_some_and(|target| from.may_lead_to(&target));
        assert!(leads("/b"));
        assert!(leads("https://h:8443/b#top"));
        assert!(!leads("http://h/b"));
        assert!(!leads("https://other/b"));
        assert!(!leads("//other/b"));
        assert!(!leads("https://user@h/b"));
        assert!(!leads("ftp://h/b"));
        assert!(url("http://h/a").may_lead_to(&from));
    }
}
