//! The command that a report suggests, ready to be pasted into a shell.

use std::borrow::Cow;

use genten_primitives::Printable;

use crate::{Code, Report};

impl Report {
    /// The command that would trust this signer, when that is what is missing and the id itself contains the key.
    pub(super) fn trusting_command(&self, file: Option<&str>) -> Option<String> {
        let signer = self.signer.as_ref().filter(|signer| signer.id.contains_key())?;
        let missing = self.verdict.because() == Some(Code::SIGNER_NOT_TRUSTED);
        let (file, id) = (file.map_or(Some("-".into()), quote)?, quote(signer.id.did())?);
        missing.then(|| format!("verify {file} --signer {id}"))
    }
}

/// A word for a POSIX shell; `None` where it could not be shown as it is.
fn quote(word: &str) -> Option<Cow<'_, str>> {
    if Printable(word).to_string() != word || word.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    let word: Cow<'_, str> = match word.starts_with('-') {
        true => format!("./{word}").into(),
        false => word.into(),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => Some(word),
        false => Some(format!("'{}'", word.replace('\'', r"'\''")).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        let quoted = |word| quote(word).map(Cow::into_owned);
        assert_eq!(quoted("a/b-1.txt").as_deref(), Some("a/b-1.txt"));
        assert_eq!(quoted("did:key:z6Mk").as_deref(), Some("did:key:z6Mk"));
        assert_eq!(quoted("a b").as_deref(), Some("'a b'"));
        assert_eq!(quoted("$(rm)'s").as_deref(), Some(r"'$(rm)'\''s'"));
        assert_eq!(quoted("法令.xml").as_deref(), Some("'法令.xml'"));
        assert_eq!(quoted("--key").as_deref(), Some("./--key"));
        assert_eq!(quoted("").as_deref(), Some("''"));
        for word in ["a\nb", "a\u{1b}[2Jb", "\u{202e}txt", "a\u{fffd}", &"x".repeat(600)] {
            assert_eq!(quoted(word), None, "{word:?}");
        }
    }
}
