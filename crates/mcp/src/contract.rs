//! The provenance contract, versions 1.0 to 1.3: a block that says where data came from, in two modes, and a footer for people.
//!
//! It says to a reader what a manifest proves to a verifier, and is no proof itself. Output is the same, byte for byte, as of the
//! implementation in TypeScript that the contract comes from. How it differs where that one depends on its surroundings stands
//! in `docs/contracts.md`.
//!
//! ```
//! use genten_mcp::contract::{BlockInput, Contract, License, Locale, Source};
//!
//! let contract = Contract::new("com.example.laws")?.locale(Locale::en());
//! let block = contract.build(BlockInput {
//!     source: Source { name: "Gazette".into(), ..Source::default() },
//!     source_url: "https://law.example/1".into(),
//!     retrieved_at: "2026-11-30T08:15:00.123Z".into(),
//!     citation: "Gazette of Example.".into(),
//!     license: License { id: Some("CC-BY-4.0".into()), ..License::default() },
//!     ..BlockInput::default()
//! })?;
//! let result = contract.result(br#"{"article":"1"}"#, &block, None)?;
//! assert!(result.texts[1].contains("Source: Gazette · https://law.example/1 · retrieved on 2026-11-30, 08:15 (UTC)"));
//! # Ok::<(), genten_mcp::contract::ContractError>(())
//! ```

mod block;
mod check;
mod error;
mod fields;
mod footer;
mod input;
mod locale;
mod node;
mod read;
mod result;
mod schema;
mod zone;

use std::fmt;
use std::str::FromStr;

pub use block::Block;
pub use error::{ContractError, Issue};
pub use input::{
    Anomaly, AnomalyKind, BlockInput, Dataset, FieldSource, License, Retrieval, Revision,
    RevisionStatus, Source,
};
pub use locale::{Locale, Nouns, Plural};
pub use result::{Blocks, ContractResult};
pub use schema::schema;
pub use zone::Zone;

use crate::meta_key::MetaPrefix;

/// The largest JSON that is read, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// How much a block says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// What the law asks for, and what the reader has to know.
    #[default]
    Concise,
    /// Everything, with null for what is absent.
    Detailed,
}

/// The version of the contract that is emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Without `retrieval`.
    V1_0,
    /// With `retrieval`.
    #[default]
    V1_1,
    /// With `field_sources` in concise blocks, and the cache of each slice.
    V1_2,
    /// With notices, derivation and revision in concise blocks.
    V1_3,
}

impl Version {
    /// As blocks write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V1_0 => "1.0",
            Self::V1_1 => "1.1",
            Self::V1_2 => "1.2",
            Self::V1_3 => "1.3",
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Version {
    type Err = ContractError;

    fn from_str(text: &str) -> Result<Self, ContractError> {
        let known = [Self::V1_0, Self::V1_1, Self::V1_2, Self::V1_3];
        let found = known.into_iter().find(|version| version.as_str() == text);
        found.ok_or_else(|| ContractError::Version(text.to_owned()))
    }
}

/// How a server speaks of its sources: set once, used for each result.
#[derive(Clone, Debug)]
pub struct Contract {
    prefix: MetaPrefix,
    locale: Locale,
    zone: Zone,
    mode: Mode,
    version: Version,
}

impl Contract {
    /// A contract under a prefix for keys of `_meta`, best a domain of one's own in reverse. Footers are in Portuguese of
    /// Brazil, times in UTC, blocks concise, the version is 1.1, as the contract has it.
    ///
    /// # Errors
    /// The namespace is empty, or no prefix of the protocol.
    pub fn new(namespace: &str) -> Result<Self, ContractError> {
        let namespace = namespace.trim_end_matches('/');
        if namespace.is_empty() {
            return Err(ContractError::NoNamespace);
        }
        Ok(Self {
            prefix: namespace.parse()?,
            locale: Locale::pt_br(),
            zone: Zone::utc(),
            mode: Mode::default(),
            version: Version::default(),
        })
    }

    /// The language of footers.
    #[must_use]
    pub fn locale(self, locale: Locale) -> Self {
        Self { locale, ..self }
    }

    /// The zone in which times are written.
    #[must_use]
    pub fn zone(self, zone: Zone) -> Self {
        Self { zone, ..self }
    }

    /// The mode where a result does not say another.
    #[must_use]
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// The version that is emitted. Clients keep schemas: offer the wider schema first, and emit it later.
    #[must_use]
    pub fn version(self, version: Version) -> Self {
        Self { version, ..self }
    }

    /// The keys of `_meta`: of the blocks, and of the attribution.
    pub fn meta_keys(&self) -> [String; 2] {
        [self.prefix.key("provenance"), self.prefix.key("attribution")]
    }
}
