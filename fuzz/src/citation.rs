//! The files of the citation contract.

use genten_mcp::citation::{Status, evaluate, reviews_to_fill_in};

/// Three files with a zero byte between them. Whatever is JSON gets a decision, which is JSON; what is accepted has as many
/// reviews as there are to be filled in.
pub(crate) fn citation(bytes: &[u8]) -> bool {
    let mut files = bytes.splitn(3, |byte| *byte == 0);
    let (answer, sources, reviews) = (files.next(), files.next(), files.next());
    let [answer, sources, reviews] = [answer, sources, reviews].map(Option::unwrap_or_default);
    let form = reviews_to_fill_in(answer, sources);
    let Ok(decision) = evaluate(answer, sources, reviews) else { return false };
    let printed: serde_json::Value =
        serde_json::from_slice(&decision.to_json()).expect("a decision is JSON");
    assert_eq!(printed["reasons"].as_array().map(Vec::len), Some(decision.reasons.len()));
    if decision.status != Status::Reject {
        let form = form.expect("files that fit the contract can be reviewed");
        assert_ne!(evaluate(answer, sources, &form).map(|it| it.status), Ok(Status::Accept));
    }
    true
}
