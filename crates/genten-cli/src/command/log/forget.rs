//! `genten log forget`: a log that was begun anew is known anew.

use std::path::Path;

use genten::{Forget, Forgotten, Look, forget, look};
use genten_primitives::Printable;
use genten_primitives::json::ObjectWriter;
use genten_store::Durability;

use crate::cli::LogForgetArgs;
use crate::command::logging::target;
use crate::command::moment::now;
use crate::command::text;
use crate::context::Context;
use crate::failure::Done;
use crate::output;

pub(super) async fn run(context: &Context, args: &LogForgetArgs) -> Done {
    let (home, log) = (context.home_with_journal()?, target(&args.log)?);
    let journal = home.journal(Durability::Full)?;
    // Where nothing was sent to it since it was begun anew, only the log itself can tell.
    let is_against =
        !args.yes && matches!(look(&home, &journal, &log, now()).await, Ok(Look::Against(_)));
    let how = Forget { even_if_sound: args.yes || is_against, queue_again: args.queue_again };
    let forgotten = forget(&home, &journal, &log, how, now())?;
    match context.json {
        true => tell_json(&forgotten, args.queue_again),
        false => tell(&forgotten, args.queue_again),
    }
    Ok(())
}

fn tell_json(forgotten: &Forgotten, queued_again: bool) {
    let evidence = forgotten.evidence.as_deref().map(Path::to_string_lossy);
    let mut object = ObjectWriter::new();
    object
        .string("origin", &forgotten.origin)
        .integer("entries", output::integer(forgotten.entries as u64))
        .boolean("queued_again", queued_again)
        .optional("evidence", evidence.as_deref());
    output::json(&mut object);
}

fn tell(forgotten: &Forgotten, queued_again: bool) {
    let origin = Printable(&forgotten.origin);
    match forgotten.evidence.as_deref().map(Path::to_string_lossy) {
        Some(evidence) => {
            output::line(&format!(
                "{origin}: given up; whatever it shows next is believed, also if it has taken entries back"
            ));
            output::line(&format!("  what was known is kept in {}", Printable(&evidence)));
        }
        None => output::line(&format!("{origin}: was given up before")),
    }
    let entries = text::entries(forgotten.entries as u64);
    output::line(&match queued_again {
        true => format!("  {entries} that it had: queued again; `genten log flush` sends"),
        false => format!(
            "  {entries} that it had: not looked for there any more; the same command with --queue-again sends them once more"
        ),
    });
}
