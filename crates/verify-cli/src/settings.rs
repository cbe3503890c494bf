//! From the options to whom is trusted and what is asked. Anything wrong here prevents every verdict.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use genten_mcp::binding::MAX_RESULT_BYTES;
use genten_mcp::call::{Call, CallError};
use genten_mcp::saved::read_document;
use genten_primitives::json::{self, Limits, Value};
use genten_verify::kit::MAX_KIT_BYTES;
use genten_verify::sigstore::{Artifact, CertificateIdentity};
use genten_verify::{
    MAX_KEY_BYTES, MAX_POLICY_BYTES, Policy, PolicyError, Trust, TrustKit, TrustedSigner, Verifier,
    keys_from_file,
};

use crate::cli::{Cli, Format};
use crate::error::{Complaint, Problem};
use crate::files;
use crate::judge::Asked;

/// The verifier that the options describe.
pub(crate) fn verifier(cli: &Cli) -> Result<Verifier, Complaint> {
    refuse_what_is_not_there_yet(cli)?;
    refuse_one_body_for_many(cli)?;
    let mut trust = Trust::default();
    for path in &cli.key {
        let bytes = read(path, MAX_KEY_BYTES)?;
        trust.keys.extend(keys_from_file(&bytes).map_err(about(path, Problem::Key))?);
    }
    for id in &cli.signer {
        let signer = TrustedSigner::new(id);
        trust.signers.push(signer.map_err(about(Path::new(id), Problem::SignerId))?);
    }
    if let Some(path) = &cli.trust {
        trust.kit = kit(path)?;
    }
    Ok(Verifier::new(trust, policy(&cli.policy)?))
}

fn about<E>(path: &Path, problem: fn(E) -> Problem) -> impl Fn(E) -> Complaint {
    move |error| Complaint::new(files::shown(path), problem(error))
}

fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Complaint> {
    files::read_at_most(path, limit).map_err(|problem| Complaint::new(files::shown(path), problem))
}

fn refuse_what_is_not_there_yet(cli: &Cli) -> Result<(), Complaint> {
    match cli.format {
        Format::Html => Err(Complaint::new("--format html", Problem::NotYet("a page as answer"))),
        _ => Ok(()),
    }
}

fn refuse_one_body_for_many(cli: &Cli) -> Result<(), Complaint> {
    let many = match cli.files.as_slice() {
        [one] => one.is_dir(),
        _ => true,
    };
    match &cli.body {
        Some(body) if many => Err(Complaint::new(files::shown(body), Problem::OneBody)),
        _ => Ok(()),
    }
}

fn kit(path: &Path) -> Result<TrustKit, Complaint> {
    let bytes = read(path, MAX_KIT_BYTES)?;
    let kit = match is_sigstore_root(&bytes) {
        true => TrustKit::of_sigstore_root(&bytes),
        false => TrustKit::read(&bytes),
    };
    kit.map_err(about(path, Problem::Kit))
}

/// What is asked about Sigstore bundles.
pub(crate) fn asked(cli: &Cli, stdin: &mut dyn Read) -> Result<Asked, Complaint> {
    let names = cli.certificate_identity.clone().zip(cli.certificate_oidc_issuer.clone());
    let identity = names.map(|(identity, issuer)| CertificateIdentity { identity, issuer });
    let artifact = cli.artifact.as_deref().map(|path| artifact(path, stdin)).transpose()?;
    let call = cli.request.as_deref().map(call).transpose()?;
    Ok(Asked { artifact, identity, call })
}

/// The call that a saved result should answer.
fn call(path: &Path) -> Result<Call, Complaint> {
    let bytes = read(path, MAX_RESULT_BYTES)?;
    let document =
        read_document(&bytes).map_err(about(path, |_| Problem::Call("not JSON".to_owned())))?;
    Call::read(document.root())
        .map_err(about(path, |error: CallError| Problem::Call(error.to_string())))
}

/// A digest, standard input, or a file.
fn artifact(path: &Path, stdin: &mut dyn Read) -> Result<Artifact, Complaint> {
    let text = path.to_str().unwrap_or_default();
    if let Ok(digest) = text.parse() {
        return Ok(digest);
    }
    if text.starts_with("sha") && text.contains(':') && !path.exists() {
        return Err(Complaint::new("--artifact", Problem::ArtifactDigest));
    }
    let read = match path.as_os_str() == "-" {
        true => Artifact::of_reader(stdin),
        false => File::open(path).and_then(Artifact::of_reader),
    };
    read.map_err(|error| Complaint::new(files::shown(path), error))
}

fn is_sigstore_root(bytes: &[u8]) -> bool {
    let Ok(document) = json::read(bytes, Limits::bytes(MAX_KIT_BYTES)) else { return false };
    let media_type = document.root().get("mediaType").and_then(Value::as_str);
    media_type.is_some_and(|text| text.starts_with("application/vnd.dev.sigstore.trustedroot"))
}

fn policy(name: &Path) -> Result<Policy, Complaint> {
    if let Some(policy) = name.to_str().and_then(Policy::built_in) {
        return Ok(policy);
    }
    if !name.exists() {
        return Err(Complaint::new(files::shown(name), Problem::PolicyUnknown));
    }
    let bytes = read(name, MAX_POLICY_BYTES)?;
    let not_text = |_| Complaint::new(files::shown(name), Problem::Policy(PolicyError::NotText));
    let text = std::str::from_utf8(&bytes).map_err(not_text)?;
    Policy::read(text).map_err(about(name, Problem::Policy))
}
