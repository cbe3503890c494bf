//! `genten trust add-log`: logs and witnesses by a C2SP tlog-policy, word for word; or a log by its key alone.

use std::path::Path;

use genten_primitives::json::{ArrayWriter, ObjectWriter, write_string};
use genten_tlog::note::NoteKeyError;
use genten_tlog::policy::{MAX_POLICY, PolicyFault};
use genten_tlog::{NoteKey, PolicyError, WitnessPolicy};

use super::draft::Draft;
use super::tell;
use crate::cli::AddLogArgs;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file, with_causes};

pub(super) fn run(context: &Context, args: &AddLogArgs) -> Done {
    let mut draft = Draft::open(&args.file.kit)?;
    let text = text(&args.log)?;
    let name = args.log.display().to_string();
    let policy = WitnessPolicy::parse(&text).map_err(|error| malformed(&name, &error))?;
    expect_useful(&policy, &name)?;
    expect_new(&draft, &policy)?;
    let mut item = Vec::new();
    write_string(&text, &mut item);
    draft.push_json("tlog_policies", String::from_utf8(item).expect("JSON is written in UTF-8"));
    draft.save()?;
    report(context, args, &policy);
    Ok(())
}

/// The policy as it is given; of a bare key, the policy that asks for no witness.
fn text(given: &Path) -> Done<String> {
    let typed = given.to_str().filter(|_| !given.exists());
    if let Some(key) = typed.filter(|text| text.contains('+')) {
        return of_key(key, "the verifier key");
    }
    let name = given.display().to_string();
    let bytes = read_file(given, MAX_POLICY as u64)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        Failure::new(
            format!("{name}: not a text in UTF-8"),
            "Give a tlog-policy, or a verifier key.",
        )
    })?;
    match text.trim() {
        key if !key.contains(char::is_whitespace) && key.contains('+') => of_key(key, &name),
        _ => Ok(text),
    }
}

fn of_key(text: &str, name: &str) -> Done<String> {
    let key: NoteKey = text.parse().map_err(|error| no_key(name, &error))?;
    Ok(["log ", &key.to_vkey(), "\nquorum none\n"].concat())
}

fn no_key(name: &str, error: &NoteKeyError) -> Failure {
    let hint = match error {
        NoteKeyError::PrivateKey => {
            "A private key belongs to the log alone. Keep it private, and give the verifier key."
        }
        _ => "A verifier key looks like log.example/2026+1234abcd+AZ…; copy it whole.",
    };
    Failure::new(with_causes(error), hint).about(name)
}

fn malformed(name: &str, error: &PolicyError) -> Failure {
    let hint = match &error.fault {
        PolicyFault::LogKeyKind { .. } => {
            "This is the key of a witness. Witnesses stand in a policy, beside the log that they watch."
        }
        _ => "`genten trust add-log --help` shows what a policy looks like.",
    };
    Failure::new(with_causes(error), hint).about(name)
}

/// A policy applies to the logs that it lists.
fn expect_useful(policy: &WitnessPolicy, name: &str) -> Done {
    match policy.logs().is_empty() {
        false => Ok(()),
        true => Err(Failure::new(
            format!("{name}: the policy lists no log, so that it would apply to nothing"),
            "Add a line `log VKEY` with the verifier key of the log.",
        )),
    }
}

fn expect_new(draft: &Draft, policy: &WitnessPolicy) -> Done {
    let known = draft.kit().tlog_policies();
    if known.contains(policy) {
        return Err(Failure::new(
            "the kit has this policy already",
            "`genten trust show` prints what the kit says about it.",
        ));
    }
    for log in policy.logs() {
        let mut others = known.iter().flat_map(WitnessPolicy::logs);
        if others.any(|other| other.key().key() == log.key().key()) {
            eprintln!(
                "genten: another policy of the kit lists {} too; the quorums of both must be met",
                genten_primitives::Printable(log.origin())
            );
        }
    }
    Ok(())
}

fn report(context: &Context, args: &AddLogArgs, policy: &WitnessPolicy) {
    let origins: Vec<_> = policy.logs().iter().map(|log| log.origin().to_owned()).collect();
    let mut list = ArrayWriter::new();
    origins.iter().for_each(|origin| {
        list.string(origin);
    });
    let quorum = policy.quorum_text();
    let mut object = ObjectWriter::new();
    object
        .string("changed", "add-log")
        .raw("logs", &list.finish())
        .optional("quorum", quorum.as_deref());
    let (kit, logs) = (args.file.kit.display(), origins.join(", "));
    let words = match &quorum {
        Some(quorum) => format!("{kit} now trusts {logs}, as far as these have seen it: {quorum}"),
        None => format!("{kit} now takes the word of {logs}"),
    };
    tell(context, &args.file.kit, &words, &mut object);
    if quorum.is_none() {
        eprintln!(
            "genten: with `quorum none` no witness has to have seen it: such a log is its owner's own word, which proves \
             nothing against the owner"
        );
    }
}
