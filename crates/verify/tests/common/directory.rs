//! Cases as directories: `testdata/verify/<id>/` with `case.toml` and the files that it names.
#![allow(clippy::disallowed_methods, reason = "tests read files, the library does not")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::case::{ArtifactChoice, Case, Expected, PolicyChoice};

/// `testdata` at the root of the repository.
pub(crate) fn testdata() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.ancestors().nth(2).unwrap().join("testdata")
}

/// The file that a Sigstore bundle is said to be about.
const ARTIFACT: &str = "artifact.bin";

/// `case.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    about: String,
    verdict: String,
    code: Option<String>,
    #[serde(default)]
    also: Vec<String>,
    exit: u8,
    at: String,
    input: String,
    body: Option<String>,
    request: Option<String>,
    trust: Option<String>,
    policy: String,
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default)]
    signers: Vec<String>,
    artifact: Option<String>,
    identity: Option<String>,
    issuer: Option<String>,
}

/// Every case below `testdata/verify`, by id.
pub(crate) fn all() -> Vec<Case> {
    let folder = testdata().join("verify");
    let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = entries.filter(|path| path.join("case.toml").exists()).collect();
    folders.sort();
    folders.iter().map(|folder| read(folder)).collect()
}

fn read(folder: &Path) -> Case {
    let text = std::fs::read_to_string(folder.join("case.toml")).unwrap();
    let file: File = toml::from_str(&text).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let bytes = |name: &String| std::fs::read(folder.join(name)).unwrap();
    let policy = match file.policy.ends_with(".toml") {
        true => PolicyChoice::File(String::from_utf8(bytes(&file.policy)).unwrap()),
        false => PolicyChoice::BuiltIn(file.policy),
    };
    Case {
        id: folder.file_name().unwrap().to_str().unwrap().to_owned(),
        about: file.about,
        input: bytes(&file.input),
        input_name: file.input,
        body: file.body.as_ref().map(bytes),
        request: file.request.as_ref().map(bytes),
        trust: file.trust.as_ref().map(bytes),
        policy,
        keys: file.keys.iter().map(|name| (name.clone(), bytes(name))).collect(),
        signers: file.signers,
        artifact: file.artifact.map(|name| match name.contains(':') {
            true => ArtifactChoice::Digest(name),
            false => ArtifactChoice::File(bytes(&name)),
        }),
        identity: file.identity.zip(file.issuer),
        at: file.at,
        expected: Expected {
            verdict: file.verdict,
            code: file.code.unwrap_or_default(),
            also: file.also,
            exit: file.exit,
        },
    }
}

/// Name and content of every file of a case, `case.toml` first.
pub(crate) fn files(case: &Case) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("case.toml".to_owned(), case_toml(case).into_bytes()),
        (case.input_name.clone(), case.input.clone()),
    ];
    files.extend(case.body.iter().map(|body| ("body.bin".to_owned(), body.clone())));
    files.extend(case.request.iter().map(|call| ("request.json".to_owned(), call.clone())));
    files.extend(case.trust.iter().map(|kit| ("trust.json".to_owned(), kit.clone())));
    if let PolicyChoice::File(text) = &case.policy {
        files.push(("policy.toml".to_owned(), text.clone().into_bytes()));
    }
    if let Some(ArtifactChoice::File(artifact)) = &case.artifact {
        files.push((ARTIFACT.to_owned(), artifact.clone()));
    }
    files.extend(case.keys.iter().cloned());
    files
}

fn case_toml(case: &Case) -> String {
    let expected = &case.expected;
    let mut text = String::new();
    let mut line = |name: &str, value: String| writeln!(text, "{name} = {value}").unwrap();
    line("about", quoted(&case.about));
    line("verdict", quoted(&expected.verdict));
    if !expected.code.is_empty() {
        line("code", quoted(&expected.code));
    }
    if !expected.also.is_empty() {
        line("also", list(&expected.also));
    }
    line("exit", expected.exit.to_string());
    line("at", quoted(&case.at));
    line("input", quoted(&case.input_name));
    if case.body.is_some() {
        line("body", quoted("body.bin"));
    }
    if case.request.is_some() {
        line("request", quoted("request.json"));
    }
    if case.trust.is_some() {
        line("trust", quoted("trust.json"));
    }
    match &case.policy {
        PolicyChoice::BuiltIn(name) => line("policy", quoted(name)),
        PolicyChoice::File(_) => line("policy", quoted("policy.toml")),
    }
    if !case.keys.is_empty() {
        line("keys", list(case.keys.iter().map(|(name, _)| name)));
    }
    if !case.signers.is_empty() {
        line("signers", list(&case.signers));
    }
    match &case.artifact {
        Some(ArtifactChoice::File(_)) => line("artifact", quoted(ARTIFACT)),
        Some(ArtifactChoice::Digest(digest)) => line("artifact", quoted(digest)),
        None => {}
    }
    if let Some((identity, issuer)) = &case.identity {
        line("identity", quoted(identity));
        line("issuer", quoted(issuer));
    }
    text
}

fn list<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    let quoted: Vec<_> = texts.into_iter().map(|text| quoted(text)).collect();
    format!("[{}]", quoted.join(", "))
}

fn quoted(text: &str) -> String {
    assert!(text.chars().all(|c| (' '..='~').contains(&c) && c != '"' && c != '\\'), "{text:?}");
    format!("\"{text}\"")
}
