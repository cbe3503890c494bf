//! Which signer of a kit is meant.

use genten_primitives::Sha256Digest;
use genten_verify::TrustedSigner;
use genten_verify::kit::{Signer, TrustKit};

use super::argument;
use crate::failure::{Done, Failure};

/// The position of the signer with this id, and this thumbprint where one is given. Of several keys under the id the only
/// one that can still change counts.
pub(super) fn find(
    kit: &TrustKit,
    id: &str,
    thumbprint: Option<&str>,
    can_change: impl Fn(&Signer) -> bool,
) -> Done<Option<usize>> {
    let id = full_id(id);
    let thumbprint: Option<Sha256Digest> = thumbprint
        .map(|text| argument::parsed("--thumbprint", text, "`genten trust show` prints it."))
        .transpose()?;
    let fits = |signer: &Signer| {
        signer.key_id.as_str() == id && thumbprint.is_none_or(|wanted| signer.thumbprint == wanted)
    };
    let signers = kit.signers();
    let fitting: Vec<_> = (0..signers.len()).filter(|index| fits(&signers[*index])).collect();
    let changing: Vec<_> =
        fitting.iter().copied().filter(|index| can_change(&signers[*index])).collect();
    match (&fitting[..], &changing[..]) {
        ([], _) => Ok(None),
        ([one], _) | (_, [one]) => Ok(Some(*one)),
        ([first, ..], []) => Ok(Some(*first)),
        (_, several) => Err(ambiguous(&id, several.iter().map(|index| &signers[*index]))),
    }
}

/// A did:key or did:jwk may be given without its fragment.
pub(super) fn full_id(text: &str) -> String {
    TrustedSigner::new(text).map_or_else(|_| text.to_owned(), |signer| signer.id().to_string())
}

fn ambiguous<'k>(id: &str, signers: impl Iterator<Item = &'k Signer>) -> Failure {
    let thumbprints: Vec<_> = signers.map(|signer| signer.thumbprint.to_string()).collect();
    Failure::usage(
        format!("several keys stand under {id}"),
        format!("Say which one with --thumbprint: {}", thumbprints.join(", ")),
    )
}

/// Nothing in the kit has this id.
pub(super) fn unknown(kit: &TrustKit, id: &str) -> Failure {
    let covering = kit.authorities().iter().find(|authority| authority.authority.covers(id));
    let hint = match covering {
        Some(authority) => format!(
            "The authority {} may name it: revoke its certificate by the certificate's SHA-256.",
            genten_primitives::Printable(&authority.name)
        ),
        None => "`genten trust show` lists the ids of the kit.".to_owned(),
    };
    Failure::new(format!("no signer of the kit has the id {id}"), hint)
}
