//! The journal within one process: what goes in comes out, once, and can be found.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should panic")]

mod common;

use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use common::{entry, id, time};
use genten_primitives::{Sha256Digest, Timestamp};
use genten_store::{
    BodyPlace, Durability, Entry, Filter, Journal, LogState, LogStatus, Order, Recorded, UrlMatch,
};
use proptest::prelude::*;

fn new_journal(folder: &Path) -> Journal {
    Journal::open(folder.join("journal.db"), Durability::Normal).unwrap()
}

fn full_entry() -> Entry {
    Entry {
        attested_at: Some(time(90)),
        final_url: Some("https://cdn.example.org/7?key=***".into()),
        revision: Some("W/\"改正\"".into()),
        body_place: BodyPlace::Path("/data/本文.bin".into()),
        bundle_path: Some("/data/本文.bin.provenance.json".into()),
        manifest: Some(b"{\"a\":\"\xe5\x8e\x9f\xe5\x85\xb8\", \"b\" :1}\r\n".to_vec()),
        log: LogStatus {
            state: LogState::Logged,
            log_id: Some("log.example.org/2026#735".into()),
            attempts: 3,
            due: Some(time(-1)),
            detail: Some("log.duplicate".into()),
            changed_at: Some(time(95)),
        },
        ..entry(7)
    }
}

fn sparse_entry() -> Entry {
    Entry {
        source_class: None,
        content_bytes: None,
        body_place: BodyPlace::None,
        manifest: None,
        ..entry(8)
    }
}

#[test]
fn what_goes_in_comes_out() {
    let folder = tempfile::tempdir().unwrap();
    let journal = new_journal(folder.path());
    for entry in [full_entry(), sparse_entry(), entry(9)] {
        assert_eq!(journal.record(&entry).unwrap(), Recorded::Inserted);
        assert_eq!(journal.get(&entry.manifest_id).unwrap(), Some(entry));
    }
    assert_eq!(journal.get(&id(10)).unwrap(), None);
}

#[test]
fn times_keep_their_spelling() {
    let folder = tempfile::tempdir().unwrap();
    let journal = new_journal(folder.path());
    for (number, text) in
        ["2026-11-30T08:00:00Z", "2026-11-30T08:00:00.000Z"].into_iter().enumerate()
    {
        let number = number as u64;
        let entry = Entry { fetched_at: text.parse().unwrap(), ..entry(number) };
        journal.record(&entry).unwrap();
        assert_eq!(journal.get(&id(number)).unwrap().unwrap().fetched_at.to_string(), text);
    }
}

#[test]
fn recording_twice_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let journal = new_journal(folder.path());
    let first = entry(1);
    assert_eq!(journal.record(&first).unwrap(), Recorded::Inserted);
    let again =
        Entry { recorded_at: time(500), url: "https://elsewhere.example/".into(), ..entry(1) };
    assert_eq!(journal.record(&again).unwrap(), Recorded::AlreadyPresent);
    assert_eq!(journal.get(&id(1)).unwrap(), Some(first));
    assert_eq!(journal.count(&Filter::default()).unwrap(), 1);
}

#[test]
fn threads_share_one_journal() {
    let folder = tempfile::tempdir().unwrap();
    let journal = new_journal(folder.path());
    let inserted: usize = thread::scope(|scope| {
        let record = |number| journal.record(&entry(number)).unwrap() == Recorded::Inserted;
        let work = move || (0..100).filter(|number| record(*number)).count();
        let threads = [0; 4].map(|_| scope.spawn(work));
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(inserted, 100);
}

#[test]
fn two_journals_on_one_file_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let one = new_journal(folder.path());
    let other = Journal::open(folder.path().join("journal.db"), Durability::Full).unwrap();
    one.record(&entry(1)).unwrap();
    assert_eq!(other.record(&entry(1)).unwrap(), Recorded::AlreadyPresent);
    other.record(&entry(2)).unwrap();
    assert_eq!(one.count(&Filter::default()).unwrap(), 2);
}

#[test]
fn many_make_one_journal_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let together = Barrier::new(6);
        let open = |number| {
            together.wait();
            new_journal(folder.path()).record(&entry(number)).unwrap()
        };
        thread::scope(|scope| (0..6).for_each(|number| drop(scope.spawn(move || open(number)))));
        let journal = new_journal(folder.path());
        journal.check().unwrap();
        assert_eq!(journal.count(&Filter::default()).unwrap(), 6);
    }
}

#[test]
fn the_bundle_path_can_change() {
    let folder = tempfile::tempdir().unwrap();
    let journal = new_journal(folder.path());
    journal.record(&entry(1)).unwrap();
    journal.update_bundle_path(&id(1), Path::new("moved.provenance.json")).unwrap();
    let bundle = journal.get(&id(1)).unwrap().unwrap().bundle_path.unwrap();
    assert_eq!(bundle, std::path::absolute("moved.provenance.json").unwrap());
    let unknown = journal.update_bundle_path(&id(2), &bundle).unwrap_err();
    assert_eq!(unknown.code(), "store.unknown-manifest");
}

#[cfg(unix)]
#[test]
fn paths_need_not_be_unicode() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let journal = new_journal(folder.path());
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(b"/data/\xffbody"));
    let entry = Entry { body_place: BodyPlace::Path(path), ..entry(1) };
    journal.record(&entry).unwrap();
    assert_eq!(journal.get(&id(1)).unwrap(), Some(entry));
}

#[test]
fn a_list_is_decided_when_it_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let journal = new_journal(folder.path());
    for number in 0..5 {
        journal.record(&entry(number)).unwrap();
    }
    let mut list = journal.list(&Filter::default()).unwrap();
    assert_eq!(list.next().unwrap().unwrap(), entry(0));
    journal.record(&entry(5)).unwrap();
    assert_eq!(list.size_hint(), (0, Some(4)));
    assert!(list.map(Result::unwrap).eq((1..5).map(entry)));
}

#[test]
fn a_file_name_has_no_meaning_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["file:journal.db?mode=memory", ":memory:"] {
        let path = folder.path().join(name);
        drop(Journal::open(&path, Durability::Normal).unwrap());
        assert!(path.is_file(), "{name}");
    }
}

#[test]
fn what_stands_in_the_way_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let code = |path: PathBuf| Journal::open(path, Durability::Normal).unwrap_err().code();
    assert_eq!(code(folder.path().to_path_buf()), "store.not-a-file");
    assert_eq!(code(folder.path().join("missing/journal.db")), "store.not-found");
    std::fs::write(folder.path().join("file"), b"").unwrap();
    assert_eq!(code(folder.path().join("file/journal.db")), "store.not-a-directory");
}

#[test]
fn a_lock_that_is_never_released_is_busy() {
    let folder = tempfile::tempdir().unwrap();
    let mut journal = new_journal(folder.path());
    journal.set_patience(Duration::from_millis(1)).unwrap();
    let other = rusqlite::Connection::open(journal.path()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let error = journal.record(&entry(1)).unwrap_err();
    assert_eq!(error.code(), "store.busy", "{error}");
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(journal.record(&entry(1)).unwrap(), Recorded::Inserted);
}

/// The filter as one would write it without an index.
fn fits(filter: &Filter, entry: &Entry) -> bool {
    let urls = || [Some(&entry.url), entry.final_url.as_ref()].into_iter().flatten();
    let url = match &filter.url {
        None => true,
        Some(UrlMatch::Contains(text)) => urls().any(|url| url.contains(text)),
        Some(UrlMatch::Prefix(text)) => urls().any(|url| url.starts_with(text)),
        Some(_) => false,
    };
    url && (filter.source_class.is_none() || filter.source_class == entry.source_class)
        && (filter.revision.is_none() || filter.revision == entry.revision)
        && filter.content_sha256.is_none_or(|digest| digest == entry.content_sha256)
        && filter.since.is_none_or(|since| since <= entry.fetched_at)
        && filter.until.is_none_or(|until| entry.fetched_at < until)
        && filter.log_state.is_none_or(|state| state == entry.log.state)
}

fn expected(filter: &Filter, entries: &[Entry]) -> Vec<Sha256Digest> {
    let mut fitting: Vec<_> = entries.iter().filter(|entry| fits(filter, entry)).collect();
    fitting.sort_by_key(|entry| entry.fetched_at);
    if filter.order == Order::NewestFirst {
        // Also those of one moment: what was recorded last is the newest.
        fitting = entries.iter().rev().filter(|entry| fits(filter, entry)).collect();
        fitting.sort_by_key(|entry| std::cmp::Reverse(entry.fetched_at));
    }
    let limit = filter.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap());
    fitting.into_iter().take(limit).map(|entry| entry.manifest_id).collect()
}

fn some_url() -> impl Strategy<Value = String> {
    "(https?://)?[abB%_]{0,2}(\\.example/)?[a\u{10ffff}原]{0,2}"
}

fn some_text() -> impl Strategy<Value = Option<String>> {
    prop::option::of(prop::sample::select(vec!["", "a", "A", "%", "原"]).prop_map(str::to_owned))
}

fn some_time() -> impl Strategy<Value = Timestamp> {
    (-3_i64..3).prop_map(|half| Timestamp::from_millis(half * 500).unwrap())
}

fn some_state() -> impl Strategy<Value = LogState> {
    prop::sample::select(LogState::ALL.to_vec())
}

fn some_entries() -> impl Strategy<Value = Vec<Entry>> {
    let one = (
        some_url(),
        prop::option::of(some_url()),
        some_text(),
        some_text(),
        some_time(),
        some_state(),
        0_u64..3,
    );
    let fill =
        |number: u64, (url, final_url, source_class, revision, fetched_at, state, body)| Entry {
            url,
            final_url,
            source_class,
            revision,
            fetched_at,
            log: LogState::into(state),
            content_sha256: id(body),
            ..entry(number)
        };
    prop::collection::vec(one, 0..12).prop_map(move |ones| {
        ones.into_iter().zip(0..).map(|(one, number)| fill(number, one)).collect()
    })
}

fn some_filter() -> impl Strategy<Value = Filter> {
    let url = prop_oneof![
        some_url().prop_map(UrlMatch::Contains),
        some_url().prop_map(UrlMatch::Prefix),
    ];
    let texts = (
        prop::option::weighted(0.3, url),
        prop::option::weighted(0.2, some_text()),
        prop::option::weighted(0.2, some_text()),
    );
    let times =
        (prop::option::weighted(0.3, some_time()), prop::option::weighted(0.3, some_time()));
    let rest = (
        prop::option::weighted(0.2, 0_u64..3),
        prop::option::weighted(0.2, some_state()),
        prop::option::weighted(0.3, 0_u64..4),
        prop::sample::select(vec![Order::OldestFirst, Order::NewestFirst]),
    );
    (texts, times, rest).prop_map(
        |((url, class, revision), (since, until), (body, log_state, limit, order))| Filter {
            url,
            source_class: class.flatten(),
            revision: revision.flatten(),
            content_sha256: body.map(id),
            since,
            until,
            log_state,
            limit,
            order,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn filters_select_what_they_say(entries in some_entries(), filters in prop::collection::vec(some_filter(), 8)) {
        let folder = tempfile::tempdir().unwrap();
        let journal = new_journal(folder.path());
        for entry in &entries {
            journal.record(entry).unwrap();
        }
        for filter in filters {
            let found = journal.list(&filter).unwrap().map(|entry| entry.unwrap().manifest_id);
            prop_assert_eq!(found.collect::<Vec<_>>(), expected(&filter, &entries), "{:?}", filter);
            let unlimited = Filter { limit: None, ..filter };
            prop_assert_eq!(journal.count(&unlimited).unwrap(), expected(&unlimited, &entries).len() as u64);
        }
    }
}
