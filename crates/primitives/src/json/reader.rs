//! The reader: one pass, one list of nodes.

use super::error::push_member;
use super::value::{Document, Kind, Node};
use super::{JsonError, JsonRule, Limits, MAX_INTEGER, Numbers};

/// Recursion is bounded by this, whatever the caller asks for.
const DEPTH_CEILING: usize = 128;

pub(super) fn read(
    bytes: &[u8],
    limits: Limits,
    numbers: Numbers,
) -> Result<Document<'_>, JsonError> {
    let at = |rule, offset| JsonError { rule, path: String::from("$"), offset };
    if bytes.len() > limits.bytes || u32::try_from(bytes.len()).is_err() {
        return Err(at(JsonRule::TooLarge, limits.bytes));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(at(JsonRule::ByteOrderMark, 0));
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|error| at(JsonRule::InvalidUtf8, error.valid_up_to()))?;
    let nodes = Vec::with_capacity(bytes.len() / 24 + 8);
    let mut reader = Reader {
        bytes,
        at: 0,
        depth_left: limits.depth.min(DEPTH_CEILING),
        numbers,
        document: Document { text, nodes, sorted: Vec::new() },
        open_names: Vec::new(),
    };
    reader.white_space();
    reader.value().map_err(Fault::at_root)?;
    reader.white_space();
    if reader.at < bytes.len() {
        return Err(at(JsonRule::TrailingData, reader.at));
    }
    Ok(reader.document)
}

/// An error under way to the root; the path is gathered on the way out, inmost step first.
struct Fault {
    rule: JsonRule,
    offset: usize,
    steps: Vec<Step>,
}

enum Step {
    Member(String),
    Item(u32),
}

impl Fault {
    fn at_root(self) -> JsonError {
        let mut path = String::from("$");
        for step in self.steps.iter().rev() {
            match step {
                Step::Member(name) => push_member(&mut path, name),
                Step::Item(position) => path.push_str(&format!("[{position}]")),
            }
        }
        JsonError { rule: self.rule, path, offset: self.offset }
    }

    fn inside(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

type Done = Result<(), Fault>;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth_left: usize,
    numbers: Numbers,
    document: Document<'a>,
    /// Name nodes of the objects that are still open, innermost last.
    open_names: Vec<u32>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn fault(&self, rule: JsonRule) -> Fault {
        self.fault_at(rule, self.at)
    }

    fn fault_at(&self, rule: JsonRule, offset: usize) -> Fault {
        let rule = if offset >= self.bytes.len() { JsonRule::UnexpectedEnd } else { rule };
        Fault { rule, offset, steps: Vec::new() }
    }

    fn white_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Done {
        if self.peek() != Some(byte) {
            return Err(self.fault(JsonRule::Syntax));
        }
        self.at += 1;
        Ok(())
    }

    fn open(&mut self, kind: Kind) -> u32 {
        let start = self.at as u32;
        let node = Node { kind, escaped: false, start, end: start, next: 0, sorted: 0, len: 0 };
        self.document.nodes.push(node);
        self.document.nodes.len() as u32 - 1
    }

    fn close(&mut self, index: u32) -> &mut Node {
        let next = self.document.nodes.len() as u32;
        let node = &mut self.document.nodes[index as usize];
        node.end = self.at as u32;
        node.next = next;
        node
    }

    fn value(&mut self) -> Done {
        match self.peek() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Kind::Boolean),
            Some(b'f') => self.word("false", Kind::Boolean),
            Some(b'n') => self.word("null", Kind::Null),
            _ => Err(self.fault(JsonRule::Syntax)),
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Done) -> Done {
        let Some(left) = self.depth_left.checked_sub(1) else {
            return Err(self.fault(JsonRule::TooDeep));
        };
        self.depth_left = left;
        read(self)?;
        self.depth_left += 1;
        Ok(())
    }

    fn object(&mut self) -> Done {
        let object = self.open(Kind::Object);
        let outer_names = self.open_names.len();
        self.at += 1;
        self.white_space();
        if self.peek() != Some(b'}') {
            loop {
                self.member()?;
                self.white_space();
                if self.peek() != Some(b',') {
                    break;
                }
                self.at += 1;
                self.white_space();
            }
        }
        self.expect(b'}')?;
        let (sorted, len) = self.sort_names(outer_names)?;
        let node = self.close(object);
        (node.sorted, node.len) = (sorted, len);
        Ok(())
    }

    fn member(&mut self) -> Done {
        if self.peek() != Some(b'"') {
            return Err(self.fault(JsonRule::Syntax));
        }
        let name = self.document.nodes.len() as u32;
        self.string()?;
        self.open_names.push(name);
        self.white_space();
        let value = self.expect(b':').and_then(|()| {
            self.white_space();
            self.value()
        });
        value.map_err(|fault| fault.inside(Step::Member(self.document.string(name).into_owned())))
    }

    /// Sorts the names of the object that just ended into canonical order; equal neighbours are duplicates.
    fn sort_names(&mut self, from: usize) -> Result<(u32, u32), Fault> {
        let document = &self.document;
        let names = &mut self.open_names[from..];
        if !names.is_sorted_by(|left, right| document.compare_names(*left, *right).is_lt()) {
            names.sort_by(|left, right| document.compare_names(*left, *right));
            let equal = |pair: &&[u32]| document.compare_names(pair[0], pair[1]).is_eq();
            if let Some(pair) = names.windows(2).find(equal) {
                let offset = document.nodes[pair[1] as usize].start as usize;
                let step = Step::Member(document.string(pair[1]).into_owned());
                return Err(self.fault_at(JsonRule::DuplicateMember, offset).inside(step));
            }
        }
        let sorted = self.document.sorted.len() as u32;
        let len = (self.open_names.len() - from) as u32;
        self.document.sorted.extend(self.open_names.drain(from..));
        Ok((sorted, len))
    }

    fn array(&mut self) -> Done {
        let array = self.open(Kind::Array);
        let mut len = 0;
        self.at += 1;
        self.white_space();
        if self.peek() != Some(b']') {
            loop {
                self.value().map_err(|fault| fault.inside(Step::Item(len)))?;
                len += 1;
                self.white_space();
                if self.peek() != Some(b',') {
                    break;
                }
                self.at += 1;
                self.white_space();
            }
        }
        self.expect(b']')?;
        self.close(array).len = len;
        Ok(())
    }

    fn word(&mut self, word: &str, kind: Kind) -> Done {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.fault(JsonRule::Syntax));
        }
        let index = self.open(kind);
        self.at += word.len();
        self.close(index);
        Ok(())
    }

    fn number(&mut self) -> Done {
        let index = self.open(Kind::Number);
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let digits = self.at;
        let count = self.digits();
        if count == 0 || (count > 1 && self.bytes[digits] == b'0') {
            return Err(self.fault_at(JsonRule::InvalidNumber, start));
        }
        if self.numbers == Numbers::Any {
            self.fraction(start)?;
            self.close(index);
            return Ok(());
        }
        if let Some(b'.' | b'e' | b'E') = self.peek() {
            return Err(self.fault_at(JsonRule::Fraction, start));
        }
        let node = self.close(index);
        let (start, end) = (node.start as usize, node.end as usize);
        let in_range = self.document.text[start..end]
            .parse()
            .is_ok_and(|number: i64| (-MAX_INTEGER..=MAX_INTEGER).contains(&number));
        if in_range { Ok(()) } else { Err(self.fault_at(JsonRule::IntegerRange, start)) }
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        self.at - start
    }

    /// What may follow the integer part (RFC 8259 section 6).
    fn fraction(&mut self, start: usize) -> Done {
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.digits() == 0 {
                return Err(self.fault_at(JsonRule::InvalidNumber, start));
            }
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            if self.digits() == 0 {
                return Err(self.fault_at(JsonRule::InvalidNumber, start));
            }
        }
        Ok(())
    }

    fn string(&mut self) -> Done {
        let index = self.open(Kind::String);
        let mut escaped = false;
        self.at += 1;
        loop {
            self.plain();
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(0..0x20) => return Err(self.fault(JsonRule::ControlCharacter)),
                _ => self.rare_character()?,
            }
        }
        self.at += 1;
        self.close(index).escaped = escaped;
        Ok(())
    }

    /// Passes over the bytes of a string that need no look: everything but quotes, backslashes, controls and the
    /// first bytes of the code points that may be noncharacters.
    fn plain(&mut self) {
        let rest = &self.bytes[self.at..];
        // Sixteen at a time, which compilers make one vector operation of, up to the block with the first that stops.
        let blocks = rest.as_chunks::<16>().0;
        let is_plain =
            |block: &&[u8; 16]| !block.iter().fold(false, |any, byte| any | needs_a_look(*byte));
        let plain = 16 * blocks.iter().take_while(is_plain).count();
        let stop = rest[plain..].iter().position(|byte| needs_a_look(*byte));
        self.at += stop.map_or(rest.len(), |stop| plain + stop);
    }

    /// One code point from U+F000 on, raw.
    fn rare_character(&mut self) -> Done {
        let Some(character) = self.document.text[self.at..].chars().next() else {
            return Err(self.fault(JsonRule::UnexpectedEnd));
        };
        if is_noncharacter(character) {
            return Err(self.fault(JsonRule::Noncharacter));
        }
        self.at += character.len_utf8();
        Ok(())
    }

    fn escape(&mut self) -> Done {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(())
            }
            Some(b'u') => self.unicode_escape(),
            Some(_) => Err(self.fault(JsonRule::InvalidEscape)),
            None => Err(self.fault_at(JsonRule::UnexpectedEnd, self.bytes.len())),
        }
    }

    fn unicode_escape(&mut self) -> Done {
        let first = self.unit(self.at)?;
        let (character, used) = match char::decode_utf16([first]).next() {
            Some(Ok(character)) => (character, 6),
            _ if self.bytes[self.at + 6..].starts_with(b"\\u") => {
                let pair = [first, self.unit(self.at + 6)?];
                let Some(Ok(character)) = char::decode_utf16(pair).next() else {
                    return Err(self.fault(JsonRule::LoneSurrogate));
                };
                (character, 12)
            }
            _ => return Err(self.fault(JsonRule::LoneSurrogate)),
        };
        if is_noncharacter(character) {
            return Err(self.fault(JsonRule::Noncharacter));
        }
        self.at += used;
        Ok(())
    }

    /// The code unit of the `\u` escape at `at`.
    fn unit(&self, at: usize) -> Result<u16, Fault> {
        let Some(digits) = self.bytes.get(at + 2..at + 6) else {
            return Err(self.fault_at(JsonRule::UnexpectedEnd, self.bytes.len()));
        };
        digits.iter().try_fold(0_u16, |unit, digit| match char::from(*digit).to_digit(16) {
            Some(value) => Ok(unit << 4 | value as u16),
            None => Err(self.fault_at(JsonRule::InvalidEscape, at)),
        })
    }
}

/// The bytes at which [`Reader::plain`] stops.
const fn needs_a_look(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20 || byte >= 0xef
}

/// U+FDD0..U+FDEF and the last two code points of every plane.
fn is_noncharacter(character: char) -> bool {
    let point = u32::from(character);
    (0xfdd0..=0xfdef).contains(&point) || point & 0xfffe == 0xfffe
}
