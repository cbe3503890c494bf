//! Who signed, how, and which certificates stand beside it.

use genten_pki::{
    CertificateError, HashAlgorithm, MAX_EMBEDDED, SignatureAlgorithm, TimestampError as E,
    TimestampPart, TimestampSigner, TimestampToken,
};
use genten_primitives::encoding::hex;

use crate::common::{key, p256, root, rsa, self_signed};
use crate::make::{
    ECDSA_SHA1, ECDSA_SHA256, ECDSA_SHA384, ECDSA_SHA512, ED25519, MESSAGE, RSA_PSS, Recipe, SHA1,
    SHA3_256, SHA256, SHA384, SHA512, Tsa, algorithm, hash, imprint, oid, seq, serial, stamping,
    tlv, tsa,
};
use crate::{good_with_aws_lc, verify};

fn ask(tsa: &Tsa, edit: &dyn Fn(&mut Recipe)) -> Result<(), E> {
    verify(&tsa.stamp(edit), MESSAGE, &[tsa.authority()]).map(drop)
}

#[test]
fn there_is_one_signer() {
    for found in [0, 2] {
        let answer = ask(&tsa(), &|recipe| recipe.signers = found);
        assert_eq!(answer, Err(E::SignerCount { found }));
    }
}

#[test]
fn a_corrupted_signature_is_refused() {
    let tsa = tsa();
    let edits: [fn(&mut Vec<u8>); 4] = [
        |signature| *signature.last_mut().unwrap() ^= 1,
        |signature| signature.push(0),
        |signature| signature.truncate(signature.len() - 1),
        Vec::clear,
    ];
    for edit in edits {
        let answer = ask(&tsa, &|recipe| recipe.edit_signature = edit);
        assert!(matches!(answer, Err(E::Signature(_))), "{answer:?}");
    }
}

/// Certified by the same root for the same purpose, and not the one that the kit names.
#[test]
fn another_signer_below_the_same_root_is_unknown() {
    let tsa = tsa();
    let other = Tsa::below(tsa.root.ca("middle", &|_| {}), &stamping, p256());
    let token = other.stamp(&|_| {});
    let error = verify(&token, MESSAGE, &[tsa.authority()]).unwrap_err();
    let signer = TimestampSigner::IssuerAndSerial {
        issuer: "CN=middle".to_owned(),
        serial: hex(&serial(&other.leaf)[2..]),
    };
    assert_eq!(error, E::UnknownAuthority { signer: signer.clone() });
    assert!(!error.is_contradiction());
    assert_eq!(TimestampToken::from_der(&token).unwrap().claimed_signer(), signer);
    assert_eq!(verify(&token, MESSAGE, &[]), Err(error));
}

/// Only in name: the key is another one.
#[test]
fn an_impostor_is_refused() {
    let tsa = tsa();
    let impostor = Tsa::below(root("stamping root", &|_| {}), &stamping, p256());
    let sid = seq(&[tsa.leaf.issuer().der(), &serial(&tsa.leaf)]);
    let take_name = |recipe: &mut Recipe| recipe.signer_head = [&[2, 1, 1], &sid[..]].concat();
    let own_certificate = impostor.stamp(&take_name);
    let error = verify(&own_certificate, MESSAGE, &[tsa.authority()]).unwrap_err();
    assert!(matches!(error, E::EmbeddedStranger { .. }), "{error:?}");
    let without = impostor.stamp(&|recipe| {
        take_name(recipe);
        recipe.certificates.clear();
    });
    let error = verify(&without, MESSAGE, &[tsa.authority()]).unwrap_err();
    assert!(matches!(error, E::SigningCertificate { .. }), "{error:?}");
    let as_other = impostor.stamp(&|recipe| {
        take_name(recipe);
        recipe.certificates.clear();
        recipe.ess = crate::make::attribute(
            crate::make::CERTIFICATE_V2,
            &[&crate::make::ess(&[&tlv(4, &hash(HashAlgorithm::Sha256, tsa.leaf.der()))])],
        );
    });
    let error = verify(&as_other, MESSAGE, &[tsa.authority()]).unwrap_err();
    assert!(matches!(error, E::Signature(_)), "{error:?}");
}

#[test]
fn a_signer_may_be_named_by_key() {
    let tsa = Tsa::below(
        root("root", &|_| {}),
        &|params| {
            stamping(params);
            let id = rcgen::CustomExtension::from_oid_content(&[2, 5, 29, 14], tlv(4, b"an id"));
            params.custom_extensions.push(id);
        },
        p256(),
    );
    let named = |id: &[u8]| {
        let head = [vec![2, 1, 3], tlv(0x80, id)].concat();
        ask(&tsa, &|recipe| recipe.signer_head.clone_from(&head))
    };
    assert_eq!(named(b"an id"), Ok(()));
    let signer = TimestampSigner::SubjectKeyId { id: hex(b"an ix") };
    assert_eq!(named(b"an ix"), Err(E::UnknownAuthority { signer }));
    // A certificate without the extension is named by nothing, not by an empty id.
    let without = crate::make::tsa();
    let answer = ask(&without, &|recipe| recipe.signer_head = vec![2, 1, 3, 0x80, 0]);
    assert!(matches!(answer, Err(E::UnknownAuthority { .. })), "{answer:?}");
}

/// The version says how the signer is named.
#[test]
fn version_and_name_of_the_signer_agree() {
    let tsa = tsa();
    let sid = seq(&[tsa.leaf.issuer().der(), &serial(&tsa.leaf)]);
    for head in [
        [&[2, 1, 3], &sid[..]].concat(),
        [&[2, 1, 0], &sid[..]].concat(),
        [&[2, 1, 4], &sid[..]].concat(),
        vec![2, 1, 1, 0x80, 1, 1],
        vec![2, 1, 3, 0xa0, 3, 4, 1, 1],
    ] {
        let answer = ask(&tsa, &|recipe| recipe.signer_head.clone_from(&head));
        assert!(matches!(answer, Err(E::Malformed { .. })), "{answer:?}");
    }
}

#[test]
fn embedded_certificates_are_hints() {
    let tsa = tsa();
    let cross = root("another root", &|_| {}).certificate();
    let root = tsa.root.certificate();
    let with =
        |list: &[&[u8]]| ask(&tsa, &|recipe| recipe.certificates = tlv(0xa0, &list.concat()));
    assert_eq!(ask(&tsa, &|recipe| recipe.certificates.clear()), Ok(()));
    assert_eq!(with(&[]), Ok(()));
    assert_eq!(with(&[tsa.leaf.der(), root.der(), cross.der()]), Ok(()));
    assert_eq!(with(&[&tlv(0xa1, &[5, 0]), tsa.leaf.der()]), Ok(()), "an attribute certificate");
    for tag in [0x31, 4, 0x80, 0xa4] {
        let answer = with(&[&tlv(tag, &[5, 0])]);
        assert!(matches!(answer, Err(E::Malformed { .. })), "{tag:x}: {answer:?}");
    }
}

#[test]
fn injected_certificates_are_refused() {
    let tsa = tsa();
    let spoof = self_signed(&stamping);
    for list in
        [[spoof.der(), tsa.leaf.der()], [tsa.leaf.der(), spoof.der()], [spoof.der(), spoof.der()]]
    {
        let answer = ask(&tsa, &|recipe| recipe.certificates = tlv(0xa0, &list.concat()));
        assert_eq!(answer, Err(E::EmbeddedStranger { sha256: spoof.sha256() }));
    }
    let unreadable = tlv(0xa0, &[tsa.leaf.der(), &[0x30, 0]].concat());
    let answer = ask(&tsa, &|recipe| recipe.certificates.clone_from(&unreadable));
    let Err(E::EmbeddedCertificate { index: 1, source: CertificateError::Malformed { .. } }) =
        answer
    else {
        panic!("{answer:?}")
    };
}

/// Issuer and serial number of the signer, and another certificate.
#[test]
fn a_certificate_in_the_signers_name_must_be_the_signers() {
    let tsa = tsa();
    let mut other = tsa.leaf.der().to_vec();
    *other.last_mut().unwrap() ^= 1; // another signature on the same content
    let answer = ask(&tsa, &|recipe| recipe.certificates = tlv(0xa0, &other));
    let expected = tsa.leaf.sha256();
    let Err(E::EmbeddedSigner { expected: found, .. }) = answer else { panic!("{answer:?}") };
    assert_eq!(found, expected);
}

#[test]
fn embedded_certificates_are_counted() {
    let tsa = tsa();
    let many = |count: usize| {
        ask(&tsa, &|recipe| recipe.certificates = tlv(0xa0, &tsa.leaf.der().repeat(count)))
    };
    assert_eq!(many(MAX_EMBEDDED), Ok(()));
    let found = MAX_EMBEDDED + 1;
    assert_eq!(many(found), Err(E::TooManyCertificates { found }));
}

fn by(tsa: &Tsa, digest: HashAlgorithm, oid: &[u8], signature: Vec<u8>) -> Result<(), E> {
    ask(tsa, &|recipe| {
        recipe.digest = digest;
        recipe.digest_algorithm = algorithm(oid);
        recipe.signature_algorithm.clone_from(&signature);
    })
}

#[test]
fn ecdsa_on_p384_and_ed25519() {
    use HashAlgorithm::{Sha256, Sha384, Sha512};
    let p384 = Tsa::with_key(&rcgen::PKCS_ECDSA_P384_SHA384);
    assert_eq!(by(&p384, Sha384, SHA384, algorithm(ECDSA_SHA384)), Ok(()));
    let ed25519 = Tsa::with_key(&rcgen::PKCS_ED25519);
    assert_eq!(by(&ed25519, Sha512, SHA512, algorithm(ED25519)), Ok(()));
    let hashed = by(&ed25519, Sha256, SHA256, algorithm(ED25519));
    assert!(matches!(hashed, Err(E::SignatureHash { hash: Sha256, .. })), "{hashed:?}");
}

#[test]
fn rsa_in_each_spelling() {
    let tsa = Tsa::below(root("root", &|_| {}), &stamping, rsa());
    let with_null = |last: u8| {
        let kind = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, last];
        seq(&[&oid(&kind), &[5, 0]])
    };
    for kind in [1, 0x0b] {
        good_with_aws_lc(&by(&tsa, HashAlgorithm::Sha256, SHA256, with_null(kind)));
    }
    let other_hash = by(&tsa, HashAlgorithm::Sha256, SHA256, with_null(0x0c));
    assert!(matches!(other_hash, Err(E::SignatureHash { .. })), "{other_hash:?}");
    let sha1 = by(&tsa, HashAlgorithm::Sha256, SHA256, with_null(5));
    assert!(matches!(sha1, Err(E::SignatureWeak { .. })), "{sha1:?}");
    let pss = by(&tsa, HashAlgorithm::Sha256, SHA256, algorithm(RSA_PSS)).unwrap_err();
    assert!(matches!(pss, E::SignatureNotCheckable { .. }) && !pss.is_contradiction(), "{pss:?}");
}

#[test]
fn signature_algorithms_that_do_not_do() {
    use HashAlgorithm::{Sha256, Sha512};
    let tsa = tsa();
    let sha1 = by(&tsa, Sha256, SHA256, algorithm(ECDSA_SHA1)).unwrap_err();
    assert!(matches!(sha1, E::SignatureWeak { .. }) && sha1.is_contradiction(), "{sha1:?}");
    let sha512 = by(&tsa, Sha512, SHA512, algorithm(ECDSA_SHA512)).unwrap_err();
    let other = SignatureAlgorithm::Other("1.2.840.10045.4.3.4".parse().unwrap());
    assert_eq!(sha512, E::SignatureNotCheckable { algorithm: other });
    let mixed = by(&tsa, Sha512, SHA512, algorithm(ECDSA_SHA256));
    assert!(matches!(mixed, Err(E::SignatureHash { hash: Sha512, .. })), "{mixed:?}");
    // Of a kind of key that the authority does not have.
    let other_key = by(&tsa, Sha512, SHA512, algorithm(ED25519));
    assert!(matches!(other_key, Err(E::Signature(_))), "{other_key:?}");
    let malformed = by(&tsa, Sha256, SHA256, tlv(0x30, &[]));
    assert!(matches!(malformed, Err(E::Malformed { .. })), "{malformed:?}");
}

#[test]
fn hashes_of_the_content_and_of_the_message() {
    use HashAlgorithm::{Sha256, Sha384, Sha512};
    let tsa = tsa();
    for (kind, name) in [(Sha256, SHA256), (Sha384, SHA384), (Sha512, SHA512)] {
        let stamped = |bytes: &[u8]| {
            let imprint = imprint(name, &hash(kind, bytes));
            ask(&tsa, &|recipe| recipe.imprint.clone_from(&imprint))
        };
        assert_eq!(stamped(MESSAGE), Ok(()));
        let other = stamped(b"other bytes");
        assert!(matches!(other, Err(E::Imprint { .. })), "{other:?}");
    }
    let weak = |part| Err(E::HashWeak { part, algorithm: "1.3.14.3.2.26".parse().unwrap() });
    let short = imprint(SHA1, &[1; 20]);
    let answer = ask(&tsa, &|recipe| recipe.imprint.clone_from(&short));
    assert_eq!(answer, weak(TimestampPart::Imprint));
    let answer = ask(&tsa, &|recipe| recipe.digest_algorithm = algorithm(SHA1));
    assert_eq!(answer, weak(TimestampPart::Content));
    for length in [31, 33, 48, 0] {
        let other = imprint(SHA256, &vec![1; length]);
        let answer = ask(&tsa, &|recipe| recipe.imprint.clone_from(&other));
        let algorithm = Sha256;
        assert_eq!(answer, Err(E::ImprintLength { algorithm, found: length }));
    }
    let sha3 = imprint(SHA3_256, &[1; 32]);
    let error = ask(&tsa, &|recipe| recipe.imprint.clone_from(&sha3)).unwrap_err();
    assert!(matches!(error, E::HashNotCheckable { part: TimestampPart::Imprint, .. }), "{error:?}");
    assert!(!error.is_contradiction());
}

/// Parameters are absent or NULL; SHA-256 with others is not SHA-256.
#[test]
fn parameters_of_hashes() {
    let tsa = tsa();
    let with = |parameters: &[u8]| {
        let other = seq(&[&oid(SHA256), parameters]);
        ask(&tsa, &|recipe| recipe.digest_algorithm.clone_from(&other))
    };
    assert_eq!(with(&[5, 0]), Ok(()));
    assert!(matches!(with(&[2, 1, 5]), Err(E::HashNotCheckable { .. })));
    assert!(matches!(with(&[5, 0, 5, 0]), Err(E::Malformed { .. })));
}

#[test]
fn keys_of_other_kinds_sign_nothing_here() {
    let tsa = Tsa::below(root("root", &|_| {}), &stamping, key(&rcgen::PKCS_ECDSA_P384_SHA384));
    let other = crate::make::tsa();
    // Another authority's certificate in the kit under this signer's token.
    let answer = verify(&tsa.stamp(&|_| {}), MESSAGE, &[other.authority()]);
    assert!(matches!(answer, Err(E::UnknownAuthority { .. })), "{answer:?}");
}
