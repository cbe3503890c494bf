//! Results in the shape of the output contract (document 000), through a server and a client of rmcp and with a real upstream.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use std::sync::Arc;

use genten::fetch::Recorder;
use genten::jws::{Algorithm, LocalSigner, SecretKey};
use genten::{Body, Genten, Policy, Trust, Verifier};
use genten_mcp::call::Call;
use genten_mcp::output::{
    Description, Fetched, OutputContract, StatedProvenance, StatedSource, text_faults,
};
use genten_mcp::saved::{Saved, read_document};
use genten_mcp_server::{Fetches, Provenance, WithProvenance as _, call_tool_result, fetched};
use genten_testkit::{Answer, Authority, HttpsSite};
use rmcp::handler::server::common::Extension;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::model::{CallToolRequestParams, CallToolResult, JsonObject};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServerHandler, ServiceExt as _, tool, tool_handler, tool_router};
use serde_json::{Value, json};

const LAW: &str = "Article 1. Everybody may know the law.";

/// The schema of the tool's own data.
fn schema() -> Arc<JsonObject> {
    let data =
        json!({"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}});
    let schema = OutputContract::default().schema(data.to_string().as_bytes()).unwrap();
    Arc::new(serde_json::from_slice(&schema).unwrap())
}

#[derive(Clone)]
struct Laws {
    tool_router: ToolRouter<Self>,
    upstream: String,
}

impl Laws {
    async fn sourced(&self, fetches: &Fetches) -> CallToolResult {
        let exchange = fetches.fetch(self.upstream.clone()).await.unwrap();
        let description = Description {
            title: "Law on Everything".to_owned(),
            publisher: "Ministry of Examples".to_owned(),
            source_type: "law".to_owned(),
        };
        let source = StatedSource::new("law-1", fetched(&exchange), description);
        let provenance = StatedProvenance::new(exchange.fetched_at, vec![source]);
        let data = json!({"text": LAW, "sourceRefs": ["law-1"]}).to_string();
        let output = OutputContract::default().output(data.as_bytes(), &provenance);
        call_tool_result(&output.unwrap()).unwrap()
    }

    async fn changed(&self, fetches: &Fetches, pointer: &str, new: Value) -> CallToolResult {
        let mut result = self.sourced(fetches).await;
        *result.structured_content.as_mut().unwrap().pointer_mut(pointer).unwrap() = new;
        result
    }
}

#[tool_router]
impl Laws {
    /// An article, with its source.
    #[tool(name = "law", output_schema = schema())]
    async fn law(&self, Extension(fetches): Extension<Fetches>) -> CallToolResult {
        self.sourced(&fetches).await
    }

    /// Refers to a source that is not there; no schema could tell, and it has none.
    #[tool(name = "dangling")]
    async fn dangling(&self, Extension(fetches): Extension<Fetches>) -> CallToolResult {
        self.changed(&fetches, "/data/sourceRefs/0", json!("law-2")).await
    }

    /// Leaves its provenance away.
    #[tool(name = "bare", output_schema = schema())]
    async fn bare(&self, Extension(fetches): Extension<Fetches>) -> CallToolResult {
        self.changed(&fetches, "/provenance", json!({})).await
    }

    /// Says a time that is none.
    #[tool(name = "timeless", output_schema = schema())]
    async fn timeless(&self, Extension(fetches): Extension<Fetches>) -> CallToolResult {
        self.changed(&fetches, "/provenance/sources/0/retrievedAt", json!("today")).await
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Laws {}

struct World {
    client: RunningService<RoleClient, ()>,
    genten: Genten,
    site: HttpsSite,
}

impl World {
    async fn new() -> Self {
        let authority = Authority::new("Test Root").unwrap();
        let identity = authority.issue_for("localhost").unwrap();
        let site = HttpsSite::builder().identity(identity).route("/law", Answer::ok(LAW));
        let site = site.start().await.unwrap();
        let recorder = Recorder::builder().root_pem(authority.root_pem()).unwrap().build().unwrap();
        let key = SecretKey::from_bytes(Algorithm::Es256, &[7; 32]).unwrap();
        let signer = LocalSigner::did_key(key);
        let genten = Genten::builder().recorder(recorder).signer(signer).build().unwrap();
        let tool_router = Laws::tool_router().with_provenance(&Provenance::new(genten.clone()));
        let laws = Laws { tool_router, upstream: site.url("/law") };
        let (near, far) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move { laws.serve(far).await.unwrap().waiting().await });
        Self { client: ().serve(near).await.unwrap(), genten, site }
    }

    async fn call(&self, name: &str) -> Value {
        let params: CallToolRequestParams = serde_json::from_value(json!({"name": name})).unwrap();
        serde_json::to_value(self.client.call_tool(params).await.unwrap()).unwrap()
    }

    fn verdict(&self, result: &Value, call: &Value) -> String {
        let (result, call) = (result.to_string(), call.to_string());
        let (result, call) =
            (read_document(result.as_bytes()).unwrap(), read_document(call.as_bytes()).unwrap());
        let saved = Saved::read(result.root()).unwrap();
        assert!(text_faults(saved.object().unwrap()).is_empty());
        let call = Call::read(call.root()).unwrap();
        let trust = Trust { keys: vec![self.genten.public_key().clone()], ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
        let answer = genten::verify::answer::Answer::new(&saved, Some(&call));
        let now = std::time::SystemTime::now();
        let now = genten::primitives::Timestamp::from_system_time(now).unwrap();
        let report = verifier.verify_answer(&answer, 0, &[], &Body::NotGiven, now);
        let because = report.verdict.because().map_or("-", |code| code.as_str());
        format!("{} {because}", report.verdict.as_str())
    }
}

/// 000-13, 000-15: one object is text and structured content, and what it states of its source is what the manifest signs.
#[tokio::test]
async fn what_is_stated_is_what_is_signed() {
    let world = World::new().await;
    let result = world.call("law").await;
    let source = &result["structuredContent"]["provenance"]["sources"][0];
    assert_eq!(source["uri"], world.site.url("/law"));
    let manifest = &result["_meta"]["dev.genten/provenance-manifests"][0];
    let hash = format!("sha256:{}", manifest["content_sha256"].as_str().unwrap());
    assert_eq!(source["contentHash"], hash);
    assert_eq!(source["retrievedAt"], manifest["fetched_at"]);
    assert_eq!(world.verdict(&result, &json!({"name": "law"})), "accept -");
}

/// 000-14: a result says that it is complete; rmcp leaves that away for peers who do not know it.
#[test]
fn a_result_is_complete() {
    let data = json!({"text": LAW}).to_string();
    let description = Description {
        title: "Law on Everything".to_owned(),
        publisher: "Ministry of Examples".to_owned(),
        source_type: "law".to_owned(),
    };
    let retrieved_at = "2026-11-30T08:15:00Z".parse().unwrap();
    let uri = "https://law.example/1".to_owned();
    let fetched = Fetched { uri, retrieved_at, content_sha256: None };
    let source = StatedSource::new("law-1", fetched, description);
    let provenance = StatedProvenance::new(retrieved_at, vec![source]);
    let output = OutputContract::default().output(data.as_bytes(), &provenance).unwrap();
    let result = serde_json::to_value(call_tool_result(&output).unwrap()).unwrap();
    assert_eq!(result["resultType"], "complete");
    assert_ne!(result["isError"], true);
}

/// 000-09, 000-11, 000-12: what breaks the contract leaves the server as an error, with a schema or without.
#[tokio::test]
async fn what_breaks_the_contract_leaves_as_an_error() {
    let world = World::new().await;
    for (tool, words) in [
        ("dangling", "/data/sourceRefs/0: no source has the id \"law-2\""),
        ("bare", "does not fit the outputSchema: /provenance: "),
        ("timeless", "does not fit the outputSchema: /provenance/sources/0/retrievedAt: "),
    ] {
        let result = world.call(tool).await;
        assert_eq!(result["isError"], true, "{tool}: {result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words), "{tool}: {text}");
        assert!(result["structuredContent"].is_null() && result["_meta"].is_null(), "{tool}");
    }
}
