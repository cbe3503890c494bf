//! A tool's result by the contract: the data and its blocks for the model, a footer for people, and a copy in `_meta`.

use genten_primitives::json::{self, Kind, Limits};

use super::node::Node;
use super::{Block, Contract, ContractError, MAX_BYTES, Mode};

/// The blocks of a result. One source has one block; several are never put together into one, since their licences differ.
#[derive(Clone, Copy, Debug)]
pub enum Blocks<'b> {
    /// One, written as an object.
    One(&'b Block),
    /// A list, written as one even where it has one block only.
    List(&'b [Block]),
}

impl<'b> From<&'b Block> for Blocks<'b> {
    fn from(block: &'b Block) -> Self {
        Self::One(block)
    }
}

impl<'b> From<&'b [Block]> for Blocks<'b> {
    fn from(blocks: &'b [Block]) -> Self {
        Self::List(blocks)
    }
}

impl<'b> Blocks<'b> {
    fn all(self) -> &'b [Block] {
        match self {
            Self::One(block) => std::slice::from_ref(block),
            Self::List(blocks) => blocks,
        }
    }

    fn node(self, mode: Mode) -> Node<'b> {
        match self {
            Self::One(block) => block.node(mode),
            Self::List(blocks) => Node::List(blocks.iter().map(|block| block.node(mode)).collect()),
        }
    }

    /// The addresses of all blocks and slices, each once, as they come.
    fn attribution(self) -> Node<'b> {
        let mut urls = Vec::new();
        for url in self.all().iter().flat_map(Block::urls) {
            if !urls.contains(&url) {
                urls.push(url);
            }
        }
        Node::texts(urls)
    }
}

/// A result by the contract, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractResult {
    /// The texts of its blocks: the data without provenance, indented, and the footer.
    pub texts: [String; 2],
    /// `structuredContent`: the data with `provenance` and `attribution`.
    pub structured: String,
    /// `_meta`: the same two under keys of the server's own.
    pub meta: String,
    /// The whole result, with `content`, `structuredContent` and `_meta`.
    pub json: String,
}

impl Contract {
    /// A result of some data, which is a JSON object. Members `provenance` and `attribution` of the data give way.
    ///
    /// # Errors
    /// The data is no JSON object, or there is no block.
    pub fn result<'b>(
        &self,
        data: &[u8],
        blocks: impl Into<Blocks<'b>>,
        mode: Option<Mode>,
    ) -> Result<ContractResult, ContractError> {
        let (blocks, mode) = (blocks.into(), mode.unwrap_or(self.mode));
        if blocks.all().is_empty() {
            return Err(ContractError::NoBlock);
        }
        let limits = Limits { depth: crate::binding::MAX_DEPTH, ..Limits::bytes(MAX_BYTES) };
        let document = json::read_foreign(data, limits)?;
        if document.root().kind() != Kind::Object {
            return Err(ContractError::Data);
        }
        let data = Node::of(document.root());
        let texts = [data.pretty(), self.footer(blocks.all(), mode)];
        let (provenance, attribution) = (blocks.node(mode), blocks.attribution());
        let [provenance_key, attribution_key] = self.meta_keys();
        let meta = Node::object([
            (provenance_key.as_str(), provenance.clone()),
            (attribution_key.as_str(), attribution.clone()),
        ]);
        let mut structured = data;
        structured.set("provenance", provenance);
        structured.set("attribution", attribution);
        let text = |text: &'_ String| {
            Node::Object(vec![
                ("type".into(), Node::text("text")),
                ("text".into(), Node::Text(text.clone().into())),
            ])
        };
        let result = Node::object([
            ("content", Node::List(texts.iter().map(text).collect())),
            ("structuredContent", structured.clone()),
            ("_meta", meta.clone()),
        ]);
        let json = result.compact();
        Ok(ContractResult { structured: structured.compact(), meta: meta.compact(), json, texts })
    }
}
