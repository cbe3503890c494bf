//! What every block must keep, however it was made.

use super::zone::instant;
use super::{
    Anomaly, AnomalyKind, Block, BlockInput, Contract, ContractError, FieldSource, Issue, License,
    Retrieval, Version,
};

impl Contract {
    /// Checks what a server says of a source, and brings its times into the zone of the server.
    ///
    /// # Errors
    /// All members that are wrong; a derivation without note; from 1.2 on, a time that is newer than that of a slice.
    pub fn build(&self, mut says: BlockInput) -> Result<Block, ContractError> {
        if self.version == Version::V1_0 {
            says.retrieval = None;
        }
        let issues = issues(&says);
        if !issues.is_empty() {
            return Err(ContractError::Issues(issues));
        }
        if says.derived && says.derivation_note.is_none() {
            return Err(ContractError::DerivedWithoutNote);
        }
        self.write_times(&mut says);
        if self.version >= Version::V1_2 {
            refuse_newer_than_slices(&says)?;
        }
        if let Some(retrieval) = &mut says.retrieval {
            retrieval.anomalies = summed(&retrieval.anomalies);
        }
        Ok(Block { says, version: self.version })
    }

    fn write_times(&self, says: &mut BlockInput) {
        let slices = says.field_sources.iter_mut().flatten();
        let slices = slices.filter_map(|slice| slice.retrieved_at.as_mut());
        for time in std::iter::once(&mut says.retrieved_at).chain(slices) {
            *time = self.zone.canonical(time);
        }
    }
}

/// The time of a block with slices is the oldest of them.
fn refuse_newer_than_slices(says: &BlockInput) -> Result<(), ContractError> {
    let Some(block) = instant(&says.retrieved_at) else { return Ok(()) };
    let is_older = |slice: &&FieldSource| {
        slice.retrieved_at.as_deref().and_then(instant).is_some_and(|time| time < block)
    };
    match says.field_sources.iter().flatten().find(is_older) {
        None => Ok(()),
        Some(slice) => Err(ContractError::NewerThanSlice {
            block: says.retrieved_at.clone(),
            url: slice.source_url.clone(),
            slice: slice.retrieved_at.clone().unwrap_or_default(),
        }),
    }
}

/// Anomalies by kind, in the order of the contract.
fn summed(anomalies: &[Anomaly]) -> Vec<Anomaly> {
    let of = |kind: AnomalyKind| {
        let counts = anomalies.iter().filter(|one| one.kind == kind).map(|one| one.count);
        Anomaly { kind, count: counts.fold(0, u64::saturating_add) }
    };
    AnomalyKind::ALL.map(of).into_iter().filter(|one| one.count > 0).collect()
}

fn issues(says: &BlockInput) -> Vec<Issue> {
    let mut issues = Vec::new();
    for (path, text) in texts(says) {
        if text.is_empty() {
            issues.push(too_small(path, "string to have >=1 characters"));
        }
    }
    if is_missing(&says.license) {
        let message = "license exige ao menos `id` ou `name` (piso legal do contrato)";
        issues.push(custom("license", message));
    }
    issues.extend(says.retrieval.iter().flat_map(of_retrieval));
    for (at, slice) in says.field_sources.iter().flatten().enumerate() {
        if slice.fields.is_empty() {
            issues.push(too_small(format!("field_sources.{at}.fields"), "array to have >=1 items"));
        }
    }
    issues
}

fn is_missing(license: &License) -> bool {
    license.id.is_none() && license.name.is_none()
}

fn of_retrieval(retrieval: &Retrieval) -> Vec<Issue> {
    let counted = [("requests", retrieval.requests), ("attempts", retrieval.attempts)];
    let counted = counted.map(|(name, number)| (format!("retrieval.{name}"), number));
    let anomalies = retrieval.anomalies.iter().enumerate();
    let anomalies =
        anomalies.map(|(at, one)| (format!("retrieval.anomalies.{at}.count"), one.count));
    let zeros = counted.into_iter().chain(anomalies).filter(|(_, number)| *number == 0);
    let mut issues: Vec<_> = zeros.map(|(path, _)| too_small(path, "number to be >=1")).collect();
    if issues.is_empty() && retrieval.attempts < retrieval.requests {
        let message = "retrieval.attempts não pode ser menor que retrieval.requests";
        issues.push(custom("retrieval", message));
    }
    issues
}

/// Every text of a block, with its path: absent is null, and never empty.
fn texts(says: &BlockInput) -> Vec<(String, &str)> {
    let mut found: Vec<(String, &str)> = vec![
        ("source.name".into(), &says.source.name),
        ("source_url".into(), &says.source_url),
        ("retrieved_at".into(), &says.retrieved_at),
        ("citation".into(), &says.citation),
    ];
    let optional = [
        ("source.agency", &says.source.agency),
        ("source.database", &says.source.database),
        ("source.endpoint", &says.source.endpoint),
        ("license.id", &says.license.id),
        ("license.name", &says.license.name),
        ("license.url", &says.license.url),
        ("license.terms_url", &says.license.terms_url),
        ("license.verified_at", &says.license.verified_at),
        ("dataset.id", &says.dataset.id),
        ("dataset.version", &says.dataset.version),
        ("dataset.name", &says.dataset.name),
        ("data_vintage", &says.data_vintage),
        ("api_version", &says.api_version),
        ("derivation_note", &says.derivation_note),
    ];
    found.extend(
        optional.into_iter().filter_map(|(path, text)| Some((path.into(), text.as_deref()?))),
    );
    let note = says.revision.as_ref().and_then(|revision| revision.note.as_deref());
    found.extend(note.map(|note| ("revision.note".to_owned(), note)));
    let keys = says.dimension_key.iter().flatten();
    found.extend(keys.map(|(name, value)| (format!("dimension_key.{name}"), value.as_str())));
    let notices = says.notices.iter().enumerate();
    found.extend(notices.map(|(at, notice)| (format!("notices.{at}"), notice.as_str())));
    for (at, slice) in says.field_sources.iter().flatten().enumerate() {
        let path = |name: &str| format!("field_sources.{at}.{name}");
        found.push((path("source_url"), &slice.source_url));
        let fields = slice.fields.iter().enumerate();
        found.extend(fields.map(|(field, text)| (path(&format!("fields.{field}")), text.as_str())));
        let optional = [
            ("dataset_id", &slice.dataset_id),
            ("data_vintage", &slice.data_vintage),
            ("retrieved_at", &slice.retrieved_at),
        ];
        found.extend(
            optional.into_iter().filter_map(|(name, text)| Some((path(name), text.as_deref()?))),
        );
    }
    found
}

fn too_small(path: impl Into<String>, what: &str) -> Issue {
    Issue { path: path.into(), code: "too_small", message: format!("Too small: expected {what}") }
}

fn custom(path: &str, message: &str) -> Issue {
    Issue { path: path.to_owned(), code: "custom", message: message.to_owned() }
}
