//! A block that keeps the contract.

use super::fields::{CONCISE, DETAILED, object};
use super::node::Node;
use super::{BlockInput, Mode, Version};

/// A block that was checked: its times are in the zone of the server, its anomalies summed up and in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub(super) says: BlockInput,
    pub(super) version: Version,
}

impl Block {
    /// As JSON, in one line.
    pub fn render(&self, mode: Mode) -> String {
        self.node(mode).compact()
    }

    /// What it says, after the checks.
    pub fn says(&self) -> &BlockInput {
        &self.says
    }

    pub(super) fn node(&self, mode: Mode) -> Node<'_> {
        match mode {
            Mode::Concise => object(CONCISE, &self.says, self.version),
            Mode::Detailed => object(DETAILED, &self.says, self.version),
        }
    }

    /// The addresses that it names: its own, and those of its slices.
    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        let slices = self.says.field_sources.iter().flatten();
        std::iter::once(&self.says.source_url)
            .chain(slices.map(|slice| &slice.source_url))
            .map(String::as_str)
    }
}
