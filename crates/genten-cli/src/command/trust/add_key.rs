//! `genten trust add-key`: a key that is believed under an id.

use std::path::{Path, PathBuf};

use genten_jws::Algorithm;
use genten_jws::key_id::{KeyLookupError, did_key, expect_contained};
use genten_manifest::KeyId;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_primitives::{PublicKey, UrlPattern};
use genten_verify::kit::{Signer, Status, TrustKit};
use genten_verify::{
    MAX_KEY_BYTES, TrustKeyError, TrustedSigner, TrustedSignerError, keys_from_file,
};

use super::draft::Draft;
use super::members::Members;
use super::{WindowText, argument, tell};
use crate::cli::AddKeyArgs;
use crate::context::Context;
use crate::failure::{Done, Failure, read_file, with_causes};

/// An id and its key.
type Pair = (KeyId, PublicKey);

pub(super) fn run(context: &Context, args: &AddKeyArgs) -> Done {
    let mut draft = Draft::open(&args.file.kit)?;
    let window = WindowText::of(&args.window)?;
    let sources = sources(&args.source)?;
    let pairs = pairs(args)?;
    let more =
        [("log_keys", keys(&args.log_key)?), ("content_log_keys", keys(&args.content_log_key)?)];
    for (id, key) in &pairs {
        if let Some(index) = known(draft.kit(), id, key)? {
            let states_more = args.window.valid_from.is_some() || args.window.valid_until.is_some();
            if states_more || !sources.is_empty() || !grow(&mut draft, index, &more) {
                return Err(there_already(&draft.kit().signers()[index]));
            }
            continue;
        }
        let mut signer = Members::default();
        signer
            .set_text("key_id", id.as_str())
            .set("public_key", key.to_jwk())
            .set_text("status", "active");
        window.write(&mut signer);
        if !sources.is_empty() {
            signer.set_texts("sources", &sources);
        }
        for (member, keys) in more.iter().filter(|(_, keys)| !keys.is_empty()) {
            signer.set_items(member, &keys.iter().map(PublicKey::to_jwk).collect::<Vec<_>>());
        }
        draft.push("signers", &signer);
    }
    draft.save()?;
    report(context, args, &pairs);
    Ok(())
}

/// Adds keys to a signer of the kit that it does not have yet. Whether there are such.
fn grow(draft: &mut Draft, index: usize, more: &[(&str, Vec<PublicKey>); 2]) -> bool {
    let signer = draft.kit().signers()[index].clone();
    let mut grows = false;
    for ((member, keys), known) in more.iter().zip([&signer.log_keys, &signer.content_log_keys]) {
        let fresh: Vec<_> = keys.iter().filter(|key| !known.contains(key)).collect();
        if fresh.is_empty() {
            continue;
        }
        grows = true;
        draft.change("signers", index, |members| {
            let mut items = members.items(member);
            items.extend(fresh.iter().map(|key| key.to_jwk()));
            members.set_items(member, &items);
        });
    }
    grows
}

/// The keys of files.
fn keys(paths: &[PathBuf]) -> Done<Vec<PublicKey>> {
    let mut keys = Vec::new();
    for path in paths {
        keys.extend(read_keys(path)?);
    }
    Ok(keys)
}

fn sources(patterns: &[String]) -> Done<Vec<UrlPattern>> {
    let hint =
        "A pattern is a URL, or the beginning of one and a *, such as https://law.example/*.";
    patterns.iter().map(|pattern| argument::parsed("--source", pattern, hint)).collect()
}

/// The keys that are to be trusted, each with its id.
fn pairs(args: &AddKeyArgs) -> Done<Vec<Pair>> {
    match (&args.key, args.id.as_deref()) {
        (None, None) => Err(Failure::usage(
            "neither a key nor an id is given",
            "Give the file of a public key, or --id with a did:key or did:jwk.",
        )),
        (None, Some(id)) => contained(id).map(|pair| vec![pair]),
        (Some(path), id) => {
            let keys = read_keys(path)?;
            keys.into_iter().map(|key| Ok((id_of(&key, id)?, key))).collect()
        }
    }
}

/// The key in the id itself.
fn contained(id: &str) -> Done<Pair> {
    match TrustedSigner::new(id) {
        Ok(signer) => Ok((signer.id().clone(), signer.key().clone())),
        Err(error) => Err(bad_id(id, &error)),
    }
}

fn bad_id(id: &str, error: &TrustedSignerError) -> Failure {
    let hint = match error {
        TrustedSignerError::NoKeyInId => "Give the file with its public key too.",
        _ => "Ids look like did:key:z…, did:jwk:…, did:web:HOST#NAME or https://HOST/NAME.",
    };
    Failure::usage(format!("--id {id}: {}", with_causes(error)), hint)
}

fn read_keys(path: &Path) -> Done<Vec<PublicKey>> {
    let bytes = read_file(path, MAX_KEY_BYTES as u64)?;
    keys_from_file(&bytes).map_err(|error| {
        let hint = match error {
            TrustKeyError::PrivateKey => {
                "A private key belongs to its owner alone. `genten key public` prints the public one to hand over; \
                 if this one came to you from elsewhere, its owner should make a new one."
            }
            TrustKeyError::CertificateAuthority => "Use `genten trust add-ca` for an authority.",
            _ => "Give a public key in PEM, a JWK, or the signer's certificate in PEM.",
        };
        Failure::coded(error.code(), &error, hint).about(&path.display().to_string())
    })
}

/// The id that the key gets: the one that is given, if it fits, or its did:key.
fn id_of(key: &PublicKey, given: Option<&str>) -> Done<KeyId> {
    if Algorithm::of(key).is_none() {
        return Err(unfit(&KeyLookupError::KeyUnsupported { key: key.kind() }));
    }
    let Some(text) = given else {
        return Ok(did_key(key).expect("a key that signs manifests has a did:key"));
    };
    let id = match TrustedSigner::new(text) {
        Ok(signer) => signer.id().clone(),
        Err(TrustedSignerError::NoKeyInId) => argument::parsed("--id", text, "")?,
        Err(error) => return Err(bad_id(text, &error)),
    };
    expect_contained(&id, key).map_err(|error| unfit(&error))?;
    Ok(id)
}

fn unfit(error: &KeyLookupError) -> Failure {
    let hint =
        "Signers have P-256 or Ed25519 keys; a did:key or did:jwk is for the key that it contains.";
    Failure::coded(error.code(), error, hint)
}

/// The position of the signer with this id and key.
fn known(kit: &TrustKit, id: &KeyId, key: &PublicKey) -> Done<Option<usize>> {
    for (index, signer) in kit.signers().iter().enumerate() {
        if signer.public_key != *key {
            continue;
        }
        if let Status::Revoked { at, .. } = &signer.status {
            return Err(Failure::new(
                format!("this key is revoked in the kit since {at}, under {}", signer.key_id),
                "A revoked key stays revoked under every id. Ask the signer for the new key.",
            ));
        }
        if signer.key_id == *id {
            return Ok(Some(index));
        }
        eprintln!("genten: the same key stands in the kit under {} too", signer.key_id);
    }
    Ok(None)
}

fn there_already(signer: &Signer) -> Failure {
    let Signer { thumbprint, key_id, .. } = signer;
    Failure::new(
        format!("the key with thumbprint {thumbprint} is in the kit already, under {key_id}"),
        "`genten trust show` prints what the kit says about it. Keys for logging are added to it by --content-log-key and --log-key alone.",
    )
}

fn report(context: &Context, args: &AddKeyArgs, pairs: &[Pair]) {
    let mut list = ArrayWriter::new();
    let mut words = Vec::new();
    for (id, key) in pairs {
        let (kind, thumbprint) = (key.kind().to_string(), key.thumbprint().to_string());
        let mut object = ObjectWriter::new();
        object.string("key_id", id.as_str()).string("key", &kind).string("thumbprint", &thumbprint);
        list.raw(&object.finish());
        words.push(format!("trusts {id} ({kind}, thumbprint {thumbprint})"));
    }
    let mut object = ObjectWriter::new();
    object.string("changed", "add-key").raw("signers", &list.finish());
    let kit = &args.file.kit;
    if context.json {
        return tell(context, kit, "", &mut object);
    }
    for line in words {
        tell(context, kit, &format!("{} now {line}", kit.display()), &mut object);
    }
}
