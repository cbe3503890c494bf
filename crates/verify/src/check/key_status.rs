//! Whether a key may be believed for what it signed, when it signed it (docs/formats.md, section 5.2).

use genten_manifest::Claims;
use genten_primitives::{Sha256Digest, Timestamp};

use crate::findings::Findings;
use crate::kit::{Revocation, Status, TrustKit, Window};
use crate::{Code, Detail, Requirement};

const SIGNER: Requirement = Requirement::Signer;

/// What is believed of a key, and the moments that it is held against.
pub(crate) struct KeyUse<'a> {
    pub(crate) kit: &'a TrustKit,
    pub(crate) thumbprint: Sha256Digest,
    pub(crate) retired: bool,
    pub(crate) window: Window,
    pub(crate) claims: &'a Claims,
    /// The earliest trusted time that covers a signature by this very key.
    pub(crate) trusted_time: Option<Timestamp>,
    pub(crate) now: Timestamp,
}

impl<'a> KeyUse<'a> {
    /// A key without dates of its own.
    pub(crate) fn undated(
        kit: &'a TrustKit,
        thumbprint: Sha256Digest,
        claims: &'a Claims,
        now: Timestamp,
    ) -> Self {
        Self {
            kit,
            thumbprint,
            retired: false,
            window: Window::default(),
            claims,
            trusted_time: None,
            now,
        }
    }

    /// The same key with the dates that a kit states.
    pub(crate) fn dated(self, status: &Status, window: Window) -> Self {
        Self { retired: *status == Status::Retired, window, ..self }
    }

    /// Writes down what speaks against the key.
    pub(crate) fn check(&self, findings: &mut Findings) {
        check_revocation(self.kit, self.thumbprint, self.trusted_time, findings);
        self.retirement(findings);
        self.outside(findings);
    }

    /// The same holds for a key out of use, but without suspicion.
    fn retirement(&self, findings: &mut Findings) {
        let Some(until) = self.window.until else { return };
        let over = self.retired || self.now > until;
        if over && self.trusted_time.is_none_or(|time| time >= until) {
            let found =
                self.trusted_time.map_or("no trusted time".to_owned(), |time| time.to_string());
            let expected = format!("a trusted time before {until}");
            findings.doubt(Code::SIGNER_RETIRED, SIGNER, Detail::Texts { expected, found });
        }
    }

    fn outside(&self, findings: &mut Findings) {
        let moments = [Some(self.claims.fetched_at), self.claims.attested_at, self.trusted_time];
        let outside = moments.into_iter().flatten().find(|moment| !self.window.contains(*moment));
        if let Some(moment) = outside {
            let bound = [self.window.from, self.window.until].into_iter().flatten();
            let expected = bound.min_by_key(|bound| bound.millis_since(moment).unsigned_abs());
            let detail = Detail::Times { expected: expected.unwrap_or(moment), found: moment };
            findings.doubt(Code::SIGNER_OUTSIDE_WINDOW, SIGNER, detail);
        }
    }
}

/// A key that is revoked under any id counts only for what provably existed before.
pub(crate) fn check_revocation(
    kit: &TrustKit,
    thumbprint: Sha256Digest,
    trusted_time: Option<Timestamp>,
    findings: &mut Findings,
) {
    let Some(Revocation { at, reason }) = kit.revocation(thumbprint) else { return };
    if trusted_time.is_none_or(|time| time >= at) {
        let found = trusted_time.map_or("no trusted time".to_owned(), |time| time.to_string());
        let reason = reason.map_or(String::new(), |reason| format!(" (revoked: {reason})"));
        let expected = format!("a trusted time before {at}{reason}");
        findings.fail(Code::SIGNER_REVOKED, SIGNER, Detail::Texts { expected, found });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effect, Report, Requirements, Verdict};

    fn time(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn kit(signers: &str) -> TrustKit {
        let key = r#"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#;
        let signers = signers.replace("KEY", key);
        let text =
            format!(r#"{{"media_type":"{}","signers":[{signers}]}}"#, crate::kit::KIT_MEDIA_TYPE);
        TrustKit::read(text.as_bytes()).unwrap()
    }

    fn claims(fetched: &str, attested: Option<&str>) -> Claims {
        let url = "https://a.example/".parse().unwrap();
        let mut claims =
            Claims::builder(url, time(fetched), Sha256Digest::of(b"")).finish().unwrap();
        claims.attested_at = attested.map(time);
        claims
    }

    fn findings(kit: &TrustKit, claims: &Claims, trusted: Option<&str>, now: &str) -> Findings {
        let signer = &kit.signers()[0];
        let mut findings = Findings::new(Requirements::NONE, Requirements::NONE);
        let key_use = KeyUse {
            trusted_time: trusted.map(time),
            ..KeyUse::undated(kit, signer.thumbprint, claims, time(now))
                .dated(&signer.status, signer.window)
        };
        key_use.check(&mut findings);
        findings
    }

    fn verdict(
        kit: &TrustKit,
        claims: &Claims,
        trusted: Option<&str>,
        now: &str,
    ) -> (Effect, Option<&'static str>) {
        let checks = findings(kit, claims, trusted, now).checks;
        match checks.is_empty() {
            true => (Effect::None, None),
            false => match Report::judge(&checks) {
                Verdict::Accept => (Effect::None, None),
                Verdict::Review { because } => (Effect::Review, Some(because.as_str())),
                Verdict::Reject { because } => (Effect::Reject, Some(because.as_str())),
            },
        }
    }

    const NOW: &str = "2026-11-30T00:00:00Z";
    const FETCHED: &str = "2024-06-01T00:00:00Z";

    #[test]
    fn a_retired_key_needs_a_trusted_time_before_its_end() {
        let kit = kit(
            r#"{"key_id":"did:web:a.example#1","public_key":KEY,"status":"retired","valid_from":"2024-01-01T00:00:00Z","valid_until":"2025-01-01T00:00:00Z"}"#,
        );
        let claims = claims(FETCHED, None);
        let of = |trusted| verdict(&kit, &claims, trusted, NOW);
        assert_eq!(of(Some("2024-06-01T00:01:00Z")), (Effect::None, None));
        assert_eq!(of(None), (Effect::Review, Some("signer.retired")));
        assert_eq!(of(Some("2025-01-01T00:00:00Z")), (Effect::Review, Some("signer.retired")));
        assert_eq!(of(Some("2025-03-01T00:00:00Z")), (Effect::Review, Some("signer.retired")));
        // Retired counts at once, even while the window is open.
        assert_eq!(
            verdict(&kit, &claims, None, "2024-07-01T00:00:00Z"),
            (Effect::Review, Some("signer.retired"))
        );
    }

    #[test]
    fn an_active_key_past_its_end_is_as_good_as_retired() {
        let kit = kit(
            r#"{"key_id":"did:web:a.example#1","public_key":KEY,"status":"active","valid_until":"2025-01-01T00:00:00Z"}"#,
        );
        let claims = claims(FETCHED, None);
        assert_eq!(verdict(&kit, &claims, None, "2025-01-01T00:00:00Z"), (Effect::None, None));
        assert_eq!(
            verdict(&kit, &claims, None, "2025-01-01T00:00:01Z"),
            (Effect::Review, Some("signer.retired"))
        );
        assert_eq!(verdict(&kit, &claims, Some("2024-12-31T23:59:59Z"), NOW), (Effect::None, None));
    }

    #[test]
    fn moments_outside_the_window_need_a_look() {
        let kit = kit(
            r#"{"key_id":"did:web:a.example#1","public_key":KEY,"status":"active","valid_from":"2024-01-01T00:00:00Z","valid_until":"2027-01-01T00:00:00Z"}"#,
        );
        let of =
            |fetched, attested, trusted| verdict(&kit, &claims(fetched, attested), trusted, NOW);
        let outside = (Effect::Review, Some("signer.outside-window"));
        assert_eq!(of("2024-01-01T00:00:00Z", None, None), (Effect::None, None));
        assert_eq!(of("2023-12-31T23:59:59Z", None, None), outside);
        assert_eq!(of("2023-12-31T23:59:59Z", Some("2024-02-01T00:00:00Z"), None), outside);
        assert_eq!(of(FETCHED, Some("2027-01-01T00:00:01Z"), None), outside);
        assert_eq!(of(FETCHED, None, Some("2023-01-01T00:00:00Z")), outside);
    }

    #[test]
    fn both_ends_of_a_window_lie_in_it() {
        let window = Window {
            from: Some(time("2024-01-01T00:00:00Z")),
            until: Some(time("2024-12-31T00:00:00Z")),
        };
        for (moment, is_inside) in [
            ("2023-12-31T23:59:59.999Z", false),
            ("2024-01-01T00:00:00Z", true),
            ("2024-12-31T00:00:00Z", true),
            ("2024-12-31T00:00:00.001Z", false),
        ] {
            assert_eq!(window.contains(time(moment)), is_inside, "{moment}");
        }
    }

    #[test]
    fn a_revoked_key_is_revoked_under_every_id() {
        let kit = kit(r#"{"key_id":"did:web:a.example#1","public_key":KEY,"status":"active"},
               {"key_id":"did:web:b.example#1","public_key":KEY,"status":"revoked","revoked_at":"2024-06-10T00:00:00Z","reason":"stolen"},
               {"key_id":"did:web:c.example#1","public_key":KEY,"status":"revoked","revoked_at":"2024-06-05T00:00:00Z"}"#);
        let claims = claims(FETCHED, None);
        let of = |trusted| verdict(&kit, &claims, trusted, NOW);
        let revoked = (Effect::Reject, Some("signer.revoked"));
        assert_eq!(of(None), revoked);
        assert_eq!(of(Some("2024-06-04T23:59:59Z")), (Effect::None, None));
        assert_eq!(of(Some("2024-06-05T00:00:00Z")), revoked, "the earliest revocation counts");
        assert_eq!(of(Some("2024-06-07T00:00:00Z")), revoked);
    }

    #[test]
    fn the_reason_of_a_revocation_is_told() {
        let kit = kit(
            r#"{"key_id":"did:web:a.example#1","public_key":KEY,"status":"revoked","revoked_at":"2024-06-10T00:00:00Z","reason":"stolen"}"#,
        );
        let findings = findings(&kit, &claims(FETCHED, None), None, NOW);
        let expected = "a trusted time before 2024-06-10T00:00:00Z (revoked: stolen)".to_owned();
        let detail = Detail::Texts { expected, found: "no trusted time".to_owned() };
        assert_eq!(findings.checks[0].detail, detail);
    }
}
