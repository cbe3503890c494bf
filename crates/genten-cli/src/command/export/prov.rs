//! W3C PROV (PROV-O) as JSON-LD with a context of its own, so that reading it needs no network; docs/exports.md has the terms.

use genten_jws::Algorithm;
use genten_manifest::{Capture, Claims};
use genten_primitives::encoding::base64url;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_primitives::{PublicKey, Sha256Digest, Timestamp};

use super::Exported;
use crate::command::document::Document;
use crate::failure::{Done, Failure};

const CONTEXT: [(&str, &str); 5] = [
    ("dcterms", "http://purl.org/dc/terms/"),
    ("genten", "https://genten.dev/ns/v1#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// The fetch has no name of its own.
const FETCH: &str = "_:fetch";

pub(super) fn graph(document: &Document, key: Option<&PublicKey>) -> Done<Exported> {
    let claims = document.claims();
    for name in sources(claims).into_iter().chain([document.key_id().as_str()]) {
        expect_whole(name)?;
    }
    let mut context = ObjectWriter::new();
    for (prefix, namespace) in CONTEXT {
        context.string(prefix, namespace);
    }
    let mut graph = ArrayWriter::new();
    graph.raw(&content(claims));
    if let Some(decoded) = claims.decoded_sha256() {
        graph.raw(&self::decoded(claims, decoded));
    }
    for url in sources(claims) {
        graph.raw(&ObjectWriter::new().string("@id", url).string("@type", "prov:Entity").finish());
    }
    graph.raw(&fetch(document)).raw(&signer(document)).raw(&manifest(document, key));
    let mut bytes = ObjectWriter::new()
        .raw("@context", &context.finish())
        .raw("@graph", &graph.finish())
        .finish();
    bytes.push(b'\n');
    Ok(Exported { bytes, notes: Vec::new() })
}

/// Refuses a name that readers of JSON-LD would take for the short form of another one: under this
/// context `prov:Activity` is an address of the W3C. What goes on with `//` is never a short form,
/// and the context's names count in this case of letters only (JSON-LD 1.1 Processing Algorithms
/// and API, section 5.2.2).
fn expect_whole(name: &str) -> Done {
    let is_short = |(prefix, rest): (&str, &str)| {
        !rest.starts_with("//") && CONTEXT.iter().any(|(known, _)| *known == prefix)
    };
    match name.split_once(':').is_some_and(is_short) {
        true => Err(Failure::new(
            format!("{name} would be read as the short form of another name in JSON-LD"),
            "A manifest with such a name has no form in W3C PROV; use the manifest itself.",
        )),
        false => Ok(()),
    }
}

/// The name of some bytes by their digest (RFC 6920).
fn named(digest: Sha256Digest) -> String {
    ["ni:///sha-256;", &base64url(digest.as_bytes())].concat()
}

fn reference(id: &str) -> Vec<u8> {
    ObjectWriter::new().string("@id", id).finish()
}

fn time(time: Timestamp) -> Vec<u8> {
    ObjectWriter::new().string("@type", "xsd:dateTime").string("@value", &time.to_string()).finish()
}

/// Where the content was asked for, and where it came from when that is another address.
fn sources(claims: &Claims) -> Vec<&str> {
    let (asked, last) = (claims.source_url.as_str(), claims.final_url().as_str());
    if asked == last { vec![asked] } else { vec![asked, last] }
}

fn content(claims: &Claims) -> Vec<u8> {
    let http = claims.http.as_ref();
    let media_type = http.and_then(|http| http.media_type.as_ref());
    let mut object = ObjectWriter::new();
    object
        .string("@id", &named(claims.content_sha256))
        .string("@type", "prov:Entity")
        .string("genten:contentSha256", &claims.content_sha256.to_string())
        .raw("prov:hadPrimarySource", &reference(claims.source_url.as_str()))
        .raw("prov:wasGeneratedBy", &reference(FETCH))
        .optional("dcterms:format", media_type.map(|text| text.as_str()))
        .optional(
            "genten:sourceRevision",
            claims.source_revision.as_ref().map(|text| text.as_str()),
        )
        .optional("genten:sourceClass", claims.source_class.map(|class| class.as_str()));
    // Of a part, so that nobody takes it for the whole.
    let completeness = http.and_then(|http| http.completeness);
    let range = http.and_then(|http| http.range.as_ref());
    object
        .optional("genten:completeness", completeness.map(|word| word.as_str()))
        .optional("genten:range", range.map(|text| text.as_str()));
    let bytes = http.and_then(|http| http.content_bytes);
    if let Some(bytes) = bytes.and_then(|bytes| i64::try_from(bytes).ok()) {
        object.integer("dcterms:extent", bytes);
    }
    object.finish()
}

/// The same content after its coding was undone.
fn decoded(claims: &Claims, decoded: Sha256Digest) -> Vec<u8> {
    ObjectWriter::new()
        .string("@id", &named(decoded))
        .string("@type", "prov:Entity")
        .raw("prov:wasDerivedFrom", &reference(&named(claims.content_sha256)))
        .finish()
}

/// The request. Of a fetch that another program made nobody says who that was.
fn fetch(document: &Document) -> Vec<u8> {
    let claims = document.claims();
    let mut used = ArrayWriter::new();
    for url in sources(claims) {
        used.raw(&reference(url));
    }
    let http = claims.http.as_ref();
    let method = http.and_then(|http| http.request.as_ref()).map(|one| one.method.as_str());
    let mut object = ObjectWriter::new();
    object
        .string("@id", FETCH)
        .string("@type", "prov:Activity")
        .raw("prov:used", &used.finish())
        .raw("prov:endedAtTime", &time(claims.fetched_at))
        .string("genten:capture", claims.capture().as_str());
    if claims.capture() == Capture::Recorded {
        object.raw("prov:wasAssociatedWith", &reference(document.key_id().as_str()));
    }
    if let Some(http) = http {
        object
            .string("genten:method", method.unwrap_or("GET"))
            .integer("genten:status", http.status.into());
    }
    object.finish()
}

fn signer(document: &Document) -> Vec<u8> {
    ObjectWriter::new()
        .string("@id", document.key_id().as_str())
        .string("@type", "prov:Agent")
        .finish()
}

/// Whose word all of this is, as far as it was checked with the key that was at hand.
fn standing(document: &Document, key: Option<&PublicKey>) -> &'static str {
    match key {
        Some(_) if document.key_id().contains_key() => {
            "All of this is the signer's word. Verify the manifest; this file proves nothing."
        }
        Some(_) => {
            "All of this was signed with a key that came along; whose it is was not checked. \
             Verify the manifest; this file proves nothing."
        }
        None => {
            "The signature was not checked: whose word this is, is not known. \
             Verify the manifest; this file proves nothing."
        }
    }
}

/// The manifest, in which all of this is stated.
fn manifest(document: &Document, key: Option<&PublicKey>) -> Vec<u8> {
    let algorithm: Algorithm = document.signed.header().alg;
    ObjectWriter::new()
        .string("@id", &named(document.manifest_id()))
        .string("@type", "prov:Entity")
        .string("genten:manifestId", &document.manifest_id().to_string())
        .string("genten:algorithm", algorithm.as_str())
        .string("genten:signature", &document.manifest().manifest().mcp_signature)
        .raw("prov:wasAttributedTo", &reference(document.key_id().as_str()))
        .raw("prov:wasDerivedFrom", &reference(&named(document.claims().content_sha256)))
        .raw("prov:generatedAtTime", &time(document.claims().signed_at()))
        .string("rdfs:comment", standing(document, key))
        .finish()
}
