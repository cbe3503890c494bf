//! No input makes a parser panic, and what is accepted is written back to the same bytes.

#![expect(clippy::unwrap_used, reason = "helpers of tests stand outside of test functions")]

mod common;

use common::{root, uri};
use genten_pki::{Certificate, ListedSct, SctList, certificates_from_pem};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_assert_eq, proptest};

/// An SCT list of well-formed entries, some of an unknown version, built without the code under test.
fn sct_list() -> impl Strategy<Value = Vec<u8>> {
    let vector = |content: &[u8]| [&(content.len() as u16).to_be_bytes()[..], content].concat();
    let v1 =
        (vec(any::<u8>(), 40), vec(any::<u8>(), 0..20), any::<[u8; 2]>(), vec(any::<u8>(), 0..80))
            .prop_map(move |(head, extensions, algorithm, signature)| {
                [&[0], &head[..], &vector(&extensions), &algorithm, &vector(&signature)].concat()
            });
    let unknown = (1_u8.., vec(any::<u8>(), 0..30))
        .prop_map(|(version, rest)| [&[version], &rest[..]].concat());
    vec(proptest::prop_oneof![v1, unknown], 1..6).prop_map(move |entries| {
        vector(&entries.iter().map(|entry| vector(entry)).collect::<Vec<_>>().concat())
    })
}

proptest! {
    #[test]
    fn well_formed_lists_are_read_and_written_back(bytes in sct_list()) {
        let list = SctList::from_bytes(&bytes).unwrap();
        prop_assert_eq!(list.to_bytes(), bytes);
    }

    #[test]
    fn spoilt_lists_are_refused_or_written_back(
        mut bytes in sct_list(), at in any::<usize>(), value in any::<u8>(), cut in any::<usize>(),
    ) {
        let at = at % bytes.len();
        bytes[at] = value;
        bytes.truncate(bytes.len() - cut % 3);
        if let Ok(list) = SctList::from_bytes(&bytes) {
            prop_assert_eq!(list.to_bytes(), bytes);
            for entry in list.entries() {
                if let ListedSct::V1(sct) = entry {
                    let _ = (sct.time(), sct.leaf_index());
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..300)) {
        if let Ok(list) = SctList::from_bytes(&bytes) {
            prop_assert_eq!(list.to_bytes(), bytes.clone());
        }
        let _ = Certificate::from_der(&bytes);
        let _ = certificates_from_pem(&String::from_utf8_lossy(&bytes));
    }
}

/// Every byte of a certificate set to every value: nothing panics, and what is still read keeps its bytes.
#[test]
fn spoilt_certificates_are_read_or_refused() {
    let root = root("root", &|_| {});
    let good = root.leaf(&|params| params.subject_alt_names = vec![uri("https://example.org/")]);
    for at in 0..good.der().len() {
        for value in 0..=255 {
            let mut der = good.der().to_vec();
            der[at] = value;
            if let Ok(read) = Certificate::from_der(&der) {
                assert_eq!(read.der(), der);
                let _ = (read.issuer().to_string(), read.subject().to_string(), read.public_key());
            }
        }
    }
}
