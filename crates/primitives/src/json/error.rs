//! What the reader refuses, and where.

use std::fmt;

/// The rule that an input broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonRule {
    /// A UTF-8 byte order mark at the start (RFC 8259 section 8.1).
    ByteOrderMark,
    /// A raw control character inside a string.
    ControlCharacter,
    /// Two members of one object have the same name after unescaping (RFC 7493 section 2.3).
    DuplicateMember,
    /// A fraction or an exponent: our objects hold integers only.
    Fraction,
    /// An integer outside ±(2^53 - 1).
    IntegerRange,
    /// An escape sequence that JSON does not know.
    InvalidEscape,
    /// A number that JSON's grammar does not know (leading zero, plus sign, …).
    InvalidNumber,
    /// Not UTF-8.
    InvalidUtf8,
    /// Half of a surrogate pair (RFC 7493 section 2.1).
    LoneSurrogate,
    /// A code point that is no character for ever, such as U+FFFF (RFC 7493 section 2.1).
    Noncharacter,
    /// Something else than the grammar wants here.
    Syntax,
    /// Nested deeper than the limit.
    TooDeep,
    /// Larger than the limit.
    TooLarge,
    /// Something after the value.
    TrailingData,
    /// The input ends inside a value, or is empty.
    UnexpectedEnd,
}

impl JsonRule {
    /// Every rule, in alphabetical order.
    pub const ALL: [Self; 15] = [
        Self::ByteOrderMark,
        Self::ControlCharacter,
        Self::DuplicateMember,
        Self::Fraction,
        Self::IntegerRange,
        Self::InvalidEscape,
        Self::InvalidNumber,
        Self::InvalidUtf8,
        Self::LoneSurrogate,
        Self::Noncharacter,
        Self::Syntax,
        Self::TooDeep,
        Self::TooLarge,
        Self::TrailingData,
        Self::UnexpectedEnd,
    ];

    /// The stable code of the rule.
    pub const fn code(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "json.byte-order-mark",
            Self::ControlCharacter => "json.control-character",
            Self::DuplicateMember => "json.duplicate-member",
            Self::Fraction => "json.fraction",
            Self::InvalidEscape => "json.invalid-escape",
            Self::InvalidNumber => "json.invalid-number",
            Self::InvalidUtf8 => "json.invalid-utf8",
            Self::IntegerRange => "json.integer-range",
            Self::LoneSurrogate => "json.lone-surrogate",
            Self::Noncharacter => "json.noncharacter",
            Self::Syntax => "json.syntax",
            Self::TooDeep => "json.too-deep",
            Self::TooLarge => "json.too-large",
            Self::TrailingData => "json.trailing-data",
            Self::UnexpectedEnd => "json.unexpected-end",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "byte order mark before the JSON",
            Self::ControlCharacter => "raw control character in a string",
            Self::DuplicateMember => "duplicate member name",
            Self::Fraction => "number with a fraction or an exponent",
            Self::InvalidEscape => "unknown escape sequence",
            Self::InvalidNumber => "malformed number",
            Self::InvalidUtf8 => "not UTF-8",
            Self::IntegerRange => "integer outside ±(2^53 - 1)",
            Self::LoneSurrogate => "lone surrogate",
            Self::Noncharacter => "Unicode noncharacter",
            Self::Syntax => "not JSON",
            Self::TooDeep => "nested too deeply",
            Self::TooLarge => "larger than the limit",
            Self::TrailingData => "data after the JSON value",
            Self::UnexpectedEnd => "the JSON ends too early",
        }
    }
}

impl fmt::Display for JsonRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// The first rule that an input broke, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule} at {path} (byte {offset})")]
pub struct JsonError {
    /// The rule.
    pub rule: JsonRule,
    /// Where in the value, such as `$.http.redirects[0].url`.
    pub path: String,
    /// Where in the input, in bytes from its start.
    pub offset: usize,
}

/// Appends `.name`, or `["name"]` with JSON escapes where the name is no plain word.
pub(super) fn push_member(path: &mut String, name: &str) {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '#' | '@' | '$');
    if !name.is_empty() && name.chars().all(plain) {
        path.push('.');
        path.push_str(name);
    } else {
        path.push_str(&format!("[{name:?}]"));
    }
}
