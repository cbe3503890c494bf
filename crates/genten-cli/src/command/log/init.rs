//! `genten log init`: the home's own log, or a file that describes another one.

use std::path::Path;

use genten::{LogService, home_log};
use genten_primitives::PublicKey;
use genten_primitives::json::ObjectWriter;
use genten_store::atomic::{Mode, create_new};
use genten_tlog::NoteKey;

use crate::cli::LogInitArgs;
use crate::command::moment::now;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};
use crate::output;

/// Largest file that can hold a verifier key.
const KEY_LIMIT: u64 = 16 << 10;

pub(super) fn run(context: &Context, args: &LogInitArgs) -> Done {
    match &args.file {
        None => own(context),
        Some(file) => describe(context, args, file),
    }
}

fn own(context: &Context) -> Done {
    let home = context.home()?;
    let log = home_log(&home)?;
    let (key, folder) = (log.folder().key(), home.log());
    if context.json {
        let mut object = ObjectWriter::new();
        object
            .string("origin", key.name())
            .string("vkey", &key.to_vkey())
            .string("folder", &folder.display().to_string());
        output::json(&mut object);
        return Ok(());
    }
    output::line(&format!("{}", folder.display()));
    output::line(&format!("  origin  {}", key.name()));
    output::line(&format!("  key     {}", key.to_vkey()));
    output::line("Verifiers believe it after `genten trust add-log KIT KEY`.");
    Ok(())
}

/// Writes the file, and reads it as those who send do. Makes the home, in which a log that is only followed is remembered.
fn describe(context: &Context, args: &LogInitArgs, file: &Path) -> Done {
    context.home()?;
    let text = text(args)?;
    create_new(file, text.as_bytes(), Mode::Shared)?;
    let service = match LogService::read(file, now(), None) {
        Ok(service) => service,
        Err(error) => {
            drop(std::fs::remove_file(file));
            return Err(Failure::coded(error.code(), &error, error.hint()));
        }
    };
    let origin = service.client.endpoint().origin();
    if context.json {
        let mut object = ObjectWriter::new();
        object.string("file", &file.display().to_string()).string("origin", origin);
        output::json(&mut object);
    } else {
        output::line(&format!("{} describes the log {origin}", file.display()));
        output::line(&format!("Use it with --log {}", file.display()));
    }
    Ok(())
}

fn text(args: &LogInitArgs) -> Done<String> {
    let mut text = "version = 1\n".to_owned();
    let paths = |paths: &[std::path::PathBuf]| {
        let all: Done<Vec<_>> = paths.iter().map(|path| absolute(path)).collect();
        all.map(|all| all.iter().map(|path| quoted(path)).collect::<Vec<_>>().join(", "))
    };
    if !args.ca.is_empty() {
        text += &format!("ca = [{}]\n", paths(&args.ca)?);
    }
    match (vkey(args)?, &args.signing_config, &args.trusted_root) {
        (Some(vkey), _, _) => {
            text += &format!("\n[log]\nvkey = {}\n", quoted(&vkey));
            if let Some(url) = &args.url {
                expect_base(url)?;
                text += &format!("url = {}\n", quoted(url));
            }
        }
        (None, Some(config), Some(root)) => {
            let (config, root) = (quoted(&absolute(config)?), quoted(&absolute(root)?));
            text += &format!("\n[sigstore]\nsigning_config = {config}\ntrusted_root = {root}\n");
        }
        _ => {
            return Err(Failure::usage(
                "neither a key of the log nor a signing config",
                "Give --vkey, or --log-key and --origin, for a log of your own; or --signing-config and --trusted-root.",
            ));
        }
    }
    if let Some(url) = &args.read_url {
        let place = if url.contains("://") { url.clone() } else { absolute(Path::new(url))? };
        text += &format!("read_url = {}\n", quoted(&place));
    }
    if let Some(policy) = &args.policy {
        text += &format!("policy = {}\n", quoted(&absolute(policy)?));
    }
    if let (Some(url), Some(chain)) = (&args.tsa_url, &args.tsa_chain) {
        let chain = quoted(&absolute(chain)?);
        text += &format!(
            "\n[[timestamp_authority]]\nname = {url}\nurl = {url}\ncertificates = {chain}\n",
            url = quoted(url)
        );
    }
    Ok(text)
}

/// The whole address for writing is easily taken for the log's.
fn expect_base(url: &str) -> Done {
    let path = url.trim_end_matches('/');
    match path.strip_suffix("/log/entries") {
        None => Ok(()),
        Some(base) => Err(Failure::usage(
            format!("--url {url}: this is where the entries go, not where the log is"),
            format!(
                "Give {}; entries go to <url>/api/v2/log/entries.",
                base.strip_suffix("/api/v2").unwrap_or(base)
            ),
        )),
    }
}

/// The log's key as it stands in the file.
fn vkey(args: &LogInitArgs) -> Done<Option<String>> {
    match (&args.vkey, &args.log_key, &args.origin) {
        (Some(given), _, _) => vkey_text(given).map(Some),
        (None, Some(path), Some(origin)) => {
            let bytes = read_file(path, KEY_LIMIT)?;
            let key = PublicKey::from_spki_pem(&String::from_utf8_lossy(&bytes));
            let key = key.map_err(|error| {
                Failure::coded("key.malformed", &error, "Give the log's public key in PEM.")
                    .about(&path.display().to_string())
            })?;
            let key = NoteKey::for_log(origin, &key).map_err(|error| {
                Failure::usage(
                    format!("--origin {origin}: {error}"),
                    "Give the first line of its checkpoints.",
                )
            })?;
            Ok(Some(key.to_vkey()))
        }
        _ => Ok(None),
    }
}

fn vkey_text(given: &str) -> Done<String> {
    let path = Path::new(given);
    match path.is_file() {
        true => Ok(String::from_utf8_lossy(&read_file(path, KEY_LIMIT)?).trim().to_owned()),
        false => Ok(given.to_owned()),
    }
}

/// The file can then be used from everywhere.
fn absolute(path: &Path) -> Done<String> {
    let absolute = std::path::absolute(path).map_err(|error| Failure::file(path, &error))?;
    Ok(absolute.display().to_string())
}

/// A basic string of TOML; its escapes are those of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = Vec::new();
    genten_primitives::json::write_string(text, &mut quoted);
    String::from_utf8_lossy(&quoted).into_owned()
}
