//! Signed attributes: what binds the signature to content, type and certificate.

use genten_pki::{HashAlgorithm, MAX_ATTRIBUTES, Oid, TimestampError as E, TimestampPart};

use crate::make::{
    CERTIFICATE_V2, CONTENT_TYPE, DATA, MESSAGE, MESSAGE_DIGEST, OLD_CERTIFICATE, Recipe, SHA1,
    SHA3_256, SHA256, SHA512, SIGNING_TIME, TST_INFO, Tsa, algorithm, attribute, ess, hash,
    issuer_serial, oid, serial, tlv, tsa,
};
use crate::verify;

fn ask(tsa: &Tsa, edit: &dyn Fn(&mut Recipe)) -> Result<(), E> {
    verify(&tsa.stamp(edit), MESSAGE, &[tsa.authority()]).map(drop)
}

fn attribute_oid(text: &str) -> Oid {
    text.parse().unwrap()
}

const TYPE: &str = "1.2.840.113549.1.9.3";
const DIGEST: &str = "1.2.840.113549.1.9.4";

#[test]
fn a_token_without_attributes_is_refused() {
    let answer = ask(&tsa(), &|recipe| recipe.without_attributes = true);
    assert_eq!(answer, Err(E::AttributesMissing));
}

#[test]
fn attributes_that_must_be_there() {
    let tsa = tsa();
    assert_eq!(ask(&tsa, &|_| {}), Ok(()));
    let without = |edit| ask(&tsa, &|recipe| recipe.edit_attributes = edit);
    let missing = |text| Err(E::AttributeMissing { oid: attribute_oid(text) });
    assert_eq!(without(|list| drop(list.remove(0))), missing(TYPE));
    assert_eq!(without(|list| drop(list.remove(1))), Ok(()), "signingTime says nothing");
    assert_eq!(without(|list| drop(list.remove(2))), missing(DIGEST));
    assert_eq!(without(|list| drop(list.remove(3))), missing("1.2.840.113549.1.9.16.2.47"));
    assert_eq!(without(Vec::clear), missing(TYPE));
}

#[test]
fn repeated_attributes_are_refused() {
    let tsa = tsa();
    for (at, name) in [(0, TYPE), (1, "1.2.840.113549.1.9.5"), (2, DIGEST)] {
        let edits: [fn(&mut Vec<Vec<u8>>); 3] = [
            |list| list.push(list[0].clone()),
            |list| list.push(list[1].clone()),
            |list| list.push(list[2].clone()),
        ];
        let answer = ask(&tsa, &|recipe| recipe.edit_attributes = edits[at]);
        assert_eq!(answer, Err(E::AttributeRepeated { oid: attribute_oid(name) }));
    }
    let other_digest = ask(&tsa, &|recipe| {
        recipe.edit_attributes =
            |list| list.insert(0, attribute(MESSAGE_DIGEST, &[&tlv(4, &[0; 32])]));
    });
    assert_eq!(other_digest, Err(E::AttributeRepeated { oid: attribute_oid(DIGEST) }));
}

#[test]
fn attributes_have_one_value() {
    let tsa = tsa();
    let answer = ask(&tsa, &|recipe| {
        recipe.edit_attributes =
            |list| list[0] = attribute(CONTENT_TYPE, &[&oid(TST_INFO), &oid(TST_INFO)]);
    });
    assert_eq!(answer, Err(E::AttributeValues { oid: attribute_oid(TYPE), found: 2 }));
    let answer = ask(&tsa, &|recipe| {
        recipe.edit_attributes = |list| list[1] = attribute(SIGNING_TIME, &[]);
    });
    let oid = attribute_oid("1.2.840.113549.1.9.5");
    assert_eq!(answer, Err(E::AttributeValues { oid, found: 0 }));
}

#[test]
fn attributes_are_counted() {
    let tsa = tsa();
    let at_limit = ask(&tsa, &|recipe| {
        recipe.edit_attributes = |list| {
            let more = list.len()..MAX_ATTRIBUTES;
            list.extend(more.map(|at| attribute(&[0x2a, 9, at as u8], &[&[5, 0]])));
        }
    });
    assert_eq!(at_limit, Ok(()));
    let beyond = ask(&tsa, &|recipe| {
        recipe.edit_attributes = |list| {
            let more = list.len()..=MAX_ATTRIBUTES;
            list.extend(more.map(|at| attribute(&[0x2a, 9, at as u8], &[&[5, 0]])));
        }
    });
    assert_eq!(beyond, Err(E::TooManyAttributes { found: MAX_ATTRIBUTES + 1 }));
}

#[test]
fn the_content_type_is_that_of_a_timestamp() {
    let answer = ask(&tsa(), &|recipe| {
        recipe.edit_attributes = |list| list[0] = attribute(CONTENT_TYPE, &[&oid(DATA)]);
    });
    let found = attribute_oid("1.2.840.113549.1.7.1");
    assert_eq!(answer, Err(E::ContentTypeAttribute { found }));
}

#[test]
fn the_message_digest_is_that_of_the_content() {
    let tsa = tsa();
    let answer = ask(&tsa, &|recipe| recipe.message_digest = Some(tlv(4, &[7; 32])));
    let Err(E::MessageDigest { expected, calculated }) = answer else { panic!("{answer:?}") };
    assert_eq!((expected.as_bytes(), calculated.as_bytes().len()), (&[7; 32][..], 32));
    // By another algorithm than the token names.
    let answer = ask(&tsa, &|recipe| recipe.digest = HashAlgorithm::Sha384);
    assert!(matches!(answer, Err(E::MessageDigest { .. })), "{answer:?}");
    for bad in [tlv(4, &[7; 65]), tlv(3, &[7; 32]), [tlv(4, &[7; 32]), vec![5, 0]].concat()] {
        let answer = ask(&tsa, &|recipe| recipe.message_digest = Some(bad.clone()));
        let Err(E::Malformed { .. } | E::AttributeValues { .. }) = answer else {
            panic!("{answer:?}")
        };
    }
}

/// The signature is over the attributes as they stand: not sorted is fine, sorted afterwards is not.
#[test]
fn changed_attributes_are_refused() {
    let tsa = tsa();
    assert_eq!(ask(&tsa, &|recipe| recipe.edit_attributes = |list| list.reverse()), Ok(()));
    let edits: [fn(&mut Vec<Vec<u8>>); 4] = [
        |list| list.reverse(),
        |list| list.swap(1, 2),
        |list| drop(list.remove(1)),
        |list| list.push(attribute(&[0x2a, 9], &[&[5, 0]])),
    ];
    for edit in edits {
        let answer = ask(&tsa, &|recipe| recipe.edit_signed = edit);
        assert!(matches!(answer, Err(E::Signature(_))), "{answer:?}");
    }
}

#[test]
fn the_certificate_is_named_by_its_hash() {
    let tsa = tsa();
    let der = tsa.leaf.der();
    let with = |kind: &[u8], parts: &[&[u8]]| {
        ask(&tsa, &|recipe| recipe.ess = attribute(kind, &[&ess(parts)]))
    };
    let sha512 = tlv(4, &hash(HashAlgorithm::Sha512, der));
    let sha256 = tlv(4, &hash(HashAlgorithm::Sha256, der));
    assert_eq!(with(CERTIFICATE_V2, &[&algorithm(SHA512), &sha512]), Ok(()));
    assert_eq!(with(CERTIFICATE_V2, &[&algorithm(SHA256), &sha256]), Ok(()), "the default");
    let other = tlv(4, &hash(HashAlgorithm::Sha256, tsa.root.certificate().der()));
    for (kind, parts) in [
        (CERTIFICATE_V2, &[&other[..]][..]),
        (CERTIFICATE_V2, &[&sha512]),
        (CERTIFICATE_V2, &[&algorithm(SHA512), &sha256]),
        (OLD_CERTIFICATE, &[&tlv(4, &[1; 20])]),
        (OLD_CERTIFICATE, &[&sha256]),
    ] {
        let answer = with(kind, parts);
        assert!(matches!(answer, Err(E::SigningCertificate { .. })), "{answer:?}");
    }
    let part = TimestampPart::SigningCertificate;
    let weak = E::HashWeak { part, algorithm: "1.3.14.3.2.26".parse().unwrap() };
    assert_eq!(with(CERTIFICATE_V2, &[&algorithm(SHA1), &tlv(4, &[1; 20])]), Err(weak));
    let sha3 = E::HashNotCheckable { part, algorithm: "2.16.840.1.101.3.4.2.8".parse().unwrap() };
    assert_eq!(with(CERTIFICATE_V2, &[&algorithm(SHA3_256), &sha256]), Err(sha3));
    assert!(matches!(with(CERTIFICATE_V2, &[]), Err(E::Malformed { .. })));
}

/// The first one counts; the others are those of its chain.
#[test]
fn the_first_certificate_named_is_the_signers() {
    let tsa = tsa();
    let good = tlv(0x30, &tlv(4, &hash(HashAlgorithm::Sha256, tsa.leaf.der())));
    let other = tlv(0x30, &tlv(4, &[9; 32]));
    let with = |list: &[&[u8]]| {
        let value = tlv(0x30, &tlv(0x30, &list.concat()));
        ask(&tsa, &|recipe| recipe.ess = attribute(CERTIFICATE_V2, &[&value]))
    };
    assert_eq!(with(&[&good, &other]), Ok(()));
    assert!(matches!(with(&[&other, &good]), Err(E::SigningCertificate { .. })));
    assert!(matches!(with(&[]), Err(E::Malformed { .. })));
}

/// A good new attribute does not excuse a bad old one.
#[test]
fn of_both_attributes_each_must_hold() {
    let answer = ask(&tsa(), &|recipe| {
        recipe.edit_attributes =
            |list| list.push(attribute(OLD_CERTIFICATE, &[&ess(&[&tlv(4, &[1; 20])])]));
    });
    assert!(matches!(answer, Err(E::SigningCertificate { .. })), "{answer:?}");
}

#[test]
fn issuer_and_serial_are_compared_where_they_stand() {
    let tsa = tsa();
    let digest = tlv(4, &hash(HashAlgorithm::Sha256, tsa.leaf.der()));
    let issuer = tsa.leaf.issuer().der();
    let with = |pair: Vec<u8>| {
        ask(&tsa, &|recipe| recipe.ess = attribute(CERTIFICATE_V2, &[&ess(&[&digest, &pair])]))
    };
    assert_eq!(with(issuer_serial(issuer, &serial(&tsa.leaf))), Ok(()));
    let wrong = Err(E::SigningCertificateIssuer);
    assert_eq!(with(issuer_serial(issuer, &[2, 1, 1])), wrong);
    assert_eq!(with(issuer_serial(tsa.leaf.subject().der(), &serial(&tsa.leaf))), wrong);
    let twice = [tlv(0xa4, issuer), tlv(0xa4, issuer)].concat();
    assert_eq!(with(tlv(0x30, &[tlv(0x30, &twice), serial(&tsa.leaf)].concat())), wrong);
    assert_eq!(with(tlv(0x30, &[tlv(0x30, &[]), serial(&tsa.leaf)].concat())), wrong);
}
