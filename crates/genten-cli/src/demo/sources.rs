//! Three sources of three kinds, fetched and signed.

use std::path::{Path, PathBuf};

use genten::{Fetch, Genten, RevisionFrom};
use genten_fetch::Sink;
use genten_manifest::SourceClass;

use super::world::World;
use crate::failure::{Done, read_file};

/// A fetched source as it lies on disk.
pub(super) struct Saved {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) body: Vec<u8>,
    pub(super) bundle: Vec<u8>,
}

struct Source {
    name: &'static str,
    about: &'static str,
    path: &'static str,
    class: SourceClass,
    revision: Option<RevisionFrom>,
}

pub(super) async fn fetch_all(world: &World, genten: &Genten, dir: &Path) -> Done<Vec<Saved>> {
    let sources = [
        Source {
            name: "standard.txt",
            about: "a text that never changes",
            path: "/standard.txt",
            class: SourceClass::Static,
            revision: None,
        },
        Source {
            name: "law.txt.gz",
            about: "a law with revisions, sent compressed, its ETag as revision",
            path: "/laws/321?as-of=2026-04-01",
            class: SourceClass::Revisioned,
            revision: Some(RevisionFrom::Etag),
        },
        Source {
            name: "circular.html",
            about: "a page behind a redirect",
            path: "/circulars/12",
            class: SourceClass::Relocating,
            revision: None,
        },
    ];
    let mut saved = Vec::new();
    for source in sources {
        saved.push(fetch(world, genten, dir, source).await?);
    }
    Ok(saved)
}

async fn fetch(world: &World, genten: &Genten, dir: &Path, source: Source) -> Done<Saved> {
    let file = dir.join(source.name);
    let mut fetch =
        Fetch::get(world.site.url(source.path)).sink(Sink::File(file.clone())).class(source.class);
    if let Some(revision) = source.revision {
        fetch = fetch.revision(revision);
    }
    genten.save_bundle(&genten.fetch(fetch).await?, bundle_path(dir, source.name))?;
    let body = read_file(&file, 1 << 20)?;
    Ok(Saved { name: source.name, about: source.about, body, bundle: Vec::new() })
}

/// Reads the bundles again, whose evidence has come meanwhile.
pub(super) fn read_bundles(saved: &mut [Saved], dir: &Path) -> Done {
    for one in saved {
        one.bundle = read_file(&bundle_path(dir, one.name), 1 << 20)?;
    }
    Ok(())
}

fn bundle_path(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.provenance.json"))
}
