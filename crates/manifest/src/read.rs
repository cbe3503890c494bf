//! From a JSON object to a manifest, one member at a time, each fault with its place.

use std::str::FromStr;

use genten_primitives::json::{Fields, Value};
use genten_primitives::{Sha256Digest, Timestamp};

use crate::{
    Anomaly, Bound, Claims, FetchPosition, Header, Http, HttpRequest, KeyId, Manifest,
    ManifestError, ManifestRule, Redirect, RequestBinding, Retrieval, ShortText, SourceUrl, Tls,
};

type Read<T> = Result<T, ManifestError>;

/// The members of one object of ours; those that this version does not know are gathered by path.
pub(crate) struct Object<'d, 'u> {
    value: Value<'d>,
    fields: Fields<'d>,
    unknown: &'u mut Vec<String>,
}

impl<'d, 'u> Object<'d, 'u> {
    pub(crate) fn open(value: Value<'d>, unknown: &'u mut Vec<String>) -> Read<Self> {
        let fields = Fields::of(value).ok_or_else(|| ManifestRule::WrongType.at(value))?;
        Ok(Self { value, fields, unknown })
    }

    pub(crate) fn value(&mut self, name: &'static str) -> Option<Value<'d>> {
        self.fields.take(name)
    }

    pub(crate) fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Value<'d>) -> Read<T>,
    ) -> Read<Option<T>> {
        self.fields.take(name).map(read).transpose()
    }

    pub(crate) fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Value<'d>) -> Read<T>,
    ) -> Read<T> {
        let value =
            self.fields.take(name).ok_or_else(|| ManifestRule::Missing(name).at(self.value))?;
        read(value)
    }

    fn list<T>(
        &mut self,
        name: &'static str,
        read: impl Fn(Value<'d>, &mut Vec<String>) -> Read<T>,
    ) -> Read<Vec<T>> {
        let Some(value) = self.fields.take(name) else { return Ok(Vec::new()) };
        let items = value.items().ok_or_else(|| ManifestRule::WrongType.at(value))?;
        items.map(|item| read(item, self.unknown)).collect()
    }

    fn object<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Value<'d>, &mut Vec<String>) -> Read<T>,
    ) -> Read<Option<T>> {
        let Some(value) = self.fields.take(name) else { return Ok(None) };
        read(value, self.unknown).map(Some)
    }

    pub(crate) fn close(self) {
        let Self { fields, unknown, .. } = self;
        fields.finish().into_iter().for_each(|(_, value)| note_unknown(value, unknown));
    }

    /// Closes an object that may hold members of others, told by the dot in their names.
    fn close_extensible(self) -> Vec<(String, Vec<u8>)> {
        let mut extensions = Vec::new();
        for (name, value) in self.fields.finish() {
            if name.contains('.') {
                let mut canonical = Vec::new();
                value.write_canonical(&mut canonical);
                extensions.push((name.into_owned(), canonical));
            } else {
                note_unknown(value, self.unknown);
            }
        }
        extensions
    }
}

/// How many unknown members are named: finding a path costs as much as reading what stands before it.
const NAMED: usize = 64;

fn note_unknown(member: Value<'_>, unknown: &mut Vec<String>) {
    match unknown.len() {
        0..NAMED => unknown.push(member.path()),
        NAMED => unknown.push("and others".to_owned()),
        _ => {}
    }
}

/// A string member of type `T`; `rule` names the fault of its text.
pub(crate) fn parsed<T: FromStr>(
    value: Value<'_>,
    rule: impl FnOnce(T::Err) -> ManifestRule,
) -> Read<T> {
    let text = value.as_str().ok_or_else(|| ManifestRule::WrongType.at(value))?;
    text.parse().map_err(|error| rule(error).at(value))
}

pub(crate) fn digest(value: Value<'_>) -> Read<Sha256Digest> {
    parsed(value, |_| ManifestRule::Digest)
}

pub(crate) fn time(value: Value<'_>) -> Read<Timestamp> {
    parsed(value, |_| ManifestRule::Time)
}

fn url(value: Value<'_>) -> Read<SourceUrl> {
    parsed(value, ManifestRule::SourceUrl)
}

fn text<T: FromStr<Err = crate::TextError>>(value: Value<'_>) -> Read<T> {
    parsed(value, ManifestRule::Text)
}

pub(crate) fn word<T: FromStr>(value: Value<'_>) -> Read<T> {
    parsed(value, |_| ManifestRule::Word)
}

pub(crate) fn string(value: Value<'_>) -> Read<String> {
    let text = value.as_str().ok_or_else(|| ManifestRule::WrongType.at(value))?;
    Ok(text.into_owned())
}

fn boolean(value: Value<'_>) -> Read<bool> {
    value.as_bool().ok_or_else(|| ManifestRule::WrongType.at(value))
}

pub(crate) fn integer<T: TryFrom<i64>>(value: Value<'_>) -> Read<T> {
    let number = value.as_i64().ok_or_else(|| ManifestRule::WrongType.at(value))?;
    T::try_from(number).map_err(|_| ManifestRule::Range.at(value))
}

fn status(value: Value<'_>) -> Read<u16> {
    let status = integer(value)?;
    if (100..1000).contains(&status) { Ok(status) } else { Err(ManifestRule::Range.at(value)) }
}

/// A manifest and the paths of its unknown members.
pub(crate) fn manifest(value: Value<'_>) -> Read<(Manifest, Vec<String>)> {
    let mut unknown = Vec::new();
    let mut object = Object::open(value, &mut unknown)?;
    let attested_at = object.optional("attested_at", time)?;
    let capture = object.optional("capture", word)?;
    let content_sha256 = object.required("content_sha256", digest)?;
    let ct_log_proof =
        object.optional("ct_log_proof", |value| parsed(value, |_| ManifestRule::CtLogProof))?;
    let fetched_at = object.required("fetched_at", time)?;
    let http = object.object("http", http)?;
    let mcp_key_id = object.required("mcp_key_id", key_id)?;
    let mcp_signature = object.required("mcp_signature", string)?;
    let request = object.object("request", request)?;
    let result_sha256 = object.optional("result_sha256", digest)?;
    let retrieval = object.object("retrieval", retrieval)?;
    let source_class = object.optional("source_class", word)?;
    let source_revision = object.optional("source_revision", text::<ShortText>)?;
    let source_url = object.required("source_url", url)?;
    let tls = object.object("tls", tls)?;
    let tls_server_cert_sha256 = object.optional("tls_server_cert_sha256", digest)?;
    let transparency_log_id =
        object.optional("transparency_log_id", |value| parsed(value, |_| ManifestRule::LogId))?;
    let extensions = object.close_extensible();
    let claims = Claims {
        source_url,
        fetched_at,
        content_sha256,
        tls_server_cert_sha256,
        ct_log_proof,
        source_revision,
        source_class,
        capture,
        attested_at,
        http,
        tls,
        retrieval,
        result_sha256,
        request,
        extensions,
    };
    Ok((Manifest { claims, mcp_key_id, mcp_signature, transparency_log_id }, unknown))
}

fn key_id(value: Value<'_>) -> Read<KeyId> {
    parsed(value, ManifestRule::KeyId)
}

fn http(value: Value<'_>, unknown: &mut Vec<String>) -> Read<Http> {
    let mut object = Object::open(value, unknown)?;
    let age = object.optional("age", text)?;
    let completeness = object.optional("completeness", word)?;
    let content_bytes = object.optional("content_bytes", integer)?;
    let content_disposition = object.optional("content_disposition", text)?;
    let content_encoding = object.optional("content_encoding", text)?;
    let date = object.optional("date", text)?;
    let decoded_sha256 = object.optional("decoded_sha256", digest)?;
    let etag = object.optional("etag", text)?;
    let final_url = object.optional("final_url", url)?;
    let last_modified = object.optional("last_modified", text)?;
    let media_type = object.optional("media_type", text)?;
    let protocol = object.optional("protocol", word)?;
    let range = object.optional("range", text)?;
    let redirects = object.list("redirects", redirect)?;
    let request = object.object("request", http_request)?;
    let signature = object.list("signature", |value, _| signature_header(value))?;
    let status = object.required("status", status)?;
    object.close();
    Ok(Http {
        status,
        request,
        final_url,
        redirects,
        content_encoding,
        decoded_sha256,
        content_bytes,
        media_type,
        etag,
        last_modified,
        date,
        age,
        content_disposition,
        protocol,
        signature,
        completeness,
        range,
    })
}

fn http_request(value: Value<'_>, unknown: &mut Vec<String>) -> Read<HttpRequest> {
    let mut object = Object::open(value, unknown)?;
    let body_sha256 = object.optional("body_sha256", digest)?;
    let credentials = object.optional("credentials", boolean)?;
    let headers = object.list("headers", |value, _| request_header(value))?;
    let method = object.required("method", text)?;
    object.close();
    Ok(HttpRequest { method, body_sha256, headers, credentials })
}

/// A request's field, whose value may be a secret unless it is one of content negotiation.
fn request_header(value: Value<'_>) -> Read<Header> {
    let header = header(value)?;
    match header.value {
        Some(_) if !Header::is_public(header.name.as_str()) => Err(ManifestRule::Header.at(value)),
        _ => Ok(header),
    }
}

/// A field of an answer's own signature, which covers no cookie.
fn signature_header(value: Value<'_>) -> Read<Header> {
    let header = header(value)?;
    match header.name.as_str().eq_ignore_ascii_case("set-cookie") {
        true => Err(ManifestRule::Header.at(value)),
        false => Ok(header),
    }
}

/// A pair `[name, value]`.
fn header(value: Value<'_>) -> Read<Header> {
    let mut items = value.items().ok_or_else(|| ManifestRule::WrongType.at(value))?;
    let (Some(name), Some(field), None) = (items.next(), items.next(), items.next()) else {
        return Err(ManifestRule::Header.at(value));
    };
    let withheld = field.as_str().is_some_and(|text| text.is_empty());
    let field = if withheld { None } else { Some(text(field)?) };
    Ok(Header { name: text(name)?, value: field })
}

fn redirect(value: Value<'_>, unknown: &mut Vec<String>) -> Read<Redirect> {
    let mut object = Object::open(value, unknown)?;
    let location = object.required("location", text)?;
    let status = object.required("status", status)?;
    let tls_server_cert_sha256 = object.optional("tls_server_cert_sha256", digest)?;
    let url = object.required("url", url)?;
    object.close();
    Ok(Redirect { url, status, location, tls_server_cert_sha256 })
}

fn tls(value: Value<'_>, unknown: &mut Vec<String>) -> Read<Tls> {
    let mut object = Object::open(value, unknown)?;
    let issuer = object.optional("issuer", text)?;
    let proxy = object.optional("proxy", boolean)?;
    let spki_sha256 = object.optional("spki_sha256", digest)?;
    let trust = object.optional("trust", word)?;
    let version = object.optional("version", text)?;
    object.close();
    Ok(Tls { version, spki_sha256, issuer, trust, proxy })
}

fn retrieval(value: Value<'_>, unknown: &mut Vec<String>) -> Read<Retrieval> {
    let mut object = Object::open(value, unknown)?;
    let anomalies = object.list("anomalies", anomaly)?;
    let attempts = object.optional("attempts", integer)?;
    let requests = object.optional("requests", integer)?;
    let served_from_cache = object.optional("served_from_cache", boolean)?;
    object.close();
    Ok(Retrieval { requests, attempts, anomalies, served_from_cache })
}

fn anomaly(value: Value<'_>, unknown: &mut Vec<String>) -> Read<Anomaly> {
    let mut object = Object::open(value, unknown)?;
    let count = object.required("count", integer)?;
    let kind = object.required("kind", text)?;
    object.close();
    Ok(Anomaly { kind, count })
}

fn request(value: Value<'_>, unknown: &mut Vec<String>) -> Read<RequestBinding> {
    let mut object = Object::open(value, unknown)?;
    let arguments = object.optional("arguments_sha256", digest)?;
    let fetch = object.object("fetch", fetch_position)?;
    let nonce = object.optional("nonce", |value| parsed(value, |_| ManifestRule::Nonce))?;
    let resource = object.optional("resource", text::<ShortText>)?;
    let tool = object.optional("tool", text::<ShortText>)?;
    object.close();
    let bound = match (tool, arguments, resource) {
        (Some(name), Some(arguments_sha256), None) => Bound::Tool { name, arguments_sha256 },
        (None, None, Some(resource)) => Bound::Resource(resource),
        _ => return Err(ManifestRule::Request.at(value)),
    };
    Ok(RequestBinding { bound, fetch, nonce })
}

fn fetch_position(value: Value<'_>, unknown: &mut Vec<String>) -> Read<FetchPosition> {
    let mut object = Object::open(value, unknown)?;
    let index = object.required("index", integer)?;
    let of = object.required("of", integer)?;
    object.close();
    FetchPosition::new(index, of).ok_or_else(|| ManifestRule::Range.at(value))
}
