//! Keys of `_meta`: which are allowed, and which carry provenance (MCP, Basic Protocol, General fields, `_meta`).

use std::fmt;
use std::str::FromStr;

/// The name behind the prefix of the member that holds manifests.
pub const MANIFESTS: &str = "provenance-manifests";

/// The name behind the prefix of the member that holds the addresses of bundles.
pub const BUNDLES: &str = "bundles";

/// The name behind the prefix under which a caller sends a nonce with its request.
pub const NONCE: &str = "nonce";

/// The longest prefix, as the longest host name.
const MAX_PREFIX: usize = 253;

/// A prefix of keys of `_meta`: dot-separated labels, which should be a domain of one's own in reverse.
///
/// ```
/// use genten_mcp::meta_key::MetaPrefix;
/// let prefix: MetaPrefix = "com.example.laws".parse()?;
/// assert_eq!(prefix.key("nonce"), "com.example.laws/nonce");
/// assert!("com.mcp.tools".parse::<MetaPrefix>().is_err(), "reserved by the protocol");
/// # Ok::<(), genten_mcp::meta_key::MetaPrefixError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MetaPrefix(String);

/// Why a text is no prefix for keys of `_meta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MetaPrefixError {
    /// Labels begin with a letter, end with a letter or digit, and have hyphens only between.
    #[error("not labels of letters, digits and hyphens between dots, such as com.example.laws")]
    Labels,
    /// The second label is `mcp` or `modelcontextprotocol`.
    #[error("a second label mcp or modelcontextprotocol is reserved by the protocol")]
    Reserved,
}

impl MetaPrefix {
    /// The key of this name.
    pub fn key(&self, name: &str) -> String {
        format!("{}/{name}", self.0)
    }

    /// The prefix, without the slash.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for MetaPrefix {
    /// `dev.genten`.
    fn default() -> Self {
        Self("dev.genten".to_owned())
    }
}

impl fmt::Display for MetaPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for MetaPrefix {
    type Err = MetaPrefixError;

    fn from_str(text: &str) -> Result<Self, MetaPrefixError> {
        if text.len() > MAX_PREFIX || !text.split('.').all(is_label) {
            return Err(MetaPrefixError::Labels);
        }
        match text.split('.').nth(1) {
            Some("mcp" | "modelcontextprotocol") => Err(MetaPrefixError::Reserved),
            _ => Ok(Self(text.to_owned())),
        }
    }
}

/// Whether a key of `_meta` has this name behind a prefix that servers may use.
pub(crate) fn has_name(key: &str, name: &str) -> bool {
    key.rsplit_once('/')
        .is_some_and(|(prefix, found)| found == name && prefix.parse::<MetaPrefix>().is_ok())
}

fn is_label(label: &str) -> bool {
    let bytes = label.as_bytes();
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_labels_and_none_of_the_protocols_own() {
        for good in ["com.example", "dev.genten", "com.example.mcp", "a", "a-b.c9", "mcp.dev"] {
            assert_eq!(good.parse::<MetaPrefix>().unwrap().as_str(), good);
        }
        for (bad, error) in [
            ("io.modelcontextprotocol", MetaPrefixError::Reserved),
            ("com.mcp.tools", MetaPrefixError::Reserved),
            ("", MetaPrefixError::Labels),
            ("com..example", MetaPrefixError::Labels),
            ("com.9example", MetaPrefixError::Labels),
            ("com.example-", MetaPrefixError::Labels),
            ("com.ex_ample", MetaPrefixError::Labels),
            ("com.example/x", MetaPrefixError::Labels),
        ] {
            assert_eq!(bad.parse::<MetaPrefix>(), Err(error), "{bad}");
        }
        assert!("a".repeat(MAX_PREFIX).parse::<MetaPrefix>().is_ok());
        assert!("a".repeat(MAX_PREFIX + 1).parse::<MetaPrefix>().is_err());
    }

    #[test]
    fn a_key_is_a_prefix_and_a_name() {
        assert!(has_name("com.example/provenance-manifests", MANIFESTS));
        for other in [
            "provenance-manifests",
            "com.example/provenance",
            "com.example/x/provenance-manifests",
            "com.mcp/provenance-manifests",
            "/provenance-manifests",
        ] {
            assert!(!has_name(other, MANIFESTS), "{other}");
        }
    }
}
