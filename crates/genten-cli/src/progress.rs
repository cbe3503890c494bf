//! Progress on long work: on standard error, only on a terminal.

use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A spinner with a text, or nothing where nobody looks.
pub(crate) fn spinner(text: &str, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
    let bar = ProgressBar::new_spinner().with_message(text.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A bar that counts, with the rate and the time left, or nothing where nobody looks.
pub(crate) fn bar(what: &str, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = "{bar:30} {human_pos} of {human_len} {msg}, {per_sec}, {eta} left";
    let bar = ProgressBar::new(0).with_message(what.to_owned());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
