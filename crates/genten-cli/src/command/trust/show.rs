//! `genten trust show`: whom one trusts with a kit, in words.

mod evidence;
mod object;

use std::path::Path;

use genten_primitives::Printable;
use genten_verify::kit::{Revocation, Signer, Status, TrustKit, TrustedDidDocument, Window};

use super::revoked;
use super::view::{AuthorityView, KitView};
use crate::command::text::{Rows, Text, count};
use crate::context::Context;
use crate::failure::Done;
use crate::output;

pub(super) use evidence::ct_list_words;
pub(crate) use object::json;

/// What a revocation leaves of a key.
const ONLY_BEFORE: &str = "only what it provably signed before is believed";

pub(super) fn run(context: &Context, path: &Path) -> Done {
    let view = super::view(path)?;
    if context.json {
        output::json(json(&view).string("kit", &path.to_string_lossy()));
        return Ok(());
    }
    let name = path.display().to_string();
    let mut text = Text::default();
    text.line(0, format!("Trust kit {}", Printable(&name)));
    self::text(&view, &mut text);
    output::bytes(text.as_bytes());
    Ok(())
}

/// The kit in words.
pub(crate) fn text(view: &KitView, out: &mut Text) {
    let kit = &view.kit;
    let mut rows = Rows::default();
    rows.optional("made", kit.created_at()).optional("sha256", kit.sha256());
    out.rows(1, &rows);
    if kit.signers().is_empty() && view.authorities.is_empty() && kit.did_documents().is_empty() {
        out.line(0, "It trusts nobody: every manifest needs review with it.");
    }
    signers(kit, out);
    authorities(view, out);
    documents(kit, out);
    evidence::text(kit, out);
}

/// Those who are believed first, then those who are not.
fn signers(kit: &TrustKit, out: &mut Text) {
    let is_revoked = |signer: &&Signer| kit.revocation(signer.thumbprint).is_some();
    let (revoked, believed): (Vec<_>, Vec<_>) = kit.signers().iter().partition(is_revoked);
    let number = |signers: &[&Signer]| count(signers.len(), "key of a signer", "keys of signers");
    let groups = [
        (format!("It trusts {}:", number(&believed)), believed),
        (format!("It does not believe {}:", number(&revoked)), revoked),
    ];
    for (head, signers) in groups.into_iter().filter(|(_, signers)| !signers.is_empty()) {
        out.line(0, head);
        for signer in signers {
            out.line(1, Printable(signer.key_id.as_str()));
            out.rows(2, &signer_rows(kit, signer));
        }
    }
}

fn signer_rows(kit: &TrustKit, signer: &Signer) -> Rows {
    let key = &signer.public_key;
    let mut rows = Rows::default();
    rows.add("key", format!("{}, thumbprint {}", key.kind(), signer.thumbprint))
        .add("status", status_words(&signer.status))
        .add("counts", window_words(signer.window));
    if let Some(revocation) = revoked::of_signer(kit, signer) {
        rows.add("but", elsewhere_words(&revocation, "another id, or in a DID document"));
    }
    rows.add("sources", sources_words(signer));
    for key in &signer.log_keys {
        let words = format!("{}, thumbprint {}: logs its manifests", key.kind(), key.thumbprint());
        rows.add("log key", words);
    }
    for key in &signer.content_log_keys {
        let words = format!("{}, thumbprint {}: logs contents", key.kind(), key.thumbprint());
        rows.add("content log key", words);
    }
    rows
}

fn status_words(status: &Status) -> String {
    match status {
        Status::Active => "active".to_owned(),
        Status::Retired => "retired: what it provably signed before its end stays good".to_owned(),
        Status::Revoked { at, reason } => {
            let revocation = Revocation { at: *at, reason: reason.as_deref() };
            format!("{}: {ONLY_BEFORE}", revoked::words(&revocation))
        }
    }
}

/// Of a key that is not called revoked where it stands, and that no verifier believes all the same.
fn elsewhere_words(revocation: &Revocation<'_>, place: &str) -> String {
    format!("its key is {} under {place}: {ONLY_BEFORE}", revoked::words(revocation))
}

fn window_words(window: Window) -> String {
    match (window.from, window.until) {
        (None, None) => "always".to_owned(),
        (Some(from), None) => format!("from {from} on"),
        (None, Some(until)) => format!("until {until}"),
        (Some(from), Some(until)) => format!("from {from} until {until}"),
    }
}

fn sources_words(signer: &Signer) -> String {
    match &signer.sources {
        None => "any source".to_owned(),
        Some(patterns) => {
            let texts: Vec<_> = patterns.iter().map(ToString::to_string).collect();
            format!("only {}", texts.join(", "))
        }
    }
}

fn authorities(view: &KitView, out: &mut Text) {
    if view.authorities.is_empty() {
        return;
    }
    let number = count(view.authorities.len(), "authority", "authorities");
    out.line(0, format!("It lets {number} name signers by their certificates:"));
    for authority in &view.authorities {
        out.line(1, Printable(&authority.name));
        out.rows(2, &authority_rows(authority));
    }
}

fn authority_rows(authority: &AuthorityView) -> Rows {
    let mut rows = Rows::default();
    for root in &authority.roots {
        let end = root.validity().not_after;
        rows.add("root", format!("{}, valid until {end}", root.subject()))
            .add("", format!("SHA-256 {}", root.sha256()));
    }
    rows.add("may name", authority.san_uri.join(", "));
    let purposes = match &authority.eku[..] {
        [] => "client authentication, code signing or e-mail protection, or none stated".to_owned(),
        eku => format!("one of {}", eku.join(", ")),
    };
    rows.add("key purpose", purposes);
    for revoked in &authority.revoked {
        rows.add("revoked", format!("certificate {revoked}"));
    }
    rows
}

fn documents(kit: &TrustKit, out: &mut Text) {
    if kit.did_documents().is_empty() {
        return;
    }
    let number = count(kit.did_documents().len(), "DID document", "DID documents");
    out.line(0, format!("It trusts {number}:"));
    for document in kit.did_documents() {
        out.line(1, Printable(&document.did));
        out.rows(2, &document_rows(kit, document));
    }
}

fn document_rows(kit: &TrustKit, document: &TrustedDidDocument) -> Rows {
    let mut rows = Rows::default();
    for (id, found) in &document.keys {
        let key = &found.key;
        rows.add("key", id);
        rows.add("", format!("{}, thumbprint {}", key.kind(), key.thumbprint()));
        let ends = [("expires", found.expires), ("revoked", found.revoked)];
        for (word, moment) in ends {
            rows.optional("", moment.map(|moment| format!("{word} {moment}, by the document")));
        }
        let revocation = revoked::of_document_key(kit, found);
        let words = revocation.map(|one| elsewhere_words(&one, "a signer, or in another document"));
        rows.optional("but", words);
    }
    if document.keys.is_empty() {
        rows.add("key", "none that signs manifests");
    }
    rows.add("counts", window_words(document.window));
    rows
}
