//! The TOML file behind a policy, and its checks.

use std::collections::BTreeMap;
use std::str::FromStr;

use genten_primitives::UrlPattern;
use serde::Deserialize;

use super::{CrossSite, PolicyClass, PolicyError, PolicyLimits};
use crate::Requirement;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) version: i64,
    pub(super) name: String,
    pub(super) base: Option<String>,
    pub(super) require: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) should: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) classes: BTreeMap<String, OneOrMany>,
    #[serde(default)]
    pub(super) limits: FileLimits,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileLimits {
    clock_skew: Option<String>,
    timestamp_delay: Option<String>,
    max_age: Option<String>,
    allow_partial: Option<bool>,
    allow_requests: Option<bool>,
    cross_site_redirects: Option<CrossSite>,
    archives: Option<Vec<String>>,
}

pub(super) fn parse(text: &str) -> Result<File, PolicyError> {
    let file: File =
        toml::from_str(text).map_err(|error| PolicyError::Toml { message: error.to_string() })?;
    match file.version {
        1 => Ok(file),
        version => Err(PolicyError::UnknownVersion { version }),
    }
}

/// Every list of `[require]` holds at least `signature` and `signer`; nothing is required by an empty one.
pub(super) fn check_require(lists: &BTreeMap<String, Vec<String>>) -> Result<(), PolicyError> {
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

pub(super) fn requirement(word: &str) -> Result<Requirement, PolicyError> {
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

pub(super) fn class_rule(
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
    pub(super) fn checked(self) -> Result<PolicyLimits, PolicyError> {
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
pub(super) fn duration(name: &'static str, text: &str) -> Result<i64, PolicyError> {
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
