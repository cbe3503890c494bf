//! `genten key`: the signing keys of a home.

use genten::jws::{Algorithm, SecretKey, Signer};
use genten::{KeyRing, NewKeyId, StoredKey};
use genten_manifest::{KeyId, KeyIdKind};
use genten_primitives::PublicKey;
use genten_primitives::json::{ArrayWriter, ObjectWriter};

use crate::cli::{Alg, KeyCommand, KeyNewArgs, PublicFormat};
use crate::context::Context;
use crate::failure::{Done, Failure, read_file};
use crate::output;

/// Largest key or certificate file that is read, in bytes.
const LIMIT: u64 = 1 << 20;

pub(super) fn run(context: &Context, command: KeyCommand) -> Done {
    match command {
        KeyCommand::New(args) => new(context, &args),
        KeyCommand::List => list(context),
        KeyCommand::Show(name) => show(context, &key(context, &name.name)?),
        KeyCommand::Public { name, format, content_log } => {
            let key = key(context, &name.name)?;
            match content_log {
                true => public_content_log(context, &name.name, format),
                false => public(&key, format),
            }
        }
        KeyCommand::DidDocument(name) => did_document(&key(context, &name.name)?),
    }
}

/// The named key; the default one is made where there is none.
fn key(context: &Context, name: &str) -> Done<StoredKey> {
    if name == "default" {
        context.genten(None)?;
    }
    Ok(context.keys()?.load(name)?)
}

fn new(context: &Context, args: &KeyNewArgs) -> Done {
    let ring = context.keys()?;
    let chain = match &args.certificate {
        Some(path) => read_file(path, LIMIT)?,
        None => Vec::new(),
    };
    let id = new_id(args, &chain)?;
    let key = match &args.from {
        Some(path) => {
            ring.keep(&args.name.name, private_key(&read_file(path, LIMIT)?)?, &id, &chain)?
        }
        None => ring.create(&args.name.name, algorithm(args.alg), &id)?,
    };
    eprintln!("genten: kept in {}; back it up", ring.path(&key.name)?.display());
    show(context, &key)
}

fn algorithm(alg: Alg) -> Algorithm {
    match alg {
        Alg::Es256 => Algorithm::Es256,
        Alg::Ed25519 => Algorithm::EdDsa,
    }
}

fn new_id(args: &KeyNewArgs, chain: &[u8]) -> Done<NewKeyId> {
    match args.id.as_str() {
        "did:key" if !chain.is_empty() => {
            let id = genten::id_in_chain(&args.name.name, chain)?;
            id.map(NewKeyId::Given).ok_or_else(|| {
                Failure::usage(
                    "the certificate does not name exactly one URI",
                    "Say which one is the key's id with --id.",
                )
            })
        }
        "did:key" => Ok(NewKeyId::DidKey),
        "did:jwk" => Ok(NewKeyId::DidJwk),
        other => Ok(NewKeyId::Given(given_id(other, chain)?)),
    }
}

fn given_id(text: &str, chain: &[u8]) -> Done<KeyId> {
    let id: KeyId = text.parse().map_err(|error: genten_manifest::KeyIdError| {
        Failure::usage(
            format!("--id {text}: {error}"),
            "Give did:key, did:jwk, did:web:HOST#NAME, or a URI that stands in --certificate.",
        )
    })?;
    if id.kind() == KeyIdKind::CertificateUri && chain.is_empty() {
        return Err(Failure::usage(
            format!("{text} is a URI, which only a certificate can tie to a key"),
            "Give the certificate chain with --certificate, and its key with --from.",
        ));
    }
    Ok(id)
}

fn private_key(bytes: &[u8]) -> Done<SecretKey> {
    let text = String::from_utf8_lossy(bytes);
    let key = match text.trim_start().starts_with('{') {
        true => SecretKey::from_jwk_bytes(bytes),
        false => SecretKey::from_pem(&text),
    };
    key.map_err(|error| {
        Failure::coded(
            "key.malformed",
            &error,
            "Give one P-256 or Ed25519 private key in PEM or as JWK, not encrypted.",
        )
    })
}

fn list(context: &Context) -> Done {
    let ring = context.keys()?;
    let names = ring.names()?;
    if names.is_empty() && !context.json {
        eprintln!("genten: no key yet; `genten key new` makes one");
    }
    for name in names {
        let key = ring.load(&name)?;
        match context.json {
            true => describe_json(&ring, &key)?,
            false => {
                output::line(&format!("{name}\t{}\t{}", algorithm_of(&key), key.signer.key_id()))
            }
        }
    }
    Ok(())
}

fn algorithm_of(key: &StoredKey) -> &'static str {
    key.signer.key().algorithm().as_str()
}

fn show(context: &Context, key: &StoredKey) -> Done {
    let ring = context.keys()?;
    if context.json {
        return describe_json(&ring, key);
    }
    output::line(&format!("name        {}", key.name));
    output::line(&format!("id          {}", key.signer.key_id()));
    output::line(&format!("algorithm   {}", algorithm_of(key)));
    output::line(&format!("thumbprint  {}", key.signer.public_key().thumbprint()));
    output::line(&format!("file        {}", ring.path(&key.name)?.display()));
    Ok(())
}

fn describe_json(ring: &KeyRing, key: &StoredKey) -> Done {
    let mut object = ObjectWriter::new();
    object
        .string("name", &key.name)
        .string("id", key.signer.key_id().as_str())
        .string("algorithm", algorithm_of(key))
        .text("thumbprint", Some(&key.signer.public_key().thumbprint()))
        .string("file", &ring.path(&key.name)?.display().to_string());
    output::json(&mut object);
    Ok(())
}

fn public(key: &StoredKey, format: PublicFormat) -> Done {
    let public = key.signer.public_key();
    match format {
        PublicFormat::Pem => output::bytes(public.to_spki_pem().as_bytes()),
        PublicFormat::Jwk => output::line(&public.to_jwk()),
        PublicFormat::Id => output::line(key.signer.key_id().as_str()),
    }
    Ok(())
}

/// The content log key has no id of its own: kits list it under the signer's.
fn public_content_log(context: &Context, name: &str, format: PublicFormat) -> Done {
    let key = context.content_log_key(name)?;
    let public = key.key().public_key();
    match format {
        PublicFormat::Pem => output::bytes(public.to_spki_pem().as_bytes()),
        PublicFormat::Jwk => output::line(&public.to_jwk()),
        PublicFormat::Id => {
            return Err(Failure::usage(
                "a content log key has no id",
                "Kits list it under the signer's id; give --format pem or jwk.",
            ));
        }
    }
    Ok(())
}

fn did_document(key: &StoredKey) -> Done {
    let id = key.signer.key_id();
    if id.kind() != KeyIdKind::DidWeb {
        return Err(Failure::usage(
            format!("{id} is no did:web"),
            "Only a did:web has a document: `genten key new NAME --id did:web:HOST#NAME`.",
        ));
    }
    output::bytes(&document(id, key.signer.public_key()));
    output::bytes(b"\n");
    Ok(())
}

/// A DID document with this one key (DID Core, and JsonWebKey of the VC Data Model).
fn document(id: &KeyId, key: &PublicKey) -> Vec<u8> {
    let context = ArrayWriter::new()
        .string("https://www.w3.org/ns/did/v1")
        .string("https://w3id.org/security/jwk/v1")
        .finish();
    let method = ObjectWriter::new()
        .string("id", id.as_str())
        .string("type", "JsonWebKey")
        .string("controller", id.did())
        .raw("publicKeyJwk", key.to_jwk().as_bytes())
        .finish();
    ObjectWriter::new()
        .raw("@context", &context)
        .string("id", id.did())
        .raw("verificationMethod", &ArrayWriter::new().raw(&method).finish())
        .raw("assertionMethod", &ArrayWriter::new().string(id.as_str()).finish())
        .finish()
}
