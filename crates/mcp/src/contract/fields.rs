//! The members of blocks: one table for what is written and for the schema of it, so that the two cannot differ.

use super::node::Node;
use super::schema::{self, Shape};
use super::{
    Anomaly, AnomalyKind, BlockInput, Dataset, FieldSource, License, Retrieval, Revision,
    RevisionStatus, Source, Version,
};

/// A member.
pub(super) struct Field<T: 'static> {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// The version that brought it.
    pub(super) since: Version,
    /// Whether blocks always have it.
    pub(super) always: bool,
    pub(super) shape: fn(Version) -> Shape,
    /// `None` where it is left out.
    pub(super) value: for<'a> fn(&'a T, Version) -> Option<Node<'a>>,
}

impl<T> Field<T> {
    const fn new(
        name: &'static str,
        about: &'static str,
        shape: fn(Version) -> Shape,
        value: for<'a> fn(&'a T, Version) -> Option<Node<'a>>,
    ) -> Self {
        Self { name, about, since: Version::V1_0, always: true, shape, value }
    }

    const fn since(self, since: Version) -> Self {
        Self { since, ..self }
    }

    /// Only where there is something to say.
    const fn sometimes(self) -> Self {
        Self { always: false, ..self }
    }
}

/// An object as the table has it.
pub(super) fn object<'a, T>(fields: &[Field<T>], of: &'a T, version: Version) -> Node<'a> {
    let known = fields.iter().filter(|field| field.since <= version);
    Node::object(known.filter_map(|field| Some((field.name, (field.value)(of, version)?))))
}

fn optional(text: &Option<String>) -> Option<Node<'_>> {
    Some(text.as_deref().map_or(Node::Null, Node::text))
}

fn flag(flag: Option<bool>) -> Option<Node<'static>> {
    Some(flag.map_or(Node::Null, Node::Bool))
}

fn or_null<T>(value: Option<&T>, node: impl FnOnce(&T) -> Node<'_>) -> Option<Node<'_>> {
    Some(value.map_or(Node::Null, node))
}

fn slices(says: &BlockInput, version: Version) -> Option<Node<'_>> {
    let slices = says.field_sources.as_ref()?;
    Some(Node::List(slices.iter().map(|slice| object(FIELD_SOURCE, slice, version)).collect()))
}

/// A concise block.
pub(super) const CONCISE: &[Field<BlockInput>] = &[
    Field::new("source", "Official source of the data", schema::text, |says, _| {
        Some(Node::text(&says.source.name))
    }),
    SOURCE_URL,
    DATA_VINTAGE,
    RETRIEVED_AT,
    RETRIEVAL_OF,
    CITATION,
    Field::new("license", "Terms of use: an identifier where there is one, else the name", schema::text_or_null, |says, _| {
        optional(if says.license.id.is_some() { &says.license.id } else { &says.license.name })
    }),
    Field::new(
        "field_sources",
        "Only where parts come from several places or moments: for each group of fields its address and time",
        |version| schema::some(schema::list(schema::object_of("A group of fields: where it comes from and when", FIELD_SOURCE, version))),
        |says: &BlockInput, version| slices(says, version).filter(|_| says.field_sources.as_ref().is_some_and(|all| !all.is_empty())),
    )
    .since(Version::V1_2)
    .sometimes(),
    Field::new(
        "notices",
        "Warnings that the source publishes with the data, word for word; absent where there are none",
        |_| schema::some(schema::list(schema::text(Version::V1_3))),
        |says: &BlockInput, _| (!says.notices.is_empty()).then(|| Node::texts(says.notices.iter().map(String::as_str))),
    )
    .since(Version::V1_3)
    .sometimes(),
    Field::new("derived", "Present, and true, where the server has computed the value", schema::boolean, |says: &BlockInput, _| {
        says.derived.then_some(Node::Bool(true))
    })
    .since(Version::V1_3)
    .sometimes(),
    Field::new("derivation_note", "What the server has computed", schema::text, |says: &BlockInput, _| {
        says.derivation_note.as_deref().filter(|_| says.derived).map(Node::text)
    })
    .since(Version::V1_3)
    .sometimes(),
    Field::new(
        "revision",
        "Whether the data may still change at its source",
        |version| schema::object_of("Whether the data may still change at its source", REVISION, version),
        |says: &BlockInput, version| says.revision.as_ref().map(|revision| object(REVISION, revision, version)),
    )
    .since(Version::V1_3)
    .sometimes(),
];

/// A detailed block.
pub(super) const DETAILED: &[Field<BlockInput>] = &[
    Field::new(
        "contract_version",
        "Version of the provenance contract",
        schema::versions,
        |_, version| Some(Node::text(version.as_str())),
    ),
    Field::new(
        "source",
        "Who publishes the data",
        |version| schema::object_of("", SOURCE, version),
        |says, version| Some(object(SOURCE, &says.source, version)),
    ),
    Field::new(
        "dataset",
        "The data set",
        |version| schema::object_of("", DATASET, version),
        |says, version| Some(object(DATASET, &says.dataset, version)),
    ),
    Field::new(
        "dimension_key",
        "Key of the query, in the order of the source's dimensions; null where there is none",
        schema::texts_by_name_or_null,
        |says, _| {
            let pair = |(name, value): &'_ (String, String)| {
                (name.clone().into(), Node::Text(value.clone().into()))
            };
            or_null(says.dimension_key.as_ref(), |keys| {
                Node::Object(keys.iter().map(pair).collect())
            })
        },
    ),
    DATA_VINTAGE,
    RETRIEVED_AT,
    SOURCE_URL,
    Field::new(
        "api_version",
        "Version of the source's interface, where it says one",
        schema::text_or_null,
        |says, _| optional(&says.api_version),
    ),
    Field::new(
        "license",
        "Terms of use",
        |version| schema::object_of("", LICENSE, version),
        |says, version| Some(object(LICENSE, &says.license, version)),
    ),
    CITATION,
    Field::new(
        "notices",
        "Warnings of the source, word for word",
        |version| schema::list(schema::text(version)),
        |says, _| Some(Node::texts(says.notices.iter().map(String::as_str))),
    ),
    Field::new(
        "derived",
        "Whether the server did more than filter and page",
        schema::boolean,
        |says, _| Some(Node::Bool(says.derived)),
    ),
    Field::new(
        "derivation_note",
        "What it did, where derived is true",
        schema::text_or_null,
        |says, _| optional(&says.derivation_note),
    ),
    Field::new(
        "served_from_cache",
        "null where the server does not tell",
        schema::boolean_or_null,
        |says, _| flag(says.served_from_cache),
    ),
    RETRIEVAL_OF,
    Field::new(
        "field_sources",
        "Where groups of fields come from; null where all come from one place",
        |version| {
            schema::or_null(schema::list(schema::object_of(
                "A group of fields: where it comes from and when",
                FIELD_SOURCE,
                version,
            )))
        },
        |says, version| Some(slices(says, version).unwrap_or(Node::Null)),
    ),
    Field::new(
        "revision",
        "Whether the data may still change at its source; null where the server cannot say",
        |version| {
            schema::or_null(schema::object_of(
                "Whether the data may still change at its source",
                REVISION,
                version,
            ))
        },
        |says: &BlockInput, version| {
            or_null(says.revision.as_ref(), |revision| object(REVISION, revision, version))
        },
    )
    .since(Version::V1_3),
];

const SOURCE_URL: Field<BlockInput> = Field::new(
    "source_url",
    "Address under which the query can be repeated",
    schema::text,
    |says, _| Some(Node::text(&says.source_url)),
);

const DATA_VINTAGE: Field<BlockInput> = Field::new(
    "data_vintage",
    "Vintage of the data, as the source says it; null where it does not",
    schema::text_or_null,
    |says, _| optional(&says.data_vintage),
);

const RETRIEVED_AT: Field<BlockInput> = Field::new(
    "retrieved_at",
    "When the source itself was asked (ISO 8601); data from a cache keeps the time of its fetch, and of several parts it is the oldest",
    schema::text,
    |says, _| Some(Node::text(&says.retrieved_at)),
);

const CITATION: Field<BlockInput> =
    Field::new("citation", "Citation, ready for use", schema::text, |says, _| {
        Some(Node::text(&says.citation))
    });

const RETRIEVAL_OF: Field<BlockInput> = Field::new(
    "retrieval",
    "How the data was obtained, as measured; null where it was not",
    |version| {
        schema::or_null(schema::object_of(
            "How the data was obtained, as measured",
            RETRIEVAL,
            version,
        ))
    },
    |says: &BlockInput, version| {
        or_null(says.retrieval.as_ref(), |retrieval| object(RETRIEVAL, retrieval, version))
    },
)
.since(Version::V1_1);

const SOURCE: &[Field<Source>] = &[
    Field::new("name", "Official name", schema::text, |source, _| Some(Node::text(&source.name))),
    Field::new("agency", "Agency", schema::text_or_null, |source, _| optional(&source.agency)),
    Field::new("database", "System within the agency", schema::text_or_null, |source, _| {
        optional(&source.database)
    }),
    Field::new(
        "endpoint",
        "Address of the interface that was asked",
        schema::text_or_null,
        |source, _| optional(&source.endpoint),
    ),
];

const DATASET: &[Field<Dataset>] = &[
    Field::new("id", "Identifier", schema::text_or_null, |dataset, _| optional(&dataset.id)),
    Field::new("version", "Version, as the source says it", schema::text_or_null, |dataset, _| {
        optional(&dataset.version)
    }),
    Field::new("name", "Name", schema::text_or_null, |dataset, _| optional(&dataset.name)),
];

const LICENSE: &[Field<License>] = &[
    Field::new("id", "Identifier such as SPDX has", schema::text_or_null, |license, _| {
        optional(&license.id)
    }),
    Field::new("name", "Name or description", schema::text_or_null, |license, _| {
        optional(&license.name)
    }),
    Field::new("url", "Where its text stands", schema::text_or_null, |license, _| {
        optional(&license.url)
    }),
    Field::new(
        "terms_url",
        "Where the source's terms stand",
        schema::text_or_null,
        |license, _| optional(&license.terms_url),
    ),
    Field::new(
        "verified_at",
        "When the terms were looked at",
        schema::text_or_null,
        |license, _| optional(&license.verified_at),
    ),
];

const RETRIEVAL: &[Field<Retrieval>] = &[
    Field::new(
        "requests",
        "Different requests behind this answer",
        schema::count,
        |retrieval, _| Some(Node::number(retrieval.requests)),
    ),
    Field::new("attempts", "Attempts, repeated ones included", schema::count, |retrieval, _| {
        Some(Node::number(retrieval.attempts))
    }),
    Field::new(
        "anomalies",
        "What was overcome, summed up by kind, in a fixed order",
        |version| schema::list(schema::object_of("", ANOMALY, version)),
        |retrieval, version| {
            Some(Node::List(
                retrieval.anomalies.iter().map(|one| object(ANOMALY, one, version)).collect(),
            ))
        },
    ),
    Field::new(
        "unstable",
        "Whether something was repeated or went wrong",
        schema::boolean,
        |retrieval, _| Some(Node::Bool(retrieval.is_unstable())),
    ),
];

const ANOMALY: &[Field<Anomaly>] = &[
    Field::new(
        "kind",
        "What went wrong",
        |_| schema::words(&AnomalyKind::ALL.map(AnomalyKind::as_str)),
        |anomaly, _| Some(Node::text(anomaly.kind.as_str())),
    ),
    Field::new("count", "How often", schema::count, |anomaly, _| Some(Node::number(anomaly.count))),
];

const FIELD_SOURCE: &[Field<FieldSource>] = &[
    Field::new(
        "fields",
        "The fields",
        |version| schema::some(schema::list(schema::text(version))),
        |slice, _| Some(Node::texts(slice.fields.iter().map(String::as_str))),
    ),
    Field::new("source_url", "Their address", schema::text, |slice, _| {
        Some(Node::text(&slice.source_url))
    }),
    Field::new("dataset_id", "Identifier of their data set", schema::text_or_null, |slice, _| {
        optional(&slice.dataset_id)
    }),
    Field::new("data_vintage", "Their vintage", schema::text_or_null, |slice, _| {
        optional(&slice.data_vintage)
    }),
    Field::new("retrieved_at", "When they were asked for", schema::text_or_null, |slice, _| {
        optional(&slice.retrieved_at)
    }),
    Field::new(
        "served_from_cache",
        "Whether they come from the server's cache; null where it does not tell",
        schema::boolean_or_null,
        |slice: &FieldSource, _| flag(slice.served_from_cache),
    )
    .since(Version::V1_2),
];

const REVISION: &[Field<Revision>] = &[
    Field::new(
        "status",
        "current: in force, may be revised; provisional: preliminary or incomplete; final: will not change, as the source says",
        |_| schema::words(&RevisionStatus::ALL.map(RevisionStatus::as_str)),
        |revision, _| Some(Node::text(revision.status.as_str())),
    ),
    Field::new("note", "What the source says of it", schema::text_or_null, |revision, _| {
        optional(&revision.note)
    }),
];
