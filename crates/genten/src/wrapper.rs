//! Everything that a handler returns carries a manifest: `withProvenance` of the ProvenanceManifest's first document.

use std::future::Future;

use genten_primitives::{Sha256Digest, Timestamp};
use serde::Serialize;
use serde::ser::SerializeStruct as _;

use genten_jws::BoxFuture;
use genten_manifest::Manifest;
use genten_mcp::binding::bind_data;

use crate::{Error, Facts, Genten, ResultError, Terms};

/// What a handler returns: its data, and the upstream bytes that the data was taken from.
#[derive(Clone, Debug)]
pub struct Handled<T> {
    /// The data for the caller.
    pub data: T,
    /// The upstream's answer, raw.
    pub raw: Vec<u8>,
    /// The exact URL that was asked.
    pub source_url: String,
    /// When the last byte arrived; the moment of the handler's return where it is not given.
    pub fetched_at: Option<Timestamp>,
    /// What is signed beside the facts.
    pub terms: Terms,
}

impl<T> Handled<T> {
    /// Data, bytes and URL; the time is the moment of the handler's return.
    pub fn new(data: T, raw: Vec<u8>, source_url: impl Into<String>) -> Self {
        Self { data, raw, source_url: source_url.into(), fetched_at: None, terms: Terms::default() }
    }
}

/// `{"data": …, "provenance": …}`.
#[derive(Clone, Debug)]
pub struct WithProvenance<T> {
    /// The handler's data, unchanged.
    pub data: T,
    /// The manifest. Its `result_sha256` covers the data, so that neither can be swapped.
    pub provenance: Manifest,
}

impl<T: Serialize> Serialize for WithProvenance<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text =
            String::from_utf8(self.provenance.to_json()).map_err(serde::ser::Error::custom)?;
        let provenance =
            serde_json::from_str::<serde_json::Value>(&text).map_err(serde::ser::Error::custom)?;
        let mut object = serializer.serialize_struct("WithProvenance", 2)?;
        object.serialize_field("data", &self.data)?;
        object.serialize_field("provenance", &provenance)?;
        object.end()
    }
}

/// Wraps a handler: the result is the handler's data with a manifest that is bound to it (`capture` is `reported`, since
/// the handler made the request itself).
///
/// # Errors
/// The handler's own error, or one of signing, as the handler's error type wants it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), genten::Error> {
/// use genten::jws::{Algorithm, LocalSigner, SecretKey};
/// use genten::{Genten, Handled, with_provenance};
///
/// let key = SecretKey::from_bytes(Algorithm::EdDsa, &[7; 32]).unwrap();
/// let genten = Genten::builder().signer(LocalSigner::did_key(key)).build()?;
/// let law = with_provenance(genten, |article: u32| async move {
///     let raw = format!("Article {article}.").into_bytes(); // your own HTTP client
///     Ok::<_, genten::Error>(Handled::new(article, raw, "https://law.example/?article=1"))
/// });
/// let answer = law(1).await?;
/// assert!(answer.provenance.claims.result_sha256.is_some());
/// # Ok(())
/// # }
/// ```
pub fn with_provenance<I, T, E, F, R>(
    genten: Genten,
    handler: F,
) -> impl Fn(I) -> BoxFuture<'static, Result<WithProvenance<T>, E>>
where
    F: Fn(I) -> R,
    R: Future<Output = Result<Handled<T>, E>> + Send + 'static,
    T: Serialize + Send + Sync + 'static,
    E: From<Error> + Send,
{
    move |input| {
        let handled = handler(input);
        let genten = genten.clone();
        Box::pin(async move { attach(&genten, handled.await?).await.map_err(E::from) })
    }
}

async fn attach<T: Serialize>(
    genten: &Genten,
    handled: Handled<T>,
) -> Result<WithProvenance<T>, Error> {
    let source_url = handled.source_url.parse().map_err(Error::Url)?;
    let fetched_at = handled.fetched_at.unwrap_or_else(|| genten.now());
    let (digest, bytes) = (Sha256Digest::of(&handled.raw), handled.raw.len() as u64);
    let mut facts = Facts::new(source_url, fetched_at, digest, Some(bytes));
    facts.terms = handled.terms;
    facts.terms.result_sha256 = Some(result_digest(&handled.data).map_err(Error::Result)?);
    let provenance = genten.attest(&facts).await?.manifest;
    Ok(WithProvenance { data: handled.data, provenance })
}

/// The digest of a result that consists of data alone.
fn result_digest(data: &impl Serialize) -> Result<Sha256Digest, ResultError> {
    let data = serde_json::to_vec(data).map_err(ResultError::Json)?;
    Ok(bind_data(&data)?)
}

#[cfg(test)]
mod tests {
    use genten_mcp::binding::BindError;
    use genten_primitives::json::MAX_INTEGER;

    use super::*;

    #[test]
    fn the_digest_covers_the_data() {
        let expected = br#"{"blocks":[],"is_error":false,"structured":{"a":1.5,"b":"x"}}"#;
        let data = serde_json::json!({"b": "x", "a": 1.5});
        assert_eq!(result_digest(&data).unwrap(), Sha256Digest::of(expected));
        let nothing = Sha256Digest::of(br#"{"blocks":[],"is_error":false}"#);
        assert_eq!(result_digest(&()).unwrap(), nothing);
    }

    #[test]
    fn integers_that_clients_would_change_are_refused() {
        assert!(result_digest(&MAX_INTEGER).is_ok());
        assert!(matches!(
            result_digest(&[MAX_INTEGER + 1]),
            Err(ResultError::Bind(BindError::Integer { .. }))
        ));
        assert!(matches!(
            result_digest(&u64::MAX),
            Err(ResultError::Bind(BindError::Integer { .. }))
        ));
    }
}
