//! Sources for the contract, made from what was fetched: ids and bytes by fixed rules, so that reviews stay good as long as URL and
//! text do.

use std::collections::BTreeMap;

use genten_manifest::SourceUrl;
use genten_primitives::Sha256Digest;
use genten_primitives::json::{ObjectWriter, write_string};

use super::json::MAX_BYTES;
use super::records::is_blank;

/// How many hexadecimal digits of the digest an id has.
const DIGITS: usize = 16;

/// Why no file of sources can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourcesError {
    /// A text with nothing in it beside white space supports no claim.
    #[error("there is nothing in it but white space")]
    Blank,
    /// Two sources that differ have the same id.
    #[error("two different sources come to the id {id}: leave one of them out")]
    SameId {
        /// The id.
        id: String,
    },
    /// The file would be larger than is read again.
    #[error("together larger than {MAX_BYTES} bytes")]
    TooLarge,
}

impl SourcesError {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Blank => "sources.blank",
            Self::SameId { .. } => "sources.same-id",
            Self::TooLarge => "sources.size",
        }
    }
}

/// The id of a source: `s-` and the first 16 hexadecimal digits of the SHA-256 of the canonical JSON (RFC 8785) of
/// `{"content":…,"url":…}`. Another text or another URL has another id.
pub fn source_id(url: &SourceUrl, content: &str) -> String {
    let unit = ObjectWriter::new().string("content", content).string("url", url.as_str()).finish();
    format!("s-{}", &Sha256Digest::of(&unit).to_string()[..DIGITS])
}

/// The sources of an answer, to be written down as `{"sources":[{"id","content"}]}`. What is added twice stands there once.
///
/// ```
/// use genten_mcp::citation::Sources;
/// let mut sources = Sources::default();
/// let url = "https://law.example/1".parse()?;
/// let id = sources.add(&url, "Article 1. Everybody may know the law.")?;
/// assert_eq!(id, "s-325fd02d40d50ce5");
/// assert_eq!(sources.add(&url, "Article 1. Everybody may know the law.")?, id);
/// assert_eq!(sources.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// In the order in which they were added: id and content.
    list: Vec<(String, String)>,
    urls: BTreeMap<String, SourceUrl>,
}

impl Sources {
    /// Adds a source and gives its id.
    ///
    /// # Errors
    /// It is blank, or has the id of another one.
    pub fn add(&mut self, url: &SourceUrl, content: &str) -> Result<String, SourcesError> {
        if is_blank(content) {
            return Err(SourcesError::Blank);
        }
        let id = source_id(url, content);
        match self.urls.get(&id) {
            None => {
                self.urls.insert(id.clone(), url.clone());
                self.list.push((id.clone(), content.to_owned()));
            }
            Some(known) if known == url && self.content(&id) == Some(content) => {}
            Some(_) => return Err(SourcesError::SameId { id }),
        }
        Ok(id)
    }

    fn content(&self, id: &str) -> Option<&str> {
        let found = self.list.iter().find(|(other, _)| other == id);
        found.map(|(_, content)| content.as_str())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Id and URL of each, in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = (&str, &SourceUrl)> {
        self.list.iter().filter_map(|(id, _)| Some((id.as_str(), self.urls.get(id)?)))
    }

    /// The file, indented by two spaces, with a line feed at the end.
    ///
    /// # Errors
    /// It would be larger than [`MAX_BYTES`].
    pub fn to_json(&self) -> Result<Vec<u8>, SourcesError> {
        let mut out = b"{\n  \"sources\": [".to_vec();
        for (number, (id, content)) in self.list.iter().enumerate() {
            out.extend_from_slice(if number == 0 { b"\n" } else { b",\n" });
            out.extend_from_slice(b"    {\n      \"id\": ");
            write_string(id, &mut out);
            out.extend_from_slice(b",\n      \"content\": ");
            write_string(content, &mut out);
            out.extend_from_slice(b"\n    }");
        }
        out.extend_from_slice(if self.is_empty() { b"]\n}\n" } else { b"\n  ]\n}\n" });
        if out.len() > MAX_BYTES {
            return Err(SourcesError::TooLarge);
        }
        Ok(out)
    }
}
