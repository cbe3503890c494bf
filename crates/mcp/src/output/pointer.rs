//! Where a value stands, as RFC 6901 writes it.

use std::fmt::Write as _;

/// A JSON Pointer that grows and shrinks with a walk.
#[derive(Clone, Debug, Default)]
pub(super) struct Pointer(String);

impl Pointer {
    pub(super) fn at(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub(super) fn text(&self) -> String {
        self.0.clone()
    }

    /// Does something one member further down.
    pub(super) fn with_member<T>(&mut self, name: &str, act: impl FnOnce(&mut Self) -> T) -> T {
        self.with(&name.replace('~', "~0").replace('/', "~1"), act)
    }

    /// Does something one item further down.
    pub(super) fn with_item<T>(&mut self, index: usize, act: impl FnOnce(&mut Self) -> T) -> T {
        self.with(&index.to_string(), act)
    }

    fn with<T>(&mut self, step: &str, act: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.0.len();
        let _ = write!(self.0, "/{step}");
        let done = act(self);
        self.0.truncate(length);
        done
    }
}
