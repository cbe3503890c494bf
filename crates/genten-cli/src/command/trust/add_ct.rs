//! `genten trust add-ct`: a list of Certificate Transparency logs, word for word. A kit has one.

use std::path::Path;

use genten_pki::{CtLogList, MAX_CT_LOG_LIST};
use genten_primitives::json::{self, Limits, ObjectWriter};

use super::check::{CT_LIST_DAYS, is_old_ct_list};
use super::draft::Draft;
use super::show::ct_list_words;
use super::{moment, tell};
use crate::cli::AddCtArgs;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file, with_causes};

pub(super) fn run(context: &Context, args: &AddCtArgs) -> Done {
    let mut draft = Draft::open(&args.file.kit)?;
    let (list, raw) = read(&args.list)?;
    let known = draft.kit().ct_log_list();
    let replaced = known.map(ct_list_words);
    expect_newer(known, &list)?;
    draft.set_json("ct_log_list", raw);
    draft.save()?;
    report(context, args, &list, replaced.as_deref());
    Ok(())
}

/// The list, and its text as it stands in the file.
fn read(path: &Path) -> Done<(CtLogList, String)> {
    let name = path.display().to_string();
    let bytes = read_file(path, MAX_CT_LOG_LIST as u64)?;
    let hint = "Give a log list of version 3 as it is published, whole and unchanged.";
    let document = json::read(&bytes, Limits::bytes(MAX_CT_LOG_LIST))
        .map_err(|error| Failure::coded(error.rule.code(), &error, hint).about(&name))?;
    let list = CtLogList::read(document.root())
        .map_err(|error| Failure::new(with_causes(&error), hint).about(&name))?;
    if list.logs().is_empty() {
        return Err(Failure::new(format!("{name}: the list names no log"), hint));
    }
    Ok((list, document.root().raw_text().to_owned()))
}

/// An old list in the place of a newer one would bring back logs that are no longer trusted.
fn expect_newer(known: Option<&CtLogList>, new: &CtLogList) -> Done {
    let Some(known) = known else { return Ok(()) };
    if known == new {
        return Err(Failure::new(
            "the kit has this list already",
            "`genten trust show` prints what the kit says about it.",
        ));
    }
    match (known.timestamp(), new.timestamp()) {
        (Some(old), Some(time)) if old > time => Err(Failure::new(
            format!("the list in the kit is newer: of {old}, this one of {time}"),
            "Logs may have been distrusted since. Get the present list.",
        )),
        (Some(old), None) => Err(Failure::new(
            format!("the list does not say when it was made, and the kit has one of {old}"),
            "Get the present list as it is published.",
        )),
        _ => Ok(()),
    }
}

fn report(context: &Context, args: &AddCtArgs, list: &CtLogList, replaced: Option<&str>) {
    let mut object = ObjectWriter::new();
    object
        .string("changed", "add-ct")
        .optional("version", list.version())
        .text("log_list_timestamp", list.timestamp().as_ref())
        .integer("logs", i64::try_from(list.logs().len()).unwrap_or(i64::MAX));
    let place = replaced.map(|old| format!(", in the place of {old}")).unwrap_or_default();
    let words = format!("{} now knows {}{place}", args.file.kit.display(), ct_list_words(list));
    tell(context, &args.file.kit, &words, &mut object);
    if is_old_ct_list(list, moment::now()) {
        eprintln!("genten: the list is older than {CT_LIST_DAYS} days; get the present one");
    }
}
