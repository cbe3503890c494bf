//! Notes: published ones, and each rule of C2SP signed-note section 2.1 broken once.

use genten_primitives::encoding::{EncodingError, base64, from_base64};
use genten_tlog::note::{MAX_NOTE, signature_line};
use genten_tlog::{CheckpointError, LogIdentity, Note, NoteError, NoteKey, UnverifiedCheckpoint};
use proptest::prelude::*;

use crate::common::{document, log, note, read, text, vectors};

const GOOD: &str = "text\n\n\u{2014} example.com/foo AAAAAAA=\n";

fn error(note: &str) -> NoteError {
    Note::parse(note.as_bytes()).unwrap_err()
}

#[test]
fn a_note_is_text_blank_line_and_signatures() {
    let read = Note::parse(GOOD.as_bytes()).unwrap();
    assert_eq!(read.unverified_text(), "text\n");
    assert_eq!(read.as_bytes(), GOOD.as_bytes());
    let [line] = read.signatures() else { panic!() };
    assert_eq!((line.name(), line.key_id(), line.blob()), ("example.com/foo", [0; 4], &[0][..]));
}

#[test]
fn the_last_blank_line_separates() {
    let whole = "one\n\ntwo\n\n\n\u{2014} n AAAAAAA=\n";
    let read = Note::parse(whole.as_bytes()).unwrap();
    assert_eq!(read.unverified_text(), "one\n\ntwo\n\n");
}

#[test]
fn no_blank_line() {
    assert_eq!(error("text\n"), NoteError::NoBlankLine);
    assert_eq!(error("text\n\u{2014} n AAAAAAA=\n"), NoteError::NoBlankLine);
    assert_eq!(error(""), NoteError::NoBlankLine);
}

#[test]
fn no_signatures() {
    assert_eq!(error("text\n\n"), NoteError::NoSignatures);
    assert_eq!(error("text\n\n\u{2014} n AAAAAAA=\n\n"), NoteError::NoSignatures);
}

#[test]
fn unterminated() {
    assert_eq!(error(GOOD.trim_end()), NoteError::Unterminated);
}

#[test]
fn another_line_among_the_signatures() {
    for line in ["more", "- n AAAAAAA=", "\u{2014}n AAAAAAA=", "\u{2014} n", "\u{2013} n AAAAAAA="]
    {
        let whole = ["text\n\n\u{2014} n AAAAAAA=\n", line, "\n"].concat();
        assert_eq!(error(&whole), NoteError::LineShape { line: 1 }, "{line}");
    }
}

#[test]
fn control_characters() {
    for byte in (0..b' ').filter(|byte| *byte != b'\n') {
        let whole = GOOD.replacen('x', &char::from(byte).to_string(), 1);
        assert_eq!(error(&whole), NoteError::ControlCharacter { offset: 2 }, "{byte}");
    }
    let crlf = GOOD.replace('\n', "\r\n");
    assert_eq!(error(&crlf), NoteError::ControlCharacter { offset: 4 });
    assert!(Note::parse(GOOD.replace('x', "\u{7f}").as_bytes()).is_ok());
}

#[test]
fn invalid_utf8() {
    let mut bytes = GOOD.as_bytes().to_vec();
    bytes[1] = 0xff;
    assert_eq!(Note::parse(&bytes), Err(NoteError::Utf8));
}

#[test]
fn bad_names() {
    for name in ["", "a+b", "a\u{a0}b", "a\u{3000}b", "a\u{85}b", "\u{2028}"] {
        let whole = GOOD.replace("example.com/foo", name);
        assert_eq!(error(&whole), NoteError::LineName { line: 0 }, "{name:?}");
    }
    assert_eq!(error(&GOOD.replace("\u{2014} ", "\u{2014}  ")), NoteError::LineName { line: 0 });
}

#[test]
fn bad_base64() {
    for encoded in
        ["AAAAAAA", "AAAAAA==", "AAAAAAB=", " AAAAAAA=", "AAAAAAA= ", "____AAA=", "b AAAAAAA="]
    {
        let whole = GOOD.replace("AAAAAAA=", encoded);
        let expected = match encoded {
            "AAAAAA==" => NoteError::LineLength { line: 0, found: 4 },
            _ => NoteError::LineBase64 { line: 0, source: EncodingError::Base64 },
        };
        assert_eq!(error(&whole), expected, "{encoded:?}");
    }
}

#[test]
fn a_signature_has_at_least_five_bytes() {
    for found in 0..5 {
        let whole = GOOD.replace("AAAAAAA=", &base64(&vec![0; found]));
        assert_eq!(error(&whole), NoteError::LineLength { line: 0, found });
    }
}

#[test]
fn at_most_a_hundred_signatures() {
    let line = "\u{2014} n AAAAAAA=\n";
    let hundred = ["text\n\n", &line.repeat(100)].concat();
    assert_eq!(Note::parse(hundred.as_bytes()).unwrap().signatures().len(), 100);
    let more = ["text\n\n", &line.repeat(101)].concat();
    assert_eq!(error(&more), NoteError::TooManySignatures { limit: 100 });
}

#[test]
fn at_most_a_mebibyte() {
    let filled =
        |length: usize| ["x".repeat(length - (GOOD.len() - 4)).as_str(), &GOOD[4..]].concat();
    assert!(Note::parse(filled(MAX_NOTE).as_bytes()).is_ok());
    let error = error(&filled(MAX_NOTE + 1));
    assert_eq!(error, NoteError::TooLong { limit: MAX_NOTE, found: MAX_NOTE + 1 });
}

#[test]
fn lines_print_as_they_are_read() {
    let whole = note("text\n", &[signature_line(&log().key, &[7, 8])]);
    let read = Note::parse(whole.as_bytes()).unwrap();
    assert_eq!(read.signatures()[0].blob(), [7, 8]);
    assert!(read.signatures()[0].is_by(&log().key));
}

/// The published notes, whose texts are no checkpoints: what their signatures are worth shows before that does.
#[test]
fn published_notes() {
    let Some(file) = vectors("derived/signed-note-vectors.json") else { return };
    let bytes = read(file);
    let document = document(&bytes);
    let mut count = 0;
    for case in document.root().get("notes").unwrap().items().unwrap() {
        let note = match case.get("note") {
            Some(note) => note.as_str().unwrap().into_owned().into_bytes(),
            None => from_base64(&text(case, "note_base64")).unwrap(),
        };
        let keys = crate::common::strings(case.get("known_vkeys"));
        let keys: Vec<NoteKey> = keys.iter().map(|key| key.parse().unwrap()).collect();
        let (name, expect) = (text(case, "name"), text(case, "expect"));
        assert_eq!(outcome(&note, keys), expect, "{name}");
        count += 1;
    }
    assert_eq!(count, 17);
}

fn outcome(note: &[u8], keys: Vec<NoteKey>) -> &'static str {
    let note = match UnverifiedCheckpoint::parse(note) {
        Err(CheckpointError::Note(_)) => return "malformed",
        note => note.unwrap(),
    };
    if keys.is_empty() {
        return "unverified";
    }
    let Ok(log) = LogIdentity::new(note.unverified_origin(), keys) else { return "config-error" };
    match note.verify(&log, &[]) {
        Err(CheckpointError::LogSignature { .. }) => "invalid-signature",
        Err(CheckpointError::NoLogSignature | CheckpointError::LogKeyHint { .. }) => "unverified",
        Err(
            CheckpointError::SizeMalformed
            | CheckpointError::SizeMissing
            | CheckpointError::RootMissing,
        ) => "ok",
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Note::parse(&bytes);
    }

    #[test]
    fn almost_notes_keep_their_bytes(
        text in "[a\n\u{2014} ]{0,8}",
        block in "(\u{2014} [a+ \u{a0}]{0,2} [A=]{0,8}\n?){0,3}",
    ) {
        let whole = [&text, "\n\n", &block].concat();
        if let Ok(read) = Note::parse(whole.as_bytes()) {
            let lines = read.signatures().iter().map(|line| {
                let bytes = [&line.key_id()[..], line.blob()].concat();
                ["\u{2014} ", line.name(), " ", &base64(&bytes), "\n"].concat()
            });
            let again = [read.unverified_text(), "\n", &lines.collect::<String>()].concat();
            prop_assert_eq!(again, whole);
        }
    }
}
