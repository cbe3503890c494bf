//! From what was recorded or reported to claims.

use genten_fetch::{Completeness as Framing, Exchange, Hop, RequestFacts, TlsFacts, Trust};
use genten_manifest::{
    Anomaly, Capture, Claims, ClaimsBuilder, Completeness, CtLogProof, Header, HeaderText, Http,
    HttpRequest, Protocol, Redirect, Retrieval, SourceUrl, Tls, TlsChain, TlsTrust,
};
use genten_primitives::{Sha256Digest, Timestamp};

use crate::{Error, Terms};

/// How long after the fetch a signature counts as part of it, in milliseconds.
const AT_ONCE: i64 = 60_000;

/// What another program says about a fetch that it made.
///
/// ```
/// use genten::Facts;
/// let facts = Facts::of_body("https://a.example/", "2026-11-30T08:15:00Z", b"the bytes").unwrap();
/// assert_eq!(facts.content_bytes, Some(9));
/// ```
#[derive(Clone, Debug)]
pub struct Facts {
    /// The URL as requested. Any absolute URI is possible where something else than the web was asked.
    pub source_url: SourceUrl,
    /// When the last byte arrived.
    pub fetched_at: Timestamp,
    /// Digest of the bytes as received.
    pub content_sha256: Sha256Digest,
    /// How many bytes those are. Stands among the HTTP facts, and so nowhere without them.
    pub content_bytes: Option<u64>,
    /// HTTP facts.
    pub http: Option<Http>,
    /// TLS facts.
    pub tls: Option<Tls>,
    /// Digest of the server's certificate (DER).
    pub tls_server_cert_sha256: Option<Sha256Digest>,
    /// The server's certificates and what came with them.
    pub tls_chain: Option<TlsChain>,
    /// What is signed beside the facts.
    pub terms: Terms,
}

impl Facts {
    /// The least that can be said: URL, time and bytes.
    ///
    /// # Errors
    ///
    /// URL or time break a rule of the format.
    pub fn of_body(source_url: &str, fetched_at: &str, body: &[u8]) -> Result<Self, Error> {
        let source_url = source_url.parse().map_err(Error::Url)?;
        let fetched_at = fetched_at.parse().map_err(Error::Time)?;
        let bytes = body.len() as u64;
        Ok(Self::new(source_url, fetched_at, Sha256Digest::of(body), Some(bytes)))
    }

    /// The same about bytes whose digest is known.
    pub fn new(
        source_url: SourceUrl,
        fetched_at: Timestamp,
        content_sha256: Sha256Digest,
        content_bytes: Option<u64>,
    ) -> Self {
        Self {
            source_url,
            fetched_at,
            content_sha256,
            content_bytes,
            http: None,
            tls: None,
            tls_server_cert_sha256: None,
            tls_chain: None,
            terms: Terms::default(),
        }
    }

    /// The claims, to be signed at `now`.
    pub(crate) fn claims(&self, now: Timestamp) -> Result<Claims, Error> {
        let mut claims =
            Claims::builder(self.source_url.clone(), self.fetched_at, self.content_sha256)
                .capture(Capture::Reported);
        let http = self
            .http
            .clone()
            .map(|http| Http { content_bytes: http.content_bytes.or(self.content_bytes), ..http });
        claims = maybe(claims, http, ClaimsBuilder::http);
        claims = maybe(claims, self.tls.clone(), ClaimsBuilder::tls);
        claims = maybe(claims, self.tls_server_cert_sha256, ClaimsBuilder::tls_server_cert_sha256);
        if let Some(revision) = &self.terms.revision {
            claims = claims.source_revision(revision.reported(self.http.as_ref())?);
        }
        finish(claims, &self.terms, self.fetched_at, now)
    }
}

/// The claims about an exchange that this library recorded.
pub(crate) fn recorded(
    exchange: &Exchange,
    terms: &Terms,
    now: Timestamp,
) -> Result<Claims, Error> {
    let source_url = exchange.requested_url.parse().map_err(Error::Url)?;
    let mut claims = Claims::builder(source_url, exchange.fetched_at, exchange.content_sha256)
        .capture(Capture::Recorded)
        .http(http(exchange)?)
        .retrieval(retrieval(exchange)?);
    if let Some(facts) = &exchange.tls {
        claims = claims.tls(tls(facts)?).tls_server_cert_sha256(facts.leaf_sha256);
        claims = maybe(
            claims,
            facts.sct_list.clone().map(CtLogProof::SctList),
            ClaimsBuilder::ct_log_proof,
        );
    }
    if let Some(revision) = &terms.revision {
        claims = claims.source_revision(revision.find(exchange)?);
    }
    finish(claims, terms, exchange.fetched_at, now)
}

/// The claims of an earlier fetch, to be signed again: the content now comes from a cache, the time stays that of the
/// network.
pub(crate) fn cached(earlier: &Claims, terms: &Terms, now: Timestamp) -> Result<Claims, Error> {
    let mut claims =
        Claims::builder(earlier.source_url.clone(), earlier.fetched_at, earlier.content_sha256);
    claims = maybe(claims, earlier.capture, ClaimsBuilder::capture);
    claims = maybe(claims, earlier.http.clone(), ClaimsBuilder::http);
    claims = maybe(claims, earlier.tls.clone(), ClaimsBuilder::tls);
    claims = maybe(claims, earlier.tls_server_cert_sha256, ClaimsBuilder::tls_server_cert_sha256);
    claims = maybe(claims, earlier.ct_log_proof.clone(), ClaimsBuilder::ct_log_proof);
    let stated = terms.revision.as_ref().and_then(|revision| revision.stated());
    claims = maybe(
        claims,
        stated.or_else(|| earlier.source_revision.clone()),
        ClaimsBuilder::source_revision,
    );
    let retrieval = earlier.retrieval.clone().unwrap_or_default();
    claims = claims.retrieval(Retrieval { served_from_cache: Some(true), ..retrieval });
    let class = terms.class.or(earlier.source_class);
    finish(claims, &Terms { class, ..terms.clone() }, earlier.fetched_at, now)
}

fn finish(
    claims: ClaimsBuilder,
    terms: &Terms,
    fetched_at: Timestamp,
    now: Timestamp,
) -> Result<Claims, Error> {
    let attested_at = (now.millis_since(fetched_at) > AT_ONCE).then_some(now);
    let mut claims = maybe(claims, attested_at, ClaimsBuilder::attested_at);
    claims = maybe(claims, terms.class, ClaimsBuilder::source_class);
    claims = maybe(claims, terms.result_sha256, ClaimsBuilder::result_sha256);
    claims = maybe(claims, terms.request.clone(), ClaimsBuilder::request);
    for (name, value) in &terms.extensions {
        claims = claims.extension(name, value).map_err(Error::Extension)?;
    }
    claims.finish().map_err(Error::Contradiction)
}

fn maybe<T>(
    claims: ClaimsBuilder,
    value: Option<T>,
    set: impl FnOnce(ClaimsBuilder, T) -> ClaimsBuilder,
) -> ClaimsBuilder {
    match value {
        Some(value) => set(claims, value),
        None => claims,
    }
}

fn http(exchange: &Exchange) -> Result<Http, Error> {
    let fields = &exchange.fields;
    let differs = exchange.final_url != exchange.requested_url;
    Ok(Http {
        status: exchange.status,
        request: exchange.request.as_ref().map(request).transpose()?,
        final_url: differs.then(|| exchange.final_url.parse()).transpose().map_err(Error::Url)?,
        redirects: exchange.hops.iter().map(redirect).collect::<Result<_, _>>()?,
        content_encoding: verbatim(fields.content_encoding().as_deref()),
        decoded_sha256: exchange.decoded_sha256(),
        content_bytes: Some(exchange.content_bytes),
        media_type: verbatim(fields.media_type()),
        etag: verbatim(fields.etag()),
        last_modified: verbatim(fields.last_modified()),
        date: verbatim(fields.date()),
        age: verbatim(fields.age()),
        content_disposition: verbatim(fields.content_disposition()),
        protocol: Some(match exchange.protocol {
            genten_fetch::Protocol::Http2 => Protocol::H2,
            _ => Protocol::Http11,
        }),
        signature: headers(&fields.signature())?,
        completeness: Some(match exchange.completeness {
            Framing::Complete => Completeness::Complete,
            Framing::Unverifiable => Completeness::Unverifiable,
            _ => Completeness::Partial,
        }),
        range: verbatim(exchange.range.as_deref()),
    })
}

/// A header value as it came; an empty one says nothing.
fn verbatim(value: Option<&str>) -> Option<HeaderText> {
    value?.parse().ok()
}

fn headers(fields: &[(String, String)]) -> Result<Vec<Header>, Error> {
    let header = |(name, value): &(String, String)| {
        let name = name.parse().map_err(Error::Text)?;
        Ok(Header { name, value: verbatim(Some(value)) })
    };
    fields.iter().map(header).collect()
}

fn request(facts: &RequestFacts) -> Result<HttpRequest, Error> {
    Ok(HttpRequest {
        method: facts.method.parse().map_err(Error::Text)?,
        body_sha256: facts.body_sha256,
        headers: headers(&facts.headers)?,
        credentials: Some(facts.credentials),
    })
}

fn redirect(hop: &Hop) -> Result<Redirect, Error> {
    Ok(Redirect {
        url: hop.url.parse().map_err(Error::Url)?,
        status: hop.status,
        location: hop.location.parse().map_err(Error::Text)?,
        tls_server_cert_sha256: hop.tls.as_ref().map(|tls| tls.leaf_sha256),
    })
}

fn tls(facts: &TlsFacts) -> Result<Tls, Error> {
    Ok(Tls {
        version: Some(facts.version.parse().map_err(Error::Text)?),
        spki_sha256: Some(facts.spki_sha256),
        issuer: facts.issuer.parse().ok(),
        trust: Some(match facts.trust {
            Trust::PublicWithSct => TlsTrust::PublicWithSct,
            Trust::PublicWithoutSct => TlsTrust::PublicWithoutSct,
            Trust::PrivateRoot => TlsTrust::PrivateRoot,
            _ => TlsTrust::Unverified,
        }),
        proxy: Some(facts.proxy),
    })
}

fn retrieval(exchange: &Exchange) -> Result<Retrieval, Error> {
    let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let anomaly = |anomaly: &genten_fetch::Anomaly| {
        let kind = anomaly.kind.as_str().parse().map_err(Error::Text)?;
        Ok(Anomaly { kind, count: count(anomaly.count) })
    };
    Ok(Retrieval {
        requests: Some(count(exchange.retrieval.requests)),
        attempts: Some(count(exchange.retrieval.attempts)),
        anomalies: exchange
            .retrieval
            .anomalies
            .iter()
            .map(anomaly)
            .collect::<Result<_, Error>>()?,
        served_from_cache: None,
    })
}

/// The chain as evidence.
pub(crate) fn chain(exchange: &Exchange) -> Option<TlsChain> {
    let tls = exchange.tls.as_ref()?;
    let certificates = tls.chain.clone();
    Some(TlsChain { certificates, scts: None, ocsp: tls.ocsp.clone(), tlog_proof: None })
}
