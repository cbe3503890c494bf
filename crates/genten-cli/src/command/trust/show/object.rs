//! A kit as one JSON object, for machines.

use genten_pki::Certificate;
use genten_primitives::PublicKey;
use genten_primitives::json::{ArrayWriter, ObjectWriter};
use genten_verify::kit::{Signer, Status, TrustKit, TrustedDidDocument, Window};

use crate::command::trust::view::{AuthorityView, KitView};

/// Whom one trusts with the kit.
pub(crate) fn json(view: &KitView) -> ObjectWriter<'static> {
    let kit = &view.kit;
    let mut object = ObjectWriter::new();
    object
        .text("created_at", kit.created_at().as_ref())
        .text("sha256", kit.sha256().as_ref())
        .raw("signers", &list(kit.signers(), signer))
        .raw("signer_authorities", &list(&view.authorities, authority))
        .raw("did_documents", &list(kit.did_documents(), document))
        .raw("not_used_yet", &not_used_yet(kit));
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

fn signer(signer: &Signer) -> Vec<u8> {
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
    if let Some(patterns) = &signer.sources {
        let texts: Vec<_> = patterns.iter().map(ToString::to_string).collect();
        object.raw("sources", &strings(&texts));
    }
    object.finish()
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

fn document(document: &TrustedDidDocument) -> Vec<u8> {
    let keys = list(&document.keys, |(id, found)| {
        let mut object = ObjectWriter::new();
        object
            .string("key_id", id.as_str())
            .text("expires", found.expires.as_ref())
            .text("revoked", found.revoked.as_ref());
        key(&found.key, &mut object);
        object.finish()
    });
    let mut object = ObjectWriter::new();
    object.string("did", &document.did).raw("keys", &keys);
    window(document.window, &mut object);
    object.finish()
}

fn not_used_yet(kit: &TrustKit) -> Vec<u8> {
    let mut object = ObjectWriter::new();
    for (name, number) in super::not_used(kit) {
        object.raw(name, number.to_string().as_bytes());
    }
    object.finish()
}
