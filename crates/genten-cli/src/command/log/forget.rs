//! `genten log forget`: a log that was begun anew is known anew.

use genten::forget;
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

pub(super) fn run(context: &Context, args: &LogForgetArgs) -> Done {
    let (home, log) = (context.home_with_journal()?, target(&args.log)?);
    let journal = home.journal(Durability::Full)?;
    let forgotten = forget(&home, &journal, &log, args.queue_again, now())?;
    let evidence = forgotten.evidence.to_string_lossy();
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("origin", &forgotten.origin)
            .integer("entries", output::integer(forgotten.entries as u64))
            .boolean("queued_again", args.queue_again)
            .string("evidence", &evidence);
        output::json(&mut object);
        return Ok(());
    }
    output::line(&format!(
        "{}: given up; whatever it shows next is believed, also if it has taken entries back",
        Printable(&forgotten.origin)
    ));
    output::line(&format!("  what was known is kept in {}", Printable(&evidence)));
    let entries = text::entries(forgotten.entries as u64);
    output::line(&match args.queue_again {
        true => format!("  {entries} that it had: queued again; `genten log flush` sends"),
        false => format!("  {entries} that it had: not looked for there any more"),
    });
    Ok(())
}
