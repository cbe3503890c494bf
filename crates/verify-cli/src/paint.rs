//! Colour: for the verdict word alone, and never the only carrier of meaning.

use clap::builder::styling::{AnsiColor, Style};
use genten_verify::Verdict;

use crate::cli::Color;

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Plain,
    Coloured,
}

impl Paint {
    /// What was asked for, and otherwise what the terminal suggests.
    pub(crate) fn new(asked: Color, suggested: bool) -> Self {
        match asked {
            Color::Always => Self::Coloured,
            Color::Auto if suggested => Self::Coloured,
            Color::Auto | Color::Never => Self::Plain,
        }
    }

    /// Writes a report whose first word is the verdict.
    pub(crate) fn verdict(self, verdict: Verdict, text: &str, out: &mut Vec<u8>) {
        let (word, rest) = match self {
            Self::Plain => ("", text),
            Self::Coloured => text.split_at(text.find(' ').unwrap_or(text.len())),
        };
        if !word.is_empty() {
            let style = style(verdict);
            out.extend_from_slice(format!("{style}{word}{style:#}").as_bytes());
        }
        out.extend_from_slice(rest.as_bytes());
    }
}

fn style(verdict: Verdict) -> Style {
    let colour = match verdict {
        Verdict::Accept => AnsiColor::Green,
        Verdict::Reject { .. } => AnsiColor::Red,
        Verdict::Review { .. } => AnsiColor::Yellow,
    };
    colour.on_default().bold()
}
