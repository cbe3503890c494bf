//! A kit under change: read whole, changed as JSON, read back, and only then put in the old one's place.

use std::path::{Path, PathBuf};

use genten_primitives::Printable;
use genten_verify::kit::{KitError, MAX_KIT_BYTES, TrustKit};

use super::members::{self, Members};
use super::{moment, pretty};
use crate::failure::{Done, Failure, read_file, write_file};

/// Largest kit that is read, in bytes.
pub(super) const LIMIT: u64 = MAX_KIT_BYTES as u64;

pub(super) struct Draft {
    path: PathBuf,
    before: Vec<u8>,
    kit: TrustKit,
    members: Members,
}

impl Draft {
    pub(super) fn open(path: &Path) -> Done<Self> {
        let before = read_file(path, LIMIT)?;
        let kit = TrustKit::read(&before).map_err(|error| broken(path, &error))?;
        let text = std::str::from_utf8(&before).expect("a kit that was read is UTF-8");
        let members = Members::of(members::read(text).root());
        Ok(Self { path: path.to_owned(), before, kit, members })
    }

    /// The kit as it was before the change.
    pub(super) fn kit(&self) -> &TrustKit {
        &self.kit
    }

    /// Adds an item to a list of the kit.
    pub(super) fn push(&mut self, list: &str, item: &Members) {
        self.push_json(list, item.to_json());
    }

    /// Adds an item that is JSON to a list of the kit, word for word.
    pub(super) fn push_json(&mut self, list: &str, item: String) {
        let mut items = self.members.items(list);
        items.push(item);
        self.members.set_items(list, &items);
    }

    /// Sets a member of the kit to this JSON, word for word.
    pub(super) fn set_json(&mut self, name: &str, value: String) {
        self.members.set(name, value);
    }

    /// Changes one item of a list of the kit.
    pub(super) fn change(&mut self, list: &str, index: usize, edit: impl FnOnce(&mut Members)) {
        let mut items = self.members.items(list);
        let mut item = Members::of_text(&items[index]);
        edit(&mut item);
        items[index] = item.to_json();
        self.members.set_items(list, &items);
    }

    /// Writes the kit, if a verifier would take it and nobody else has changed it meanwhile.
    pub(super) fn save(mut self) -> Done {
        self.members.set_text("created_at", &moment::now().to_string());
        let json = self.members.to_json();
        self.check(&json)?;
        let text = pretty::print(&json);
        self.check(&text)?; // which is longer
        if read_file(&self.path, LIMIT)? != self.before {
            return Err(Failure::new(
                format!("{}: another program changed it meanwhile", self.path.display()),
                "Try again; nothing was written.",
            ));
        }
        write_file(&self.path, text.as_bytes())
    }

    fn check(&self, kit: &str) -> Done {
        let refused = |error| {
            let hint = "No verifier would read such a kit; nothing was written.";
            Failure::coded(KitError::CODE, &error, hint)
                .about(&format!("{} after the change", self.path.display()))
                .with_status(2)
        };
        TrustKit::read(kit.as_bytes()).map(drop).map_err(refused)
    }
}

/// A file that is no kit, or a broken one.
pub(super) fn broken(path: &Path, error: &KitError) -> Failure {
    let name = path.display().to_string();
    let hint = format!(
        "No verifier reads {}. Correct it by hand at the place named above, or start again with `genten trust new`.",
        Printable(&name)
    );
    Failure::coded(KitError::CODE, error, hint).about(&name).with_status(2)
}
