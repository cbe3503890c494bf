//! JSON as the contract's files are read: by the rules of Python's `json` module, by which the contract was written.
//!
//! Wider than RFC 8259 in three ways: `NaN` and `Infinity` are numbers, of two members of one name the last one counts, and
//! an escape may stand for half of a surrogate pair. No number and no such text fits the contract anywhere, so that both are
//! read and not kept.

use std::collections::BTreeMap;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// Lists and objects in one another; the contract has three.
const MAX_DEPTH: usize = 128;

/// A value, as far as the contract can tell it from others.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Json {
    List(Vec<Json>),
    Object(Object),
    /// `None`: it holds half of a surrogate pair, and is no text that anybody can write down.
    Text(Option<String>),
    /// A number, a truth value or null.
    Other,
}

pub(super) type Object = BTreeMap<Option<String>, Json>;

/// Why no decision can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CitationError {
    /// There is nothing to be reviewed in files that break the contract.
    #[error("{0}")]
    Contract(String),
    /// A file is not JSON.
    #[error("{file}: {fault} (byte {offset})")]
    Json {
        /// `answer`, `sources` or `reviews`.
        file: &'static str,
        /// What is wrong.
        fault: JsonFault,
        /// Where, in bytes from the start.
        offset: usize,
    },
    /// A file is larger than [`MAX_BYTES`].
    #[error("{file}: larger than {MAX_BYTES} bytes")]
    TooLarge {
        /// `answer`, `sources` or `reviews`.
        file: &'static str,
    },
}

/// What is wrong with JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JsonFault {
    /// A byte order mark stands at the start.
    #[error("a byte order mark at the start: save the file as UTF-8 without one")]
    ByteOrderMark,
    /// Nested deeper than 128.
    #[error("nested deeper than {MAX_DEPTH}")]
    TooDeep,
    /// Something else than JSON allows here, or the end.
    #[error("not JSON")]
    Syntax,
    /// Not UTF-8.
    #[error("not UTF-8")]
    Utf8,
}

impl CitationError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Contract(_) => "citation.contract",
            Self::Json { .. } => "citation.json",
            Self::TooLarge { .. } => "citation.size",
        }
    }
}

/// Reads the file of this name.
pub(super) fn read(file: &'static str, bytes: &[u8]) -> Result<Json, CitationError> {
    if bytes.len() > MAX_BYTES {
        return Err(CitationError::TooLarge { file });
    }
    let at = |fault, offset| CitationError::Json { file, fault, offset };
    let text =
        std::str::from_utf8(bytes).map_err(|error| at(JsonFault::Utf8, error.valid_up_to()))?;
    if text.starts_with('\u{feff}') {
        return Err(at(JsonFault::ByteOrderMark, 0));
    }
    let mut reader = Reader { text, at: 0 };
    let value = reader.document();
    value.map_err(|fault| at(fault, reader.at))
}

type Read<T> = Result<T, JsonFault>;

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn document(&mut self) -> Read<Json> {
        let value = self.value(MAX_DEPTH)?;
        self.space();
        match self.peek() {
            None => Ok(value),
            Some(_) => Err(JsonFault::Syntax),
        }
    }

    /// A value with the white space before it.
    fn value(&mut self, depth: usize) -> Read<Json> {
        self.space();
        match self.peek() {
            Some(b'[') => self.list(depth.checked_sub(1).ok_or(JsonFault::TooDeep)?),
            Some(b'{') => self.object(depth.checked_sub(1).ok_or(JsonFault::TooDeep)?),
            Some(b'"') => self.string().map(Json::Text),
            _ => self.other(),
        }
    }

    fn list(&mut self, depth: usize) -> Read<Json> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.takes(b']') {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value(depth)?);
            if self.ends(b']')? {
                return Ok(Json::List(items));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Read<Json> {
        self.at += 1;
        let mut members = Object::new();
        self.space();
        if self.takes(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            let name = self.string()?;
            self.space();
            self.expect(b':')?;
            members.insert(name, self.value(depth)?);
            if self.ends(b'}')? {
                return Ok(Json::Object(members));
            }
        }
    }

    /// Whether a list or object ends here; otherwise a comma does, and something follows.
    fn ends(&mut self, end: u8) -> Read<bool> {
        self.space();
        match self.takes(end) {
            true => Ok(true),
            false => self.expect(b',').map(|()| false),
        }
    }

    fn string(&mut self) -> Read<Option<String>> {
        self.expect(b'"')?;
        let (mut text, mut is_whole) = (String::new(), true);
        loop {
            let rest = &self.text[self.at..];
            let plain = rest.find(['"', '\\']).ok_or(JsonFault::Syntax)?;
            if let Some(control) = rest[..plain].bytes().position(|byte| byte < 0x20) {
                self.at += control;
                return Err(JsonFault::Syntax);
            }
            text.push_str(&rest[..plain]);
            self.at += plain;
            if self.takes(b'"') {
                return Ok(is_whole.then_some(text));
            }
            match self.escape()? {
                Some(one) => text.push(one),
                None => is_whole = false,
            }
        }
    }

    /// The character that an escape stands for; `None` for half of a surrogate pair.
    fn escape(&mut self) -> Read<Option<char>> {
        let one = match self.text.as_bytes().get(self.at + 1) {
            Some(b'u') => return self.unicode_escape(),
            Some(one @ (b'"' | b'\\' | b'/')) => char::from(*one),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            _ => return Err(JsonFault::Syntax),
        };
        self.at += 2;
        Ok(Some(one))
    }

    fn unicode_escape(&mut self) -> Read<Option<char>> {
        let first = self.unit().ok_or(JsonFault::Syntax)?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first));
        }
        let second_at = self.at;
        match self.unit() {
            Some(second @ 0xdc00..0xe000) => {
                Ok(char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)))
            }
            // Whatever it is, it stands for itself.
            _ => {
                self.at = second_at;
                Ok(None)
            }
        }
    }

    /// `\u` and four hexadecimal digits.
    fn unit(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..)?.strip_prefix("\\u")?.get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 6;
        u32::from_str_radix(digits, 16).ok()
    }

    fn other(&mut self) -> Read<Json> {
        const WORDS: [&str; 6] = ["null", "true", "false", "NaN", "Infinity", "-Infinity"];
        let rest = &self.text[self.at..];
        let length = WORDS.iter().find(|word| rest.starts_with(**word)).map(|word| word.len());
        let length = length.or_else(|| number(rest.as_bytes()));
        self.at += length.ok_or(JsonFault::Syntax)?;
        Ok(Json::Other)
    }

    fn space(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        self.at += rest.iter().take_while(|byte| is_space(byte)).count();
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, byte: u8) -> Read<()> {
        match self.takes(byte) {
            true => Ok(()),
            false => Err(JsonFault::Syntax),
        }
    }
}

/// The length of the number at the start. What cannot be a part of it is left to whoever reads on.
fn number(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| {
        text.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let sign = usize::from(text.first() == Some(&b'-'));
    let mut end = match text.get(sign)? {
        b'0' => sign + 1,
        b'1'..=b'9' => sign + digits(sign),
        _ => return None,
    };
    if text.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if let Some(b'e' | b'E') = text.get(end) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        if digits(end + 1 + sign) > 0 {
            end += 1 + sign + digits(end + 1 + sign);
        }
    }
    Some(end)
}
