//! Header fields as facts: what the answer said, and what the caller asked with.

use std::fmt;

use genten_primitives::Sha256Digest;
use http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::credentials;
use crate::error::{FetchError, RequestError};
use crate::exchange::RequestFacts;
use crate::request::Request;

/// A field value as text: each byte is the character of the same number (ISO 8859-1).
pub(crate) fn text(value: &HeaderValue) -> String {
    value.as_bytes().iter().copied().map(char::from).collect()
}

/// The fields of an answer. Debug shows their names only, because a value can be a secret (`Set-Cookie`).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl fmt::Debug for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|(name, _)| name)).finish()
    }
}

impl Fields {
    pub(crate) fn new(headers: &HeaderMap) -> Self {
        Self(headers.iter().map(|(name, value)| (name.as_str().into(), text(value))).collect())
    }

    /// All fields: lower-case names and verbatim values, a byte of 0x80 and above as the character of the same number.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first field of this lower-case name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// `Content-Type`.
    pub fn media_type(&self) -> Option<&str> {
        self.get("content-type")
    }

    /// `ETag`.
    pub fn etag(&self) -> Option<&str> {
        self.get("etag")
    }

    /// `Last-Modified`.
    pub fn last_modified(&self) -> Option<&str> {
        self.get("last-modified")
    }

    /// `Date`: the server's clock, not ours.
    pub fn date(&self) -> Option<&str> {
        self.get("date")
    }

    /// `Age`: seconds that a cache has kept the answer.
    pub fn age(&self) -> Option<&str> {
        self.get("age")
    }

    /// `Content-Disposition`.
    pub fn content_disposition(&self) -> Option<&str> {
        self.get("content-disposition")
    }

    /// `Content-Encoding`, several fields joined by a comma (RFC 9110 section 5.3).
    pub fn content_encoding(&self) -> Option<String> {
        let codings: Vec<&str> = self.all("content-encoding").collect();
        (!codings.is_empty()).then(|| codings.join(", "))
    }

    /// The fields that an HTTP message signature (RFC 9421) needs: `signature`, `signature-input`, digests, and every
    /// field that a signature covers; never `set-cookie`. Empty when the answer is not signed.
    pub fn signature(&self) -> Vec<(String, String)> {
        if self.get("signature").is_none() || self.get("signature-input").is_none() {
            return Vec::new();
        }
        let mut wanted = ["signature", "signature-input", "content-digest", "repr-digest"]
            .map(String::from)
            .to_vec();
        wanted.extend(self.all("signature-input").flat_map(covered_fields));
        let is_kept = |name: &String| name != "set-cookie" && wanted.contains(name);
        self.0.iter().filter(|(name, _)| is_kept(name)).cloned().collect()
    }

    fn all<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s str> {
        self.iter().filter(move |(other, _)| *other == name).map(|(_, value)| value)
    }
}

/// The names of the answer's fields that a `signature-input` covers: `sig1=("@status" "date" "x";sf);created=1` has
/// `date` and `x`. Components of the request (`;req`) are not in the answer.
fn covered_fields(input: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = input;
    while let Some((_, tail)) = rest.split_once('"') {
        let Some((name, tail)) = tail.split_once('"') else { break };
        let parameters = tail.split([' ', ')', '"']).next().unwrap_or("");
        let of_request = parameters.split(';').any(|parameter| parameter == "req");
        if !name.starts_with('@') && !of_request {
            names.push(name.to_owned());
        }
        rest = tail;
    }
    names
}

/// The fields that a request sends, checked.
pub(crate) fn request_headers(request: &Request) -> Result<HeaderMap, FetchError> {
    let mut headers = HeaderMap::new();
    for (name, value) in &request.headers {
        let refused = |reason| FetchError::Request { name: name.clone(), reason };
        let field = HeaderName::try_from(name.as_str()).map_err(|_| refused(RequestError::Name))?;
        if is_reserved(&field) {
            return Err(refused(RequestError::Reserved));
        }
        let mut value = HeaderValue::from_bytes(value).map_err(|_| refused(RequestError::Value))?;
        value.set_sensitive(true);
        headers.append(field, value);
    }
    if let Some(range) = request.range {
        if !range.is_valid() {
            let name = header::RANGE.to_string();
            return Err(FetchError::Request { name, reason: RequestError::Value });
        }
        let value = HeaderValue::try_from(range.to_field()).expect("a range is digits and signs");
        headers.insert(header::RANGE, value);
    }
    Ok(headers)
}

/// Fields of framing, routing and the connection (RFC 9110 section 7.6.1), and `Range`, which has a setting of its own.
/// Another `Host` would make the signed URL untrue.
fn is_reserved(name: &HeaderName) -> bool {
    let text = name.as_str();
    matches!(
        text,
        "connection"
            | "content-length"
            | "expect"
            | "host"
            | "http2-settings"
            | "keep-alive"
            | "range"
            | "te"
            | "trailer"
            | "transfer-encoding"
            | "upgrade"
    ) || text.starts_with("proxy-")
}

/// What stays with a request that goes to another origin: nothing that could be a credential.
pub(crate) fn without_credentials(headers: &HeaderMap) -> HeaderMap {
    let kept = headers.iter().filter(|(name, _)| is_public(name.as_str()) || *name == "range");
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// What stays with a request that has lost its body in a redirect.
pub(crate) fn without_content(headers: &HeaderMap) -> HeaderMap {
    let kept = headers.iter().filter(|(name, _)| !name.as_str().starts_with("content-"));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Fields of content negotiation and the browser's own, whose values may be signed.
fn is_public(name: &str) -> bool {
    name.starts_with("accept") || name == "user-agent" || name.starts_with("sec-fetch-")
}

/// The facts of a request as they may be published; `None` for a plain GET with nothing set by the caller.
pub(crate) fn request_facts(request: &Request, headers: &HeaderMap) -> Option<RequestFacts> {
    if request.method == "GET" && request.body.is_none() && headers.is_empty() {
        return None;
    }
    Some(RequestFacts {
        method: request.method.clone(),
        body_sha256: request.body.as_ref().map(|body| Sha256Digest::of(body)),
        headers: headers.iter().map(published).collect(),
        credentials: headers.keys().any(|name| credentials::is_credential_name(name.as_str())),
    })
}

/// Longest value of a request field that is published.
const MAX_PUBLISHED: usize = 256;

fn published((name, value): (&HeaderName, &HeaderValue)) -> (String, String) {
    let is_shown = is_public(name.as_str()) && value.len() <= MAX_PUBLISHED;
    (name.as_str().into(), if is_shown { text(value) } else { String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(list: &[(&'static str, &'static [u8])]) -> Fields {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(*name, HeaderValue::from_bytes(value).unwrap());
        }
        Fields::new(&headers)
    }

    #[test]
    fn values_are_verbatim() {
        let fields = fields(&[
            ("content-disposition", b"attachment; filename=\"r\xe9sum\xe9\""),
            ("content-encoding", b"gzip"),
            ("content-encoding", b"br"),
        ]);
        assert_eq!(fields.content_disposition(), Some("attachment; filename=\"r\u{e9}sum\u{e9}\""));
        assert_eq!(fields.content_encoding().as_deref(), Some("gzip, br"));
        assert_eq!(fields.etag(), None);
    }

    #[test]
    fn a_signature_keeps_what_it_covers() {
        // The shape of RFC 9421 section 2.5, with a covered cookie and a component of the request.
        let fields = fields(&[
            ("date", b"Tue, 20 Apr 2021 02:07:56 GMT"),
            ("set-cookie", b"a=b"),
            ("x-other", b"1"),
            ("content-digest", b"sha-256=:AA==:"),
            ("repr-digest", b"sha-256=:AA==:"),
            ("x-req", b"1"),
            ("x-list", b"1"),
            ("x-list", b"2"),
            (
                "signature-input",
                b"sig1=(\"@status\" \"date\" \"set-cookie\" \"x-req\";req \"x-list\";sf);created=1618884475",
            ),
            ("signature", b"sig1=:AA==:"),
        ]);
        let names: Vec<_> = fields.signature().into_iter().map(|(name, _)| name).collect();
        let kept = [
            "content-digest",
            "date",
            "repr-digest",
            "signature",
            "signature-input",
            "x-list",
            "x-list",
        ];
        let mut sorted = names.clone();
        sorted.sort();
        assert_eq!(sorted, kept);
    }

    #[test]
    fn an_unsigned_answer_has_no_signature_fields() {
        assert!(fields(&[("content-digest", b"sha-256=:AA==:")]).signature().is_empty());
    }

    #[test]
    fn request_facts_hide_values() {
        let request = Request::new("POST", "https://h/")
            .header("Accept-Language", "ja")
            .header("authorization", "Bearer s3cret")
            .header("user-agent", "x".repeat(257))
            .body("q=1");
        let headers = request_headers(&request).unwrap();
        let facts = request_facts(&request, &headers).unwrap();
        assert_eq!(facts.method, "POST");
        assert_eq!(facts.body_sha256, Some(Sha256Digest::of(b"q=1")));
        let shown = [("accept-language", "ja"), ("authorization", ""), ("user-agent", "")]
            .map(|(n, v)| (n.into(), v.into()));
        assert_eq!(facts.headers, shown);
        assert!(facts.credentials);
        let left = without_credentials(&headers);
        assert_eq!(
            left.keys().map(HeaderName::as_str).collect::<Vec<_>>(),
            ["accept-language", "user-agent"]
        );
    }

    #[test]
    fn a_plain_get_has_no_facts() {
        let request = Request::get("https://h/");
        assert_eq!(request_facts(&request, &request_headers(&request).unwrap()), None);
    }

    #[test]
    fn reserved_fields_are_refused() {
        for name in
            ["Host", "Range", "content-length", "Transfer-Encoding", "Proxy-Authorization", "TE"]
        {
            let error = request_headers(&Request::get("https://h/").header(name, "x")).unwrap_err();
            assert_eq!(error.code(), "fetch.request", "{name}");
        }
        let error = request_headers(&Request::get("https://h/").header("x", "a\nb")).unwrap_err();
        assert!(matches!(error, FetchError::Request { reason: RequestError::Value, .. }));
    }

    proptest::proptest! {
        #[test]
        fn any_signature_input_is_read(input in "[ ();\"a-z@=,-]{0,60}") {
            for name in covered_fields(&input) {
                proptest::prop_assert!(input.contains(&name) && !name.starts_with('@'));
            }
        }
    }
}
