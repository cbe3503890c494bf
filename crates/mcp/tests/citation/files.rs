//! The three files, and what is wrong with them.

use genten_mcp::citation::{Decision, Status, evaluate};
use serde_json::{Value, json};

pub(crate) const FINGERPRINT: &str =
    "6709ca2e356511f1a0e55ccef6996d8f15a71a74411df7698a0b3823784d19e2";

pub(crate) const TEXT: &str = "検証環境の API は HTTP 200 を返しました。";

pub(crate) const CLAIM: usize = 0;

pub(crate) const SOURCE: usize = 1;

pub(crate) const REVIEW: usize = 2;

/// The three files; the example of the document.
pub(crate) struct Files(pub(crate) [Value; 3]);

impl Files {
    pub(crate) fn new() -> Self {
        let content = format!("実行ログ: {TEXT}");
        Self([
            json!({"claims": [{"id": "C1", "text": TEXT, "citation_id": "S1"}]}),
            json!({"sources": [{"id": "S1", "content": content}]}),
            json!({"reviews": [
                {"claim_id": "C1", "fingerprint": FINGERPRINT, "verdict": "supported"}
            ]}),
        ])
    }

    /// With a value put in one of the files, by its JSON pointer.
    pub(crate) fn with(mut self, file: usize, pointer: &str, value: Value) -> Self {
        match self.0[file].pointer_mut(pointer) {
            Some(place) => *place = value,
            None => {
                let (object, name) = pointer.rsplit_once('/').unwrap();
                self.0[file].pointer_mut(object).unwrap()[name] = value;
            }
        }
        self
    }

    pub(crate) fn without(mut self, file: usize, object: &str, name: &str) -> Self {
        self.0[file].pointer_mut(object).unwrap().as_object_mut().unwrap().remove(name).unwrap();
        self
    }

    /// With another item in a list.
    pub(crate) fn and(mut self, file: usize, list: &str, item: Value) -> Self {
        self.0[file][list].as_array_mut().unwrap().push(item);
        self
    }

    pub(crate) fn decide(&self) -> Decision {
        let [answer, sources, reviews] = [0, 1, 2].map(|file| self.0[file].to_string());
        evaluate(answer.as_bytes(), sources.as_bytes(), reviews.as_bytes()).unwrap()
    }

    #[track_caller]
    pub(crate) fn expect(&self, status: Status, reasons: &[&str]) {
        let decision = self.decide();
        assert_eq!(decision.status, status, "{:?}", decision.reasons);
        assert_eq!(decision.reasons, reasons);
    }

    #[track_caller]
    pub(crate) fn reject(&self, reason: &str) {
        self.expect(Status::Reject, &[reason]);
    }
}
