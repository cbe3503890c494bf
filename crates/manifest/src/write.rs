//! From a manifest to canonical JSON.

use genten_primitives::json::{ArrayWriter, ObjectWriter};

use crate::{
    Bound, Claims, Header, Http, HttpRequest, KeyId, Manifest, Redirect, RequestBinding, Retrieval,
    Tls,
};

pub(crate) fn payload(claims: &Claims, key_id: &KeyId) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    write_claims(claims, key_id, &mut object);
    object.finish()
}

pub(crate) fn manifest(manifest: &Manifest) -> Vec<u8> {
    let log_id = manifest.transparency_log_id.as_ref().map(ToString::to_string);
    let mut object = ObjectWriter::new();
    write_claims(&manifest.claims, &manifest.mcp_key_id, &mut object);
    object.string("mcp_signature", &manifest.mcp_signature);
    object.optional("transparency_log_id", log_id.as_deref());
    object.finish()
}

fn write_claims<'c>(claims: &'c Claims, key_id: &KeyId, object: &mut ObjectWriter<'c>) {
    object
        .string("source_url", claims.source_url.as_str())
        .string("fetched_at", &claims.fetched_at.to_string())
        .string("content_sha256", &claims.content_sha256.to_string())
        .string("mcp_key_id", key_id.as_str())
        .text("tls_server_cert_sha256", claims.tls_server_cert_sha256.as_ref())
        .text("ct_log_proof", claims.ct_log_proof.as_ref())
        .text("source_revision", claims.source_revision.as_ref())
        .text("source_class", claims.source_class.as_ref())
        .text("capture", claims.capture.as_ref())
        .text("attested_at", claims.attested_at.as_ref())
        .text("result_sha256", claims.result_sha256.as_ref());
    if let Some(facts) = &claims.http {
        object.raw("http", &http(facts));
    }
    if let Some(facts) = &claims.tls {
        object.raw("tls", &tls(facts));
    }
    if let Some(facts) = &claims.retrieval {
        object.raw("retrieval", &retrieval(facts));
    }
    if let Some(binding) = &claims.request {
        object.raw("request", &request(binding));
    }
    for (name, value) in &claims.extensions {
        object.raw(name, value);
    }
}

fn http(http: &Http) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .integer("status", i64::from(http.status))
        .text("final_url", http.final_url.as_ref())
        .text("content_encoding", http.content_encoding.as_ref())
        .text("decoded_sha256", http.decoded_sha256.as_ref())
        .text("media_type", http.media_type.as_ref())
        .text("etag", http.etag.as_ref())
        .text("last_modified", http.last_modified.as_ref())
        .text("date", http.date.as_ref())
        .text("age", http.age.as_ref())
        .text("content_disposition", http.content_disposition.as_ref())
        .text("protocol", http.protocol.as_ref())
        .text("completeness", http.completeness.as_ref())
        .text("range", http.range.as_ref());
    if let Some(bytes) = http.content_bytes {
        object.integer("content_bytes", i64::try_from(bytes).unwrap_or(i64::MAX));
    }
    if let Some(request) = &http.request {
        object.raw("request", &http_request(request));
    }
    if !http.redirects.is_empty() {
        object.raw("redirects", &array(http.redirects.iter().map(redirect)));
    }
    if !http.signature.is_empty() {
        object.raw("signature", &array(http.signature.iter().map(header)));
    }
    object.finish()
}

fn array(items: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut array = ArrayWriter::new();
    for item in items {
        array.raw(&item);
    }
    array.finish()
}

fn http_request(request: &HttpRequest) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("method", request.method.as_str())
        .text("body_sha256", request.body_sha256.as_ref());
    if let Some(credentials) = request.credentials {
        object.boolean("credentials", credentials);
    }
    if !request.headers.is_empty() {
        object.raw("headers", &array(request.headers.iter().map(header)));
    }
    object.finish()
}

fn header(header: &Header) -> Vec<u8> {
    let value = header.value.as_ref().map_or("", |value| value.as_str());
    ArrayWriter::new().string(header.name.as_str()).string(value).finish()
}

fn redirect(redirect: &Redirect) -> Vec<u8> {
    ObjectWriter::new()
        .string("url", redirect.url.as_str())
        .integer("status", i64::from(redirect.status))
        .string("location", redirect.location.as_str())
        .text("tls_server_cert_sha256", redirect.tls_server_cert_sha256.as_ref())
        .finish()
}

fn tls(tls: &Tls) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .text("version", tls.version.as_ref())
        .text("spki_sha256", tls.spki_sha256.as_ref())
        .text("issuer", tls.issuer.as_ref())
        .text("trust", tls.trust.as_ref());
    if let Some(proxy) = tls.proxy {
        object.boolean("proxy", proxy);
    }
    object.finish()
}

fn retrieval(retrieval: &Retrieval) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    if let Some(requests) = retrieval.requests {
        object.integer("requests", i64::from(requests));
    }
    if let Some(attempts) = retrieval.attempts {
        object.integer("attempts", i64::from(attempts));
    }
    if let Some(cached) = retrieval.served_from_cache {
        object.boolean("served_from_cache", cached);
    }
    if !retrieval.anomalies.is_empty() {
        let anomalies = retrieval.anomalies.iter().map(|anomaly| {
            ObjectWriter::new()
                .string("kind", anomaly.kind.as_str())
                .integer("count", i64::from(anomaly.count))
                .finish()
        });
        object.raw("anomalies", &array(anomalies));
    }
    object.finish()
}

fn request(request: &RequestBinding) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    match &request.bound {
        Bound::Tool { name, arguments_sha256 } => object
            .string("tool", name.as_str())
            .string("arguments_sha256", &arguments_sha256.to_string()),
        Bound::Resource(resource) => object.string("resource", resource.as_str()),
    };
    if let Some(fetch) = request.fetch {
        let position = ObjectWriter::new()
            .integer("index", i64::from(fetch.index()))
            .integer("of", i64::from(fetch.of()))
            .finish();
        object.raw("fetch", &position);
    }
    object.optional("nonce", request.nonce.as_ref().map(|nonce| nonce.as_str()));
    object.finish()
}
