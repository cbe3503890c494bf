//! Which rows of the journal are wanted, and the SQL that selects them.

use genten_primitives::{Sha256Digest, Timestamp};
use rusqlite::types::Value;

use super::entry::LogState;

/// Which rows are wanted: those that fit every field that is set. The default is all, oldest first.
///
/// ```
/// use genten_store::{Filter, LogState, UrlMatch};
/// let filter = Filter {
///     url: Some(UrlMatch::Prefix("https://www.rfc-editor.org/".into())),
///     log_state: Some(LogState::Queued),
///     limit: Some(20),
///     ..Filter::default()
/// };
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The URL as displayed, or the final one.
    pub url: Option<UrlMatch>,
    /// Exactly this source class.
    pub source_class: Option<String>,
    /// Exactly this revision.
    pub revision: Option<String>,
    /// Exactly this body.
    pub content_sha256: Option<Sha256Digest>,
    /// Fetched at this time or later.
    pub since: Option<Timestamp>,
    /// Fetched before this time.
    pub until: Option<Timestamp>,
    /// On this stage of the way into a log.
    pub log_state: Option<LogState>,
    /// No more rows than this.
    pub limit: Option<u64>,
    /// By time of fetch; what was fetched at the same time, in the order of recording.
    pub order: Order,
}

/// How a URL is compared: byte by byte, upper and lower case differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrlMatch {
    /// The URL contains this text.
    Contains(String),
    /// The URL begins with this text.
    Prefix(String),
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The newest fetch first.
    NewestFirst,
    /// The oldest fetch first.
    #[default]
    OldestFirst,
}

impl Filter {
    /// The statement that gives the numbers of the rows, and its values.
    pub(super) fn ids(&self) -> (String, Vec<Value>) {
        let (conditions, values) = self.conditions().finish();
        let direction = match self.order {
            Order::NewestFirst => "DESC",
            Order::OldestFirst => "ASC",
        };
        let limit = match self.limit {
            Some(rows) => format!(" LIMIT {}", rows.min(i64::MAX.unsigned_abs())),
            None => String::new(),
        };
        let order = format!("ORDER BY fetched_ms {direction}, id {direction}");
        (format!("SELECT id FROM entry {conditions} {order}{limit}"), values)
    }

    /// The statement that counts the rows, and its values.
    pub(super) fn count(&self) -> (String, Vec<Value>) {
        let (conditions, values) = self.conditions().finish();
        (format!("SELECT count(*) FROM entry {conditions}"), values)
    }

    fn conditions(&self) -> Conditions {
        let mut conditions = Conditions::default();
        conditions.url(self.url.as_ref());
        conditions.text("source_class = ?", self.source_class.clone());
        conditions.text("revision = ?", self.revision.clone());
        conditions.text("content_sha256 = ?", self.content_sha256.map(|digest| digest.to_string()));
        conditions.text("log_state = ?", self.log_state.map(|state| state.as_str().to_owned()));
        conditions.time("fetched_ms >= ?", self.since);
        conditions.time("fetched_ms < ?", self.until);
        conditions
    }
}

/// Conditions that must all hold, and the values of their question marks.
#[derive(Default)]
struct Conditions {
    parts: Vec<&'static str>,
    values: Vec<Value>,
}

impl Conditions {
    fn url(&mut self, wanted: Option<&UrlMatch>) {
        match wanted {
            None => {}
            Some(UrlMatch::Contains(text)) => {
                self.add(CONTAINS, [text, text].map(|text| Value::Text(text.clone())));
            }
            Some(UrlMatch::Prefix(text)) => {
                let bounds = [Value::Text(text.clone()), above(text)];
                self.add(BEGINS, [bounds.clone(), bounds].concat());
            }
        }
    }

    fn text(&mut self, condition: &'static str, wanted: Option<String>) {
        if let Some(text) = wanted {
            self.add(condition, [Value::Text(text)]);
        }
    }

    fn time(&mut self, condition: &'static str, wanted: Option<Timestamp>) {
        if let Some(time) = wanted {
            self.add(condition, [Value::Integer(time.as_millis())]);
        }
    }

    fn add(&mut self, condition: &'static str, values: impl IntoIterator<Item = Value>) {
        self.parts.push(condition);
        self.values.extend(values);
    }

    fn finish(self) -> (String, Vec<Value>) {
        let text = match self.parts.as_slice() {
            [] => String::new(),
            parts => format!("WHERE {}", parts.join(" AND ")),
        };
        (text, self.values)
    }
}

const CONTAINS: &str = "(instr(url, ?) > 0 OR instr(final_url, ?) > 0)";
const BEGINS: &str = "((url >= ? AND url < ?) OR (final_url >= ? AND final_url < ?))";

/// The least value above every text that begins with `prefix`. SQLite compares UTF-8 bytes, which is the order of code
/// points, and puts every blob above all texts.
fn above(prefix: &str) -> Value {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            text.push(next);
            return Value::Text(text);
        }
    }
    Value::Blob(Vec::new())
}
