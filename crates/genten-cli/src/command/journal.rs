//! `genten journal`: the audit trail of everything that was signed.

mod entry;

use genten_primitives::{Printable, Sha256Digest};
use genten_store::{Durability, Entry, Filter, Journal, Order, UrlMatch};

use super::{argument, inspect, terms};
use crate::cli::{FilterArgs, JournalCommand};
use crate::context::Context;
use crate::failure::{Done, Failure};
use crate::output;

/// Fewest digits of a manifest id that name an entry.
const SHORTEST: usize = 6;

/// Digits of a manifest id in a list.
const SHORT: usize = 12;

pub(super) fn run(context: &Context, command: JournalCommand) -> Done {
    match command {
        JournalCommand::List(args) => list(context, &filter(&args, Order::NewestFirst)?),
        JournalCommand::Show { id } => show(context, &id),
        JournalCommand::Export(args) => export(context, &args),
    }
}

/// The journal of the home; `None` where there is no home yet, which is not made for looking into it.
fn journal(context: &Context) -> Done<Option<Journal>> {
    if !context.home_path()?.exists() {
        return Ok(None);
    }
    Ok(Some(context.home()?.journal(Durability::Normal)?))
}

fn filter(args: &FilterArgs, order: Order) -> Done<Filter> {
    Ok(Filter {
        url: args.url.clone().map(UrlMatch::Contains),
        source_class: args.class.map(|class| terms::class(class).to_string()),
        since: argument::optional_time("--since", args.since.as_deref())?,
        until: argument::optional_time("--until", args.until.as_deref())?,
        limit: args.limit,
        order,
        ..Filter::default()
    })
}

fn list(context: &Context, filter: &Filter) -> Done {
    let mut is_first = true;
    each(context, filter, |entry| {
        if context.json {
            output::json(&mut entry::object(entry));
            return;
        }
        if std::mem::take(&mut is_first) {
            output::line(&row("fetched", "class", "log", "manifest", "url"));
        }
        output::line(&listed(entry));
    })
}

/// Calls `show` for every entry that fits, and says so where there is none.
fn each(context: &Context, filter: &Filter, mut show: impl FnMut(&Entry)) -> Done {
    let mut none = true;
    if let Some(journal) = journal(context)? {
        for entry in journal.list(filter)? {
            show(&entry?);
            none = false;
        }
    }
    if none && !context.json {
        eprintln!("genten: no entry of the journal fits");
    }
    Ok(())
}

fn listed(entry: &Entry) -> String {
    let id = entry.manifest_id.to_string();
    let class = entry.source_class.as_deref().unwrap_or("-");
    row(
        &entry.fetched_at.to_string(),
        &Printable(class).to_string(),
        entry.log.state.as_str(),
        &id[..SHORT],
        &Printable(&entry.url).to_string(),
    )
}

fn row(fetched: &str, class: &str, log: &str, manifest: &str, url: &str) -> String {
    format!("{fetched:<24}  {class:<10}  {log:<8}  {manifest:<SHORT$}  {url}")
}

/// The entries that fit, the oldest first; of more than the limit the newest.
fn export(context: &Context, args: &FilterArgs) -> Done {
    let mut filter = filter(args, Order::OldestFirst)?;
    if args.limit.is_none() {
        return each(context, &filter, export_one);
    }
    filter.order = Order::NewestFirst;
    let mut newest = Vec::new();
    each(context, &filter, |entry| newest.push(entry.clone()))?;
    newest.iter().rev().for_each(export_one);
    Ok(())
}

fn export_one(entry: &Entry) {
    output::json(&mut entry::with_manifest(entry));
}

fn show(context: &Context, id: &str) -> Done {
    let entry = find(context, id)?;
    match context.json {
        true => output::json(&mut entry::with_manifest(&entry)),
        false => print(&entry),
    }
    Ok(())
}

fn print(entry: &Entry) {
    output::bytes(entry::text(entry).as_bytes());
    if let Some(manifest) = &entry.manifest {
        output::line("NOT VERIFIED, as the journal holds it:");
        output::bytes(inspect::manifest_text(manifest).as_bytes());
    }
}

/// The one entry whose manifest id begins with these digits.
pub(super) fn find(context: &Context, id: &str) -> Done<Entry> {
    expect_digits(id)?;
    let Some(journal) = journal(context)? else { return Err(unknown(id)) };
    if let Ok(whole) = id.parse::<Sha256Digest>() {
        return journal.get(&whole)?.ok_or_else(|| unknown(id));
    }
    let mut found: Option<Entry> = None;
    for entry in journal.list(&Filter::default())? {
        let entry = entry?;
        if !entry.manifest_id.to_string().starts_with(id) {
            continue;
        }
        if let Some(first) = found {
            return Err(ambiguous(id, &first, &entry));
        }
        found = Some(entry);
    }
    found.ok_or_else(|| unknown(id))
}

fn expect_digits(id: &str) -> Done {
    let hex = id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if hex && (SHORTEST..=64).contains(&id.len()) {
        return Ok(());
    }
    Err(Failure::usage(
        format!("{id} is no manifest id, and not the beginning of one"),
        format!(
            "Give {SHORTEST} to 64 lower-case hexadecimal digits; `genten journal list` shows them."
        ),
    ))
}

fn unknown(id: &str) -> Failure {
    Failure::new(
        format!("no entry of the journal begins with {id}"),
        "Check the id, and that this is the home that signed the manifest (--home).",
    )
}

fn ambiguous(id: &str, first: &Entry, second: &Entry) -> Failure {
    Failure::usage(
        format!(
            "several entries begin with {id}: {} and {}",
            first.manifest_id, second.manifest_id
        ),
        "Give more digits.",
    )
}
