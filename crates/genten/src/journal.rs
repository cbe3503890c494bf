//! What of an attested fetch goes into the home.

use genten_fetch::{Body, displayed_url};
use genten_manifest::Claims;
use genten_primitives::Sha256Digest;
use genten_store::{BodyPlace, Entry, Home, LogStatus, StoreError, Wanted, WantedCertificate};

use crate::{Attested, Error, Genten};

/// Keeps the body where asked, then writes the journal row, with what is wanted of logs: a row never names a body that is not
/// there.
pub(crate) fn keep(
    genten: &Genten,
    attested: &Attested,
    json: &[u8],
    wanted: &[Wanted],
    certificate: Option<&WantedCertificate>,
) -> Result<(), Error> {
    let stored = match genten.home().filter(|_| genten.keeps_bodies()) {
        Some(home) => store_body(home, attested)?,
        None => None,
    };
    if let Some(journal) = genten.journal() {
        let entry = entry(genten, attested, json, stored);
        let is_wanting = !wanted.is_empty() || certificate.is_some();
        match is_wanting {
            false => journal.record(&entry)?,
            true => {
                let bundle = attested.bundle();
                journal.record_wanting(&entry, bundle.evidence(), wanted, certificate)?
            }
        };
    }
    Ok(())
}

fn store_body(home: &Home, attested: &Attested) -> Result<Option<Sha256Digest>, Error> {
    let Some(exchange) = &attested.exchange else { return Ok(None) };
    match &exchange.body {
        Body::Memory(bytes) => Ok(Some(home.bodies().put(bytes)?)),
        // A copy: the file is where the caller asked for it, and stays there.
        Body::File(path) => {
            let file = std::fs::File::open(path)
                .map_err(|source| StoreError::Io { path: path.clone(), source })?;
            Ok(Some(home.bodies().put_reader(file)?.digest))
        }
        _ => Ok(None),
    }
}

fn entry(genten: &Genten, attested: &Attested, json: &[u8], stored: Option<Sha256Digest>) -> Entry {
    let claims = &attested.manifest.claims;
    let url = displayed_url(claims.source_url.as_str());
    let final_url = displayed_url(claims.final_url().as_str());
    let in_file = attested.exchange.as_ref().and_then(|exchange| match &exchange.body {
        Body::File(path) => Some(path.clone()),
        _ => None,
    });
    let body_place = match (stored, in_file) {
        (Some(_), _) => BodyPlace::BodyStore,
        (None, Some(path)) => BodyPlace::Path(path),
        (None, None) => BodyPlace::None,
    };
    Entry {
        manifest_id: attested.manifest_id,
        recorded_at: genten.now(),
        fetched_at: claims.fetched_at,
        attested_at: claims.attested_at,
        final_url: (final_url != url).then_some(final_url),
        url,
        revision: claims.source_revision.as_ref().map(ToString::to_string),
        source_class: claims.source_class.map(|class| class.to_string()),
        capture: claims.capture().to_string(),
        key_id: attested.manifest.mcp_key_id.to_string(),
        content_sha256: claims.content_sha256,
        content_bytes: claims.http.as_ref().and_then(|http| http.content_bytes),
        body_place,
        bundle_path: None,
        // A manifest whose URL holds a secret stands in its bundle only: the journal is read by more people.
        manifest: (!has_secret(claims)).then(|| json.to_vec()),
        log: LogStatus::default(),
    }
}

/// Whether a URL of the manifest, that of a redirect too, has the value of a parameter that looks like a credential.
fn has_secret(claims: &Claims) -> bool {
    let hops = claims.http.iter().flat_map(|http| &http.redirects);
    let hops = hops.flat_map(|hop| [hop.url.as_str(), hop.location.as_str()]);
    let ends = [claims.source_url.as_str(), claims.final_url().as_str()];
    ends.into_iter().chain(hops).any(|url| displayed_url(url) != url)
}
