//! Where the tiles of a log are.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use crate::{ServiceUrl, ServiceUrlError};

/// Where `checkpoint` and `tile/…` of a log are found (C2SP tlog-tiles).
///
/// Text form: an http or https URL, a `file:` URL, or the path of a folder.
///
/// ```
/// use genten_rekor::TreeLocation;
/// let folder: TreeLocation = "file:///var/lib/log".parse().unwrap();
/// assert_eq!(folder, TreeLocation::Folder("/var/lib/log".into()));
/// assert!(matches!("https://log.example".parse(), Ok(TreeLocation::Url(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeLocation {
    /// A folder on this machine.
    Folder(PathBuf),
    /// Below a URL.
    Url(ServiceUrl),
}

impl FromStr for TreeLocation {
    type Err = ServiceUrlError;

    fn from_str(text: &str) -> Result<Self, ServiceUrlError> {
        let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        match scheme.as_deref() {
            None => Ok(Self::Folder(text.into())),
            Some("file") => {
                let url = url::Url::parse(text).map_err(|_| ServiceUrlError::Malformed)?;
                url.to_file_path().map(Self::Folder).map_err(|()| ServiceUrlError::Malformed)
            }
            Some(_) => text.parse().map(Self::Url),
        }
    }
}

impl fmt::Display for TreeLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => path.display().fmt(f),
            Self::Url(url) => url.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_paths_or_file_urls() {
        for (text, path) in [
            ("log", "log"),
            ("/var/lib/a log", "/var/lib/a log"),
            ("file:///var/lib/a%20log", "/var/lib/a log"),
            ("FILE:///log", "/log"),
        ] {
            assert_eq!(text.parse(), Ok(TreeLocation::Folder(path.into())), "{text}");
        }
        let elsewhere = "file://server/log".parse::<TreeLocation>();
        assert_eq!(elsewhere, Err(ServiceUrlError::Malformed));
        assert_eq!("ftp://log".parse::<TreeLocation>(), Err(ServiceUrlError::Scheme));
    }
}
