//! RFC 3161 timestamps: each thing that can be wrong with one.

use genten_primitives::Sha256Digest;
use genten_testkit::tsa::{self, Recipe, Tsa};
use serde_json::{Value, json};

use super::logged::{STAMPED, asking, input, kit, rfc3161, stamped, time, trusting, tsa};
use super::world::{Named, draft, signer, stranger};
use crate::common::case::Case;
use crate::common::kit::{Kit, with};

pub(crate) fn cases() -> Vec<Case> {
    [good(), tokens(), authorities(), subjects()].concat()
}

fn signature() -> Vec<u8> {
    signer().seed().sign_der(&input(&draft()))
}

fn spoilt(spoil: impl Fn(&mut Recipe)) -> Value {
    let mut recipe = tsa().recipe(&signature(), time(STAMPED));
    spoil(&mut recipe);
    rfc3161("manifest", &recipe.answer(tsa().key()))
}

fn of(evidence: &[Value]) -> Case {
    trusting(&draft(), evidence, &kit())
}

fn wanting(evidence: Value) -> Case {
    of(&[evidence]).policy_file(&asking(&["time"]))
}

fn good() -> Vec<Case> {
    let holds = &["timestamp.holds", "time.trusted"];
    vec![
        wanting(stamped(&draft())).accepted("good-stamp", "A timestamp over the signature.", holds),
        wanting(spoilt(|recipe| recipe.status = None)).accepted(
            "good-stamp-bare-token",
            "The token without the answer around it.",
            holds,
        ),
        wanting(spoilt(|recipe| recipe.certificates.clear())).accepted(
            "good-stamp-without-certificate",
            "A token without certificates: the kit has them.",
            holds,
        ),
        of(&[stamped(&draft()), stamped(&draft())]).accepted(
            "good-stamp-twice",
            "The same token twice is one timestamp.",
            holds,
        ),
        of(&[stamped(&draft())]).at("2029-06-01T00:00:00Z").accepted(
            "good-stamp-expired-since",
            "The authority's certificate was valid at the time of the stamp, and is not now.",
            holds,
        ),
    ]
}

fn tokens() -> Vec<Case> {
    let rejected = |name: &str, about: &str, code: &str, spoil: &dyn Fn(&mut Recipe)| {
        of(&[spoilt(spoil)]).rejected(&format!("stamp-{name}"), about, &format!("timestamp.{code}"))
    };
    let other = Tsa::new("Other stamps");
    let leaf = other.certificates()[0].to_vec();
    vec![
        rejected("refused", "The authority refused.", "refused", &|recipe| recipe.status = Some(2)),
        rejected("signature", "A signature over something else.", "signature", &|recipe| {
            recipe.spoil_signature = true;
        }),
        rejected("message-digest", "A signed digest of another content.", "signature", &|recipe| {
            recipe.message_digest = Some(vec![7; 32]);
        }),
        rejected("trailing", "A byte after the answer.", "malformed", &|recipe| {
            recipe.tail = vec![0];
        }),
        rejected("time-offset", "A time that is not in UTC.", "malformed", &|recipe| {
            recipe.gen_time = "20261130081700+0000".to_owned();
        }),
        rejected(
            "other-certificate",
            "The signed attributes name another certificate than the one that signed.",
            "other-certificate",
            &|recipe| recipe.signer_certificate = Sha256Digest::of(&leaf).as_bytes().to_vec(),
        ),
        rejected("sha1", "An imprint by SHA-1.", "weak", &|recipe| {
            recipe.imprint_algorithm = tsa::SHA1.to_vec();
            recipe.imprint.truncate(20);
        }),
        rejected("other-message", "A stamp of something else.", "other-signature", &|recipe| {
            recipe.imprint = vec![7; 32];
        }),
        of(&[spoilt(|recipe| recipe.imprint_algorithm = tsa::SHA3_256.to_vec())])
            .policy_file(&asking(&["time"]))
            .reviewed(
                "stamp-sha3",
                "An imprint by a hash function that is not known here.",
                "timestamp.not-checked",
            ),
    ]
}

/// Whose word it is.
fn authorities() -> Vec<Case> {
    let other = Tsa::new("Other stamps");
    let stranger = rfc3161("manifest", &other.stamp(&signature(), time(STAMPED)));
    let expired = Tsa::valid("Expired stamps", "2025-01-01T00:00:00Z", "2026-11-30T08:16:59Z");
    let by_expired = rfc3161("manifest", &expired.stamp(&signature(), time(STAMPED)));
    let of_kit = |authority: Value| Kit::new().with("timestamp_authorities", json!([authority]));
    let until = |end: &str| {
        let window = json!({"valid_from": "2026-01-01T00:00:00Z", "valid_until": end});
        trusting(&draft(), &[stamped(&draft())], &of_kit(with(tsa().in_kit(), window)))
    };
    vec![
        of(std::slice::from_ref(&stranger)).accepted(
            "good-stamp-unknown-authority",
            "A stamp of an authority that the kit does not hold: a note.",
            &["timestamp.unknown-authority"],
        ),
        wanting(stranger).reviewed(
            "stamp-unknown-authority",
            "The same where the policy asks for a trusted time.",
            "timestamp.unknown-authority",
        ),
        trusting(&draft(), &[by_expired], &of_kit(expired.in_kit())).rejected(
            "stamp-expired",
            "The authority's certificate had expired a second before the stamp.",
            "timestamp.expired",
        ),
        until("2026-11-30T08:16:59Z").policy_file(&asking(&["time"])).reviewed(
            "stamp-outside-window",
            "The kit trusts the authority until a second before the stamp.",
            "timestamp.outside-window",
        ),
        until("2026-11-30T08:17:00Z").policy_file(&asking(&["time"])).accepted(
            "good-stamp-window-end",
            "The kit trusts the authority until the very second of the stamp.",
            &["time.trusted"],
        ),
    ]
}

/// What was stamped.
fn subjects() -> Vec<Case> {
    let other = draft().with("/source_revision", "other");
    let raw = signer().sign(&input(&draft()));
    let by_stranger = stranger().seed().sign_der(&input(&draft()));
    let mut stated = rfc3161("manifest", &tsa().stamp(&by_stranger, time(STAMPED)));
    stated["signature"] = genten_primitives::encoding::base64(&by_stranger).into();
    vec![
        of(&[stamped(&other)]).rejected(
            "stamp-other-manifest",
            "The stamp of another manifest's signature.",
            "timestamp.other-signature",
        ),
        of(&[rfc3161("manifest", &tsa().stamp(&raw, time(STAMPED)))]).rejected(
            "stamp-raw-signature",
            "A stamp over the 64 bytes of an ES256 signature, not over its DER form.",
            "timestamp.other-signature",
        ),
        of(&[rfc3161("manifest", &tsa().stamp(&input(&draft()), time(STAMPED)))]).rejected(
            "stamp-signing-input",
            "A stamp over the signing input: anybody could have that stamped.",
            "timestamp.other-signature",
        ),
        of(&[stated]).rejected(
            "stamp-stated-by-stranger",
            "A stamp over a stranger's signature of the manifest, which is stated beside it.",
            "timestamp.other-signature",
        ),
    ]
}
