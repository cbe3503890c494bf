//! Somebody who uses our programs as users do: by their command lines, in a folder, with a home.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use genten_manifest::{Evidence, EvidenceKind, LogEvidence, Subject, UnverifiedBundle};
use genten_tlog::rekor::LogEntry;
use serde_json::Value;

use super::install::Programs;
use super::log_server::LogServer;
use super::site::Site;
use super::world::now;
use crate::Outcome;

/// Flushes after which nothing may wait any more.
const PATIENCE: u32 = 10;

/// Somebody with a folder. The home lies in it; all names are relative to it.
pub(super) struct User<'p> {
    programs: &'p Programs,
    folder: PathBuf,
}

impl<'p> User<'p> {
    pub(super) fn new(programs: &'p Programs, folder: PathBuf) -> Self {
        Self { programs, folder }
    }

    /// A file of the user's.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> Outcome {
        Ok(fs::write(self.path(name), text)?)
    }

    /// Types `genten …` and gives what it prints. It has to succeed.
    pub(super) fn genten(&self, line: &str) -> Result<String, Box<dyn Error>> {
        let (status, output) = self.try_genten(line)?;
        match status {
            0 => Ok(String::from_utf8(output.stdout)?),
            status => Err(failure(&format!("genten {line}"), status, &output)),
        }
    }

    /// Types `genten …`, which has to fail; gives what it says.
    pub(super) fn refused(&self, line: &str) -> Result<String, Box<dyn Error>> {
        let (status, output) = self.try_genten(line)?;
        match status {
            1 => Ok(String::from_utf8(output.stderr)?),
            status => Err(failure(&format!("genten {line}"), status, &output)),
        }
    }

    /// Types `genten …`; gives its exit status and what it printed.
    pub(super) fn try_genten(&self, line: &str) -> Result<(i32, Output), Box<dyn Error>> {
        let output = self.command("genten", line).output()?;
        Ok((output.status.code().ok_or("genten was killed")?, output))
    }

    /// Types `genten … &`.
    pub(super) fn start(&self, line: &str) -> Result<Child, Box<dyn Error>> {
        let mut command = self.command("genten", line);
        Ok(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
    }

    fn command(&self, program: &str, line: &str) -> Command {
        let mut command = self.programs.command(program);
        command.args(line.split_whitespace()).current_dir(&self.folder);
        command.env("GENTEN_HOME", self.path("home")).env_remove("GENTEN_LOG");
        command.stdin(Stdio::null());
        command
    }

    /// Makes a file, and signs what it says; `options` are those of `genten attest`.
    pub(super) fn sign(&self, name: &str, options: &str) -> Outcome {
        let url = format!("https://static.genten.example/{name}");
        self.write(name, format!("What {url} said.\n"))?;
        let facts = format!("--source-url {url} --fetched-at {}", now());
        self.genten(&format!("attest {name} {facts} {options}")).map(drop)
    }

    /// Fetches and signs so many new documents of a site, in one go; `options` are those of `genten fetch`. Gives the names of
    /// the bundles.
    pub(super) fn fetch(
        &self,
        site: &Site,
        name: &str,
        count: u32,
        options: &str,
    ) -> Result<Vec<String>, Box<dyn Error>> {
        self.genten(&fetch_line(site, name, count, options)?)?;
        Ok((1..=count).map(|number| format!("{name}-{number}.txt.provenance.json")).collect())
    }

    /// Begins to do as [`fetch`](Self::fetch).
    pub(super) fn start_fetch(
        &self,
        site: &Site,
        name: &str,
        count: u32,
        options: &str,
    ) -> Result<Child, Box<dyn Error>> {
        self.start(&fetch_line(site, name, count, options)?)
    }

    /// As [`fetch`](Self::fetch); an entry of its own is queued for each, and nothing is sent.
    pub(super) fn queue(
        &self,
        site: &Site,
        name: &str,
        count: u32,
        log: &str,
    ) -> Result<Vec<String>, Box<dyn Error>> {
        let bundles = self.fetch(site, name, count, "--log none")?;
        self.genten(&format!("log submit {} --log {log} --queue", bundles.join(" ")))?;
        Ok(bundles)
    }

    /// Describes a log in `log.toml`; `options` are those of `genten log init` beside the log's key and address.
    pub(super) fn describe(&self, log: &LogServer<'_>, options: &str) -> Outcome {
        self.describe_as("log.toml", log, options)
    }

    /// As [`describe`](Self::describe), in another file.
    pub(super) fn describe_as(&self, file: &str, log: &LogServer<'_>, options: &str) -> Outcome {
        let (vkey, port) = (log.key().to_vkey(), log.port());
        self.genten(&format!(
            "log init {file} --vkey {vkey} --url http://127.0.0.1:{port} {options}"
        ))
        .map(drop)
    }

    /// Makes a kit of the user's own keys and of these logs: verifier keys, or files of policies.
    pub(super) fn trust(&self, logs: &[&str]) -> Outcome {
        for (file, line) in
            [("signer.pem", "key public"), ("content.pem", "key public --content-log")]
        {
            self.write(file, self.genten(line)?)?;
        }
        self.genten("trust new kit.json")?;
        self.genten("trust add-key kit.json signer.pem --content-log-key content.pem")?;
        for log in logs {
            self.genten(&format!("trust add-log kit.json {log}"))?;
        }
        Ok(())
    }

    /// Types `verify …` with the kit and a policy that requires these words beside signature, signer and content; gives the
    /// reports. All have to accept.
    pub(super) fn accepts(
        &self,
        names: &str,
        required: &[&str],
    ) -> Result<Vec<Value>, Box<dyn Error>> {
        let words = [&["signature", "signer", "content"], required].concat();
        let policy =
            format!("version = 1\nname = \"scenario\"\n\n[require]\ndefault = {words:?}\n");
        self.write("policy.toml", policy)?;
        self.verify(&format!("{names} --trust kit.json --policy policy.toml"))
    }

    /// Types `verify …`; gives the reports. All have to accept.
    pub(super) fn verify(&self, line: &str) -> Result<Vec<Value>, Box<dyn Error>> {
        let output = self.command("verify", &format!("{line} --format jsonl")).output()?;
        match output.status.code() {
            Some(0) => {
                let reports = std::str::from_utf8(&output.stdout)?.lines();
                Ok(reports.map(serde_json::from_str).collect::<Result<_, _>>()?)
            }
            status => Err(failure(&format!("verify {line}"), status.unwrap_or(-1), &output)),
        }
    }

    /// `genten log flush` until nothing waits any more; gives how often.
    pub(super) fn flush_all(&self) -> Result<u32, Box<dyn Error>> {
        let mut last = None;
        for flushes in 1..=PATIENCE {
            match self.try_genten("log flush")? {
                (0, _) => return Ok(flushes),
                failed => last = Some(failed),
            }
        }
        let (status, output) = last.ok_or("no patience at all")?;
        Err(failure("genten log flush", status, &output))
    }

    /// The only log of `genten log status`.
    pub(super) fn status(&self) -> Result<Status, Box<dyn Error>> {
        let (_, output) = self.try_genten("--json log status")?;
        let text = String::from_utf8(output.stdout)?;
        match text.lines().collect::<Vec<_>>()[..] {
            [line] => Ok(Status(serde_json::from_str(line)?)),
            _ => Err(format!("the status of one log was expected, not\n{text}").into()),
        }
    }

    /// A bundle of the user's.
    pub(super) fn bundle(&self, name: &str) -> Result<UnverifiedBundle, Box<dyn Error>> {
        Ok(UnverifiedBundle::read(&fs::read(self.path(name))?)?)
    }

    /// The log entries in a bundle.
    pub(super) fn entries(&self, bundle: &str) -> Result<Vec<Entry>, Box<dyn Error>> {
        let bundle = self.bundle(bundle)?;
        let entry = |item: &Evidence| match item.kind() {
            EvidenceKind::RekorV2(evidence) => Some(Entry::read(evidence)),
            _ => None,
        };
        bundle.evidence().iter().filter_map(entry).collect()
    }

    /// The manifest in a bundle, without the evidence.
    pub(super) fn bare(&self, bundle: &str) -> Result<Vec<u8>, Box<dyn Error>> {
        let bundle: Value = serde_json::from_slice(&fs::read(self.path(bundle))?)?;
        Ok(serde_json::to_vec(&bundle["manifest"])?)
    }

    /// What the log entries in a bundle are about, in the order of the words.
    pub(super) fn subjects(&self, bundle: &str) -> Result<Vec<&'static str>, Box<dyn Error>> {
        let entries = self.entries(bundle)?.into_iter();
        let mut subjects: Vec<_> = entries.map(|entry| entry.subject.as_str()).collect();
        subjects.sort_unstable();
        Ok(subjects)
    }
}

/// A log entry in a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) subject: Subject,
    /// The log's name.
    pub(super) origin: String,
    pub(super) index: u64,
}

impl Entry {
    fn read(evidence: &LogEvidence) -> Result<Self, Box<dyn Error>> {
        let entry = LogEntry::read(evidence.entry.as_bytes())?;
        let checkpoint = entry.checkpoint().ok_or("an entry without checkpoint")?;
        let origin = checkpoint.lines().next().unwrap_or_default().to_owned();
        Ok(Self { subject: evidence.subject, origin, index: entry.index().get() })
    }
}

/// How far everything has come that is queued for one log.
pub(super) struct Status(Value);

impl Status {
    /// How many there are of this state: `logged`, `waiting`, `queued`, `sent`, `rejected` or `bundles_to_complete`.
    pub(super) fn count(&self, state: &str) -> u64 {
        self.0[state].as_u64().unwrap_or_default()
    }

    /// Why the first that is stuck is stuck.
    pub(super) fn reason(&self) -> &str {
        self.0["stuck"][0]["reason"].as_str().unwrap_or_default()
    }
}

/// Publishes documents, and says how they are fetched.
fn fetch_line(
    site: &Site,
    name: &str,
    count: u32,
    options: &str,
) -> Result<String, Box<dyn Error>> {
    let document = |number| {
        let file = format!("{name}-{number}.txt");
        site.publish(&file, &format!("What {file} said.\n"))
    };
    let urls = (1..=count).map(document).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("fetch {} --output . {options}", urls.join(" ")))
}

fn failure(line: &str, status: i32, output: &Output) -> Box<dyn Error> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{line}: exit status {status}\n{}{}", text(&output.stdout), text(&output.stderr)).into()
}
