//! From JSON to a kit.

use std::collections::{BTreeSet, HashSet};
use std::str::FromStr;

use genten_jws::key_id::{assertion_keys, expect_contained, revoked_keys};
use genten_manifest::KeyId;
use genten_pki::{
    AuthorityParts, Certificate, CtLogList, SignerAuthority, TimestampAuthority, TrustedRoot,
};
use genten_primitives::encoding::from_base64;
use genten_primitives::json::{self, Fields, Limits, Value};
use genten_primitives::key::KeyKind;
use genten_primitives::{PublicKey, Sha256Digest, Timestamp, UrlPattern};
use genten_tlog::WitnessPolicy;

use super::{
    Authority, KIT_MEDIA_TYPE, KitError, KitRule, MAX_KIT_BYTES, Signer, Status, TrustKit,
    TrustedDidDocument, Window,
};
use crate::logs::Logs;

type Read<T> = Result<T, KitError>;

/// One object of a kit. Unlike in manifests, a member that nobody asks for is an error.
struct Object<'d> {
    value: Value<'d>,
    fields: Fields<'d>,
}

impl<'d> Object<'d> {
    fn open(value: Value<'d>) -> Read<Self> {
        let fields = Fields::of(value).ok_or_else(|| KitRule::WrongType.at(value))?;
        Ok(Self { value, fields })
    }

    fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Value<'d>) -> Read<T>,
    ) -> Read<Option<T>> {
        self.fields.take(name).map(read).transpose()
    }

    fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Value<'d>) -> Read<T>,
    ) -> Read<T> {
        let value = self.fields.take(name).ok_or_else(|| KitRule::Missing(name).at(self.value))?;
        read(value)
    }

    fn list<T>(&mut self, name: &'static str, read: impl Fn(Value<'d>) -> Read<T>) -> Read<Vec<T>> {
        self.optional(name, |value| list(value, read)).map(Option::unwrap_or_default)
    }

    fn close(self) -> Read<()> {
        match self.fields.finish().first() {
            None => Ok(()),
            Some((_, value)) => Err(KitRule::UnknownMember.at(*value)),
        }
    }
}

fn list<'d, T>(value: Value<'d>, read: impl Fn(Value<'d>) -> Read<T>) -> Read<Vec<T>> {
    value.items().ok_or_else(|| KitRule::WrongType.at(value))?.map(read).collect()
}

/// A list that must say something where it stands.
fn full_list<'d, T>(value: Value<'d>, read: impl Fn(Value<'d>) -> Read<T>) -> Read<Vec<T>> {
    let items = list(value, read)?;
    if items.is_empty() { Err(KitRule::EmptyList.at(value)) } else { Ok(items) }
}

fn string(value: Value<'_>) -> Read<String> {
    let text = value.as_str().ok_or_else(|| KitRule::WrongType.at(value))?;
    Ok(text.into_owned())
}

fn parsed<T: FromStr>(value: Value<'_>, rule: impl FnOnce(T::Err) -> KitRule) -> Read<T> {
    let text = value.as_str().ok_or_else(|| KitRule::WrongType.at(value))?;
    text.parse().map_err(|error| rule(error).at(value))
}

fn time(value: Value<'_>) -> Read<Timestamp> {
    parsed(value, |_| KitRule::Time)
}

fn pattern(value: Value<'_>) -> Read<UrlPattern> {
    parsed(value, KitRule::Pattern)
}

fn bytes(value: Value<'_>) -> Read<Vec<u8>> {
    let text = value.as_str().ok_or_else(|| KitRule::WrongType.at(value))?;
    from_base64(&text).map_err(|_| KitRule::Base64.at(value))
}

fn certificate(value: Value<'_>) -> Read<Certificate> {
    Certificate::from_der(&bytes(value)?).map_err(|error| KitRule::Certificate(error).at(value))
}

fn public_key(value: Value<'_>) -> Read<PublicKey> {
    PublicKey::from_jwk(value).map_err(|error| KitRule::Key(error).at(value))
}

/// Logs take the bare digest of a content by ECDSA only.
fn content_log_key(value: Value<'_>) -> Read<PublicKey> {
    let key = public_key(value)?;
    if key.kind() == KeyKind::P256 { Ok(key) } else { Err(KitRule::ContentLogKeyKind.at(value)) }
}

fn ct_log_list(value: Value<'_>) -> Read<CtLogList> {
    CtLogList::read(value).map_err(|error| KitRule::CtLogList(error).at(value))
}

fn trusted_root(value: Value<'_>) -> Read<TrustedRoot> {
    TrustedRoot::read(value).map_err(|error| KitRule::TrustedRoot(error).at(value))
}

fn tlog_policy(value: Value<'_>) -> Read<WitnessPolicy> {
    let text = string(value)?;
    WitnessPolicy::parse(&text).map_err(|error| KitRule::TlogPolicy(error).at(value))
}

pub(super) fn kit(bytes: &[u8]) -> Read<TrustKit> {
    let document = json::read(bytes, Limits::bytes(MAX_KIT_BYTES))?;
    let root = document.root();
    let mut object = Object::open(root)?;
    let created_at = object.optional("created_at", time)?;
    let ct_log_list = object.optional("ct_log_list", ct_log_list)?;
    let did_documents = object.list("did_documents", did_document)?;
    object.required("media_type", media_type)?;
    let mut authorities = object.list("signer_authorities", authority)?;
    share_revocations(&mut authorities);
    let signers = object.list("signers", signer)?;
    let sigstore_trusted_roots = object.list("sigstore_trusted_roots", trusted_root)?;
    let mut timestamp_authorities = object.list("timestamp_authorities", timestamp_authority)?;
    let tlog_policies = object.list("tlog_policies", tlog_policy)?;
    object.close()?;
    check_pairs(root, &signers)?;
    timestamp_authorities
        .extend(sigstore_trusted_roots.iter().flat_map(TrustedRoot::usable_timestamp_authorities));
    let kit = TrustKit {
        sha256: Some(Sha256Digest::of(bytes)),
        created_at,
        signers,
        authorities,
        did_documents,
        ct_log_list,
        logs: Logs::new(&sigstore_trusted_roots, tlog_policies),
        sigstore_trusted_roots,
        timestamp_authorities,
    };
    check_content_log_keys(root, &kit)?;
    check_key_names(root, &kit.logs)?;
    Ok(kit)
}

pub(super) fn sigstore_root(bytes: &[u8]) -> Read<TrustKit> {
    let document = json::read(bytes, Limits::bytes(MAX_KIT_BYTES))?;
    let root = trusted_root(document.root())?;
    Ok(TrustKit {
        sha256: Some(Sha256Digest::of(bytes)),
        timestamp_authorities: root.usable_timestamp_authorities().collect(),
        logs: Logs::new(std::slice::from_ref(&root), Vec::new()),
        sigstore_trusted_roots: vec![root],
        ..TrustKit::default()
    })
}

fn media_type(value: Value<'_>) -> Read<()> {
    match value.as_str().as_deref() {
        Some(KIT_MEDIA_TYPE) => Ok(()),
        _ => Err(KitRule::MediaType.at(value)),
    }
}

fn signer(value: Value<'_>) -> Read<Signer> {
    let mut object = Object::open(value)?;
    let content_log_keys = object.list("content_log_keys", content_log_key)?;
    let key_id: KeyId = object.required("key_id", |value| parsed(value, KitRule::KeyId))?;
    let log_keys = object.list("log_keys", public_key)?;
    let public_key = object.required("public_key", public_key)?;
    let reason = object.optional("reason", string)?;
    let revoked_at = object.optional("revoked_at", time)?;
    let sources = object.optional("sources", |value| full_list(value, pattern))?;
    let status = object.required("status", string)?;
    let from = object.optional("valid_from", time)?;
    let until = object.optional("valid_until", time)?;
    object.close()?;
    let window = window(value, from, until)?;
    let status = self::status(value, &status, revoked_at, reason)?;
    if status == Status::Retired && until.is_none() {
        return Err(KitRule::RetiredWithoutEnd.at(value));
    }
    check_contained_key(value, &key_id, &public_key)?;
    let thumbprint = public_key.thumbprint();
    Ok(Signer {
        key_id,
        public_key,
        thumbprint,
        status,
        window,
        log_keys,
        content_log_keys,
        sources,
    })
}

fn status(
    value: Value<'_>,
    word: &str,
    revoked_at: Option<Timestamp>,
    reason: Option<String>,
) -> Read<Status> {
    match (word, revoked_at) {
        ("revoked", Some(at)) => Ok(Status::Revoked { at, reason }),
        ("revoked", None) | ("active" | "retired", Some(_)) => {
            Err(KitRule::RevokedWithoutTime.at(value))
        }
        ("active" | "retired", None) if reason.is_some() => {
            Err(KitRule::ReasonWithoutRevocation.at(value))
        }
        ("active", None) => Ok(Status::Active),
        ("retired", None) => Ok(Status::Retired),
        _ => Err(KitRule::UnknownStatus.at(value.get("status").unwrap_or(value))),
    }
}

fn window(value: Value<'_>, from: Option<Timestamp>, until: Option<Timestamp>) -> Read<Window> {
    let backwards = from.is_some_and(|from| until.is_some_and(|until| until < from));
    if backwards { Err(KitRule::Window.at(value)) } else { Ok(Window { from, until }) }
}

fn check_contained_key(value: Value<'_>, key_id: &KeyId, key: &PublicKey) -> Read<()> {
    expect_contained(key_id, key).map_err(|_| KitRule::KeyIdMismatch.at(value))
}

fn check_pairs(root: Value<'_>, signers: &[Signer]) -> Read<()> {
    let mut pairs: Vec<_> =
        signers.iter().map(|signer| (signer.key_id.as_str(), signer.thumbprint)).collect();
    pairs.sort_unstable();
    match pairs.windows(2).any(|pair| pair[0] == pair[1]) {
        true => Err(KitRule::DuplicateSigner.at(root.get("signers").unwrap_or(root))),
        false => Ok(()),
    }
}

/// What a content log key signs is chosen by the upstream, so that it must not be believed for anything else.
fn check_content_log_keys(root: Value<'_>, kit: &TrustKit) -> Read<()> {
    let content_log = kit.signers.iter().flat_map(|signer| &signer.content_log_keys);
    let content_log: HashSet<_> = content_log.map(PublicKey::thumbprint).collect();
    let shares = |key: PublicKey| content_log.contains(&key.thumbprint());
    match !content_log.is_empty() && other_roles(kit).any(shares) {
        true => Err(KitRule::ContentLogKeyShared.at(root.get("signers").unwrap_or(root))),
        false => Ok(()),
    }
}

/// Within one policy its parser sees to it.
fn check_key_names(root: Value<'_>, logs: &Logs) -> Read<()> {
    match logs.ambiguous_key() {
        Some(key) => Err(KitRule::AmbiguousKey(key.to_vkey()).at(root)),
        None => Ok(()),
    }
}

/// Every key of the kit that is believed for something else than log entries of contents.
fn other_roles(kit: &TrustKit) -> impl Iterator<Item = PublicKey> {
    let signers = kit.signers.iter().flat_map(|one| one.log_keys.iter().chain([&one.public_key]));
    let documents = kit.did_documents.iter().flat_map(|document| &document.keys);
    let roots = kit.authorities.iter().flat_map(|one| one.authority.roots());
    let stamps = kit.timestamp_authorities.iter().flat_map(|one| one.certificates());
    let sigstore = kit.sigstore_trusted_roots.iter();
    let issuers = sigstore.clone().flat_map(TrustedRoot::certificate_authorities);
    let issuers = issuers.flat_map(|one| &one.certificates);
    let ct = sigstore.flat_map(TrustedRoot::ctlogs).filter_map(|log| log.key.clone().ok());
    let listed = kit.ct_log_list.iter().flat_map(CtLogList::logs);
    let certified = roots
        .chain(stamps)
        .chain(issuers)
        .filter_map(|one| one.public_key().ok())
        .chain(kit.logs.keys())
        .chain(ct)
        .chain(listed.filter_map(|log| log.key.clone().ok()));
    signers.chain(documents.map(|(_, found)| &found.key)).cloned().chain(certified)
}

/// What one authority revoked, no path may use, under whichever authority it ends.
fn share_revocations(authorities: &mut [Authority]) {
    let all = authorities.iter().flat_map(|one| one.authority.revoked()).copied();
    let all: BTreeSet<_> = all.collect();
    authorities.iter_mut().for_each(|one| one.authority.revoke(&all));
}

fn authority(value: Value<'_>) -> Read<Authority> {
    let mut object = Object::open(value)?;
    let eku =
        object.optional("eku", |value| list(value, |value| parsed(value, |_| KitRule::Oid)))?;
    let name = object.required("name", string)?;
    let revoked = object.list("revoked", |value| parsed(value, |_| KitRule::Digest))?;
    let roots = object.required("roots", |value| list(value, certificate))?;
    let san_uri = object.required("san_uri", |value| full_list(value, pattern))?;
    object.close()?;
    let parts = AuthorityParts { roots, san_uri, eku, revoked: revoked.into_iter().collect() };
    let authority =
        SignerAuthority::new(parts).map_err(|error| KitRule::Authority(error).at(value))?;
    Ok(Authority { name, authority })
}

fn did_document(value: Value<'_>) -> Read<TrustedDidDocument> {
    let mut object = Object::open(value)?;
    let document = object.required("document", Ok)?;
    let from = object.optional("valid_from", time)?;
    let until = object.optional("valid_until", time)?;
    object.close()?;
    let (did, keys) =
        assertion_keys(document).map_err(|error| KitRule::DidDocument(error).at(document))?;
    for (id, found) in &keys {
        check_contained_key(document, id, &found.key)?;
    }
    let revoked =
        revoked_keys(document).map_err(|error| KitRule::DidDocument(error).at(document))?;
    let revoked = revoked.into_iter().map(|(key, at)| (key.thumbprint(), at)).collect();
    let raw = document.raw_text().to_owned();
    let canonical_sha256 = document.canonical_sha256();
    let window = window(value, from, until)?;
    Ok(TrustedDidDocument { did, keys, revoked, raw, canonical_sha256, window })
}

fn timestamp_authority(value: Value<'_>) -> Read<TimestampAuthority> {
    let mut object = Object::open(value)?;
    let certificates = object.required("certificates", |value| full_list(value, certificate))?;
    let name = object.required("name", string)?;
    let from = object.optional("valid_from", time)?;
    let until = object.optional("valid_until", time)?;
    object.close()?;
    let window = window(value, from, until)?;
    TimestampAuthority::new(name, certificates, window.from, window.until)
        .map_err(|error| KitRule::TimestampAuthority(error).at(value))
}
