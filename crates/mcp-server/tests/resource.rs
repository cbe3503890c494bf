//! Resources of a server of rmcp, with a real upstream: their contents carry their provenance, or there is an error.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

use genten::fetch::Recorder;
use genten::jws::{Algorithm, LocalSigner, SecretKey};
use genten::verify::answer::Answer as Saying;
use genten::{Body, Genten, Policy, Trust, Verifier};
use genten_mcp::call::Call;
use genten_mcp::saved::{Saved, read_document};
use genten_mcp_server::{Fetches, Provenance};
use genten_testkit::{Answer, Authority, HttpsSite};
use rmcp::model::{
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RunningService, ServiceError};
use rmcp::{ErrorData, RoleClient, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};

const LAW: &str = "Article 1. Everybody may know the law.";

struct Laws {
    provenance: Provenance,
    upstream: String,
}

impl ServerHandler for Laws {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_resources().build())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        let read = |fetches| read(fetches, uri, self.upstream.clone());
        Ok(self.provenance.read_resource(&request, &context, read).await?.into())
    }
}

async fn read(
    fetches: Fetches,
    uri: String,
    upstream: String,
) -> Result<ReadResourceResult, ErrorData> {
    let of = |text: String| Ok(ReadResourceResult::new(vec![ResourceContents::text(text, &uri)]));
    match uri.as_str() {
        "law:1" => {
            let exchange = fetches.fetch(upstream).await.unwrap();
            let genten::fetch::Body::Memory(bytes) = &exchange.body else { panic!("in a file") };
            of(String::from_utf8_lossy(bytes).into_owned())
        }
        "law:invented" => of("Article 7. Nobody may.".to_owned()),
        "law:panic" => panic!("secret"),
        _ => Ok(ReadResourceResult::new(Vec::new())),
    }
}

struct World {
    client: RunningService<RoleClient, ()>,
    genten: Genten,
    _site: HttpsSite,
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
        let provenance = Provenance::new(genten.clone());
        let laws = Laws { provenance, upstream: site.url("/law") };
        let (near, far) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move { laws.serve(far).await.unwrap().waiting().await });
        Self { client: ().serve(near).await.unwrap(), genten, _site: site }
    }

    async fn read(&self, uri: &str) -> Result<Value, ErrorData> {
        match self.client.read_resource(ReadResourceRequestParams::new(uri)).await {
            Ok(result) => Ok(serde_json::to_value(&result).unwrap()),
            Err(ServiceError::McpError(error)) => Err(error),
            Err(other) => panic!("{other}"),
        }
    }

    fn verdict(&self, result: &Value, call: &Value) -> String {
        let (text, call) = (result.to_string(), call.to_string());
        let call = Call::read(read_document(call.as_bytes()).unwrap().root()).unwrap();
        let document = read_document(text.as_bytes()).unwrap();
        let saved = Saved::read(document.root()).unwrap();
        let trust = Trust { keys: vec![self.genten.public_key().clone()], ..Trust::default() };
        let verifier = Verifier::new(trust, Policy::built_in("basic").unwrap());
        let answer = Saying::new(&saved, Some(&call));
        assert_eq!(answer.manifests().len(), 1);
        let now = std::time::SystemTime::now();
        let now = genten::primitives::Timestamp::from_system_time(now).unwrap();
        let report = verifier.verify_answer(&answer, 0, &[], &Body::NotGiven, now);
        let because = report.verdict.because().map_or("-", |code| code.as_str());
        format!("{} {because}", report.verdict.as_str())
    }
}

/// 001-11
#[tokio::test]
async fn the_contents_of_a_resource_carry_their_provenance() {
    let world = World::new().await;
    let result = world.read("law:1").await.unwrap();
    assert_eq!(result["contents"][0]["text"], LAW);
    let call = json!({"uri": "law:1"});
    assert_eq!(world.verdict(&result, &call), "accept -");
    assert_eq!(world.verdict(&result, &json!({"uri": "law:2"})), "reject request.other");
    let mut changed = result.clone();
    changed["contents"][0]["text"] = json!("Article 2.");
    assert_eq!(world.verdict(&changed, &call), "reject result.other");
}

/// 001-11, 003-05
#[tokio::test]
async fn what_nobody_stands_behind_and_what_is_not_there_are_errors() {
    let world = World::new().await;
    for (uri, words) in [
        ("law:invented", "no source was recorded"),
        ("law:panic", "the resource failed"),
        ("law:unknown", "resource not found"),
    ] {
        let error = world.read(uri).await.unwrap_err();
        assert!(error.message.contains(words) && !error.message.contains("secret"), "{error:?}");
    }
    let error = world.read("law:unknown").await.unwrap_err();
    assert!([-32002, -32602].contains(&error.code.0), "{error:?}");
    assert_eq!(error.data, Some(json!({"uri": "law:unknown"})));
    // The server goes on.
    assert!(world.read("law:1").await.is_ok());
}
