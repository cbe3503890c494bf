//! `--explain`: what a code means and what to do.

use std::io::{self, Write};

use genten_verify::Code;

/// Explains one code, or with an empty text all of them; whether there is such a code.
pub(crate) fn explain(code: &str, out: &mut dyn Write) -> io::Result<bool> {
    if code.is_empty() {
        Code::all().try_for_each(|code| write(code, out))?;
        return Ok(true);
    }
    match Code::find(code) {
        Some(code) => write(code, out).map(|()| true),
        None => Ok(false),
    }
}

fn write(code: Code, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{code}\n  {}", code.meaning())?;
    match code.advice() {
        "" => Ok(()),
        advice => writeln!(out, "  What to do: {advice}"),
    }
}
