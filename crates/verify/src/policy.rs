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

use std::collections::BTreeMap;
use std::str::FromStr;

use genten_manifest::{Claims, SourceClass};
use genten_primitives::{Sha256Digest, UrlPattern};
use serde::Deserialize;

use crate::{Requirement, Requirements};

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

/// Why a text is no policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// No duration such as `60s`, `24h`, `30d`.
    #[error("limit {name} is no duration such as 60s, 5m, 24h or 30d")]
    Duration {
        /// The limit's name.
        name: &'static str,
    },
    /// A list without words.
    #[error("the list for {class} is empty: it would require nothing")]
    EmptyList {
        /// The list's class.
        class: String,
    },
    /// A list in `[require]` without `signature` and `signer`.
    #[error("the list for {class} lacks signature or signer, without which nothing else counts")]
    NoSignature {
        /// The list's class.
        class: String,
    },
    /// No list `default` in `[require]`.
    #[error("[require] has no list default, for sources of no listed class")]
    NoDefault,
    /// Not UTF-8.
    #[error("not UTF-8 text")]
    NotText,
    /// A pattern over URLs.
    #[error("pattern {pattern:?}: {source}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why it is none.
        source: genten_primitives::PatternError,
    },
    /// A name that only a built-in has.
    #[error("the name {name:?} is reserved for a built-in policy")]
    ReservedName {
        /// The name.
        name: String,
    },
    /// Not TOML, or a key or type that policies do not have.
    #[error("{message}")]
    Toml {
        /// What the TOML reader says, with line and column.
        message: String,
    },
    /// Larger than 64 KiB.
    #[error("larger than 65536 bytes")]
    TooLarge,
    /// `base` names no built-in.
    #[error("base {name:?} is none of basic, mcp11, high-trust")]
    UnknownBase {
        /// The name.
        name: String,
    },
    /// A class that policies do not know.
    #[error("{class:?} is no class: static, revisioned, relocating, realtime, local or regulated")]
    UnknownClass {
        /// The class.
        class: String,
    },
    /// A word that is no requirement.
    #[error("{word:?} is no requirement")]
    UnknownRequirement {
        /// The word.
        word: String,
    },
    /// A version other than 1.
    #[error("policy version {version}, where this program knows 1")]
    UnknownVersion {
        /// The version.
        version: i64,
    },
}

impl PolicyError {
    /// The stable code of every broken policy.
    pub const CODE: &'static str = "policy.malformed";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: i64,
    name: String,
    base: Option<String>,
    require: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    should: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    classes: BTreeMap<String, OneOrMany>,
    #[serde(default)]
    limits: FileLimits,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLimits {
    clock_skew: Option<String>,
    timestamp_delay: Option<String>,
    max_age: Option<String>,
    allow_partial: Option<bool>,
    allow_requests: Option<bool>,
    cross_site_redirects: Option<CrossSite>,
    archives: Option<Vec<String>>,
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

    /// What the policy asks of a manifest: what must hold, and what should.
    ///
    /// The class that the manifest states and every class that the policy maps its URLs to count together, so that no
    /// manifest lowers the bar by its choice of words.
    pub fn requirements(&self, claims: &Claims) -> (Requirements, Requirements) {
        let stated = claims.source_class.map(PolicyClass::Source);
        let mapped = self.mapped_classes(claims);
        let classes = std::iter::once(stated).chain(mapped.map(Some));
        classes.fold((Requirements::NONE, Requirements::NONE), |(require, should), class| {
            (require.union(self.require.of(class)), should.union(self.should.of(class)))
        })
    }

    fn mapped_classes(&self, claims: &Claims) -> impl Iterator<Item = PolicyClass> {
        let (source, end) = (claims.source_url.as_str(), claims.final_url().as_str());
        let fits = move |pattern: &UrlPattern| pattern.matches(source) || pattern.matches(end);
        let rules = self.classes.iter().filter(move |(pattern, _)| fits(pattern));
        rules.flat_map(|(_, classes)| classes.iter().copied())
    }
}

fn parse(text: &str) -> Result<File, PolicyError> {
    let file: File =
        toml::from_str(text).map_err(|error| PolicyError::Toml { message: error.to_string() })?;
    match file.version {
        1 => Ok(file),
        version => Err(PolicyError::UnknownVersion { version }),
    }
}

/// Every list of `[require]` holds at least `signature` and `signer`; nothing is required by an empty one.
fn check_require(lists: &BTreeMap<String, Vec<String>>) -> Result<(), PolicyError> {
    if !lists.contains_key("default") {
        return Err(PolicyError::NoDefault);
    }
    for (class, words) in lists {
        let holds = |word: Requirement| words.iter().any(|text| text == word.as_str());
        if words.is_empty() {
            return Err(PolicyError::EmptyList { class: class.clone() });
        }
        if !holds(Requirement::Signature) || !holds(Requirement::Signer) {
            return Err(PolicyError::NoSignature { class: class.clone() });
        }
    }
    Ok(())
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

fn requirement(word: &str) -> Result<Requirement, PolicyError> {
    word.parse().map_err(|_| PolicyError::UnknownRequirement { word: word.to_owned() })
}

impl FromStr for PolicyClass {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        match text {
            "regulated" => Ok(Self::Regulated),
            _ => match text.parse() {
                Ok(class) => Ok(Self::Source(class)),
                Err(_) => Err(PolicyError::UnknownClass { class: text.to_owned() }),
            },
        }
    }
}

fn class_rule(
    (pattern, classes): (String, OneOrMany),
) -> Result<(UrlPattern, Vec<PolicyClass>), PolicyError> {
    let classes = match classes {
        OneOrMany::One(class) => vec![class],
        OneOrMany::Many(classes) => classes,
    };
    if classes.is_empty() {
        return Err(PolicyError::EmptyList { class: pattern });
    }
    let classes = classes.iter().map(|class| class.parse()).collect::<Result<_, _>>()?;
    Ok((url_pattern(pattern)?, classes))
}

fn url_pattern(pattern: String) -> Result<UrlPattern, PolicyError> {
    pattern.parse().map_err(|source| PolicyError::Pattern { pattern, source })
}

impl FileLimits {
    fn checked(self) -> Result<PolicyLimits, PolicyError> {
        let archives =
            self.archives.unwrap_or_else(|| vec!["https://web.archive.org/web/*".into()]);
        Ok(PolicyLimits {
            clock_skew: duration("clock_skew", self.clock_skew.as_deref().unwrap_or("60s"))?,
            timestamp_delay: duration(
                "timestamp_delay",
                self.timestamp_delay.as_deref().unwrap_or("24h"),
            )?,
            max_age: self.max_age.map(|text| duration("max_age", &text)).transpose()?,
            allow_partial: self.allow_partial.unwrap_or(false),
            allow_requests: self.allow_requests.unwrap_or(false),
            cross_site_redirects: self.cross_site_redirects.unwrap_or(CrossSite::Warn),
            archives: archives.into_iter().map(url_pattern).collect::<Result<_, _>>()?,
        })
    }
}

/// A whole number and one of `s`, `m`, `h`, `d`, as milliseconds.
fn duration(name: &'static str, text: &str) -> Result<i64, PolicyError> {
    let error = PolicyError::Duration { name };
    let Some((split, unit)) = text.char_indices().last() else { return Err(error) };
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ => return Err(error),
    };
    let digits = &text[..split];
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error);
    }
    digits.parse::<i64>().map(|number| number * seconds * 1000).map_err(|_| error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(rest: &str) -> Result<Policy, PolicyError> {
        Policy::read(&format!("version = 1\nname = \"mine\"\n{rest}"))
    }

    const REQUIRE: &str = "[require]\ndefault = [\"signature\", \"signer\"]\n";

    fn claims(url: &str, class: Option<SourceClass>) -> Claims {
        let time = "2026-11-30T08:15:00Z".parse().unwrap();
        let mut claims =
            Claims::builder(url.parse().unwrap(), time, Sha256Digest::of(b"")).finish().unwrap();
        claims.source_class = class;
        claims
    }

    fn words(requirements: Requirements) -> Vec<&'static str> {
        requirements.iter().map(Requirement::as_str).collect()
    }

    #[test]
    fn built_in_policies_are_policies() {
        for (name, _) in BUILT_IN {
            assert_eq!(Policy::built_in(name).unwrap().name(), name);
        }
        assert!(Policy::built_in("newsroom").is_none());
    }

    #[test]
    fn mcp11_asks_by_class() {
        let policy = Policy::built_in("mcp11").unwrap();
        let of = |class| {
            let (require, should) = policy.requirements(&claims("https://a.example/", class));
            assert_eq!(words(require), ["signature", "signer"]);
            words(should)
        };
        assert_eq!(of(None), ["tls-certificate", "revision"]);
        assert_eq!(of(Some(SourceClass::Static)), ["log.content"]);
        assert_eq!(of(Some(SourceClass::Revisioned)), ["tls-certificate", "revision"]);
        assert_eq!(of(Some(SourceClass::Relocating)), ["tls-certificate", "revision", "archive"]);
        assert_eq!(of(Some(SourceClass::Realtime)), ["tls-certificate", "revision", "external"]);
    }

    #[test]
    fn high_trust_asks_for_bytes_log_and_time() {
        let policy = Policy::built_in("high-trust").unwrap();
        let of = |class| words(policy.requirements(&claims("https://a.example/", class)).0);
        assert_eq!(of(None), ["signature", "signer", "content", "log", "time"]);
        assert_eq!(
            of(Some(SourceClass::Realtime)),
            ["signature", "signer", "content", "log", "time", "external"]
        );
    }

    #[test]
    fn a_class_cannot_lower_the_bar() {
        let policy = policy(
            r#"
            [require]
            default = ["signature", "signer", "content"]
            local = ["signature", "signer"]
            static = ["signature", "signer", "log"]
            regulated = ["signature", "signer", "time"]
            [classes]
            "https://www.rfc-editor.org/*" = ["static", "regulated"]
            "#,
        )
        .unwrap();
        let of = |url, class| words(policy.requirements(&claims(url, class)).0);
        let rfc = "https://www.rfc-editor.org/rfc/rfc9110.txt";
        assert_eq!(of("https://a.example/", None), ["signature", "signer", "content"]);
        assert_eq!(of(rfc, None), ["signature", "signer", "content", "log", "time"]);
        assert_eq!(of(rfc, Some(SourceClass::Local)), ["signature", "signer", "log", "time"]);
        assert_eq!(
            of(rfc, Some(SourceClass::Realtime)),
            ["signature", "signer", "content", "log", "time"]
        );
    }

    #[test]
    fn a_base_is_added_to() {
        let policy = policy(&format!(
            "base = \"high-trust\"\n{REQUIRE}static = [\"signature\", \"signer\", \"revision\"]"
        ))
        .unwrap();
        let of = |class| words(policy.requirements(&claims("https://a.example/", class)).0);
        assert_eq!(of(None), ["signature", "signer", "content", "log", "time"]);
        assert_eq!(
            of(Some(SourceClass::Static)),
            ["signature", "signer", "content", "log", "time", "revision"]
        );
        assert!(of(Some(SourceClass::Realtime)).contains(&"external"));
        assert!(policy.reviews_local_files());
    }

    #[test]
    fn broken_policies_are_refused() {
        let of = |rest: &str| policy(rest).unwrap_err().to_string();
        assert!(of("[require]\ndefault = []").contains("is empty"));
        assert!(of("[require]\ndefault = [\"signer\", \"content\"]").contains("lacks signature"));
        assert!(of("[require]\nstatic = [\"signature\", \"signer\"]").contains("no list default"));
        assert!(of(&format!("{REQUIRE}static = []")).contains("is empty"));
        assert!(
            of(&format!("{REQUIRE}statics = [\"signature\", \"signer\"]")).contains("no class")
        );
        assert!(
            of(&format!("{REQUIRE}static = [\"signature\", \"signer\", \"logs\"]"))
                .contains("\"logs\"")
        );
        assert!(of(&format!("surprise = 1\n{REQUIRE}")).contains("surprise"));
        assert!(of(&format!("base = \"newsroom\"\n{REQUIRE}")).contains("none of basic"));
        assert!(of(&format!("{REQUIRE}[classes]\n\"https://*\" = \"static\"")).contains("pattern"));
        assert!(of(&format!("{REQUIRE}[classes]\n\"https://a/*\" = []")).contains("is empty"));
        assert!(of(&format!("{REQUIRE}[limits]\nmax_age = \"1 day\"")).contains("max_age"));
        assert!(of(&format!("{REQUIRE}[limits]\nmax_ages = \"1d\"")).contains("max_ages"));
        assert!(of(&format!("{REQUIRE}[limits]\nclock_skew = \"-1s\"")).contains("clock_skew"));
        assert!(
            of(&format!("{REQUIRE}[limits]\ncross_site_redirects = \"maybe\"")).contains("maybe")
        );
        assert!(of("").contains("require"));
        let version = Policy::read(&format!("version = 2\nname = \"x\"\n{REQUIRE}")).unwrap_err();
        assert_eq!(version, PolicyError::UnknownVersion { version: 2 });
        let reserved =
            Policy::read(&format!("version = 1\nname = \"basic\"\n{REQUIRE}")).unwrap_err();
        assert_eq!(reserved, PolicyError::ReservedName { name: "basic".into() });
        assert_eq!(policy(&"#".repeat(MAX_POLICY_BYTES)).unwrap_err(), PolicyError::TooLarge);
    }

    #[test]
    fn limits_have_defaults_and_units() {
        let limits = policy(REQUIRE).unwrap().limits;
        assert_eq!(
            (limits.clock_skew, limits.timestamp_delay, limits.max_age),
            (60_000, 86_400_000, None)
        );
        assert!(!limits.allow_partial && !limits.allow_requests);
        assert_eq!(limits.cross_site_redirects, CrossSite::Warn);
        assert!(
            limits.archives[0].matches("https://web.archive.org/web/2026id_/https://a.example/")
        );
        assert_eq!(duration("x", "30d"), Ok(2_592_000_000));
        assert_eq!(duration("x", "5m"), Ok(300_000));
        for bad in ["", "s", "5", "5w", "1.5h", "9999999999s", "５s"] {
            assert!(duration("x", bad).is_err(), "{bad}");
        }
    }
}
