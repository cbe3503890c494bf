//! A kit as it is looked at: the typed form, and what of its authorities only stands in the text.

use genten_pki::Certificate;
use genten_primitives::encoding::from_base64;
use genten_primitives::json::{self, Limits, Value};
use genten_verify::kit::{KitError, MAX_KIT_BYTES, TrustKit};

/// A kit that a verifier would read.
pub(crate) struct KitView {
    pub(super) kit: TrustKit,
    /// In the order of the kit's.
    pub(super) authorities: Vec<AuthorityView>,
}

/// An authority as it stands in the text.
pub(super) struct AuthorityView {
    pub(super) name: String,
    pub(super) roots: Vec<Certificate>,
    pub(super) san_uri: Vec<String>,
    pub(super) eku: Vec<String>,
    pub(super) revoked: Vec<String>,
}

impl KitView {
    /// Reads a kit.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, KitError> {
        let kit = TrustKit::read(bytes)?;
        let document = json::read(bytes, Limits::bytes(MAX_KIT_BYTES))?;
        let list = document.root().get("signer_authorities").and_then(Value::items);
        let authorities = list.into_iter().flatten().map(AuthorityView::of).collect();
        Ok(Self { kit, authorities })
    }
}

impl AuthorityView {
    /// The kit was read before, so that everything is there and well-formed.
    fn of(value: Value<'_>) -> Self {
        let roots = strings(value, "roots");
        let certificate = |text: &String| Certificate::from_der(&from_base64(text).ok()?).ok();
        Self {
            name: value.get("name").and_then(Value::as_str).unwrap_or_default().into_owned(),
            roots: roots.iter().filter_map(certificate).collect(),
            san_uri: strings(value, "san_uri"),
            eku: strings(value, "eku"),
            revoked: strings(value, "revoked"),
        }
    }
}

fn strings(value: Value<'_>, name: &str) -> Vec<String> {
    let items = value.get(name).and_then(Value::items).into_iter().flatten();
    items.filter_map(Value::as_str).map(|text| text.into_owned()).collect()
}
