//! Which spellings of a URL can be requested, so that what is signed is what was sent.
//!
//! The HTTP stack sends what `url::Url` (the WHATWG rules) makes of a text. A text that these rules would change, or
//! that has characters outside RFC 3986, is refused with the spelling that works; nothing is ever changed silently.
//! Only an empty path may stay empty: the request for it is `/`.

use std::fmt;

use url::Url;

use crate::credentials;

/// Longest URL, in bytes.
pub const MAX_URL_BYTES: usize = 8 * 1024;

/// A URL in the spelling that can be requested. Printed without the values of parameters that look like credentials.
#[derive(Clone, PartialEq, Eq)]
pub struct Spelling(String);

impl Spelling {
    /// The whole URL, secrets included.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&displayed_url(&self.0))
    }
}

impl fmt::Debug for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spelling({self})")
    }
}

/// Why a URL cannot be requested as it is written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// Has a character that RFC 3986 does not allow at that place, or a `%` without two hexadecimal digits.
    #[error("the URL has a character that RFC 3986 excludes; spelled correctly it is {spelling}")]
    Character {
        /// The spelling that works.
        spelling: Spelling,
    },
    /// Has a fragment, which is never sent.
    #[error("the URL has a fragment, which is no part of a request; without it, it is {spelling}")]
    Fragment {
        /// The spelling that works.
        spelling: Spelling,
    },
    /// Not an absolute URL.
    #[error("not an absolute URL")]
    Invalid,
    /// Contains the mark of a withheld value, which would be mistaken for one.
    #[error("the URL contains genten-redacted:, the mark of a withheld value")]
    Redacted,
    /// Would be sent in another spelling.
    #[error("the URL would be sent in another spelling: {spelling}")]
    Rewritten {
        /// The spelling that works.
        spelling: Spelling,
    },
    /// Neither http nor https.
    #[error("the URL is neither http nor https")]
    Scheme,
    /// Longer than [`MAX_URL_BYTES`].
    #[error("the URL has {bytes} bytes, more than {MAX_URL_BYTES}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Has a user name or password, which would be signed and published.
    #[error("the URL has a user name or password")]
    Userinfo,
}

impl UrlError {
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Character { .. } => "fetch.url.character",
            Self::Fragment { .. } => "fetch.url.fragment",
            Self::Invalid => "fetch.url.invalid",
            Self::Redacted => "fetch.url.redacted",
            Self::Rewritten { .. } => "fetch.url.rewritten",
            Self::Scheme => "fetch.url.scheme",
            Self::TooLong { .. } => "fetch.url.too-long",
            Self::Userinfo => "fetch.url.userinfo",
        }
    }

    pub(crate) fn hint(&self) -> String {
        match self {
            Self::Character { spelling }
            | Self::Fragment { spelling }
            | Self::Rewritten { spelling } => format!("write {spelling}"),
            Self::Invalid => "write it like https://host/path".into(),
            Self::Redacted => "give the URL with its real values".into(),
            Self::Scheme => "only http and https can be fetched".into(),
            Self::TooLong { .. } => {
                "no source needs such a long URL; check how it was built".into()
            }
            Self::Userinfo => "put the credentials into an Authorization header".into(),
        }
    }
}

/// The parsed form of a URL that is sent exactly as it is written.
pub(crate) fn check(text: &str) -> Result<Url, UrlError> {
    if text.len() > MAX_URL_BYTES {
        return Err(UrlError::TooLong { bytes: text.len() });
    }
    if text.contains("genten-redacted:") {
        return Err(UrlError::Redacted);
    }
    let url = Url::parse(text).map_err(|_| UrlError::Invalid)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(UrlError::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(UrlError::Userinfo);
    }
    let spelling = spelling(&url);
    if text.contains('#') {
        return Err(UrlError::Fragment { spelling });
    }
    if !is_kept(text, &url) {
        return Err(UrlError::Rewritten { spelling });
    }
    if text != spelling.as_str()
        && !is_kept(text, &Url::parse(spelling.as_str()).map_err(|_| UrlError::Invalid)?)
    {
        return Err(UrlError::Character { spelling });
    }
    Ok(url)
}

/// Whether `url` is sent as `text`: equal, or equal but for the `/` of an empty path.
fn is_kept(text: &str, url: &Url) -> bool {
    let sent = url.as_str();
    let path = sent.len() - url.query().map_or(0, |query| query.len() + 1) - 1;
    text == sent
        || (url.path() == "/" && text.strip_prefix(&sent[..path]) == Some(&sent[path + 1..]))
}

/// The nearest spelling that `check` accepts: as the stack would send it, without fragment, and with percent-encoding
/// wherever RFC 3986 asks for it.
pub(crate) fn spelling(url: &Url) -> Spelling {
    let mut url = url.clone();
    url.set_fragment(None);
    let text = url.as_str();
    let authority_end = text.len() - url[url::Position::BeforePath..].len();
    let mut spelled = String::from(&text[..authority_end]);
    let rest = &text.as_bytes()[authority_end..];
    for (at, &byte) in rest.iter().enumerate() {
        if is_allowed(rest, at) {
            spelled.push(char::from(byte));
        } else {
            spelled.push_str(&format!("%{byte:02X}"));
        }
    }
    Spelling(spelled)
}

/// Whether the byte is a character of RFC 3986 (section 2), or begins a percent-encoding. Brackets are characters of the
/// RFC, and widely used in queries although its grammar keeps them for IP addresses: they stay.
fn is_allowed(rest: &[u8], at: usize) -> bool {
    match rest[at] {
        b'%' => rest.get(at + 1..at + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit)),
        byte => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?[]".contains(&byte),
    }
}

/// A URL for people and log lines: the values of parameters that look like credentials are left out, and so are user name
/// and password. What is no URL at all is shown in the same way.
///
/// ```
/// use genten_fetch::displayed_url;
/// assert_eq!(displayed_url("https://h/?api_key=1a2b&page=2"), "https://h/?api_key=…&page=2");
/// ```
pub fn displayed_url(text: &str) -> String {
    let (rest, fragment) = split(text, '#');
    let (path, query) = split(rest, '?');
    let mut shown = without_user(path);
    for (mark, parameters) in [('?', query), ('#', fragment)] {
        let Some(parameters) = parameters else { continue };
        let parts: Vec<String> = parameters.split('&').map(shown_parameter).collect();
        shown.push(mark);
        shown.push_str(&parts.join("&"));
    }
    shown
}

fn split(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// The part before the query, with `…` for what stands before the last `@` of the authority.
fn without_user(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once(':') else { return text.to_owned() };
    let authority = rest.trim_start_matches(['/', '\\']);
    let slashes = rest.len() - authority.len();
    // The web's parsers find a user even where slashes are missing or turned round.
    let is_web = ["http", "https"].iter().any(|web| scheme.trim().eq_ignore_ascii_case(web));
    if slashes < 2 && !is_web {
        return text.to_owned();
    }
    let end = authority.find(['/', '\\']).unwrap_or(authority.len());
    match authority[..end].rfind('@') {
        Some(at) => format!("{scheme}:{}…{}", &rest[..slashes], &authority[at..]),
        None => text.to_owned(),
    }
}

fn shown_parameter(part: &str) -> String {
    match part.split_once('=') {
        Some((name, value)) if !value.is_empty() && is_secret(name) => format!("{name}=…"),
        _ => part.to_owned(),
    }
}

/// Whether a parameter's name, which may be percent-encoded, is one of a credential.
fn is_secret(name: &str) -> bool {
    let decoded = url::form_urlencoded::parse(name.as_bytes()).next();
    decoded.is_some_and(|(name, _)| credentials::is_credential_name(&name))
}

#[cfg(test)]
mod tests {
    use url::Position;

    use super::*;

    fn rewritten(text: &str) -> String {
        match check(text) {
            Err(UrlError::Rewritten { spelling } | UrlError::Character { spelling }) => spelling.0,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn sent_as_written() {
        for text in [
            "http://h/",
            "http://h",
            "http://h?a",
            "https://h:8443?",
            "https://www.rfc-editor.org/rfc/rfc9421.txt",
            "http://h/a//b;c=1'/+%7e%41?x&x&=&a=b%20c&()*",
            "http://h/?",
            "http://h/?a?b/c",
            "http://h/?ids[]=1&ids[]=2",
            "http://[2001:db8::1]:81/x",
            "http://127.0.0.1:8080/",
            "http://xn--bcher-kva.example/",
        ] {
            assert!(check(text).is_ok(), "{text}: {:?}", check(text));
        }
    }

    #[test]
    fn every_rewriting_of_the_stack_is_refused_with_the_spelling_that_works() {
        for (text, spelling) in [
            ("http://h/a b", "http://h/a%20b"),
            ("http://h/\"<>`{}", "http://h/%22%3C%3E%60%7B%7D"),
            ("http://h/\u{7f}", "http://h/%7F"),
            ("http://h/?a b\"<>'", "http://h/?a%20b%22%3C%3E%27"),
            ("http://h/ü?ü", "http://h/%C3%BC?%C3%BC"),
            ("http://h/a\\b", "http://h/a/b"),
            ("http://h/a/../b", "http://h/b"),
            ("http://h/a/%2e%2e/b", "http://h/b"),
            ("http://h/a/./b", "http://h/a/b"),
            ("http://h/a/%2E/b", "http://h/a/b"),
            ("http://h/a\tb\nc", "http://h/abc"),
            (" http://h/ ", "http://h/"),
            ("HTTP://LOCALHOST:80/A", "http://localhost/A"),
            ("https://h:443/", "https://h/"),
            ("https://h:0443/", "https://h/"),
            ("http://h:081/", "http://h:81/"),
            ("http://h:/", "http://h/"),
            ("http://bücher/", "http://xn--bcher-kva/"),
            ("http://h%41/", "http://ha/"),
            ("http://0x7f.1/", "http://127.0.0.1/"),
            ("http://2130706433/", "http://127.0.0.1/"),
            ("http://1.2.3/", "http://1.2.0.3/"),
            ("http:h/x", "http://h/x"),
            ("http://@h/", "http://h/"),
            ("http://h/a|b^c[d]%zz%", "http://h/a%7Cb%5Ec[d]%25zz%25"),
            ("http://h/?{a}\\`|^[]%g", "http://h/?%7Ba%7D%5C%60%7C%5E[]%25g"),
            ("http://h?|", "http://h/?%7C"),
        ] {
            assert_eq!(rewritten(text), spelling, "{text:?}");
            assert!(check(spelling).is_ok(), "{spelling}");
        }
    }

    #[test]
    fn other_refusals() {
        let check = |text: &str| check(text).unwrap_err();
        assert_eq!(check("http://u:p@h/"), UrlError::Userinfo);
        assert_eq!(check("http://u@h/"), UrlError::Userinfo);
        assert_eq!(check("http://:p@h/"), UrlError::Userinfo);
        assert_eq!(
            check("http://h/#f"),
            UrlError::Fragment { spelling: Spelling("http://h/".into()) }
        );
        assert_eq!(
            check("http://h/a#"),
            UrlError::Fragment { spelling: Spelling("http://h/a".into()) }
        );
        assert_eq!(check("ftp://h/"), UrlError::Scheme);
        assert_eq!(check("/a"), UrlError::Invalid);
        assert_eq!(check("http://"), UrlError::Invalid);
        assert_eq!(check("http://h/?k=genten-redacted:x"), UrlError::Redacted);
        let long = format!("http://h/{}", "a".repeat(MAX_URL_BYTES));
        assert_eq!(check(&long), UrlError::TooLong { bytes: MAX_URL_BYTES + 9 });
    }

    #[test]
    fn no_message_shows_a_secret() {
        let error = check("https://h/a b?api_key=s3cret&q=1").unwrap_err();
        for text in [error.to_string(), error.hint(), format!("{error:?}")] {
            assert!(text.contains("https://h/a%20b?api_key=…&q=1"), "{text}");
            assert!(!text.contains("s3cret"));
        }
        let error = check("https://user:s3cret@h/").unwrap_err();
        assert!(!format!("{error} {}", error.hint()).contains("s3cret"));
    }

    #[test]
    fn what_is_displayed_has_no_secret() {
        for (text, shown) in [
            ("https://h/a?token=s3cret&x=1#y", "https://h/a?token=…&x=1#y"),
            ("https://h/a?to%6ben=s3cret", "https://h/a?to%6ben=…"),
            ("https://h/a#access_token=s3cret&x", "https://h/a#access_token=…&x"),
            ("https://user:s3cret@h/a@b", "https://…@h/a@b"),
            ("https://user:s3@cret@h?q=a@b", "https://…@h?q=a@b"),
            ("HTTP:\\\\user:s3cret@h\\a", "HTTP:\\\\…@h\\a"),
            (" https:user:s3cret@h", " https:…@h"),
            ("ftp://user:s3cret@h/", "ftp://…@h/"),
        ] {
            assert_eq!(displayed_url(text), shown);
        }
        for text in
            ["https://h/a@b", "mailto:a@b", "db:orders?row=7", "h", "", "?", "https://h?key"]
        {
            assert_eq!(displayed_url(text), text);
        }
    }

    proptest::proptest! {
        /// Whatever is refused with a spelling, that spelling is accepted.
        #[test]
        fn every_suggestion_works(text in "[hH]ttps?:[/\\\\]{0,3}[a-zA-Z0-9.%:\\[\\]ü -]{1,12}[/?\\\\]?\\PC{0,20}") {
            if let Err(
                UrlError::Rewritten { spelling }
                | UrlError::Character { spelling }
                | UrlError::Fragment { spelling },
            ) = check(&text)
            {
                proptest::prop_assert!(check(spelling.as_str()).is_ok(), "{text:?} -> {spelling:?}");
            }
        }

        /// What is accepted is sent byte for byte, but for the `/` of an empty path.
        #[test]
        fn what_is_accepted_is_sent(text in "https://h(\\PC{0,20})") {
            if let Ok(url) = check(&text) {
                let (authority, rest) = url.as_str().split_at(url[..Position::BeforePath].len());
                let with_empty_path = format!("{authority}{}", &rest[1..]);
                proptest::prop_assert!(url.as_str() == text || with_empty_path == text);
            }
        }
    }
}
