//! What a verifier wants to see, as data: a TOML file with a version.
//!
//! ```toml
//! version = 1
//! name = "newsroom"
//! base = "mcp11"                     # adds to a built-in
//! [require]                          # by source class, `default` for the rest
//! default = ["signature", "signer", "content"]
//! [classes]                          # the verifier's own view of sources
//! "https://www.rfc-editor.org/*" = "static"
//! [limits]
//! max_age = "30d"
//! ```

mod error;
mod file;

use std::collections::BTreeMap;

use genten_manifest::{Claims, SourceClass, SourceUrl};
use genten_primitives::{Sha256Digest, UrlPattern};
use serde::Deserialize;

use crate::Requirements;
use file::{File, check_require, class_rule, parse, requirement};

pub use error::PolicyError;

/// Largest policy file in bytes.
pub const MAX_POLICY_BYTES: usize = 64 << 10;

const BUILT_IN: [(&str, &str); 3] = [
    ("basic", include_str!("policies/basic.toml")),
    ("mcp11", include_str!("policies/mcp11.toml")),
    ("high-trust", include_str!("policies/high-trust.toml")),
];

/// A policy without contradictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    name: String,
    sha256: Sha256Digest,
    require: Levels,
    should: Levels,
    classes: Vec<(UrlPattern, Vec<PolicyClass>)>,
    limits: PolicyLimits,
    lineage: Lineage,
}

/// Which built-in a policy is or stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lineage {
    Basic,
    Mcp11,
    HighTrust,
}

/// Requirements by class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Levels {
    default: Requirements,
    by_class: BTreeMap<PolicyClass, Requirements>,
}

/// A class of sources as policies know them: those of manifests, and `regulated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PolicyClass {
    /// A class that a manifest can state.
    Source(SourceClass),
    /// Law, regulation, safety: a class of policies only.
    Regulated,
}

/// The limits of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyLimits {
    /// How far clocks may differ, in milliseconds.
    pub clock_skew: i64,
    /// How long after signing a trusted time may lie, in milliseconds.
    pub timestamp_delay: i64,
    /// How old a fetch may be, in milliseconds.
    pub max_age: Option<i64>,
    /// Whether partial bodies satisfy.
    pub allow_partial: bool,
    /// Whether requests that could have made the content satisfy.
    pub allow_requests: bool,
    /// What a redirect to another site means.
    pub cross_site_redirects: CrossSite,
    /// Where archived copies may come from.
    pub archives: Vec<UrlPattern>,
}

/// What a redirect to another site means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CrossSite {
    /// Nothing.
    Allow,
    /// A note.
    Warn,
    /// Review.
    Deny,
}

impl Policy {
    /// The built-in policy of this name: `basic`, `mcp11` or `high-trust`.
    pub fn built_in(name: &str) -> Option<Self> {
        let (_, text) = BUILT_IN.into_iter().find(|(known, _)| *known == name)?;
        let file = parse(text).ok()?;
        Self::from_file(file, text, None).ok()
    }

    /// Reads a policy file.
    ///
    /// # Errors
    ///
    /// Anything that is not exactly a policy: a policy is never guessed at.
    pub fn read(text: &str) -> Result<Self, PolicyError> {
        if text.len() > MAX_POLICY_BYTES {
            return Err(PolicyError::TooLarge);
        }
        let file = parse(text)?;
        if BUILT_IN.iter().any(|(name, _)| *name == file.name) {
            return Err(PolicyError::ReservedName { name: file.name });
        }
        let base = match &file.base {
            Some(name) => Some(
                Self::built_in(name)
                    .ok_or_else(|| PolicyError::UnknownBase { name: name.clone() })?,
            ),
            None => None,
        };
        Self::from_file(file, text, base)
    }

    fn from_file(file: File, text: &str, base: Option<Self>) -> Result<Self, PolicyError> {
        check_require(&file.require)?;
        let lineage = match file.base.as_deref().unwrap_or(&file.name) {
            "mcp11" => Lineage::Mcp11,
            "high-trust" => Lineage::HighTrust,
            _ => Lineage::Basic,
        };
        let mut policy = Self {
            name: file.name,
            sha256: Sha256Digest::of(text.as_bytes()),
            require: Levels::read(&file.require)?,
            should: Levels::read(&file.should)?,
            classes: file.classes.into_iter().map(class_rule).collect::<Result<_, _>>()?,
            limits: file.limits.checked()?,
            lineage,
        };
        if let Some(base) = base {
            policy.require = policy.require.over(&base.require);
            policy.should = policy.should.over(&base.should);
        }
        Ok(policy)
    }

    /// The policy's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Digest of the policy's text.
    pub fn sha256(&self) -> Sha256Digest {
        self.sha256
    }

    /// The limits.
    pub fn limits(&self) -> &PolicyLimits {
        &self.limits
    }

    /// Whether a file without an upstream needs a reader's eye: true of `mcp11`, `high-trust` and what stands on them.
    pub(crate) fn reviews_local_files(&self) -> bool {
        self.lineage != Lineage::Basic
    }

    /// Whether a log counts that nobody but its owner stands behind: not under `mcp11`, `high-trust` and what stands on them.
    pub(crate) fn counts_unwitnessed_logs(&self) -> bool {
        self.lineage == Lineage::Basic
    }

    /// What must hold whatever the source: all that a policy can ask of something that states no source.
    pub(crate) fn of_any_source(&self) -> Requirements {
        self.require.of(None)
    }

    /// What the policy asks of a manifest: what must hold, and what should.
    ///
    /// The class that the manifest states and every class that the policy maps its URLs to count together, so that no
    /// manifest escapes what is asked for its URLs by stating another class, or none.
    pub fn requirements(&self, claims: &Claims) -> (Requirements, Requirements) {
        let stated = claims.source_class.map(PolicyClass::Source);
        let mapped = self.mapped_classes(claims);
        let classes = std::iter::once(stated).chain(mapped.into_iter().map(Some));
        classes.fold((Requirements::NONE, Requirements::NONE), |(require, should), class| {
            (require.union(self.require.of(class)), should.union(self.should.of(class)))
        })
    }

    /// Whether the source is local, by the manifest's word or by the policy's.
    pub(crate) fn is_local(&self, claims: &Claims) -> bool {
        claims.source_class == Some(SourceClass::Local)
            || self.mapped_classes(claims).contains(&PolicyClass::Source(SourceClass::Local))
    }

    /// A URL is mapped as it is written and as it is resolved: another spelling of the same place lowers no bar.
    fn mapped_classes(&self, claims: &Claims) -> Vec<PolicyClass> {
        if self.classes.is_empty() {
            return Vec::new();
        }
        let written = [&claims.source_url, claims.final_url()];
        let urls: Vec<_> = written.into_iter().flat_map(spellings).collect();
        let evasive: Vec<_> =
            written.into_iter().filter(|url| is_evasive(url)).flat_map(plain_hosts).collect();
        let fits = |pattern: &UrlPattern| {
            let host = pattern.host().trim_end_matches('.').to_ascii_lowercase();
            urls.iter().any(|url| pattern.matches(url)) || evasive.contains(&host)
        };
        let rules = self.classes.iter().filter(|(pattern, _)| fits(pattern));
        rules.flat_map(|(_, classes)| classes.iter().copied()).collect()
    }
}

/// Whether a server could read the URL as another one: characters that need no escape are escaped, slashes are hidden or
/// doubled, the host ends with a dot, or it cannot be resolved at all. Every rule for its host then counts.
fn is_evasive(url: &SourceUrl) -> bool {
    let text = url.as_str();
    let path = text.split_once("://").map_or(text, |(_, rest)| rest);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let escapes_plain = path.match_indices('%').any(|(at, _)| {
        let code = path.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        code.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-._~/\\".contains(&byte))
    });
    let dotted = url.host().is_some_and(|host| host.ends_with('.'));
    escapes_plain || path.contains("//") || dotted || url.resolved().is_none()
}

/// The host as it is written and as it is resolved: it can be escaped itself.
fn plain_hosts(url: &SourceUrl) -> Vec<String> {
    let urls = spellings(url).filter_map(|spelling| spelling.parse::<SourceUrl>().ok());
    let plain = |host: &str| host.trim_end_matches('.').to_ascii_lowercase();
    urls.filter_map(|url| url.host().map(plain)).collect()
}

fn spellings(url: &SourceUrl) -> impl Iterator<Item = String> {
    [Some(url.as_str().to_owned()), url.resolved()].into_iter().flatten()
}

impl Levels {
    fn read(lists: &BTreeMap<String, Vec<String>>) -> Result<Self, PolicyError> {
        let mut levels = Self::default();
        for (class, words) in lists {
            let words = words.iter().map(|word| requirement(word)).collect::<Result<_, _>>()?;
            match class.as_str() {
                "default" => levels.default = words,
                class => drop(levels.by_class.insert(class.parse()?, words)),
            }
        }
        Ok(levels)
    }

    fn of(&self, class: Option<PolicyClass>) -> Requirements {
        class.and_then(|class| self.by_class.get(&class)).copied().unwrap_or(self.default)
    }

    /// These levels on top of others: for every class, what either asks.
    fn over(&self, base: &Self) -> Self {
        let classes = self.by_class.keys().chain(base.by_class.keys());
        let union = |class: Option<PolicyClass>| self.of(class).union(base.of(class));
        Self {
            default: union(None),
            by_class: classes.map(|class| (*class, union(Some(*class)))).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
