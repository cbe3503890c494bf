//! Patterns over URLs, for `sources`, `san_uri`, `classes` and `archives`.
//!
//! A pattern compares bytes and nothing else: no case folding, no default ports, no percent decoding. What makes a prefix
//! safe is what it cannot leave open: the scheme, the host and the `/` after it are literal, and a URL whose path climbs
//! out of the prefix by dot segments matches nothing.

use std::fmt;
use std::str::FromStr;

/// Longest pattern, and longest URL that can match one, in bytes.
pub const MAX_LENGTH: usize = 8 * 1024;

/// A set of URLs: one URL, or all that begin with a prefix.
///
/// Text form: `scheme://host/rest`, where a `*` may stand as the last character and there only, or a whole `urn:` name.
/// Only a `file` URL may have an empty host.
///
/// ```
/// use genten_primitives::UrlPattern;
/// let pattern: UrlPattern = "https://www.rfc-editor.org/rfc/*".parse().unwrap();
/// assert!(pattern.matches("https://www.rfc-editor.org/rfc/rfc9110.txt"));
/// assert!(!pattern.matches("https://www.rfc-editor.org/rfc/%2e%2e/private"));
/// assert!("https://*.rfc-editor.org/".parse::<UrlPattern>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlPattern {
    literal: String,
    open_end: bool,
}

/// Why a text is not a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// A byte that RFC 3986 does not allow in a URI: a control character, a space, a backslash, a non-ASCII character …
    #[error("character at byte {offset} does not belong in a URL")]
    Character {
        /// Where the byte stands.
        offset: usize,
    },
    /// The path has a segment `.` or `..`, so that no URL could match.
    #[error("the path has a dot segment, which no URL may have")]
    DotSegment,
    /// No host, user information before it, or escapes or an empty label in it.
    #[error("a pattern needs a literal host, without user information, escapes or empty labels")]
    Host,
    /// Nothing, or something other than `/`, follows the host.
    #[error("a pattern needs a literal / after the host")]
    Path,
    /// Neither `scheme://` nor `urn:` at the beginning.
    #[error("a pattern begins with scheme:// or urn:")]
    Scheme,
    /// Longer than [`MAX_LENGTH`].
    #[error("pattern of {length} bytes, of at most {MAX_LENGTH}")]
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// A `*` before the last character, or in a `urn:` name.
    #[error("the * at byte {offset} can only be the last character, after scheme, host and /")]
    Wildcard {
        /// Where the `*` stands.
        offset: usize,
    },
}

impl UrlPattern {
    /// The host, without a port; empty for `urn:` and `file:///`.
    pub fn host(&self) -> &str {
        let after = self.literal.split_once("://").map_or("", |(_, rest)| rest);
        let authority = after.split('/').next().unwrap_or_default();
        match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => authority,
        }
    }

    /// Whether `url` belongs to the set. A URL that has a dot segment (`.`, `..`, also spelled with `%2e`, also between
    /// `%2f` or `%5c`) belongs to none, nor does one with a character that RFC 3986 excludes.
    pub fn matches(&self, url: &str) -> bool {
        self.rest(url).is_some()
    }

    /// What follows the literal part in a URL that [`matches`](Self::matches): empty unless the pattern ends with `*`.
    pub fn rest<'u>(&self, url: &'u str) -> Option<&'u str> {
        let rest = url.strip_prefix(self.literal.as_str())?;
        let fits = self.open_end || rest.is_empty();
        let is_plain = || foreign_byte(url).is_none() && !has_dot_segment(url);
        (fits && url.len() <= MAX_LENGTH && is_plain()).then_some(rest)
    }
}

impl FromStr for UrlPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        if text.len() > MAX_LENGTH {
            return Err(PatternError::TooLong { length: text.len() });
        }
        if let Some(offset) = foreign_byte(text) {
            return Err(PatternError::Character { offset });
        }
        let (literal, open_end) = match text.strip_suffix('*') {
            Some(prefix) => (prefix, true),
            None => (text, false),
        };
        if let Some(offset) = literal.find('*') {
            return Err(PatternError::Wildcard { offset });
        }
        check_fixed_parts(literal, open_end)?;
        let whole_segments = if open_end { directory_of(literal) } else { literal };
        if has_dot_segment(whole_segments) {
            return Err(PatternError::DotSegment);
        }
        Ok(Self { literal: literal.to_owned(), open_end })
    }
}

/// The parts that a `*` must not touch: scheme, host and `/`, or a whole `urn:` name.
fn check_fixed_parts(literal: &str, open_end: bool) -> Result<(), PatternError> {
    let (scheme, rest) = literal.split_once(':').ok_or(PatternError::Scheme)?;
    if scheme.eq_ignore_ascii_case("urn") {
        return match (open_end, rest) {
            (true, _) => Err(PatternError::Wildcard { offset: literal.len() }),
            (false, "") => Err(PatternError::Scheme),
            (false, _) => Ok(()),
        };
    }
    let after_slashes = rest.strip_prefix("//").filter(|_| is_scheme(scheme));
    let after_slashes = after_slashes.ok_or(PatternError::Scheme)?;
    let host_end = after_slashes.find(['/', '?', '#']).unwrap_or(after_slashes.len());
    let (host, path) = after_slashes.split_at(host_end);
    let is_host = match host {
        "" => scheme == "file",
        host => !host.contains(['@', '%']) && !has_empty_label(host),
    };
    if !is_host {
        return Err(PatternError::Host);
    }
    if path.starts_with('/') { Ok(()) } else { Err(PatternError::Path) }
}

/// Whether nothing stands between two dots of a name, or before the first. A dot at the end stands for the root.
fn has_empty_label(host: &str) -> bool {
    let name = host.split(':').next().unwrap_or_default();
    !host.starts_with('[') && name.strip_suffix('.').unwrap_or(name).split('.').any(str::is_empty)
}

/// RFC 3986 section 3.1.
fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// The first byte outside the characters of RFC 3986 section 2. Browsers and HTTP libraries drop tabs and line feeds and
/// turn `\` into `/`, so that such a URL could leave the prefix on its way to the server.
fn foreign_byte(url: &str) -> Option<usize> {
    let belongs =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte);
    url.bytes().position(|byte| !belongs(byte))
}

/// Whether the path has a segment that a reader could resolve as `.` or `..` (RFC 3986 section 5.2.4, WHATWG URL).
fn has_dot_segment(url: &str) -> bool {
    let path = path_of(url).to_ascii_lowercase().replace("%2f", "/").replace("%5c", "/");
    path.split('/').any(|segment| matches!(segment.replace("%2e", ".").as_str(), "." | ".."))
}

/// The text up to its last `/`: what follows can still grow.
fn directory_of(url: &str) -> &str {
    &url[..url.rfind('/').map_or(0, |slash| slash + 1)]
}

/// What stands between the authority, if there is one, and the query or fragment.
fn path_of(url: &str) -> &str {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let (_, rest) = url[..end].split_once(':').unwrap_or(("", &url[..end]));
    match rest.strip_prefix("//") {
        Some(authority) => authority.find('/').map_or("", |start| &authority[start..]),
        None => rest,
    }
}

impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.literal)?;
        f.write_str(if self.open_end { "*" } else { "" })
    }
}

impl fmt::Debug for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UrlPattern({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> UrlPattern {
        text.parse().unwrap()
    }

    #[test]
    fn a_prefix_matches_what_begins_with_it() {
        let all = pattern("https://example.org/*");
        assert!(all.matches("https://example.org/"));
        assert!(all.matches("https://example.org/a/b?c=/../d#e"));
        let some = pattern("https://example.org/a*");
        assert!(some.matches("https://example.org/a"));
        assert!(some.matches("https://example.org/about"));
        assert!(!some.matches("https://example.org/b"));
        assert!(
            pattern("https://example.org/.*").matches("https://example.org/.well-known/did.json")
        );
    }

    #[test]
    fn what_follows_the_prefix_is_given() {
        let archive = pattern("https://web.archive.org/web/*");
        let copy = "https://web.archive.org/web/2026id_/https://a.example/";
        assert_eq!(archive.rest(copy), Some("2026id_/https://a.example/"));
        assert_eq!(archive.rest("https://web.archive.org/"), None);
        assert_eq!(archive.rest("https://web.archive.org/web/../x"), None);
        let one = pattern("https://a.example/law");
        assert_eq!(one.rest("https://a.example/law"), Some(""));
        assert_eq!(one.rest("https://a.example/law2"), None);
    }

    #[test]
    fn without_a_star_the_whole_url_is_compared() {
        let one = pattern("https://example.org/a?b=1");
        assert!(one.matches("https://example.org/a?b=1"));
        assert!(!one.matches("https://example.org/a?b=12"));
        assert!(!one.matches("https://example.org/a?b="));
    }

    #[test]
    fn bytes_are_compared() {
        let all = pattern("https://example.org/*");
        for other in [
            "https://EXAMPLE.org/",
            "HTTPS://example.org/",
            "http://example.org/",
            "https://example.org:443/",
            "https://example.org.evil.test/",
            "https://example.org@evil.test/",
            "https://user@example.org/",
            "https://example.org",
            "https://example.org?q",
            "https:/example.org/",
            "",
        ] {
            assert!(!all.matches(other), "{other}");
        }
    }

    #[test]
    fn dot_segments_match_nothing() {
        let all = pattern("https://example.org/a/*");
        for segment in [
            ".",
            "..",
            "%2e",
            "%2E",
            "%2e.",
            ".%2E",
            "%2e%2e",
            "b%2f..%2fc",
            "b%5c%2e%2e%5Cc",
            "..%2f",
        ] {
            for url in [
                format!("https://example.org/a/{segment}"),
                format!("https://example.org/a/{segment}/"),
                format!("https://example.org/a/b/{segment}?q#f"),
            ] {
                assert!(!all.matches(&url), "{url}");
            }
        }
        for fine in ["...", "..a", "a..", ".well-known", "%2e%2e%2e", "b;..", "?/../", "#/../"] {
            assert!(all.matches(&format!("https://example.org/a/{fine}")), "{fine}");
        }
    }

    #[test]
    fn characters_outside_rfc_3986_match_nothing() {
        let all = pattern("https://example.org/*");
        for bad in [
            "\\..\\", ".\t./", "a b", "a\n", "a\0", "\u{e9}", "{", "|", "\"", "<", "^", "`",
            "\u{7f}",
        ] {
            assert!(!all.matches(&format!("https://example.org/{bad}")), "{bad:?}");
        }
    }

    #[test]
    fn a_url_is_bounded() {
        let all = pattern("https://example.org/*");
        let url = |length: usize| format!("{:a<length$}", "https://example.org/");
        assert!(all.matches(&url(MAX_LENGTH)));
        assert!(!all.matches(&url(MAX_LENGTH + 1)));
        let long = url(MAX_LENGTH + 1).parse::<UrlPattern>();
        assert_eq!(long, Err(PatternError::TooLong { length: MAX_LENGTH + 1 }));
    }

    #[test]
    fn a_urn_is_whole() {
        let urn = pattern("urn:example:signer:1");
        assert!(urn.matches("urn:example:signer:1"));
        assert!(!urn.matches("urn:example:signer:12"));
        assert_eq!(
            "urn:example:*".parse::<UrlPattern>(),
            Err(PatternError::Wildcard { offset: 12 })
        );
        assert_eq!("urn:".parse::<UrlPattern>(), Err(PatternError::Scheme));
    }

    #[test]
    fn other_hierarchical_schemes_work_alike() {
        assert!(pattern("spiffe://example.org/mcp/*").matches("spiffe://example.org/mcp/a"));
        assert!(pattern("s3://bucket/*").matches("s3://bucket/key"));
        assert!(pattern("file:///srv/data/*").matches("file:///srv/data/a.csv"));
        assert!(pattern("https://[2001:db8::1]:8443/*").matches("https://[2001:db8::1]:8443/x"));
    }

    #[test]
    fn open_patterns_are_refused() {
        use PatternError::{Character, DotSegment, Host, Path, Scheme, Wildcard};
        for (text, error) in [
            ("", Scheme),
            ("*", Scheme),
            ("example.org/*", Scheme),
            ("https:*", Scheme),
            ("https:/example.org/*", Scheme),
            ("1https://example.org/*", Scheme),
            ("mailto:a@example.org", Scheme),
            ("https://*", Host),
            ("https:///*", Host),
            ("https://user@example.org/*", Host),
            ("https://example.org*", Path),
            ("https://example.org", Path),
            ("https://example.org?q=/", Path),
            ("https://example.org#/*", Path),
            ("https://*.example.org/*", Wildcard { offset: 8 }),
            ("https://example.org/*/b", Wildcard { offset: 20 }),
            ("https://example.org/**", Wildcard { offset: 20 }),
            ("*://example.org/", Wildcard { offset: 0 }),
            ("https://example.org/a/../*", DotSegment),
            ("https://example.org/a/%2E/*", DotSegment),
            ("https://example.org/..", DotSegment),
            ("https://example.org/a b", Character { offset: 21 }),
            ("https://example.org\\a/*", Character { offset: 19 }),
            ("https://ex\u{e4}mple.org/*", Character { offset: 10 }),
        ] {
            assert_eq!(text.parse::<UrlPattern>(), Err(error), "{text}");
        }
    }

    #[test]
    fn text_form_is_kept() {
        for text in ["https://example.org/*", "https://example.org/a?b", "urn:a:b"] {
            assert_eq!(pattern(text).to_string(), text);
        }
    }

    #[test]
    fn a_host_is_literal() {
        for text in [
            "https://../",
            "https://a..example/*",
            "https://.example/*",
            "https://:443/*",
            "https://%2e%2e/*",
            "https://a%2eexample/*",
            "https://user@a.example/*",
        ] {
            assert_eq!(text.parse::<UrlPattern>(), Err(PatternError::Host), "{text}");
        }
        for (text, host) in [
            ("https://a.example/*", "a.example"),
            ("https://a.example:8443/x", "a.example"),
            ("https://[2001:db8::1]/*", "[2001:db8::1]"),
            ("https://[2001:db8::1]:443/*", "[2001:db8::1]"),
            ("file:///srv/*", ""),
            ("urn:x:y", ""),
        ] {
            assert_eq!(pattern(text).host(), host, "{text}");
        }
    }
}
