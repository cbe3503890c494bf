//! What was found in a log, for machines.

use genten::Followed;
use genten::rekor::FollowError;
use genten_primitives::encoding::hex;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_store::Seen;

use super::{outcome, tally};
use crate::output;

pub(super) fn tell(followed: &Followed) {
    let tally = tally(followed);
    let report = followed.report.as_ref();
    let quiet = report.map(|report| report.quiet).unwrap_or_default();
    let behind = report.ok().and_then(|report| report.clock_behind).unwrap_or_default();
    let (mut unknown, mut lost, mut evidence) =
        <(ArrayWriter, ArrayWriter, ArrayWriter)>::default();
    for one in &followed.unknown {
        unknown.raw(&use_json(one));
    }
    for one in &followed.lost {
        lost.string(&one.log_id);
    }
    for path in &followed.evidence {
        evidence.string(&path.display().to_string());
    }
    let mut object = ObjectWriter::new();
    object
        .string("origin", &followed.origin)
        .string("outcome", outcome(followed).0)
        .boolean("alarm", followed.is_alarm())
        .boolean("complete", followed.is_complete())
        .integer("entries", output::integer(tally.entries))
        .integer("unreadable", output::integer(tally.unreadable))
        .integer("unknown_kinds", output::integer(tally.unknown_kinds.values().sum()))
        .integer("unsearched", output::integer(followed.unsearched))
        .integer("quiet_seconds", output::integer(quiet.as_secs()))
        .integer("clock_behind_seconds", output::integer(behind.as_secs()))
        .optional("code", followed.report.as_ref().err().map(FollowError::code))
        .raw("unknown_uses", &unknown.finish())
        .raw("lost", &lost.finish())
        .raw("evidence", &evidence.finish());
    output::json(&mut object);
}

fn use_json(one: &Seen) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .integer("entry", output::integer(one.entry))
        .text("key_sha256", Some(&one.key))
        .string("digest", &hex(&one.digest))
        .text("signature_sha256", Some(&one.signature_sha256))
        .string("use", one.key_use.as_str());
    object.finish()
}
