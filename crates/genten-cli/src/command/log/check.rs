//! `genten log check`: the whole of the home's own log against its signed root.

use genten::store::Home;
use genten::store::log::EmbeddedLog;
use genten_primitives::json::ObjectWriter;
use genten_store::Durability;
use genten_tlog::Checkpoint;

use super::own_log;
use crate::context::Context;
use crate::failure::{Done, Failure};
use crate::{output, progress};

const NOTHING_TO_CHECK: &str = "Where everything is logged elsewhere there is nothing to check here, and \
    `genten log follow --log FILE` looks at that log. `genten log init` makes a log of the home's own.";

pub(super) fn run(context: &Context) -> Done {
    let home = context.home_with_journal()?;
    let log = own_log(&home, NOTHING_TO_CHECK)?;
    let bar = progress::bar("entries", context.json);
    let checked = log.folder().check(&mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let checkpoint = checked.map_err(|error| Failure::coded(error.code(), &error, error.hint()))?;
    expect_all_that_was_signed(&home, &log, &checkpoint)?;
    let size = checkpoint.size().get();
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("origin", checkpoint.origin())
            .integer("size", output::integer(size))
            .text("root", Some(&checkpoint.root()));
        output::json(&mut object);
    } else {
        let all = match size {
            1 => "its one entry is".to_owned(),
            size => format!("all {size} entries are"),
        };
        output::line(&format!("{}: {all} what was signed", checkpoint.origin()));
    }
    Ok(())
}

/// The journal remembers the last checkpoint: a folder that was put back from an older copy is sound in itself.
fn expect_all_that_was_signed(home: &Home, log: &EmbeddedLog, now: &Checkpoint) -> Done {
    let known = home.journal(Durability::Normal)?.outbox().head(now.origin())?;
    let Some(known) = known else { return Ok(()) };
    match log.lock(Some(&known.note)) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::coded(error.code(), &error, error.hint())),
    }
}
