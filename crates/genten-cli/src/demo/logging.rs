//! The demo's log, and the trust kit of whoever verifies.

use std::path::Path;

use genten::store::Home;
use genten::{Flush, Genten, KeyRing, Policy, Trust, TrustKit, Verifier, home_log};
use genten_jws::key_id;
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use super::sources::{Saved, read_bundles};
use super::{REPORT_IT, Story};
use crate::failure::{Done, Failure, write_file};

/// What the demo's verifier asks for.
const POLICY: &str = "version = 1\nname = \"demo\"\n[require]\n\
    default = [\"signature\", \"signer\", \"content\", \"log\"]\n\
    static = [\"signature\", \"signer\", \"content\", \"log\", \"log.content\"]\n";

/// Sends what was queued when the sources were signed.
pub(super) async fn log_all(
    genten: &Genten,
    saved: &mut [Saved],
    dir: &Path,
    story: &mut Story,
) -> Done {
    let submitter = genten.submitter().ok_or_else(|| Failure::new("no home", REPORT_IT))?;
    let report = submitter.flush(Flush::All).await?;
    read_bundles(saved, dir)?;
    let home = genten.home().ok_or_else(|| Failure::new("no home", REPORT_IT))?;
    let checked = home_log(home)?.folder().check(&mut |_, _| {});
    let checkpoint = checked.map_err(|error| Failure::coded(error.code(), &error, REPORT_IT))?;
    story.say(&format!("   the log is {}", home.log().display()));
    let size = checkpoint.size().to_string();
    story.expect("entries: the text, its content, and a batch of two", "3", &size, None, "-");
    let completed = report.completed.to_string();
    story.expect("bundles that hold the proof now", "3", &completed, None, "-");
    Ok(())
}

/// Writes the trust kit that the signer would hand over in another way: key, content log key, log.
pub(super) fn write_kit(genten: &Genten, dir: &Path) -> Done<Verifier> {
    let home = genten.home().ok_or_else(|| Failure::new("no home", REPORT_IT))?;
    let kit = kit(genten, home)?;
    write_file(&dir.join("kit.json"), &kit)?;
    write_file(&dir.join("policy.toml"), POLICY.as_bytes())?;
    let kit =
        TrustKit::read(&kit).map_err(|error| Failure::coded("kit.malformed", &error, REPORT_IT))?;
    let policy =
        Policy::read(POLICY).map_err(|error| Failure::new(error.to_string(), REPORT_IT))?;
    Ok(Verifier::new(Trust { kit, ..Trust::default() }, policy))
}

fn kit(genten: &Genten, home: &Home) -> Done<Vec<u8>> {
    let key = genten.public_key();
    let id = key_id::did_key(key).ok_or_else(|| Failure::new("no did:key", REPORT_IT))?;
    let (content_key, _) = KeyRing::of(home).content_log_key("default")?;
    let content_keys = ["[", &content_key.key().public_key().to_jwk(), "]"].concat();
    let signer = ObjectWriter::new()
        .string("key_id", id.as_str())
        .raw("public_key", key.to_jwk().as_bytes())
        .string("status", "active")
        .raw("content_log_keys", content_keys.as_bytes())
        .finish();
    let vkey = home_log(home)?.folder().key().to_vkey();
    let mut policies = ArrayWriter::new();
    policies.string(&format!("log {vkey}\nquorum none\n"));
    let mut kit = ObjectWriter::new()
        .string("media_type", genten::verify::kit::KIT_MEDIA_TYPE)
        .raw("signers", &[b"[", &signer[..], b"]"].concat())
        .raw("tlog_policies", &policies.finish())
        .finish();
    kit.push(b'\n');
    Ok(kit)
}
