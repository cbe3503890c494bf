//! What a server says of a source, as JSON: where one text is enough, it stands for the object.

use std::borrow::Cow;

use genten_primitives::json::{self, Kind, Limits, Value};

use super::{
    Anomaly, AnomalyKind, Block, BlockInput, Contract, ContractError, Dataset, FieldSource, Issue,
    License, MAX_BYTES, Retrieval, Revision, RevisionStatus, Source, Version,
};

impl Contract {
    /// Reads and checks what a server says of a source. Members that the contract does not know are passed over; null is
    /// the same as absent. `source`, `dataset` and `license` may be texts: the name, the identifier, the name.
    ///
    /// # Errors
    /// Not JSON; members of another type; and as [`Contract::build`].
    pub fn read(&self, input: &[u8]) -> Result<Block, ContractError> {
        let document = json::read_foreign(input, Limits::bytes(MAX_BYTES))?;
        self.build(read(document.root(), self.version)?)
    }
}

fn read(value: Value<'_>, version: Version) -> Result<BlockInput, ContractError> {
    let mut issues = Vec::new();
    let mut root = Object::new(value, String::new(), &mut issues);
    let says = BlockInput {
        source_url: root.text("source_url"),
        retrieved_at: root.text("retrieved_at"),
        citation: root.text("citation"),
        data_vintage: root.optional("data_vintage"),
        api_version: root.optional("api_version"),
        notices: root.texts("notices"),
        derived: root.flag("derived").unwrap_or_default(),
        derivation_note: root.optional("derivation_note"),
        served_from_cache: root.flag("served_from_cache"),
        source: source(&mut root),
        license: license(&mut root),
        dataset: dataset(&mut root),
        dimension_key: dimension_key(&mut root),
        // Version 1.0 knows neither.
        retrieval: (version > Version::V1_0).then(|| retrieval(&mut root)).flatten(),
        revision: (version > Version::V1_0).then(|| revision(&mut root)).flatten(),
        field_sources: field_sources(&mut root),
    };
    match issues.is_empty() {
        true => Ok(says),
        false => Err(ContractError::Issues(issues)),
    }
}

fn source(root: &mut Object<'_, '_>) -> Source {
    if let Some(name) = root.shortcut("source") {
        return Source { name, ..Source::default() };
    }
    let mut object = root.required("source");
    Source {
        name: object.text("name"),
        agency: object.optional("agency"),
        database: object.optional("database"),
        endpoint: object.optional("endpoint"),
    }
}

fn license(root: &mut Object<'_, '_>) -> License {
    if let Some(name) = root.shortcut("license") {
        return License { name: Some(name), ..License::default() };
    }
    let mut object = root.required("license");
    License {
        id: object.optional("id"),
        name: object.optional("name"),
        url: object.optional("url"),
        terms_url: object.optional("terms_url"),
        verified_at: object.optional("verified_at"),
    }
}

fn dataset(root: &mut Object<'_, '_>) -> Dataset {
    if let Some(id) = root.shortcut("dataset") {
        return Dataset { id: Some(id), ..Dataset::default() };
    }
    let Some(mut object) = root.inner("dataset") else { return Dataset::default() };
    Dataset {
        id: object.optional("id"),
        version: object.optional("version"),
        name: object.optional("name"),
    }
}

fn dimension_key(root: &mut Object<'_, '_>) -> Option<Vec<(String, String)>> {
    let mut object = root.inner("dimension_key")?;
    let names: Vec<_> = object.value?.members()?.map(|(name, _)| name.into_owned()).collect();
    let pair = |name: String| {
        let value = object.text(&name);
        (name, value)
    };
    Some(names.into_iter().map(pair).collect())
}

fn retrieval(root: &mut Object<'_, '_>) -> Option<Retrieval> {
    let mut object = root.inner("retrieval")?;
    let (requests, attempts) = (object.count("requests"), object.count("attempts"));
    let anomalies = object.list("anomalies").unwrap_or_default();
    let anomaly = |at: usize| {
        let mut one = object.item("anomalies", at, anomalies[at]);
        let kind =
            one.word("kind", AnomalyKind::from_word, &AnomalyKind::ALL.map(AnomalyKind::as_str));
        Some(Anomaly { kind: kind?, count: one.count("count") })
    };
    let anomalies = (0..anomalies.len()).filter_map(anomaly).collect();
    Some(Retrieval { requests, attempts, anomalies })
}

fn revision(root: &mut Object<'_, '_>) -> Option<Revision> {
    let mut object = root.inner("revision")?;
    let known = RevisionStatus::ALL.map(RevisionStatus::as_str);
    let status = object.word("status", RevisionStatus::from_word, &known);
    let note = object.optional("note");
    Some(Revision { status: status?, note })
}

fn field_sources(root: &mut Object<'_, '_>) -> Option<Vec<FieldSource>> {
    let slices = root.list("field_sources")?;
    let mut found = Vec::with_capacity(slices.len());
    for (at, slice) in slices.into_iter().enumerate() {
        let mut slice = root.item("field_sources", at, slice);
        found.push(FieldSource {
            fields: slice.texts("fields"),
            source_url: slice.text("source_url"),
            dataset_id: slice.optional("dataset_id"),
            data_vintage: slice.optional("data_vintage"),
            retrieved_at: slice.optional("retrieved_at"),
            served_from_cache: slice.flag("served_from_cache"),
        });
    }
    Some(found)
}

/// An object that is read, and what is wrong with it.
struct Object<'d, 'i> {
    value: Option<Value<'d>>,
    path: String,
    issues: &'i mut Vec<Issue>,
}

impl<'d, 'i> Object<'d, 'i> {
    fn new(value: Value<'d>, path: String, issues: &'i mut Vec<Issue>) -> Self {
        let mut object = Self { value: Some(value), path, issues };
        if value.kind() != Kind::Object {
            let path = object.path.clone();
            object.mistake(path, "object", Some(value));
            object.value = None;
        }
        object
    }

    /// What is given; null is the same as absent.
    fn get(&self, name: &str) -> Option<Value<'d>> {
        self.value?.get(name).filter(|value| value.kind() != Kind::Null)
    }

    fn path(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn mistake(&mut self, path: String, expected: &str, found: Option<Value<'_>>) {
        let found = match found.map(Value::kind) {
            None => "undefined",
            Some(Kind::Array) => "array",
            Some(Kind::Boolean) => "boolean",
            Some(Kind::Null) => "null",
            Some(Kind::Number) => "number",
            Some(Kind::Object) => "object",
            Some(Kind::String) => "string",
        };
        let message = format!("Invalid input: expected {expected}, received {found}");
        self.issues.push(Issue { path, code: "invalid_type", message });
    }

    /// A member by a reader; what it does not read is a mistake.
    fn take<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl FnOnce(Value<'d>) -> Option<T>,
    ) -> Option<T> {
        let value = self.get(name)?;
        let found = read(value);
        if found.is_none() {
            self.mistake(self.path(name), expected, Some(value));
        }
        found
    }

    fn optional(&mut self, name: &str) -> Option<String> {
        self.take(name, "string", Value::as_str).map(Cow::into_owned)
    }

    fn text(&mut self, name: &str) -> String {
        self.need(name, "string");
        self.optional(name).unwrap_or_default()
    }

    fn need(&mut self, name: &str, expected: &str) {
        if self.value.is_some() && self.get(name).is_none() {
            self.mistake(self.path(name), expected, self.value.and_then(|value| value.get(name)));
        }
    }

    fn shortcut(&self, name: &str) -> Option<String> {
        self.get(name)?.as_str().map(Cow::into_owned)
    }

    fn flag(&mut self, name: &str) -> Option<bool> {
        self.take(name, "boolean", Value::as_bool)
    }

    fn list(&mut self, name: &str) -> Option<Vec<Value<'d>>> {
        self.take(name, "array", |value| Some(value.items()?.collect()))
    }

    fn texts(&mut self, name: &str) -> Vec<String> {
        let items = self.list(name).unwrap_or_default();
        let mut texts = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            match item.as_str() {
                Some(text) => texts.push(text.into_owned()),
                None => self.mistake(self.path(&format!("{name}.{at}")), "string", Some(item)),
            }
        }
        texts
    }

    /// A number that is whole and not negative; 0 where it is not, which is too small for all that is counted.
    fn count(&mut self, name: &str) -> u64 {
        self.need(name, "number");
        let whole = |value: Value<'_>| {
            let number: f64 =
                (value.kind() == Kind::Number).then(|| value.raw_text().parse().ok())??;
            let is_whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
            is_whole.then_some(number.max(0.0) as u64)
        };
        self.take(name, "int", whole).unwrap_or_default()
    }

    fn word<T>(
        &mut self,
        name: &str,
        known: impl Fn(&str) -> Option<T>,
        words: &[&str],
    ) -> Option<T> {
        self.need(name, "string");
        let word = self.optional(name)?;
        let found = known(&word);
        if found.is_none() {
            let words: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
            let message = format!("Invalid option: expected one of {}", words.join("|"));
            self.issues.push(Issue { path: self.path(name), code: "invalid_value", message });
        }
        found
    }

    fn item(&mut self, name: &str, at: usize, value: Value<'d>) -> Object<'d, '_> {
        let path = self.path(&format!("{name}.{at}"));
        Object::new(value, path, self.issues)
    }

    fn inner(&mut self, name: &str) -> Option<Object<'d, '_>> {
        let (value, path) = (self.get(name)?, self.path(name));
        Some(Object::new(value, path, self.issues))
    }

    fn required(&mut self, name: &str) -> Object<'d, '_> {
        self.need(name, "object");
        let (value, path) = (self.get(name), self.path(name));
        match value {
            Some(value) => Object::new(value, path, self.issues),
            None => Object { value: None, path, issues: self.issues },
        }
    }
}
