//! What breaks the contract. The texts are those of the contract, in Portuguese, so that both implementations say the same.

use genten_primitives::json::JsonError;

use crate::meta_key::MetaPrefixError;

/// One member of a block that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct Issue {
    /// Where, with dots between names and positions: `retrieval.anomalies.0.kind`.
    pub path: String,
    /// `custom`, `invalid_type`, `invalid_value` or `too_small`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
}

/// Why there is no block or result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// The data of a result is no JSON object.
    #[error("the data of a result is no JSON object")]
    Data,
    /// A value of the server without a word of what it has done.
    #[error("derived=true exige derivation_note não-nulo (§4 do contrato)")]
    DerivedWithoutNote,
    /// Members that are wrong: all of them.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Issues(Vec<Issue>),
    /// Not JSON.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// A language that nobody has written yet.
    #[error("Locale desconhecido: \"{0}\" (embutidos: pt-BR, en); passe um LocaleSpec customizado")]
    Locale(String),
    /// A block that claims to be newer than a part of it.
    #[error(
        "retrieved_at do bloco ({block}) é mais novo que o da sub-fonte {url} ({slice}); na v1.2 ele é o mais antigo entre as sub-fontes (§3 do contrato)"
    )]
    NewerThanSlice {
        /// The time of the block.
        block: String,
        /// The address of the slice.
        url: String,
        /// The time of the slice.
        slice: String,
    },
    /// A prefix that the protocol does not allow.
    #[error("metaNamespace: {0}")]
    Namespace(#[from] MetaPrefixError),
    /// A result without a block.
    #[error("result() exige ao menos um bloco de proveniência")]
    NoBlock,
    /// No prefix for keys of `_meta`.
    #[error("metaNamespace é obrigatório (ex.: \"com.exemplo.meuservidor\")")]
    NoNamespace,
    /// No offset from UTC.
    #[error("Offset de fuso inválido: \"{0}\" (esperado ±HH:MM)")]
    Offset(String),
    /// A version that is not emitted.
    #[error("contractVersion \"{0}\" desconhecida (esta lib emite 1.0, 1.1, 1.2, 1.3)")]
    Version(String),
}
