//! What the checks write down.

use std::borrow::Cow;

use crate::{Check, Code, Detail, Effect, Note, Outcome, Requirement, Requirements};

/// The list of checks under construction. It knows what the policy asks, so that no check has to.
#[derive(Debug)]
pub(crate) struct Findings {
    required: Requirements,
    recommended: Requirements,
    pub(crate) checks: Vec<Check>,
    pub(crate) notes: Vec<Note>,
}

impl Findings {
    pub(crate) fn new(required: Requirements, recommended: Requirements) -> Self {
        Self { required, recommended, checks: Vec::with_capacity(16), notes: Vec::new() }
    }

    /// An empty list under the same policy, for an attempt that may come to nothing.
    pub(crate) fn attempt(&self) -> Self {
        Self::new(self.required, self.recommended)
    }

    /// Takes over what an attempt found.
    pub(crate) fn adopt(&mut self, attempt: Self) {
        self.checks.extend(attempt.checks);
        self.notes.extend(attempt.notes);
    }

    /// What the checks so far come to at worst.
    pub(crate) fn worst(&self) -> Effect {
        self.checks.iter().map(|check| check.effect).max().unwrap_or(Effect::None)
    }

    /// Was checked and holds.
    pub(crate) fn pass(
        &mut self,
        code: Code,
        word: impl Into<Option<Requirement>>,
        detail: Detail,
    ) {
        self.add(code, word.into(), Outcome::Passed, Effect::None, detail);
    }

    /// Contradicts, whatever the policy.
    pub(crate) fn fail(
        &mut self,
        code: Code,
        word: impl Into<Option<Requirement>>,
        detail: Detail,
    ) {
        self.add(code, word.into(), Outcome::Failed, Effect::Reject, detail);
    }

    /// Could not be established, and no policy does without it.
    pub(crate) fn doubt(
        &mut self,
        code: Code,
        word: impl Into<Option<Requirement>>,
        detail: Detail,
    ) {
        self.add(code, word.into(), Outcome::Missing, Effect::Review, detail);
    }

    /// Is not there: review where the policy requires it.
    pub(crate) fn lack(&mut self, code: Code, word: Requirement) {
        let asked = self.required.contains(word) || self.recommended.contains(word);
        let outcome = if asked { Outcome::Missing } else { Outcome::NotRequired };
        self.add(code, Some(word), outcome, self.effect_of_lack(word), Detail::None);
    }

    /// Is there, but does not satisfy: review where the policy requires more.
    pub(crate) fn short(&mut self, code: Code, word: Requirement, detail: Detail) {
        self.add(code, Some(word), Outcome::Missing, self.effect_of_lack(word), detail);
    }

    /// Is there and cannot be judged: review where the policy requires it.
    pub(crate) fn pending(
        &mut self,
        code: Code,
        word: impl Into<Option<Requirement>>,
        detail: Detail,
    ) {
        let word = word.into();
        let effect = word.map_or(Effect::None, |word| self.effect_of_lack(word));
        self.add(code, word, Outcome::NotChecked, effect, detail);
    }

    /// To be called once, when all checks are written down. Where one item of evidence meets a word, others that could not be
    /// judged are no reason for a review any more.
    pub(crate) fn settle(&mut self) {
        const ONE_IS_ENOUGH: [Requirement; 6] = [
            Requirement::Log,
            Requirement::LogContent,
            Requirement::Time,
            Requirement::Ct,
            Requirement::Archive,
            Requirement::External,
        ];
        let met = self.checks.iter().filter(|check| check.outcome == Outcome::Passed);
        let met: Requirements = met
            .filter_map(|check| check.requirement)
            .filter(|word| ONE_IS_ENOUGH.contains(word))
            .collect();
        for check in &mut self.checks {
            let is_met = check.requirement.is_some_and(|word| met.contains(word));
            if is_met && check.outcome == Outcome::NotChecked && check.effect == Effect::Review {
                check.effect = Effect::None;
            }
        }
        self.put_in_order();
    }

    /// Checks in the order of the words, as a reader asks: first whether it is signed, then by whom, then what. One without a word
    /// stays with those that it was written down after.
    fn put_in_order(&mut self) {
        let mut word = Requirement::Signature;
        let mut checks: Vec<_> = std::mem::take(&mut self.checks)
            .into_iter()
            .map(|check| {
                word = check.requirement.unwrap_or(word);
                (word, check)
            })
            .collect();
        checks.sort_by_key(|(word, _)| *word);
        self.checks = checks.into_iter().map(|(_, check)| check).collect();
    }

    /// A warning or a fact without an outcome.
    pub(crate) fn note(&mut self, code: Code, text: impl Into<Cow<'static, str>>) {
        self.notes.push(Note { code, text: text.into().into_owned() });
    }

    /// Whether nothing was written down for a word.
    pub(crate) fn is_silent_on(&self, word: Requirement) -> bool {
        self.checks.iter().all(|check| check.requirement != Some(word))
    }

    fn effect_of_lack(&self, word: Requirement) -> Effect {
        if self.required.contains(word) { Effect::Review } else { Effect::None }
    }

    fn add(
        &mut self,
        code: Code,
        requirement: Option<Requirement>,
        outcome: Outcome,
        effect: Effect,
        detail: Detail,
    ) {
        let unmet = outcome != Outcome::Passed && effect == Effect::None;
        let recommended = unmet && requirement.is_some_and(|word| self.recommended.contains(word));
        self.checks.push(Check { code, requirement, outcome, effect, recommended, detail });
    }
}
