//! What was decided, in the words and the bytes of the contract.

use genten_primitives::json::write_string;

/// What is to be done with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// A reviewer has found every claim supported by the source that it cites.
    Accept,
    /// A claim is not reviewed, or was reviewed in other words.
    Review,
    /// A claim is not supported, or the files break the contract.
    Reject,
}

impl Status {
    /// `ACCEPT`, `REVIEW` or `REJECT`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "ACCEPT",
            Self::Review => "REVIEW",
            Self::Reject => "REJECT",
        }
    }
}

/// A status and its reasons, of which there is at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// What is to be done.
    pub status: Status,
    /// Why, in the words of the contract: what was rejected first, in the order of the claims.
    pub reasons: Vec<String>,
}

impl Decision {
    pub(super) fn new(status: Status, reasons: Vec<String>) -> Self {
        Self { status, reasons }
    }

    /// The decision as JSON, indented by two spaces, with a line feed at the end.
    pub fn to_json(&self) -> Vec<u8> {
        let mut out = format!("{{\n  \"status\": \"{}\",\n", self.status.as_str()).into_bytes();
        out.extend_from_slice(b"  \"reasons\": [");
        for (number, reason) in self.reasons.iter().enumerate() {
            out.extend_from_slice(if number == 0 { b"\n    " } else { b",\n    " });
            write_string(reason, &mut out);
        }
        out.extend_from_slice(b"\n  ]\n}\n");
        out
    }
}

/// Reviews of these claims and fingerprints, without verdicts. Neither needs to be escaped.
pub(super) fn form<'c>(claims: impl Iterator<Item = (&'c str, String)>) -> Vec<u8> {
    let reviews = claims.map(|(id, fingerprint)| {
        format!(
            "    {{\n      \"claim_id\": \"{id}\",\n      \"fingerprint\": \"{fingerprint}\",\n      \"verdict\": \"\"\n    }}"
        )
    });
    let reviews = reviews.collect::<Vec<_>>().join(",\n");
    format!("{{\n  \"reviews\": [\n{reviews}\n  ]\n}}\n").into_bytes()
}
