//! The file that describes a log: where it takes entries, where it is read, and whose signatures are believed.
//!
//! Either a TOML file of Genten's own, which describes a log by its key or by the two documents of Sigstore:
//!
//! ```toml
//! version = 1
//! ca = ["ca.pem"]                         # certificate authorities besides the public ones
//! parallel = 16                           # entries under way at a time
//!
//! [log]
//! vkey = "log.example+5f4a…+AQ…"
//! url = "https://log.example"             # takes entries
//! read_url = "https://tiles.log.example"  # checkpoint and tiles: a URL or a folder (default: <url>/api/v2)
//! policy = "witnesses.txt"                # C2SP tlog-policy: who must have seen a checkpoint
//!
//! [[timestamp_authority]]
//! name = "example"
//! url = "https://tsa.example/api/v1/timestamp"
//! certificates = "tsa-chain.pem"          # the one that stamps first
//! ```
//!
//! ```toml
//! version = 1
//!
//! [sigstore]
//! signing_config = "signing_config.json"
//! trusted_root = "trusted_root.json"
//! read_url = "https://tiles.log.example"  # for servers of one's own, which are read elsewhere
//! ```
//!
//! or a Sigstore signing config (JSON) with the `trusted_root.json` beside it. Paths are relative to the file.

mod error;

use std::path::{Path, PathBuf};

use genten_pki::{SigningConfig, TimestampAuthority, TrustedRoot, certificates_from_pem};
use genten_primitives::Timestamp;
use genten_rekor::{
    LogEndpoint, LogHttp, RekorClient, ServiceUrl, TimestampClient, TreeCache, TreeLocation,
};
use genten_tlog::WitnessPolicy;
use serde::Deserialize;

pub use error::LogFileError;

/// Largest file that is read, in bytes.
const LIMIT: u64 = 8 << 20;

/// Entries under way at a time, unless the file says otherwise.
const PARALLEL: usize = 16;

/// Most that the file may say.
const MAX_PARALLEL: usize = 256;

/// A log that was described by a file.
#[derive(Debug)]
pub struct LogService {
    /// The client of the log.
    pub client: RekorClient,
    /// The client of the timestamp authority, where one is used.
    pub timestamps: Option<TimestampClient>,
    /// Entries under way at a time.
    pub parallel: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: i64,
    #[serde(default)]
    ca: Vec<PathBuf>,
    parallel: Option<usize>,
    log: Option<OwnLog>,
    sigstore: Option<Sigstore>,
    #[serde(default)]
    timestamp_authority: Vec<Authority>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnLog {
    vkey: String,
    url: Option<String>,
    read_url: Option<String>,
    policy: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sigstore {
    signing_config: PathBuf,
    trusted_root: PathBuf,
    read_url: Option<String>,
    policy: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Authority {
    name: String,
    url: String,
    certificates: PathBuf,
}

impl LogService {
    /// Reads the file, and chooses the log to use at a time. Tiles that are read are kept in the folder `cache`, where one is
    /// given.
    ///
    /// # Errors
    /// A file that cannot be read or says nothing usable; no log to use at that time.
    pub fn read(path: &Path, at: Timestamp, cache: Option<&Path>) -> Result<Self, LogFileError> {
        let text = read_text(path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let file = match text.trim_start().starts_with('{') {
            true => Ok(beside(path)),
            false => parse(path, &text),
        };
        let service = file.and_then(|file| file.service(folder, at, cache));
        service.map_err(|error| error.in_file(path))
    }
}

/// A signing config alone, with the trusted root beside it.
fn beside(path: &Path) -> File {
    let sigstore = Sigstore {
        signing_config: path.to_owned(),
        trusted_root: PathBuf::from("trusted_root.json"),
        read_url: None,
        policy: None,
    };
    File {
        version: 1,
        ca: Vec::new(),
        parallel: None,
        log: None,
        sigstore: Some(sigstore),
        timestamp_authority: Vec::new(),
    }
}

fn parse(path: &Path, text: &str) -> Result<File, LogFileError> {
    let file: File =
        toml::from_str(text).map_err(|error| LogFileError::of_toml(path, text, &error))?;
    match file.version {
        1 => Ok(file),
        version => Err(LogFileError::Version { version }),
    }
}

impl File {
    fn service(
        self,
        folder: &Path,
        at: Timestamp,
        cache: Option<&Path>,
    ) -> Result<LogService, LogFileError> {
        let parallel = self.parallel.unwrap_or(PARALLEL);
        if !(1..=MAX_PARALLEL).contains(&parallel) {
            return Err(LogFileError::Parallel { stated: parallel, limit: MAX_PARALLEL });
        }
        let mut http = LogHttp::builder();
        for ca in &self.ca {
            http = http.root_pem(read_text(&folder.join(ca))?)?;
        }
        let http = http.build()?;
        let (endpoint, mut timestamps) = match (&self.log, &self.sigstore) {
            (Some(own), None) => (own.endpoint(folder)?, None),
            (None, Some(sigstore)) => sigstore.services(folder, at, &http)?,
            _ => return Err(LogFileError::OneOfTwo),
        };
        match &self.timestamp_authority[..] {
            [] => {}
            [authority] => timestamps = Some(authority.client(folder, &http)?),
            _ => return Err(LogFileError::Several { what: "timestamp authorities" }),
        }
        let mut client = RekorClient::new(http, endpoint);
        if let Some(cache) = cache {
            client = client.with_cache(TreeCache::new(cache));
        }
        Ok(LogService { client, timestamps, parallel })
    }
}

impl OwnLog {
    fn endpoint(&self, folder: &Path) -> Result<LogEndpoint, LogFileError> {
        let key = self.vkey.parse().map_err(LogFileError::Vkey)?;
        let mut endpoint = LogEndpoint::new(key)?;
        let mut read = self.read_url.as_deref().map(|text| location(folder, text)).transpose()?;
        if let Some(url) = &self.url {
            let url = service_url("url", url)?;
            read = Some(read.unwrap_or_else(|| TreeLocation::Url(url.below("api/v2"))));
            endpoint = endpoint.write_to(url);
        }
        if let Some(read) = read {
            endpoint = endpoint.read_from(read);
        }
        with_policy(endpoint, folder, self.policy.as_deref())
    }
}

impl Sigstore {
    fn services(
        &self,
        folder: &Path,
        at: Timestamp,
        http: &LogHttp,
    ) -> Result<(LogEndpoint, Option<TimestampClient>), LogFileError> {
        let config = SigningConfig::from_bytes(&read(&folder.join(&self.signing_config))?)
            .map_err(LogFileError::SigningConfig)?;
        let root = TrustedRoot::from_bytes(&read(&folder.join(&self.trusted_root))?)
            .map_err(LogFileError::TrustedRoot)?;
        let mut logs = LogEndpoint::from_sigstore(&config, &root, at)?;
        if logs.len() > 1 {
            return Err(LogFileError::Several { what: "logs" });
        }
        let mut endpoint = logs.remove(0);
        if let Some(text) = &self.read_url {
            endpoint = endpoint.read_from(location(folder, text)?);
        }
        let endpoint = with_policy(endpoint, folder, self.policy.as_deref())?;
        Ok((endpoint, timestamps(&config, &root, at, http)?))
    }
}

fn timestamps(
    config: &SigningConfig,
    root: &TrustedRoot,
    at: Timestamp,
    http: &LogHttp,
) -> Result<Option<TimestampClient>, LogFileError> {
    if config.timestamp_authorities.is_empty() {
        return Ok(None);
    }
    let services = config.select_timestamp_authorities(&[1], at).map_err(LogFileError::Service)?;
    let [service] = services[..] else {
        return Err(LogFileError::Several { what: "timestamp authorities" });
    };
    let known: Vec<_> = root.usable_timestamp_authorities().collect();
    if known.is_empty() {
        return Err(LogFileError::AuthorityMissing { url: service.url.clone() });
    }
    Ok(Some(TimestampClient::new(http.clone(), service.url.parse()?, known)))
}

impl Authority {
    fn client(&self, folder: &Path, http: &LogHttp) -> Result<TimestampClient, LogFileError> {
        let pem = read_text(&folder.join(&self.certificates))?;
        let certificates = certificates_from_pem(&pem).map_err(LogFileError::Certificates)?;
        let authority = TimestampAuthority::new(self.name.clone(), certificates, None, None)
            .map_err(LogFileError::Authority)?;
        Ok(TimestampClient::new(http.clone(), service_url("url", &self.url)?, vec![authority]))
    }
}

fn with_policy(
    endpoint: LogEndpoint,
    folder: &Path,
    policy: Option<&Path>,
) -> Result<LogEndpoint, LogFileError> {
    let Some(path) = policy else { return Ok(endpoint) };
    let text = read_text(&folder.join(path))?;
    let policy = WitnessPolicy::parse(&text).map_err(LogFileError::Policy)?;
    Ok(endpoint.with_witnesses(policy))
}

fn service_url(member: &'static str, text: &str) -> Result<ServiceUrl, LogFileError> {
    text.parse().map_err(|source| LogFileError::url(member, text, source))
}

/// A URL, or a folder relative to the file.
fn location(folder: &Path, text: &str) -> Result<TreeLocation, LogFileError> {
    let place = text.parse().map_err(|source| LogFileError::url("read_url", text, source))?;
    match place {
        TreeLocation::Folder(path) => Ok(TreeLocation::Folder(folder.join(path))),
        url => Ok(url),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, LogFileError> {
    use std::io::Read as _;
    let file = |source| LogFileError::File { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(path).map_err(file)?;
    opened.take(LIMIT + 1).read_to_end(&mut bytes).map_err(file)?;
    match bytes.len() as u64 > LIMIT {
        true => Err(LogFileError::TooLarge { path: path.to_owned(), limit: LIMIT }),
        false => Ok(bytes),
    }
}

fn read_text(path: &Path) -> Result<String, LogFileError> {
    String::from_utf8(read(path)?).map_err(|_| LogFileError::NotText { path: path.to_owned() })
}
