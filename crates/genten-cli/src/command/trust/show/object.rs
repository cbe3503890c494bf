//! A kit as one JSON object, for machines.

use genten_pki::{Certificate, CtLogList, TimestampAuthority, TrustedLog, TrustedRoot};
use genten_primitives::PublicKey;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_tlog::WitnessPolicy;
use genten_verify::kit::{Revocation, Signer, Status, TrustKit, TrustedDidDocument, Window};

use crate::command::trust::view::{AuthorityView, KitView};
use crate::command::trust::{origins, revoked, unusable};

/// Whom one trusts with the kit.
pub(crate) fn json(view: &KitView) -> ObjectWriter<'static> {
    let kit = &view.kit;
    let mut object = ObjectWriter::new();
    object
        .text("created_at", kit.created_at().as_ref())
        .text("sha256", kit.sha256().as_ref())
        .raw("signers", &list(kit.signers(), |one| signer(kit, one)))
        .raw("signer_authorities", &list(&view.authorities, authority))
        .raw("did_documents", &list(kit.did_documents(), |one| document(kit, one)))
        .raw("sigstore_trusted_roots", &list(kit.sigstore_trusted_roots(), trusted_root))
        .raw("tlog_policies", &list(kit.tlog_policies(), policy))
        .raw("timestamp_authorities", &list(kit.timestamp_authorities(), timestamp_authority));
    if let Some(known) = kit.ct_log_list() {
        object.raw("ct_log_list", &ct_log_list(known));
    }
    object
}

fn list<T>(items: &[T], write: impl Fn(&T) -> Vec<u8>) -> Vec<u8> {
    let mut list = ArrayWriter::new();
    for item in items {
        list.raw(&write(item));
    }
    list.finish()
}

fn strings(texts: &[String]) -> Vec<u8> {
    let mut list = ArrayWriter::new();
    for text in texts {
        list.string(text);
    }
    list.finish()
}

fn signer(kit: &TrustKit, signer: &Signer) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object.string("key_id", signer.key_id.as_str());
    key(&signer.public_key, &mut object);
    window(signer.window, &mut object);
    match &signer.status {
        Status::Active => object.string("status", "active"),
        Status::Retired => object.string("status", "retired"),
        Status::Revoked { at, reason } => object
            .string("status", "revoked")
            .string("revoked_at", &at.to_string())
            .optional("reason", reason.as_deref()),
    };
    revoked_elsewhere(revoked::of_signer(kit, signer), &mut object);
    if let Some(patterns) = &signer.sources {
        let texts: Vec<_> = patterns.iter().map(ToString::to_string).collect();
        object.raw("sources", &strings(&texts));
    }
    object
        .raw("log_keys", &thumbprints(&signer.log_keys))
        .raw("content_log_keys", &thumbprints(&signer.content_log_keys));
    object.finish()
}

fn thumbprints(keys: &[PublicKey]) -> Vec<u8> {
    let texts: Vec<_> = keys.iter().map(|key| key.thumbprint().to_string()).collect();
    strings(&texts)
}

/// When another place of the kit revokes the key, which holds here too.
fn revoked_elsewhere(found: Option<Revocation<'_>>, object: &mut ObjectWriter<'static>) {
    object.text("revoked_elsewhere_at", found.map(|revocation| revocation.at).as_ref());
}

fn key(key: &PublicKey, object: &mut ObjectWriter<'static>) {
    object
        .string("key", &key.kind().to_string())
        .string("thumbprint", &key.thumbprint().to_string());
}

fn window(window: Window, object: &mut ObjectWriter<'static>) {
    object.text("valid_from", window.from.as_ref()).text("valid_until", window.until.as_ref());
}

fn authority(authority: &AuthorityView) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("name", &authority.name)
        .raw("roots", &list(&authority.roots, root))
        .raw("san_uri", &strings(&authority.san_uri))
        .raw("eku", &strings(&authority.eku))
        .raw("revoked", &strings(&authority.revoked));
    object.finish()
}

fn root(root: &Certificate) -> Vec<u8> {
    let validity = root.validity();
    ObjectWriter::new()
        .string("subject", &root.subject().to_string())
        .string("sha256", &root.sha256().to_string())
        .string("not_before", &validity.not_before.to_string())
        .string("not_after", &validity.not_after.to_string())
        .finish()
}

fn document(kit: &TrustKit, document: &TrustedDidDocument) -> Vec<u8> {
    let keys = list(&document.keys, |(id, found)| {
        let mut object = ObjectWriter::new();
        object
            .string("key_id", id.as_str())
            .text("expires", found.expires.as_ref())
            .text("revoked", found.revoked.as_ref());
        key(&found.key, &mut object);
        revoked_elsewhere(revoked::of_document_key(kit, found), &mut object);
        object.finish()
    });
    let mut object = ObjectWriter::new();
    object.string("did", &document.did).raw("keys", &keys);
    window(document.window, &mut object);
    object.finish()
}

fn trusted_root(root: &TrustedRoot) -> Vec<u8> {
    let authorities: Vec<_> =
        root.timestamp_authorities().iter().map(unusable::authority_name).collect();
    ObjectWriter::new()
        .raw("logs", &list(root.tlogs(), root_log))
        .raw("timestamp_authorities", &strings(&authorities))
        .integer("certificate_authorities", number(root.certificate_authorities().len()))
        .integer("ct_logs", number(root.ctlogs().len()))
        .finish()
}

fn root_log(log: &TrustedLog) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("url", &log.base_url)
        .string("origin", &log.host)
        .raw("origins", &strings(&origins::of(log)))
        .optional("operator", log.operator.as_deref())
        .string("log_id", &log.log_id.to_string())
        .string("valid_from", &log.window.start.to_string())
        .text("valid_until", log.window.end.as_ref())
        .optional("unusable", unusable::log(log).as_deref());
    object.finish()
}

fn policy(policy: &WitnessPolicy) -> Vec<u8> {
    let logs = list(policy.logs(), |log| {
        ObjectWriter::new()
            .string("origin", log.origin())
            .string("key", &log.key().to_vkey())
            .string("log_id", &log.key().full_id().to_string())
            .optional("url", log.url())
            .finish()
    });
    let witnesses = list(policy.witnesses(), |witness| {
        ObjectWriter::new().string("name", witness.name()).string("key", &witness.vkey()).finish()
    });
    let quorum = policy.quorum_text();
    ObjectWriter::new()
        .raw("logs", &logs)
        .raw("witnesses", &witnesses)
        .string("quorum", quorum.as_deref().unwrap_or("none"))
        .finish()
}

fn timestamp_authority(authority: &TimestampAuthority) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .string("name", authority.name())
        .raw("certificates", &list(authority.certificates(), root));
    window(Window { from: authority.from(), until: authority.until() }, &mut object);
    object.finish()
}

fn ct_log_list(list: &CtLogList) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    object
        .optional("version", list.version())
        .text("log_list_timestamp", list.timestamp().as_ref())
        .integer("logs", number(list.logs().len()));
    object.finish()
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
