//! Why a command ends with 1 or 2, and what to do about it.

use std::path::Path;

use genten_primitives::Printable;

/// A command that did not do its work.
#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    code: Option<&'static str>,
    hint: String,
    status: u8,
}

impl Failure {
    /// The work failed: exit status 1.
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), code: None, hint: hint.into(), status: 1 }
    }

    /// The command was used wrongly: exit status 2.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { status: 2, ..Self::new(message, hint) }
    }

    /// The same failure with another exit status.
    pub(crate) fn with_status(self, status: u8) -> Self {
        Self { status, ..self }
    }

    /// A file that could not be read or written.
    pub(crate) fn file(path: &Path, error: &std::io::Error) -> Self {
        let message = format!("{}: {error}", path.display());
        Self::new(message, "Check the path and that you may read or write it.")
    }

    /// A failure with a stable code.
    pub(crate) fn coded(
        code: &'static str,
        error: &dyn std::error::Error,
        hint: impl Into<String>,
    ) -> Self {
        Self { code: Some(code), ..Self::new(with_causes(error), hint) }
    }

    /// Puts the thing that it is about in front.
    pub(crate) fn about(self, subject: &str) -> Self {
        Self { message: format!("{subject}: {}", self.message), ..self }
    }

    pub(crate) fn status(&self) -> u8 {
        self.status
    }

    pub(crate) fn code(&self) -> Option<&'static str> {
        self.code
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    pub(crate) fn hint(&self) -> &str {
        &self.hint
    }

    /// Tells the user, on standard error.
    pub(crate) fn print(&self) {
        let code = self.code.map(|code| format!(" [{code}]")).unwrap_or_default();
        eprintln!("genten: {}{code}", Printable(&self.message));
        if !self.hint.is_empty() {
            eprintln!("\n{}", self.hint);
        }
    }
}

/// An error and what caused it, in one line.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.ends_with(&next) {
            text.push_str(": ");
            text.push_str(&next);
        }
        cause = error.source();
    }
    text
}

/// A library's hint, and what to type.
fn typed(code: &str, hint: impl std::fmt::Display) -> String {
    match code {
        "fetch.tls.unknown-issuer" => format!("{hint} (option --ca)"),
        "log.sound" => format!("{hint} (option --yes)"),
        "key.missing" => format!("{hint} (`genten key list`, `genten key new`)"),
        _ => hint.to_string(),
    }
}

impl From<genten::Error> for Failure {
    fn from(error: genten::Error) -> Self {
        Self::coded(error.code(), &error, typed(error.code(), error.hint()))
    }
}

impl From<genten::LogError> for Failure {
    fn from(error: genten::LogError) -> Self {
        Self::coded(error.code(), &error, typed(error.code(), error.hint()))
    }
}

impl From<genten::KeyError> for Failure {
    fn from(error: genten::KeyError) -> Self {
        Self::coded(error.code(), &error, typed(error.code(), error.hint()))
    }
}

impl From<genten_store::StoreError> for Failure {
    fn from(error: genten_store::StoreError) -> Self {
        Self::coded(error.code(), &error, error.hint().to_string())
    }
}

impl From<genten_fetch::FetchError> for Failure {
    fn from(error: genten_fetch::FetchError) -> Self {
        Self::coded(error.code(), &error, typed(error.code(), error.hint()))
    }
}

/// What a command gives back.
pub(crate) type Done<T = ()> = Result<T, Failure>;

/// Reads a whole file that must not be larger than `limit` bytes.
pub(crate) fn read_file(path: &Path, limit: u64) -> Done<Vec<u8>> {
    use std::io::Read as _;
    let failed = |error: std::io::Error| Failure::file(path, &error);
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        let message = format!("{}: larger than {limit} bytes", path.display());
        return Err(Failure::new(message, "Check that this is the file you meant."));
    }
    Ok(bytes)
}

/// Writes a file as a whole or not at all.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Done {
    Ok(genten_store::atomic::replace(path, bytes, genten_store::atomic::Mode::Shared)?)
}
