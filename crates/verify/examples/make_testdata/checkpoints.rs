//! Checkpoints that a log or its witnesses signed, wrong as they are, and what was done to good ones.

use genten_testkit::log::Handing;
use genten_testkit::witness::{Witness, policy};
use serde_json::{Value, json};

use super::logged::{
    COSIGNED, asking, body, entry, entry_spoilt, input, kit, kit_needing, log, logged_at, rekor,
    seconds, trusting,
};
use super::world::{Named, draft, signer, stranger};
use crate::common::case::Case;

pub(crate) fn cases() -> Vec<Case> {
    [texts(), lines(), quorums()].concat()
}

fn own_body() -> Vec<u8> {
    body(signer().seed(), &input(&draft()))
}

fn of(entry: Value) -> Case {
    trusting(&draft(), &[rekor("manifest", entry)], &kit())
}

/// What log and witnesses signed.
fn texts() -> Vec<Case> {
    let spoilt = |name: &str, about: &str, code: &str, spoil: &dyn Fn(&mut String)| {
        of(entry_spoilt(&own_body(), spoil)).rejected(&format!("checkpoint-{name}"), about, code)
    };
    let line = |at: usize, text: &'static str| {
        move |checkpoint: &mut String| {
            let mut lines: Vec<_> = checkpoint.lines().map(str::to_owned).collect();
            lines[at] = text.to_owned();
            *checkpoint = lines.join("\n") + "\n";
        }
    };
    vec![
        spoilt(
            "origin",
            "The log signed another origin than its own (G4).",
            "log.checkpoint-origin",
            &line(0, "elsewhere.example.org"),
        ),
        spoilt(
            "size-zero-first",
            "A size with a leading zero.",
            "log.checkpoint-size",
            &line(1, "07"),
        ),
        spoilt("root", "A root that is no hash.", "log.checkpoint-root", &line(2, "AAAA")),
        spoilt(
            "root-missing",
            "A checkpoint that ends after its size.",
            "log.checkpoint-root",
            &|checkpoint| {
                let end = checkpoint.trim_end().rfind('\n').unwrap() + 1;
                checkpoint.truncate(end);
            },
        ),
        spoilt(
            "other-size",
            "The log signed the root under another size.",
            "log.proof-size",
            &line(1, "8"),
        ),
        spoilt(
            "other-root",
            "The log signed another root.",
            "log.proof-root",
            &line(2, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        ),
    ]
}

/// The lines below.
fn lines() -> Vec<Case> {
    let edited = |name: &str, about: &str, code: &str, edit: &dyn Fn(&str) -> String| {
        let mut entry = entry(&own_body());
        let note = entry.pointer_mut("/inclusionProof/checkpoint/envelope").unwrap();
        *note = edit(note.as_str().unwrap()).into();
        of(entry).rejected(&format!("checkpoint-{name}"), about, code)
    };
    let signed_by = |key: &genten_testkit::SeedKey| {
        log().log(&own_body(), &Handing { signer: Some(key), ..Handing::default() })
    };
    let without = |note: &str, name: &str| {
        note.split_inclusive('\n').filter(|line| !line.starts_with(name)).collect()
    };
    // The key id is in the first characters of a line's base64, the last character before the padding in its signature.
    let key_id = |note: &str| {
        let start = "\u{2014} log.example.org ";
        let at = note.find(start).unwrap() + start.len();
        let other = if note.as_bytes()[at] == b'A' { "B" } else { "A" };
        [&note[..at], other, &note[at + 1..]].concat()
    };
    let cosignature = |note: &str| {
        let start = "\u{2014} w1.example ";
        let at = note.find(start).unwrap() + start.len() + 60;
        let other = if note.as_bytes()[at] == b'A' { "B" } else { "A" };
        [&note[..at], other, &note[at + 1..]].concat()
    };
    let later = |note: &str| {
        let [one, _] = super::logged::witnesses();
        let text = &note[..note.find("\n\n").unwrap() + 1];
        let old = one.cosign(text, seconds(COSIGNED));
        // The time of another cosignature in front of the signature of this one.
        let new = one.cosign(text, seconds(COSIGNED) - 3600);
        let start = "\u{2014} w1.example ".len();
        let mixed = [&new[..start + 16], &old[start + 16..]].concat();
        note.replace(&old, &mixed)
    };
    vec![
        of(signed_by(stranger().seed())).rejected(
            "checkpoint-signature",
            "A stranger's signature under the log's name.",
            "log.checkpoint-signature",
        ),
        edited(
            "unsigned",
            "Cosignatures, and no signature of the log.",
            "log.checkpoint-unsigned",
            &|note| without(note, "\u{2014} log.example.org"),
        ),
        edited(
            "key-id",
            "The log's signature under another key id.",
            "log.checkpoint-key-id",
            &key_id,
        ),
        edited(
            "cosignature",
            "A corrupted cosignature of a witness that is known (G6).",
            "log.cosignature",
            &cosignature,
        ),
        edited(
            "cosignature-time",
            "A cosignature with an earlier time than was signed.",
            "log.cosignature",
            &later,
        ),
        edited(
            "no-line-end",
            "A checkpoint without the last line feed.",
            "log.checkpoint-malformed",
            &|note| note.trim_end().to_owned(),
        ),
        edited(
            "no-origin",
            "A checkpoint whose first line is missing.",
            "log.checkpoint-origin",
            &|note| note.split_once('\n').unwrap().1.to_owned(),
        ),
        edited(
            "empty-origin",
            "A checkpoint whose first line is empty.",
            "log.checkpoint-origin-missing",
            &|note| format!("\n{}", note.split_once('\n').unwrap().1),
        ),
    ]
}

/// Witnesses and quorums.
fn quorums() -> Vec<Case> {
    let [one, two] = super::logged::witnesses();
    let stranger = Witness::new("unheard.example");
    let at = seconds(COSIGNED);
    let by = |witnesses: &[(&Witness, u64)]| {
        rekor("manifest", log().log(&own_body(), &Handing { witnesses, ..Handing::default() }))
    };
    let asked = asking(&["log", "witness"]);
    let case = |evidence: Value| trusting(&draft(), &[evidence], &kit()).policy_file(&asked);
    let backdated = logged_at(&draft(), ["2026-11-30T08:14:30Z", COSIGNED]);
    let kit_of = |needed| kit_needing(needed);
    let rotated = kit().with(
        "tlog_policies",
        json!([
            policy(&[log().note_key()], &[&one, &two], 1),
            policy(&[log().note_key()], &[&stranger], 1)
        ]),
    );
    vec![
        case(by(&[(&one, at)])).reviewed(
            "quorum-one-of-two",
            "One cosignature where the kit wants two.",
            "log.quorum-not-met",
        ),
        case(by(&[(&one, at), (&one, at + 60)])).reviewed(
            "quorum-one-twice",
            "Two cosignatures by one witness.",
            "log.quorum-not-met",
        ),
        case(by(&[(&one, at), (&stranger, at)])).reviewed(
            "quorum-stranger",
            "The second cosignature is by a witness that the kit does not know.",
            "log.quorum-not-met",
        ),
        trusting(&draft(), &[by(&[(&one, at)])], &kit()).accepted(
            "good-quorum-not-asked",
            "One cosignature of two where nobody asks for a log: said, and nothing claimed.",
            &["log.quorum-not-met", "witness.missing"],
        ),
        case(by(&[(&one, at), (&stranger, at), (&two, at)])).accepted(
            "good-quorum-stranger-beside",
            "Two of two, and a stranger beside them, who is passed over.",
            &["witness.quorum"],
        ),
        trusting(&draft(), &[by(&[(&one, at), (&two, at)])], &rotated).policy_file(&asked).reviewed(
            "quorum-of-both-policies",
            "Two policies list the log, and the quorum of the second is not met.",
            "log.quorum-not-met",
        ),
        trusting(&draft(), std::slice::from_ref(&backdated), &kit())
            .policy_file(&asking(&["time"]))
            .accepted(
                "good-quorum-one-backdates",
                "One of two witnesses backdates by two minutes: two of two met only when the other signed.",
                &["time.trusted"],
            ),
        trusting(&draft(), &[logged_at(&draft(), ["2020-01-01T00:00:00Z", COSIGNED])], &kit())
            .policy_file(&asking(&["time"]))
            .accepted(
                "good-quorum-one-backdates-years",
                "One of two witnesses backdates by years, to before the fetch: the time of two of two does not move.",
                &["time.trusted", "witness.quorum"],
            ),
        trusting(&draft(), &[logged_at(&draft(), ["2020-01-01T00:00:00Z", COSIGNED])], &kit_of(1))
            .rejected(
                "quorum-of-one-backdates",
                "The same where one witness is enough: one lie moves the time, and it contradicts the manifest.",
                "time.before-manifest",
            ),
        trusting(&draft(), &[backdated], &kit_of(1)).accepted(
            "good-quorum-of-one-backdates",
            "Where one witness is enough, a lie within the clock skew stands: k is what guards the time.",
            &["time.trusted"],
        ),
    ]
}
