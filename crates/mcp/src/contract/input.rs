//! What a server says of a source. Absent members are unknown: nothing is ever made up.

use genten_manifest::{Claims, Retrieval as Measured};

/// What a block is built from. A preset for a source, and what each call adds, are put together with `..preset.clone()`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockInput {
    /// Who publishes the data.
    pub source: Source,
    /// The address under which anybody gets the same data.
    pub source_url: String,
    /// When the source itself was asked, ISO 8601 with offset. Data from a cache keeps the time of its fetch.
    pub retrieved_at: String,
    /// The citation, ready for use.
    pub citation: String,
    /// Under which terms.
    pub license: License,
    /// The data set.
    pub dataset: Dataset,
    /// The key of the query, in the order of the source's dimensions.
    pub dimension_key: Option<Vec<(String, String)>>,
    /// The vintage of the data, as the source says it.
    pub data_vintage: Option<String>,
    /// The version of the source's interface.
    pub api_version: Option<String>,
    /// Warnings of the source, word for word.
    pub notices: Vec<String>,
    /// Whether the server has computed the values.
    pub derived: bool,
    /// What it has computed.
    pub derivation_note: Option<String>,
    /// Whether the data comes from the server's cache; `None` where it does not tell.
    pub served_from_cache: Option<bool>,
    /// How the data was obtained, as measured.
    pub retrieval: Option<Retrieval>,
    /// Where groups of fields come from, when one source was asked several times.
    pub field_sources: Option<Vec<FieldSource>>,
    /// Whether the data may still change at its source.
    pub revision: Option<Revision>,
}

impl BlockInput {
    /// What a manifest knows of a block: `source_url`, `retrieved_at` (`fetched_at`), `data_vintage` (`source_revision`),
    /// `retrieval` and `served_from_cache`. The author adds the rest.
    pub fn of(claims: &Claims) -> Self {
        let retrieval = claims.retrieval.as_ref();
        Self {
            source_url: claims.source_url.as_str().to_owned(),
            retrieved_at: claims.fetched_at.to_string(),
            data_vintage: claims.source_revision.as_ref().map(|text| text.as_str().to_owned()),
            retrieval: retrieval.and_then(Retrieval::of),
            served_from_cache: retrieval.and_then(|retrieval| retrieval.served_from_cache),
            ..Self::default()
        }
    }
}

/// A publisher.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Its official name.
    pub name: String,
    /// The agency.
    pub agency: Option<String>,
    /// The system within the agency.
    pub database: Option<String>,
    /// The address of the interface that was asked.
    pub endpoint: Option<String>,
}

/// A data set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dataset {
    /// Its identifier.
    pub id: Option<String>,
    /// Its version, as the source says it.
    pub version: Option<String>,
    /// Its name.
    pub name: Option<String>,
}

/// The terms of use. `id` or `name` is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct License {
    /// An identifier such as SPDX has.
    pub id: Option<String>,
    /// A name or description.
    pub name: Option<String>,
    /// Where its text stands.
    pub url: Option<String>,
    /// Where the source's terms stand.
    pub terms_url: Option<String>,
    /// When the terms were looked at.
    pub verified_at: Option<String>,
}

/// How the data was obtained. Only a call that succeeded has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retrieval {
    /// Different requests, at least 1.
    pub requests: u64,
    /// Attempts, repeated ones included: at least as many.
    pub attempts: u64,
    /// What went wrong on the way.
    pub anomalies: Vec<Anomaly>,
}

impl Retrieval {
    /// As a manifest says it; `None` where something was not measured, or does not fit the contract's words.
    fn of(measured: &Measured) -> Option<Self> {
        let anomalies = measured.anomalies.iter().map(|anomaly| {
            let kind = AnomalyKind::from_word(anomaly.kind.as_str())?;
            Some(Anomaly { kind, count: u64::from(anomaly.count) })
        });
        let anomalies = anomalies.collect::<Option<_>>()?;
        let (requests, attempts) = (measured.requests?.into(), measured.attempts?.into());
        (1 <= requests && requests <= attempts).then_some(Self { requests, attempts, anomalies })
    }

    /// Whether something was repeated or went wrong.
    pub fn is_unstable(&self) -> bool {
        self.attempts > self.requests || !self.anomalies.is_empty()
    }
}

/// Something that went wrong, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anomaly {
    /// What.
    pub kind: AnomalyKind,
    /// How often, at least 1.
    pub count: u64,
}

/// What can go wrong, in the order in which blocks have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnomalyKind {
    /// No answer in time.
    Timeout,
    /// No connection.
    Network,
    /// The source refused.
    Http4xx,
    /// The source failed.
    Http5xx,
    /// Too many requests.
    RateLimited,
    /// An answer that could not be read.
    MalformedBody,
}

impl AnomalyKind {
    /// All, in order.
    pub const ALL: [Self; 6] = [
        Self::Timeout,
        Self::Network,
        Self::Http4xx,
        Self::Http5xx,
        Self::RateLimited,
        Self::MalformedBody,
    ];

    /// As blocks write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Network => "network",
            Self::Http4xx => "http_4xx",
            Self::Http5xx => "http_5xx",
            Self::RateLimited => "rate_limited",
            Self::MalformedBody => "malformed_body",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Where a group of fields comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldSource {
    /// The fields, at least one.
    pub fields: Vec<String>,
    /// The address.
    pub source_url: String,
    /// The identifier of the data set.
    pub dataset_id: Option<String>,
    /// Its vintage.
    pub data_vintage: Option<String>,
    /// When it was asked.
    pub retrieved_at: Option<String>,
    /// Whether this part comes from the server's cache.
    pub served_from_cache: Option<bool>,
}

/// Whether data may still change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// How final it is.
    pub status: RevisionStatus,
    /// What the source says of it.
    pub note: Option<String>,
}

/// How final data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevisionStatus {
    /// In force; the source may revise it.
    Current,
    /// Incomplete or preliminary.
    Provisional,
    /// The source says that it will not change.
    Final,
}

impl RevisionStatus {
    /// All, in order.
    pub const ALL: [Self; 3] = [Self::Current, Self::Provisional, Self::Final];

    /// As blocks write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Provisional => "provisional",
            Self::Final => "final",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }
}
