//! Who may be an authority at all.

use genten_pki::{Certificate, ChainError, TimestampAuthority, TimestampAuthorityError as E};
use genten_primitives::Timestamp;
use rcgen::{
    BasicConstraints, CertificateParams, CustomExtension, IsCa, KeyUsagePurpose, date_time_ymd,
};

use crate::common::{Ca, key, p256, patched, root, time};
use crate::make::{CODE_SIGNING, MESSAGE, TIME_STAMPING, Tsa, purposes, serial, stamping, tsa};
use crate::{good_with_aws_lc, verify};

fn new(certificates: Vec<Certificate>) -> Result<TimestampAuthority, E> {
    TimestampAuthority::new("test".to_owned(), certificates, None, None)
}

/// The answer to a signer with this certificate.
fn signer(edit: &dyn Fn(&mut CertificateParams)) -> Result<(), E> {
    let tsa = Tsa::below(
        root("root", &|_| {}),
        &|params| {
            stamping(params);
            edit(params);
        },
        p256(),
    );
    new(tsa.certificates()).map(drop)
}

fn with_purposes(list: &[&[u8]], is_critical: bool) -> Result<(), E> {
    signer(&|params| params.custom_extensions = vec![purposes(list, is_critical)])
}

#[test]
fn the_only_purpose_is_timestamping_and_critical() {
    assert_eq!(with_purposes(&[TIME_STAMPING], true), Ok(()));
    let missing = signer(&|params| params.custom_extensions.clear());
    assert!(matches!(missing, Err(E::Purpose { .. })), "{missing:?}");
    let uncritical = with_purposes(&[TIME_STAMPING], false);
    assert!(matches!(uncritical, Err(E::PurposeNotCritical { .. })), "{uncritical:?}");
    for list in [
        &[TIME_STAMPING, CODE_SIGNING][..],
        &[CODE_SIGNING, TIME_STAMPING],
        &[TIME_STAMPING, TIME_STAMPING],
        &[CODE_SIGNING],
        &[&[0x55, 0x1d, 0x25, 0]],
    ] {
        let answer = with_purposes(list, true);
        assert!(matches!(answer, Err(E::Purpose { .. })), "{answer:?}");
    }
}

#[test]
fn the_signer_is_no_ca_and_may_sign() {
    let ca = signer(&|params| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained));
    assert!(matches!(ca, Err(E::CaAsSigner { .. })), "{ca:?}");
    let usage = |list: &[KeyUsagePurpose]| signer(&|params| params.key_usages = list.to_vec());
    for good in
        [&[][..], &[KeyUsagePurpose::DigitalSignature], &[KeyUsagePurpose::ContentCommitment]]
    {
        assert_eq!(usage(good), Ok(()), "{good:?}");
    }
    let bad = usage(&[KeyUsagePurpose::KeyEncipherment, KeyUsagePurpose::KeyCertSign]);
    assert!(matches!(bad, Err(E::KeyUsage { .. })), "{bad:?}");
}

#[test]
fn a_list_of_certificates_is_neither_empty_nor_endless() {
    assert_eq!(new(Vec::new()).map(drop), Err(E::Empty));
    let tsa = tsa();
    let mut long = vec![tsa.leaf.clone()];
    long.resize(11, tsa.root.certificate());
    assert_eq!(new(long).map(drop), Err(E::TooManyCertificates { found: 11 }));
}

/// The kit may name the signer's certificate itself.
#[test]
fn one_certificate_is_its_own_anchor() {
    let tsa = tsa();
    let authority = new(vec![tsa.leaf.clone()]).unwrap();
    assert_eq!((authority.name(), authority.certificates().len()), ("test", 1));
    assert!(verify(&tsa.stamp(&|_| {}), MESSAGE, &[authority]).is_ok());
    let root = new(vec![tsa.root.certificate()]).map(drop);
    assert!(matches!(root, Err(E::CaAsSigner { .. })), "{root:?}");
}

fn below(ca: Ca, root: &Ca) -> Result<(), E> {
    let middle = ca.certificate();
    let tsa = Tsa::below(ca, &stamping, p256());
    new(vec![tsa.leaf, middle, root.certificate()]).map(drop)
}

#[test]
fn issuers_are_cas_for_timestamping() {
    let root = root("root", &|_| {});
    let ca = |edit: &dyn Fn(&mut CertificateParams)| below(root.ca("middle", edit), &root);
    let purpose =
        |list: &[&[u8]]| ca(&|params| params.custom_extensions = vec![purposes(list, false)]);
    assert_eq!(ca(&|_| {}), Ok(()));
    assert_eq!(purpose(&[CODE_SIGNING, TIME_STAMPING]), Ok(()));
    assert_eq!(purpose(&[&[0x55, 0x1d, 0x25, 0]]), Ok(()), "anyPurpose");
    let other = purpose(&[CODE_SIGNING]);
    assert!(matches!(other, Err(E::IssuerPurpose { .. })), "{other:?}");
    let no_ca = ca(&|params| params.is_ca = IsCa::NoCa);
    assert!(matches!(no_ca, Err(E::IssuerNotCa { .. })), "{no_ca:?}");
    let usage = ca(&|params| params.key_usages = vec![KeyUsagePurpose::CrlSign]);
    assert!(matches!(usage, Err(E::IssuerNotCa { .. })), "{usage:?}");
    let short = ca(&|params| params.custom_extensions = vec![unknown_critical()]);
    assert_eq!(short, Err(E::Path(ChainError::CriticalExtension)));
}

fn unknown_critical() -> CustomExtension {
    let mut unknown = CustomExtension::from_oid_content(&[1, 2, 3, 4], vec![5, 0]);
    unknown.set_criticality(true);
    unknown
}

#[test]
fn an_issuer_bounds_the_length_of_the_path() {
    let root = root("root", &|_| {});
    let first =
        root.ca("first", &|params| params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0)));
    let second = first.ca("second", &|_| {});
    let middle = [second.certificate(), first.certificate(), root.certificate()];
    let tsa = Tsa::below(second, &stamping, p256());
    let answer = new([vec![tsa.leaf], middle.to_vec()].concat()).map(drop);
    assert_eq!(answer, Err(E::Path(ChainError::PathLength)));
}

#[test]
fn certificates_stand_in_order_and_are_signed() {
    let root = root("root", &|_| {});
    let middle = root.ca("middle", &|_| {});
    let between = middle.certificate();
    let tsa = Tsa::below(middle, &stamping, p256());
    let leaf = &tsa.leaf;
    let anchor = root.certificate();
    assert!(new(vec![leaf.clone(), between.clone(), anchor.clone()]).is_ok());
    assert!(new(vec![leaf.clone(), between.clone()]).is_ok(), "the anchor is what the kit says");
    let order = |list: Vec<Certificate>| new(list).map(drop);
    assert_eq!(order(vec![leaf.clone(), anchor.clone()]), Err(E::Order { index: 0 }));
    let doubled = vec![leaf.clone(), between.clone(), between.clone(), anchor];
    assert_eq!(order(doubled), Err(E::Order { index: 1 }));
    let impostor = crate::common::root("root", &|_| {}).certificate();
    let forged = order(vec![leaf.clone(), between, impostor]);
    assert!(matches!(forged, Err(E::Path(_))), "{forged:?}");
}

#[test]
fn certificates_are_valid_at_the_same_time() {
    let root = root("root", &|params| params.not_after = date_time_ymd(2023, 1, 1));
    let tsa = Tsa::below(root, &stamping, p256());
    assert_eq!(new(tsa.certificates()).map(drop), Err(E::NeverValid));
}

/// Serial numbers have one spelling, and points lie on their curve.
#[test]
fn certificates_that_say_nothing() {
    let tsa = tsa();
    let number = serial(&tsa.leaf);
    let mut long = number.clone();
    long[2..4].copy_from_slice(&[0, 1]);
    let malformed = patched(&tsa.leaf, &number, &long);
    let sha256 = malformed.sha256();
    assert_eq!(new(vec![malformed]).map(drop), Err(E::Malformed { sha256 }));
    let spki = tsa.leaf.spki_der();
    let point = &spki[spki.len() - 64..];
    let off_curve = patched(&tsa.leaf, point, &[7; 64]);
    let answer = new(vec![off_curve]).map(drop);
    assert!(matches!(answer, Err(E::Key(_))), "{answer:?}");
}

#[test]
fn a_window_does_not_end_before_it_begins() {
    let tsa = tsa();
    let (early, late) = (time("2025-01-01T00:00:00Z"), time("2025-01-01T00:00:00.001Z"));
    let window =
        |from, until| TimestampAuthority::new("test".to_owned(), tsa.certificates(), from, until);
    let refused = window(Some(late), Some(early)).map(drop);
    assert_eq!(refused, Err(E::Window { from: late, until: early }));
    let point = window(Some(early), Some(early)).unwrap();
    let ends: (Option<Timestamp>, Option<Timestamp>) = (point.from(), point.until());
    assert_eq!(ends, (Some(early), Some(early)));
}

/// What a build cannot check is told with each token, so that a kit can be read by every build.
#[test]
fn chains_that_cannot_be_checked() {
    let root = crate::common::root_with_key("rsa root", &|_| {}, crate::common::rsa());
    let tsa = Tsa::below(root, &stamping, p256());
    let answer = verify(&tsa.stamp(&|_| {}), MESSAGE, &[new(tsa.certificates()).unwrap()]);
    good_with_aws_lc(&answer);
    let other = verify(&tsa.stamp(&|_| {}), b"other", &[tsa.authority()]).unwrap_err();
    assert!(other.is_contradiction(), "{other}");
    // P-521 is known to nobody here.
    let tsa = Tsa::below(
        crate::common::root("root", &|_| {}),
        &stamping,
        key(&rcgen::PKCS_ECDSA_P521_SHA512),
    );
    let answer = verify(&tsa.stamp(&|_| {}), MESSAGE, &[new(tsa.certificates()).unwrap()]);
    let error = answer.unwrap_err();
    assert!(matches!(error, genten_pki::TimestampError::SignatureNotCheckable { .. }), "{error:?}");
}
