//! A server with one tool, which reads RFCs: over standard input and output.
//!
//! ```console
//! $ cargo run -p genten-mcp-server --example rfc
//! ```
//!
//! Keys and journal are in the home of `genten` (`GENTEN_HOME`); the key is made when there is none. RFCs never change, so that each
//! answer is of class `static`: with a log (`GentenBuilder::log`) it gets an entry about its content too.

use genten::fetch::Body;
use genten::manifest::SourceClass;
use genten::{Fetch, Genten};
use genten_mcp_server::{Fetches, Provenance, WithProvenance as _};
use rmcp::handler::server::common::Extension;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::{ServerHandler, ServiceExt as _, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The number of the RFC, such as 8890.
    number: u32,
    /// The first line, from 1.
    from: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Passage {
    url: String,
    lines: Vec<String>,
}

/// How many lines are given at a time.
const LINES: usize = 40;

struct Rfcs {
    tool_router: ToolRouter<Self>,
    base: String,
}

#[tool_router]
impl Rfcs {
    /// Forty lines of an RFC, word for word.
    #[tool(name = "rfc", annotations(read_only_hint = true))]
    async fn rfc(
        &self,
        Extension(fetches): Extension<Fetches>,
        Parameters(question): Parameters<Question>,
    ) -> Result<Json<Passage>, String> {
        let url = format!("{}/rfc{}.txt", self.base, question.number);
        let fetch = Fetch::get(url.clone()).class(SourceClass::Static);
        let exchange = fetches.fetch(fetch).await.map_err(|_| "the RFC could not be fetched")?;
        let Body::Memory(bytes) = &exchange.body else { return Err("the RFC is too long".into()) };
        if exchange.status != 200 {
            return Err(format!("there is no RFC {}", question.number));
        }
        let text = String::from_utf8_lossy(bytes);
        let skipped = question.from.unwrap_or(1).saturating_sub(1);
        let lines = text.lines().skip(skipped).take(LINES).map(str::to_owned).collect();
        Ok(Json(Passage { url, lines }))
    }
}

// Without `router` the macro would make a router of its own, without provenance.
#[tool_handler(router = self.tool_router)]
impl ServerHandler for Rfcs {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let home = std::env::var_os("GENTEN_HOME")
        .ok_or("set GENTEN_HOME to a folder for keys and journal")?;
    let base = std::env::var("RFC_BASE").unwrap_or("https://www.rfc-editor.org/rfc".to_owned());
    let genten = Genten::builder().home(home).build()?;
    let provenance = Provenance::new(genten).prefix("org.example.rfc".parse()?);
    let tool_router = Rfcs::tool_router().with_provenance(&provenance);
    let transport = rmcp::transport::io::stdio();
    Rfcs { tool_router, base }.serve(transport).await?.waiting().await?;
    Ok(())
}
