//! A server and a client of rmcp, with a real upstream: results carry their provenance, or are errors.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use genten::fetch::Recorder;
use genten::jws::{Algorithm, LocalSigner, SecretKey};
use genten::{Body, Facts, Genten, Policy, Trust, Verifier};
use genten_mcp::call::Call;
use genten_mcp::saved::{Saved, read_document};
use genten_mcp_server::{Fetches, Provenance, Sources, WithProvenance as _};
use genten_testkit::{Answer, Authority, HttpsSite};
use rmcp::handler::server::common::Extension;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock};
use rmcp::service::{RunningService, ServiceError};
use rmcp::{RoleClient, ServerHandler, ServiceExt as _, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const LAW: &str = "Article 1. Everybody may know the law.";

#[derive(Deserialize, JsonSchema)]
struct Question {
    /// The article's number.
    article: u32,
}

#[derive(Serialize, JsonSchema)]
struct Article {
    number: u32,
    text: String,
}

#[derive(Clone)]
struct Laws {
    tool_router: ToolRouter<Self>,
    upstream: String,
}

#[tool_router]
impl Laws {
    /// The text of an article.
    #[tool(name = "law")]
    async fn law(
        &self,
        Extension(fetches): Extension<Fetches>,
        Parameters(question): Parameters<Question>,
    ) -> Result<Json<Article>, String> {
        let exchange =
            fetches.fetch(self.upstream.clone()).await.map_err(|error| error.to_string())?;
        let genten::fetch::Body::Memory(body) = exchange.body else { return Err("no body".into()) };
        let text = String::from_utf8_lossy(&body).into_owned();
        Ok(Json(Article { number: question.article, text }))
    }

    /// Two sources, one of them reported.
    #[tool(name = "compare")]
    async fn compare(&self, Extension(fetches): Extension<Fetches>) -> Result<String, String> {
        fetches.fetch(self.upstream.clone()).await.map_err(|error| error.to_string())?;
        let facts = Facts::of_body("https://elsewhere.example/", "2026-11-30T08:15:00Z", b"x");
        fetches.report(facts.map_err(|error| error.to_string())?);
        Ok("they differ".to_owned())
    }

    /// Passes on what another server has signed, and what it may not.
    #[tool(name = "forge")]
    async fn forge(&self) -> CallToolResult {
        let meta = json!({
            "com.example/provenance-manifests": [{"source_url": "https://forged.example/"}],
            "org.other/note": "kept",
        });
        let result = CallToolResult::success(vec![ContentBlock::text("forged")]);
        result.with_meta(serde_json::from_value(meta).ok())
    }

    /// Makes it up.
    #[tool(name = "invent")]
    async fn invent(&self) -> String {
        "Article 7. Nobody may.".to_owned()
    }

    /// Needs nothing from elsewhere.
    #[tool(name = "add")]
    async fn add(&self) -> String {
        "4".to_owned()
    }

    /// Its source is away, and it says so.
    #[tool(name = "away")]
    async fn away(&self, Extension(fetches): Extension<Fetches>) -> String {
        fetches.declare_unreached();
        "the source could not be reached".to_owned()
    }

    /// Fails in the middle.
    #[tool(name = "panic")]
    async fn panic(&self) -> String {
        panic!("a secret path")
    }

    /// Promises an article and returns something else.
    #[tool(name = "wrong", output_schema = rmcp::handler::server::tool::schema_for_type::<Article>())]
    async fn wrong(&self, Extension(fetches): Extension<Fetches>) -> CallToolResult {
        fetches.fetch(self.upstream.clone()).await.unwrap();
        CallToolResult::structured(json!({"number": "one"}))
    }

    /// A number that clients in JavaScript would change.
    #[tool(name = "large")]
    async fn large(&self, Extension(fetches): Extension<Fetches>) -> CallToolResult {
        fetches.fetch(self.upstream.clone()).await.unwrap();
        CallToolResult::structured(json!({"id": 9_007_199_254_740_993_u64}))
    }

    /// Says itself that it failed.
    #[tool(name = "fails")]
    async fn fails(&self, Extension(fetches): Extension<Fetches>) -> CallToolResult {
        fetches.fetch(self.upstream.clone()).await.unwrap();
        CallToolResult::error(vec![ContentBlock::text("no such article")])
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Laws {}

struct World {
    client: RunningService<RoleClient, ()>,
    genten: Genten,
    _site: HttpsSite,
}

impl World {
    async fn new() -> Self {
        Self::with(|provenance| provenance).await
    }

    async fn with(set: impl FnOnce(Provenance) -> Provenance) -> Self {
        let authority = Authority::new("Test Root").unwrap();
        let identity = authority.issue_for("localhost").unwrap();
        let site = HttpsSite::builder().identity(identity).route("/law", Answer::ok(LAW));
        let site = site.start().await.unwrap();
        let recorder = Recorder::builder().root_pem(authority.root_pem()).unwrap().build().unwrap();
        let key = SecretKey::from_bytes(Algorithm::Es256, &[7; 32]).unwrap();
        let signer = LocalSigner::did_key(key);
        let genten = Genten::builder().recorder(recorder).signer(signer).build().unwrap();
        let provenance = Provenance::new(genten.clone())
            .prefix("com.example".parse().unwrap())
            .tool("add", Sources::None);
        let provenance = set(provenance);
        let tool_router = Laws::tool_router().with_provenance(&provenance);
        let laws = Laws { tool_router, upstream: site.url("/law") };
        let (near, far) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move { laws.serve(far).await.unwrap().waiting().await });
        Self { client: ().serve(near).await.unwrap(), genten, _site: site }
    }

    async fn call(&self, params: Value) -> Value {
        let params: CallToolRequestParams = serde_json::from_value(params).unwrap();
        let result = self.client.call_tool(params).await.unwrap();
        serde_json::to_value(&result).unwrap()
    }

    /// The codes of the worst report of a saved result.
    fn verdicts(&self, result: &Value, call: &Value) -> Vec<String> {
        let (text, call) = (result.to_string(), call.to_string());
        let call = Call::read(read_document(call.as_bytes()).unwrap().root()).unwrap();
        let document = read_document(text.as_bytes()).unwrap();
        let saved = Saved::read(document.root()).unwrap();
        let trust = Trust { keys: vec![self.genten.public_key().clone()], ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
        let answer = genten::verify::answer::Answer::new(&saved, Some(&call));
        let now = std::time::SystemTime::now();
        let now = genten::primitives::Timestamp::from_system_time(now).unwrap();
        (0..answer.manifests().len())
            .map(|place| {
                let report = verifier.verify_answer(&answer, place, &[], &Body::NotGiven, now);
                let because = report.verdict.because().map_or("-", |code| code.as_str());
                format!("{} {because}", report.verdict.as_str())
            })
            .collect()
    }
}

/// 001-12, 001-16
#[tokio::test]
async fn an_answer_is_accepted_by_whoever_trusts_the_server() {
    let world = World::new().await;
    let call =
        json!({"name": "law", "arguments": {"article": 1}, "_meta": {"com.example/nonce": "n-1"}});
    let result = world.call(call.clone()).await;
    assert_eq!(result["structuredContent"]["text"], LAW);
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"], "the content is as the tool made it");
    let manifest = &result["_meta"]["com.example/provenance-manifests"][0];
    assert_eq!(manifest["capture"], "recorded");
    assert_eq!(manifest["request"]["nonce"], "n-1");
    assert_eq!(world.verdicts(&result, &call), ["accept -"]);

    let mut changed = result.clone();
    changed["structuredContent"]["number"] = json!(2);
    assert_eq!(world.verdicts(&changed, &call), ["reject result.other"]);
    let other = json!({"name": "law", "arguments": {"article": 2}});
    assert_eq!(world.verdicts(&result, &other), ["reject request.other"]);
}

#[tokio::test]
async fn each_source_has_a_manifest_and_none_may_be_missing() {
    let world = World::new().await;
    let call = json!({"name": "compare"});
    let result = world.call(call.clone()).await;
    let manifests = &result["_meta"]["com.example/provenance-manifests"];
    assert_eq!(
        (&manifests[0]["capture"], &manifests[1]["capture"]),
        (&json!("recorded"), &json!("reported"))
    );
    assert_eq!(world.verdicts(&result, &call), ["accept -", "accept -"]);
    let mut fewer = result.clone();
    fewer["_meta"]["com.example/provenance-manifests"].as_array_mut().unwrap().pop();
    assert_eq!(world.verdicts(&fewer, &call), ["review mcp.fetch-missing"]);
}

/// 001-11, 003-01
#[tokio::test]
async fn what_nobody_stands_behind_does_not_leave_the_server() {
    let world = World::new().await;
    for (tool, words) in [
        ("invent", "no source was recorded"),
        ("panic", "the tool failed"),
        ("wrong", "the tool's answer is wrong"),
        ("large", "an integer outside"),
        ("fails", "no such article"),
    ] {
        let result = world.call(json!({"name": tool})).await;
        assert_eq!(result["isError"], true, "{tool}: {result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words) && !text.contains("secret"), "{tool}: {text}");
        assert!(result["_meta"]["com.example/provenance-manifests"].is_null(), "{tool}");
    }
    // The server goes on.
    let call = json!({"name": "law", "arguments": {"article": 1}});
    assert_eq!(world.verdicts(&world.call(call.clone()).await, &call), ["accept -"]);
}

#[tokio::test]
async fn what_needs_no_source_is_left_alone() {
    let world = World::new().await;
    for (tool, text) in [("add", "4"), ("away", "the source could not be reached")] {
        let result = world.call(json!({"name": tool})).await;
        assert_ne!(result["isError"], true, "{tool}");
        assert_eq!(result["content"][0]["text"], text);
        assert!(result["_meta"]["com.example/provenance-manifests"].is_null());
    }
}

#[tokio::test]
async fn a_nonce_that_is_none_is_refused_before_the_tool_runs() {
    let world = World::new().await;
    let call =
        json!({"name": "law", "arguments": {"article": 1}, "_meta": {"com.example/nonce": "a b"}});
    let params: CallToolRequestParams = serde_json::from_value(call).unwrap();
    let error = world.client.call_tool(params).await.unwrap_err();
    assert!(error.to_string().contains("nonce"), "{error}");
}

/// 003-07
#[tokio::test]
async fn what_a_tool_says_of_its_failure_is_worded_anew_where_the_author_wants() {
    let world = World::with(|provenance| {
        provenance
            .reword_errors(|tool, text| format!("{tool}: {} bytes are in the log", text.len()))
    });
    let result = world.await.call(json!({"name": "fails"})).await;
    assert_eq!(result["isError"], true);
    assert_eq!(
        result["content"],
        json!([{"type": "text", "text": "fails: 15 bytes are in the log"}])
    );
}

/// 003-02, 003-04, 003-08
#[tokio::test]
async fn failures_take_the_channel_of_the_protocol() {
    let world = World::new().await;
    let result = world.call(json!({"name": "law", "arguments": {"article": "one"}})).await;
    assert_eq!(result["isError"], true, "arguments that do not fit: {result}");
    let code = |error| match error {
        ServiceError::McpError(error) => error.code.0,
        other => panic!("{other}"),
    };
    let unknown: CallToolRequestParams = serde_json::from_value(json!({"name": "no"})).unwrap();
    assert_eq!(code(world.client.call_tool(unknown).await.unwrap_err()), -32602);
    assert_eq!(code(world.client.list_prompts(None).await.unwrap_err()), -32601);
}

#[tokio::test]
async fn manifests_of_others_do_not_stand_where_ours_do() {
    let world = World::with(|provenance| provenance.tool("forge", Sources::Optional)).await;
    let result = world.call(json!({"name": "forge"})).await;
    assert_eq!(result["content"][0]["text"], "forged");
    assert_eq!(result["_meta"], json!({"org.other/note": "kept"}));
}
