//! From options to what is signed beside the facts.

use genten::{RevisionFrom, Terms};
use genten_manifest::SourceClass;

use crate::cli::{Class, TermsArgs};
use crate::failure::{Done, Failure};

pub(super) fn terms(args: &TermsArgs) -> Done<Terms> {
    let stated = args.revision.as_deref().map(|text| {
        text.parse().map(RevisionFrom::Text).map_err(|error: genten_manifest::TextError| {
            Failure::usage(
                format!("--revision: {error}"),
                "Give the source's revision mark as it stands there.",
            )
        })
    });
    let found = args.revision_from.as_deref().map(|text| {
        text.parse().map_err(|error: genten::RevisionError| {
            Failure::usage(
                format!("--revision-from {text}: {error}"),
                "For example --revision-from etag.",
            )
        })
    });
    let revision = stated.or(found).transpose()?;
    Ok(Terms { class: args.class.map(class), revision, ..Terms::default() })
}

pub(super) fn class(class: Class) -> SourceClass {
    match class {
        Class::Static => SourceClass::Static,
        Class::Revisioned => SourceClass::Revisioned,
        Class::Relocating => SourceClass::Relocating,
        Class::Realtime => SourceClass::Realtime,
        Class::Local => SourceClass::Local,
    }
}
