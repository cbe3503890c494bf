//! Saved results of tools and resources.

use genten_mcp::binding::{bind, bind_data};
use genten_mcp::call::Call;
use genten_mcp::saved::{Saved, read_document};
use genten_mcp::visible::visible_sources;
use genten_verify::answer::Answer;
use genten_verify::{Body, Policy, Trust, Verdict, Verifier};

/// A result is never accepted by somebody who trusts nobody; what is bound has one digest however it is printed.
pub(crate) fn saved_result(bytes: &[u8]) -> bool {
    let Ok(document) = read_document(bytes) else { return false };
    let _ = (Call::read(document.root()), bind_data(bytes));
    let Ok(saved) = Saved::read(document.root()) else { return false };
    let digest = saved.object().map(|object| object.digest());
    if let Ok(bound) = bind(bytes) {
        assert_eq!(digest, Some(Ok(bound)), "what is bound is what is found again");
        let mut canonical = Vec::new();
        document.root().write_canonical(&mut canonical);
        let document = read_document(&canonical).expect("canonical JSON is JSON");
        let saved = Saved::read(document.root()).expect("the same result");
        let again = saved.object().map(|object| object.digest());
        assert_eq!(again, Some(Ok(bound)), "however it is printed");
    }
    let _ = visible_sources(&saved);
    let verifier = Verifier::new(Trust::default(), Policy::built_in("basic").expect("a policy"));
    let now = "2026-11-30T12:00:00Z".parse().expect("a time");
    let answer = Answer::new(&saved, None);
    for place in 0..answer.manifests().len().min(8) {
        let report = verifier.verify_answer(&answer, place, &[], &Body::NotGiven, now);
        assert_ne!(report.verdict, Verdict::Accept, "nobody is trusted");
    }
    assert_ne!(verifier.verify_without_manifest(&answer, now).verdict, Verdict::Accept);
    true
}
