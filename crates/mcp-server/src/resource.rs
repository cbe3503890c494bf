//! `resources/read` with provenance: rmcp has no router for resources, so that a server calls this from its handler.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use genten_mcp::call::Call;
use rmcp::model::{MetaObject, ReadResourceRequestParams, ReadResourceResult};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use crate::router::{call_in, refusal};
use crate::{AttachError, Fetches, Provenance};

impl Provenance {
    /// Answers `resources/read`: the contents come from `read`, and carry a manifest for each source that it fetched, bound to all
    /// of them. It fails closed as tools do ([`Provenance::sources`] says whether sources are needed); since a resource has no
    /// result that is an error, each failure is an error of the protocol. Contents that are empty are a resource that is not
    /// there.
    ///
    /// ```no_run
    /// # use genten_mcp_server::Provenance;
    /// # use rmcp::model::{ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents};
    /// # use rmcp::service::RequestContext;
    /// # use rmcp::{ErrorData, RoleServer};
    /// # struct Laws { provenance: Provenance }
    /// # impl Laws {
    /// async fn read_resource(
    ///     &self,
    ///     request: ReadResourceRequestParams,
    ///     context: RequestContext<RoleServer>,
    /// ) -> Result<ReadResourceResponse, ErrorData> {
    ///     let answered = self.provenance.read_resource(&request, &context, |fetches| async move {
    ///         let exchange = fetches.fetch("https://law.example/1").await;
    ///         let exchange = exchange.map_err(|_| ErrorData::internal_error("not reached", None))?;
    ///         let genten::fetch::Body::Memory(bytes) = &exchange.body else {
    ///             return Err(ErrorData::internal_error("too long", None));
    ///         };
    ///         let text = String::from_utf8_lossy(bytes).into_owned();
    ///         Ok(ReadResourceResult::new(vec![ResourceContents::text(text, "law:1")]))
    ///     });
    ///     Ok(answered.await?.into())
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    /// What `read` says; nothing was read; no source was recorded; a manifest could not be signed; `read` panicked.
    pub async fn read_resource<Reading>(
        &self,
        request: &ReadResourceRequestParams,
        context: &RequestContext<RoleServer>,
        read: impl FnOnce(Fetches) -> Reading,
    ) -> Result<ReadResourceResult, ErrorData>
    where
        Reading: Future<Output = Result<ReadResourceResult, ErrorData>>,
    {
        let meta = serde_json::to_value(&context.meta).unwrap_or_default();
        let call = call_in(&json!({"uri": request.uri, "_meta": meta}))?;
        let fetches = self.fetches();
        let reading = AssertUnwindSafe(async { read(fetches.clone()).await }).catch_unwind();
        let failed = |words: String| ErrorData::internal_error(words, None);
        let result = reading.await.map_err(|_| failed("the resource failed".to_owned()))??;
        if result.contents.is_empty() {
            let at = json!({"uri": request.uri});
            return Err(ErrorData::resource_not_found("resource not found", Some(at)));
        }
        let attached = attached(self, &call, &fetches, result).await;
        attached.map_err(|error| failed(refusal(&error)))
    }
}

async fn attached(
    provenance: &Provenance,
    call: &Call,
    fetches: &Fetches,
    mut result: ReadResourceResult,
) -> Result<ReadResourceResult, AttachError> {
    let sent = serde_json::to_value(&result).map_err(|_| AttachError::NoObject)?;
    let Value::Object(mut sent) = sent else { return Err(AttachError::NoObject) };
    provenance.attach(call, fetches, &mut sent).await?;
    if let Some(Value::Object(meta)) = sent.remove("_meta") {
        result.meta = Some(MetaObject(meta));
    }
    Ok(result)
}
