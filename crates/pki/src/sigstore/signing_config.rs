//! Signing configs: which services a signer may use, and which of them it takes.

use genten_primitives::Timestamp;
use genten_primitives::json::{self, Limits, Value};

use crate::Window;
use crate::document::{
    DocumentError, list, number, optional, optional_text, required, text, window,
};

/// Largest signing config that is read, in bytes.
const MAX_SIGNING_CONFIG: usize = 256 * 1024;

/// Most services of one kind.
const MAX_SERVICES: usize = 256;

const MEDIA_TYPE: &str = "application/vnd.dev.sigstore.signingconfig.v0.2+json";

/// A signing config of version 0.2 (`signing_config.v0.2.json`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SigningConfig {
    /// Certificate authorities; base URLs.
    pub certificate_authorities: Vec<Service>,
    /// Issuers of identity tokens; base URLs.
    pub oidc_providers: Vec<Service>,
    /// Transparency logs; base URLs.
    pub logs: Vec<Service>,
    /// How many logs a signer uses.
    pub log_rule: ServiceRule,
    /// Timestamp authorities; complete URLs.
    pub timestamp_authorities: Vec<Service>,
    /// How many timestamp authorities a signer uses.
    pub timestamp_rule: ServiceRule,
}

/// One service.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Service {
    /// Its URL.
    pub url: String,
    /// Major version of its interface; 0 is unreleased.
    pub major_api_version: u32,
    /// When it may be used.
    pub window: Window,
    /// Who runs it; services without a name count as one operator's.
    pub operator: String,
}

/// How many services of a kind a signer uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServiceRule {
    /// All, any or a number.
    pub selector: Selector,
    /// The number, for [`Selector::Exact`].
    pub count: u32,
}

/// `ServiceSelector` of the Sigstore protobuf specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Selector {
    /// Every service.
    All,
    /// One service, whichever.
    Any,
    /// A number of services.
    Exact,
    /// Not stated: nothing can be selected.
    #[default]
    Undefined,
}

/// Why a document is not a signing config. At fault is its publisher.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SigningConfigError {
    /// A member that is not what it should be.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A media type that names no signing config of version 0.2.
    #[error("{found:?} is not the media type of a signing config")]
    MediaType {
        /// The media type.
        found: String,
    },
    /// A selector that is not known.
    #[error("{found:?} is not a selector of services")]
    Selector {
        /// The selector.
        found: String,
    },
}

/// Why no service can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// None is valid at the time and of a supported version.
    #[error("no service is valid at {at} and of a supported version")]
    None {
        /// The time asked for.
        at: Timestamp,
    },
    /// The config does not say how many to use.
    #[error("signing config does not say how many services to use")]
    SelectorUndefined,
    /// Fewer operators than the config wants.
    #[error("services of {found} operators instead of {wanted}")]
    TooFew {
        /// How many it wants.
        wanted: u32,
        /// How many there are.
        found: usize,
    },
    /// The config wants exactly none.
    #[error("signing config wants exactly 0 services")]
    ZeroWanted,
}

impl SigningConfig {
    /// Reads the text of a signing config of at most 256 KiB.
    ///
    /// # Errors
    /// Text that is too large or not strict JSON, and as [`read`](Self::read).
    pub fn from_bytes(text: &[u8]) -> Result<Self, SigningConfigError> {
        let document =
            json::read(text, Limits::bytes(MAX_SIGNING_CONFIG)).map_err(DocumentError::from)?;
        Self::read(document.root())
    }

    /// Reads a signing config.
    ///
    /// # Errors
    /// An unknown media type or selector, members that are missing or malformed, a service without the start of its window.
    pub fn read(value: Value<'_>) -> Result<Self, SigningConfigError> {
        let found = text(required(value, "mediaType")?)?;
        if found != MEDIA_TYPE {
            return Err(SigningConfigError::MediaType { found });
        }
        let services = |member| list(value, member, MAX_SERVICES, read_service);
        Ok(Self {
            certificate_authorities: services("caUrls")?,
            oidc_providers: services("oidcUrls")?,
            logs: services("rekorTlogUrls")?,
            log_rule: read_rule(value, "rekorTlogConfig")?,
            timestamp_authorities: services("tsaUrls")?,
            timestamp_rule: read_rule(value, "tsaConfig")?,
        })
    }

    /// The transparency logs to use at a time, newest first; `supported` are major versions. Of [`Selector::Any`] it is
    /// the newest.
    ///
    /// # Errors
    /// No usable service, or fewer than the config wants.
    pub fn select_logs(
        &self,
        supported: &[u32],
        at: Timestamp,
    ) -> Result<Vec<&Service>, ServiceError> {
        self.log_rule.select(&self.logs, supported, at)
    }

    /// The timestamp authorities to use at a time, newest first.
    ///
    /// # Errors
    /// As [`select_logs`](Self::select_logs).
    pub fn select_timestamp_authorities(
        &self,
        supported: &[u32],
        at: Timestamp,
    ) -> Result<Vec<&Service>, ServiceError> {
        self.timestamp_rule.select(&self.timestamp_authorities, supported, at)
    }

    /// The certificate authority to use at a time.
    ///
    /// # Errors
    /// No usable service.
    pub fn select_certificate_authority(
        &self,
        supported: &[u32],
        at: Timestamp,
    ) -> Result<&Service, ServiceError> {
        newest(&self.certificate_authorities, supported, at)
    }

    /// The issuer of identity tokens to use at a time.
    ///
    /// # Errors
    /// No usable service.
    pub fn select_oidc_provider(
        &self,
        supported: &[u32],
        at: Timestamp,
    ) -> Result<&Service, ServiceError> {
        newest(&self.oidc_providers, supported, at)
    }
}

impl ServiceRule {
    /// The services of a list to use at a time: of the highest supported version, newest first, one per operator, and of
    /// these as many as the rule says.
    ///
    /// # Errors
    /// No usable service, or fewer than the rule wants.
    pub fn select<'s>(
        self,
        services: &'s [Service],
        supported: &[u32],
        at: Timestamp,
    ) -> Result<Vec<&'s Service>, ServiceError> {
        let mut usable = candidates(services, supported, at);
        let found = usable.len();
        let wanted = match self.selector {
            Selector::Undefined => return Err(ServiceError::SelectorUndefined),
            Selector::Exact if self.count == 0 => return Err(ServiceError::ZeroWanted),
            _ if found == 0 => return Err(ServiceError::None { at }),
            Selector::All => found,
            Selector::Any => 1,
            Selector::Exact => self.count as usize,
        };
        if wanted > found {
            return Err(ServiceError::TooFew { wanted: self.count, found });
        }
        usable.truncate(wanted);
        Ok(usable)
    }
}

fn newest<'s>(
    services: &'s [Service],
    supported: &[u32],
    at: Timestamp,
) -> Result<&'s Service, ServiceError> {
    candidates(services, supported, at).first().copied().ok_or(ServiceError::None { at })
}

/// Valid at the time, of the highest supported version that any such has, newest first, one per operator.
fn candidates<'s>(services: &'s [Service], supported: &[u32], at: Timestamp) -> Vec<&'s Service> {
    let valid = |service: &&Service| {
        service.window.contains(at) && supported.contains(&service.major_api_version)
    };
    let mut found: Vec<_> = services.iter().filter(valid).collect();
    let version = found.iter().map(|service| service.major_api_version).max();
    found.retain(|service| Some(service.major_api_version) == version);
    found.sort_by_key(|service| std::cmp::Reverse(service.window.start));
    let mut operators: Vec<&str> = Vec::new();
    found.retain(|service| {
        let first = !operators.contains(&&*service.operator);
        operators.push(&service.operator);
        first
    });
    found
}

fn read_service(service: Value<'_>) -> Result<Service, SigningConfigError> {
    Ok(Service {
        url: text(required(service, "url")?)?,
        major_api_version: number(required(service, "majorApiVersion")?)?,
        window: window(required(service, "validFor")?)?,
        operator: optional_text(service, "operator")?.unwrap_or_default(),
    })
}

fn read_rule(config: Value<'_>, member: &str) -> Result<ServiceRule, SigningConfigError> {
    let Some(rule) = optional(config, member) else { return Ok(ServiceRule::default()) };
    let selector = match optional_text(rule, "selector")?.as_deref() {
        Some("ALL") => Selector::All,
        Some("ANY") => Selector::Any,
        Some("EXACT") => Selector::Exact,
        Some("SERVICE_SELECTOR_UNDEFINED") | None => Selector::Undefined,
        Some(found) => return Err(SigningConfigError::Selector { found: found.to_owned() }),
    };
    let count = optional(rule, "count").map_or(Ok(0), number)?;
    Ok(ServiceRule { selector, count })
}
