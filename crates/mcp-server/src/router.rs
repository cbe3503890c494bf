//! The decorator for rmcp's `ToolRouter`.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use genten_mcp::call::Call;
use rmcp::ErrorData;
use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, MetaObject, ProtocolVersion};
use serde_json::{Value, json};

use crate::output::check_output;
use crate::{AttachError, Fetches, OutputSchema, Provenance};

/// Gives a server's results their provenance.
pub trait WithProvenance {
    /// Decorates every tool: its results carry a manifest for each source, or are errors.
    ///
    /// ```no_run
    /// # use genten::Genten;
    /// # use genten_mcp_server::{Provenance, WithProvenance as _};
    /// # use rmcp::handler::server::router::tool::ToolRouter;
    /// # struct Laws;
    /// # fn tools(base: ToolRouter<Laws>, genten: Genten) -> ToolRouter<Laws> {
    /// base.with_provenance(&Provenance::new(genten))
    /// # }
    /// ```
    #[must_use]
    fn with_provenance(self, provenance: &Provenance) -> Self;
}

impl<S: Send + Sync + 'static> WithProvenance for ToolRouter<S> {
    fn with_provenance(mut self, provenance: &Provenance) -> Self {
        for route in self.map.values_mut() {
            decorate(route, provenance.clone());
        }
        self
    }
}

fn decorate<S: Send + Sync + 'static>(route: &mut ToolRoute<S>, provenance: Provenance) {
    let inner = Arc::clone(&route.call);
    let schema = route.attr.output_schema.as_deref().cloned().map(Value::Object);
    let schema = Arc::new(schema.map(|schema| OutputSchema::new(&schema)));
    route.call = Arc::new(move |mut context: ToolCallContext<'_, S>| {
        let (inner, schema, provenance) =
            (Arc::clone(&inner), Arc::clone(&schema), provenance.clone());
        Box::pin(async move {
            let call = call_of(&context)?;
            let name = context.name.to_string();
            let takes_any = takes_any_structure(&context);
            let fetches = provenance.fetches();
            context.request_context.extensions.insert(fetches.clone());
            // A tool that panics would leave the caller without an answer.
            let answered = AssertUnwindSafe(async { inner(context).await }).catch_unwind().await;
            let Ok(answered) = answered else { return Ok(failed("the tool failed").into()) };
            let CallToolResponse::Complete(mut result) = answered? else {
                return Err(ErrorData::internal_error("only complete results are attested", None));
            };
            if result.is_error == Some(true) {
                return Ok(reworded(&provenance, &name, result).into());
            }
            let schema = schema.as_ref().as_ref().map(Result::as_ref).transpose();
            let checked = schema
                .map_err(Clone::clone)
                .and_then(|schema| check_output(schema, result.structured_content.as_ref()));
            if let Err(error) = checked {
                return Ok(failed(&format!("the tool's answer is wrong: {error}")).into());
            }
            // Peers of older versions get objects only, and the digest is over what they get.
            result.structured_content.take_if(|value| !takes_any && !value.is_object());
            match attached(&provenance, &call, &fetches, result).await {
                Ok(result) => Ok(result.into()),
                Err(error) => Ok(failed(&refusal(&error)).into()),
            }
        })
    });
}

/// What the model is told. Causes inside the server are for its log, by their code.
pub(crate) fn refusal(error: &AttachError) -> String {
    match error {
        AttachError::NoSource => {
            "no source was recorded for this answer, so that nobody stands behind it".to_owned()
        }
        AttachError::Bind(error) => format!("the answer cannot be signed: {error}"),
        other => format!("the answer could not be signed [{}]", other.code()),
    }
}

/// A failure of the tool, in the words that its caller may read.
fn reworded(provenance: &Provenance, tool: &str, result: CallToolResult) -> CallToolResult {
    let texts = result.content.iter().filter_map(|block| block.as_text());
    let said = texts.map(|text| text.text.as_str()).collect::<Vec<_>>().join("\n");
    provenance.reworded(tool, &said).map_or(result, |words| failed(&words))
}

fn failed(words: &str) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(words.to_owned())])
}

fn call_of<S>(context: &ToolCallContext<'_, S>) -> Result<Call, ErrorData> {
    let meta = serde_json::to_value(&context.request_context.meta).unwrap_or_default();
    let mut params = json!({"name": context.name, "_meta": meta});
    if let Some(arguments) = &context.arguments {
        params["arguments"] = Value::Object(arguments.clone());
    }
    call_in(&params)
}

/// The call in the parameters of a request.
pub(crate) fn call_in(params: &Value) -> Result<Call, ErrorData> {
    let text = params.to_string();
    let document = genten_mcp::saved::read_document(text.as_bytes())
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
    Call::read(document.root()).map_err(|error| ErrorData::invalid_params(error.to_string(), None))
}

/// Whether the peer takes structured content that is no object.
fn takes_any_structure<S>(context: &ToolCallContext<'_, S>) -> bool {
    let version = context.request_context.protocol_version();
    version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

async fn attached(
    provenance: &Provenance,
    call: &Call,
    fetches: &Fetches,
    mut result: CallToolResult,
) -> Result<CallToolResult, AttachError> {
    let sent = serde_json::to_value(&result).map_err(|_| AttachError::NoObject)?;
    let Value::Object(mut sent) = sent else { return Err(AttachError::NoObject) };
    provenance.attach(call, fetches, &mut sent).await?;
    if let Some(Value::Object(meta)) = sent.remove("_meta") {
        result.meta = Some(MetaObject(meta));
    }
    Ok(result)
}
