//! Why a text is no policy.

/// Why a text is no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// No duration such as `60s`, `24h`, `30d`.
    #[error("limit {name} is no duration such as 60s, 5m, 24h or 30d")]
    Duration {
        /// The limit's name.
        name: &'static str,
    },
    /// A list without words.
    #[error("the list for {class} is empty: it would require nothing")]
    EmptyList {
        /// The list's class.
        class: String,
    },
    /// A list in `[require]` without `signature` and `signer`.
    #[error("the list for {class} lacks signature or signer, without which nothing else counts")]
    NoSignature {
        /// The list's class.
        class: String,
    },
    /// No list `default` in `[require]`.
    #[error("[require] has no list default, for sources of no listed class")]
    NoDefault,
    /// Not UTF-8.
    #[error("not UTF-8 text")]
    NotText,
    /// A pattern over URLs.
    #[error("pattern {pattern:?}: {source}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why it is none.
        source: genten_primitives::PatternError,
    },
    /// A name that only a built-in has.
    #[error("the name {name:?} is reserved for a built-in policy")]
    ReservedName {
        /// The name.
        name: String,
    },
    /// Not TOML, or a key or type that policies do not have.
    #[error("{message}")]
    Toml {
        /// What the TOML reader says, with line and column.
        message: String,
    },
    /// Larger than 64 KiB.
    #[error("larger than 65536 bytes")]
    TooLarge,
    /// `base` names no built-in.
    #[error("base {name:?} is none of basic, mcp11, high-trust")]
    UnknownBase {
        /// The name.
        name: String,
    },
    /// A class that policies do not know.
    #[error("{class:?} is no class: static, revisioned, relocating, realtime, local or regulated")]
    UnknownClass {
        /// The class.
        class: String,
    },
    /// A word that is no requirement.
    #[error("{word:?} is no requirement")]
    UnknownRequirement {
        /// The word.
        word: String,
    },
    /// A version other than 1.
    #[error("policy version {version}, where this program knows 1")]
    UnknownVersion {
        /// The version.
        version: i64,
    },
}

impl PolicyError {
    /// The stable code of every broken policy.
    pub const CODE: &'static str = "policy.malformed";
}
