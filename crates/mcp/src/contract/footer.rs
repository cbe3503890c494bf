//! The footer, for clients that show text alone.

use super::{Block, Contract, Mode, Retrieval, Version};

/// Between the parts of a line.
const DOT: &str = " · ";

impl Contract {
    /// The footer of some blocks. A concise one ends with the word that more can be asked for.
    pub fn footer<'b>(&self, blocks: impl IntoIterator<Item = &'b Block>, mode: Mode) -> String {
        let mut lines = vec!["---".to_owned()];
        for block in blocks {
            self.lines(block, &mut lines);
        }
        if mode == Mode::Concise {
            lines.push(self.locale.full_reference.to_string());
        }
        lines.join("\n")
    }

    fn lines(&self, block: &Block, lines: &mut Vec<String>) {
        let (says, words) = (&block.says, &self.locale);
        lines.push(self.source_line(block));
        let license = says.license.id.as_ref().or(says.license.name.as_ref());
        let license = format!("{}{}", words.license, license.map_or("", String::as_str));
        lines.push(words.sentence(&license));
        lines.extend(says.retrieval.as_ref().and_then(|retrieval| self.unstable_line(retrieval)));
        if block.version >= Version::V1_3 {
            lines.extend(self.exceptions(block));
        }
    }

    fn source_line(&self, block: &Block) -> String {
        let (says, words) = (&block.says, &self.locale);
        let time = self.zone.human(&says.retrieved_at, words);
        let vintage = says.data_vintage.as_ref().map(|text| format!("{}{text}", words.data_as_of));
        let parts = [
            Some(format!("{}{}", words.source, says.source.name)),
            Some(says.source_url.clone()),
            vintage,
            Some(super::zone::fill(&words.retrieved, &[("time", &time)])),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(DOT)
    }

    fn unstable_line(&self, retrieval: &Retrieval) -> Option<String> {
        let words = &self.locale;
        let of = |anomaly: &super::Anomaly| words.nouns.anomaly(anomaly.kind).of(anomaly.count);
        let list = retrieval.anomalies.iter().map(of).collect::<Vec<_>>().join(&words.comma);
        let anomalies = match list.is_empty() {
            true => String::new(),
            false => super::zone::fill(&words.anomalies, &[("list", &list)]),
        };
        let values = [
            ("attempts", &*words.nouns.attempts.of(retrieval.attempts)),
            ("requests", &*words.nouns.requests.of(retrieval.requests)),
            ("anomalies", &anomalies),
        ];
        retrieval.is_unstable().then(|| super::zone::fill(&words.unstable, &values))
    }

    /// What a reader must know before using the data.
    fn exceptions(&self, block: &Block) -> impl Iterator<Item = String> {
        let (says, words) = (&block.says, &self.locale);
        let provisional = says
            .revision
            .as_ref()
            .filter(|revision| revision.status == super::RevisionStatus::Provisional);
        let provisional = provisional.map(|revision| match &revision.note {
            None => words.provisional.to_string(),
            Some(note) => {
                let note = words.sentence(&capital(note));
                format!("{}{}{note}", words.provisional, words.space)
            }
        });
        let note = says.derivation_note.as_ref().filter(|_| says.derived);
        let derived = note.map(|note| words.sentence(&format!("{}{note}", words.derived)));
        let notices = says.notices.join(&words.semicolon);
        let notices = words.sentence(&format!("{}{notices}", words.notices));
        let notices = (!says.notices.is_empty()).then_some(notices);
        [provisional, derived, notices].into_iter().flatten()
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
