//! `genten log check`: the whole of the home's own log against its signed root.

use genten::home_log;
use genten_primitives::json::ObjectWriter;

use crate::context::Context;
use crate::failure::{Done, Failure};
use crate::{output, progress};

pub(super) fn run(context: &Context) -> Done {
    let home = context.home()?;
    if !home.log().join("checkpoint").exists() {
        return Err(Failure::new(
            "this home has no log of its own yet",
            "`genten log init` makes one, and so does the first command that logs something.",
        ));
    }
    let log = home_log(&home)?;
    let bar = progress::bar("entries", context.json);
    let checked = log.folder().check(&mut |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let checkpoint = checked.map_err(|error| Failure::coded(error.code(), &error, error.hint()))?;
    let size = checkpoint.size().get();
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("origin", checkpoint.origin())
            .integer("size", i64::try_from(size).unwrap_or(i64::MAX))
            .text("root", Some(&checkpoint.root()));
        output::json(&mut object);
    } else {
        output::line(&format!("{}: all {size} entries are what was signed", checkpoint.origin()));
    }
    Ok(())
}
