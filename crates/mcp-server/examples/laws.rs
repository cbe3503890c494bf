//! A server that has its sources from elsewhere than the web: here a small law that is built in. Over standard input and output.
//!
//! ```console
//! $ GENTEN_HOME=home cargo run -p genten-mcp-server --example laws
//! ```
//!
//! What it signs is `reported`: it has not fetched anything itself.

use std::time::SystemTime;

use genten::primitives::{Sha256Digest, Timestamp};
use genten::{Facts, Genten};
use genten_mcp_server::{Fetches, Provenance, WithProvenance as _};
use rmcp::handler::server::common::Extension;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::{ServerHandler, ServiceExt as _, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const URL: &str = "https://laws.example.org/api/law.xml?id=405AC0000000088";
const LAW: &str = "Article 1. Everybody may know the law.\nArticle 2. 法令は、公布する。\n";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The article's number, from 1.
    article: usize,
}

#[derive(Serialize, JsonSchema)]
struct Article {
    article: usize,
    text: String,
    /// What part of the law it is.
    share: f64,
}

struct Laws {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Laws {
    /// The text of an article, word for word.
    #[tool(name = "article", annotations(read_only_hint = true))]
    async fn article(
        &self,
        Extension(fetches): Extension<Fetches>,
        Parameters(question): Parameters<Question>,
    ) -> Result<Json<Article>, String> {
        let text = LAW.lines().nth(question.article.wrapping_sub(1)).ok_or("no such article")?;
        let url = URL.parse().map_err(|_| "the law has no address")?;
        let now = Timestamp::from_system_time(SystemTime::now()).ok_or("the clock is not set")?;
        let digest = Sha256Digest::of(LAW.as_bytes());
        fetches.report(Facts::new(url, now, digest, Some(LAW.len() as u64)));
        let share = text.len() as f64 / LAW.len() as f64;
        Ok(Json(Article { article: question.article, text: text.to_owned(), share }))
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Laws {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let home = std::env::var_os("GENTEN_HOME")
        .ok_or("set GENTEN_HOME to a folder for keys and journal")?;
    let genten = Genten::builder().home(home).build()?;
    let provenance = Provenance::new(genten).prefix("org.example.laws".parse()?);
    let tool_router = Laws::tool_router().with_provenance(&provenance);
    Laws { tool_router }.serve(rmcp::transport::io::stdio()).await?.waiting().await?;
    Ok(())
}
