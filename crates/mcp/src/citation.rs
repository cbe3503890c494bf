//! The citation contract: whether each claim of an answer cites a source that is at hand, and whether an independent reviewer
//! has found that this source, word for word as it is here, supports this claim, word for word as it is here.
//!
//! Nothing is found out about truth: `supported` is the reviewer's word, and [`Status::Accept`] says that all reviews are there
//! and fit. A claim whose words or whose source have changed since is not reviewed.
//!
//! ```
//! use genten_mcp::citation::{Status, evaluate, reviews_to_fill_in};
//!
//! let answer = br#"{"claims":[{"id":"C1","text":"The law is public.","citation_id":"S1"}]}"#;
//! let sources = br#"{"sources":[{"id":"S1","content":"Article 1. Everybody may know the law."}]}"#;
//! let reviews = br#"{"reviews":[]}"#;
//! assert_eq!(evaluate(answer, sources, reviews)?.status, Status::Review);
//!
//! // A reviewer reads both, and fills in what is left open.
//! let reviews = String::from_utf8(reviews_to_fill_in(answer, sources)?).unwrap();
//! let reviews = reviews.replace(r#""verdict": """#, r#""verdict": "supported""#);
//! assert_eq!(evaluate(answer, sources, reviews.as_bytes())?.status, Status::Accept);
//! # Ok::<(), genten_mcp::citation::CitationError>(())
//! ```

mod decision;
mod json;
mod made;
mod records;

use std::collections::{BTreeMap, BTreeSet};

use genten_primitives::Sha256Digest;
use genten_primitives::json::ObjectWriter;

pub use decision::{Decision, Status};
pub use json::{CitationError, JsonFault, MAX_BYTES};
pub use made::{Sources, SourcesError, source_id};

use json::Json;
use records::{Claim, Review, Source, claims, reviews, sources};

/// Decides over an answer: `{"claims":[{"id","text","citation_id"}]}`, with the sources at hand:
/// `{"sources":[{"id","content"}]}`, and what reviewers have found: `{"reviews":[{"claim_id","fingerprint","verdict"}]}`.
///
/// Files that break the contract are a decision too ([`Status::Reject`]), with the first rule that they break.
///
/// # Errors
/// One of them is not JSON, or larger than [`MAX_BYTES`].
pub fn evaluate(answer: &[u8], sources: &[u8], reviews: &[u8]) -> Result<Decision, CitationError> {
    let files = [("answer", answer), ("sources", sources), ("reviews", reviews)];
    let [answer, sources, reviews] = files.map(|(file, bytes)| json::read(file, bytes));
    let checked = checked(&answer?, &sources?, &reviews?);
    Ok(checked.unwrap_or_else(|reason| Decision::new(Status::Reject, vec![reason])))
}

/// What a reviewer fills in: the reviews of all claims, with their fingerprints, and with `verdict` left empty.
///
/// # Errors
/// One of the files is not JSON, larger than [`MAX_BYTES`], or breaks the contract.
pub fn reviews_to_fill_in(answer: &[u8], sources: &[u8]) -> Result<Vec<u8>, CitationError> {
    let (answer, sources) = (json::read("answer", answer)?, json::read("sources", sources)?);
    let nobody = json::read("reviews", br#"{"reviews":[]}"#)?;
    let contract = Contract::read(&answer, &sources, &nobody).map_err(CitationError::Contract)?;
    Ok(decision::form(contract.claims.iter().map(|claim| (claim.id, contract.fingerprint(claim)))))
}

fn checked(answer: &Json, sources: &Json, reviews: &Json) -> Result<Decision, String> {
    let contract = Contract::read(answer, sources, reviews)?;
    let (mut rejected, mut pending) = (Vec::new(), Vec::new());
    for claim in &contract.claims {
        let id = claim.id;
        match contract.reviews.get(id) {
            None => pending.push(format!("{id}: 根拠確認が未実施です")),
            // A review of other words says nothing, whatever it says.
            Some(review) if review.fingerprint != contract.fingerprint(claim) => {
                pending.push(format!("{id}: 確認対象の内容が一致しません"));
            }
            Some(review) if review.is_supported => {}
            Some(_) => rejected.push(format!("{id}: 引用資料が主張を支持しません")),
        }
    }
    if !rejected.is_empty() {
        rejected.append(&mut pending);
        return Ok(Decision::new(Status::Reject, rejected));
    }
    if !pending.is_empty() {
        return Ok(Decision::new(Status::Review, pending));
    }
    let reason = "すべての主張について支持確認が完了しました";
    Ok(Decision::new(Status::Accept, vec![reason.to_owned()]))
}

/// The three files, which fit one another.
struct Contract<'j> {
    claims: Vec<Claim<'j>>,
    /// By their ids.
    sources: BTreeMap<&'j str, Source<'j>>,
    /// By the ids of their claims.
    reviews: BTreeMap<&'j str, Review<'j>>,
}

impl<'j> Contract<'j> {
    /// The first rule that is broken, in the order of the contract, is the error.
    fn read(answer: &'j Json, documents: &'j Json, checks: &'j Json) -> Result<Self, String> {
        let answer = records::list(answer, "claims", &["id", "text", "citation_id"])?;
        let documents = records::list(documents, "sources", &["id", "content"])?;
        let checks = records::list(checks, "reviews", &["claim_id", "fingerprint", "verdict"])?;
        let claims = claims(&answer)?;
        let (documents, checks) = (sources(&documents)?, reviews(&checks)?);
        let ids: BTreeSet<_> = claims.iter().map(|claim| claim.id).collect();
        unique(ids.len() == claims.len(), "claims")?;
        let sources: BTreeMap<_, _> = documents.iter().map(|one| (one.id, *one)).collect();
        unique(sources.len() == documents.len(), "sources")?;
        let reviews: BTreeMap<_, _> = checks.iter().map(|one| (one.claim_id, *one)).collect();
        unique(reviews.len() == checks.len(), "reviews")?;
        if claims.iter().any(|claim| !sources.contains_key(claim.citation_id)) {
            return Err("claims: 今回取得した資料にない引用 ID があります".to_owned());
        }
        if reviews.keys().any(|claim| !ids.contains(claim)) {
            return Err("reviews: 存在しない主張 ID があります".to_owned());
        }
        Ok(Self { claims, sources, reviews })
    }

    /// SHA-256 over claim and source, word for word: canonical JSON of `citation_id`, `claim_id`, `claim_text` and
    /// `source_content`.
    fn fingerprint(&self, claim: &Claim<'_>) -> String {
        let content = self.sources.get(claim.citation_id).map_or("", |source| source.content);
        let unit = ObjectWriter::new()
            .string("citation_id", claim.citation_id)
            .string("claim_id", claim.id)
            .string("claim_text", claim.text)
            .string("source_content", content)
            .finish();
        Sha256Digest::of(&unit).to_string()
    }
}

fn unique(is_unique: bool, file: &str) -> Result<(), String> {
    match is_unique {
        true => Ok(()),
        false => Err(format!("{file}: ID が重複しています")),
    }
}
