//! What a log says beside proofs.

use genten_primitives::json::{self, Limits};
use genten_tlog::LeafIndex;

use crate::Answer;

/// Most bytes of a message that are kept.
const MAX_MESSAGE: usize = 1024;

/// The words of an answer: the member `message` of its JSON, or the text itself.
pub(super) fn message(answer: &Answer) -> String {
    let document = json::read(&answer.body, Limits::bytes(1 << 16)).ok();
    let message = document
        .as_ref()
        .and_then(|document| Some(document.root().get("message")?.as_str()?.into_owned()));
    let text = message.unwrap_or_else(|| String::from_utf8_lossy(&answer.body).into_owned());
    shortened(text.trim())
}

fn shortened(text: &str) -> String {
    let end = text.char_indices().map(|(at, one)| at + one.len_utf8());
    let end = end.take_while(|end| *end <= MAX_MESSAGE).last().unwrap_or(0);
    text[..end].to_owned()
}

/// Where a log says that it has an equivalent entry: by header, or at the end of its message (`… with index 735`).
pub(super) fn index(answer: &Answer) -> Option<LeafIndex> {
    answer.log_index.or_else(|| message(answer).rsplit_once("index ")?.1.parse().ok())
}
