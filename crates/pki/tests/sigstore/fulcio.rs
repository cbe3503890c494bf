//! Signing certificates: each rule broken once, in certificates made for it.

use genten_pki::{
    Certificate, ChainError, FulcioError, Sct, SctError, SctVerifyError, SigningCertificate,
    SigningIdentity, TrustedRoot, UnusableLog, verify_signing_certificate,
};
use genten_primitives::Timestamp;
use genten_primitives::encoding::base64;
use genten_primitives::signature::SignatureError;
use rcgen::{
    CertificateParams, CustomExtension, ExtendedKeyUsagePurpose, IsCa, KeyUsagePurpose,
    OtherNameValue, SanType, date_time_ymd,
};

use crate::common::{Ca, root, time, uri};
use crate::world::{JUNE, Log, extension, with_scts};

pub(crate) const WINDOW: &str = r#"{"start":"2025-01-01T00:00:00Z","end":"2025-12-31T00:00:00Z"}"#;
const AT: &str = "2025-06-01T00:00:00Z";

pub(crate) fn root_json(ctlogs: &[String], authorities: &[String]) -> String {
    format!(
        r#"{{"mediaType":"application/vnd.dev.sigstore.trustedroot+json;version=0.1","tlogs":[],
            "ctlogs":[{}],"certificateAuthorities":[{}]}}"#,
        ctlogs.join(","),
        authorities.join(",")
    )
}

pub(crate) fn ctlog(log: &Log, window: &str) -> String {
    format!(
        r#"{{"baseUrl":"https://ct.example/x","hashAlgorithm":"SHA2_256","publicKey":{{"rawBytes":"{}",
            "keyDetails":"PKIX_ECDSA_P256_SHA_256","validFor":{window}}},"logId":{{"keyId":"{}"}}}}"#,
        base64(log.key().to_spki_der()),
        base64(log.id().as_bytes())
    )
}

pub(crate) fn authority(certificates: &[Certificate], window: &str) -> String {
    let raw = |one: &Certificate| format!(r#"{{"rawBytes":"{}"}}"#, base64(one.der()));
    let all: Vec<_> = certificates.iter().map(raw).collect();
    format!(
        r#"{{"uri":"https://ca.example","certChain":{{"certificates":[{}]}},"validFor":{window}}}"#,
        all.join(",")
    )
}

/// An authority of two certificates and a log.
struct World {
    top: Ca,
    middle: Ca,
    log: Log,
    window: &'static str,
    log_window: &'static str,
}

impl World {
    fn new() -> Self {
        Self::with_middle(&|_| {})
    }

    fn with_middle(edit: &dyn Fn(&mut CertificateParams)) -> Self {
        let top = root("root", &|_| {});
        let middle = top.ca("intermediate", edit);
        Self { top, middle, log: Log::new("log"), window: WINDOW, log_window: WINDOW }
    }

    fn root(&self) -> TrustedRoot {
        let chain = [self.middle.certificate(), self.top.certificate()];
        let text =
            root_json(&[ctlog(&self.log, self.log_window)], &[authority(&chain, self.window)]);
        TrustedRoot::from_bytes(text.as_bytes()).unwrap()
    }

    fn leaf(&self, edit: &dyn Fn(&mut CertificateParams)) -> Certificate {
        self.leaf_at(JUNE, edit)
    }

    fn leaf_at(&self, at: u64, edit: &dyn Fn(&mut CertificateParams)) -> Certificate {
        let edit = |params: &mut CertificateParams| {
            signing(params);
            edit(params);
        };
        with_scts(&self.middle, &edit, |entry| vec![self.log.sct(at, &[], entry)])
    }

    fn judge(&self, leaf: &Certificate, times: &[&str]) -> Result<SigningCertificate, FulcioError> {
        let times: Vec<Timestamp> = times.iter().map(|at| time(at)).collect();
        verify_signing_certificate(leaf.der(), &[], &self.root(), &times)
    }

    fn error_of(&self, edit: &dyn Fn(&mut CertificateParams)) -> FulcioError {
        self.judge(&self.leaf(edit), &[AT]).unwrap_err()
    }
}

fn signing(params: &mut CertificateParams) {
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::CodeSigning];
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.subject_alt_names = vec![uri("https://example.org/workflow")];
    params.custom_extensions = vec![new_issuer("https://issuer.example")];
}

fn fulcio_extension(last: u64, content: &[u8]) -> CustomExtension {
    CustomExtension::from_oid_content(&[1, 3, 6, 1, 4, 1, 57264, 1, last], content.to_vec())
}

fn new_issuer(text: &str) -> CustomExtension {
    fulcio_extension(8, &[&[0x0c, text.len() as u8], text.as_bytes()].concat())
}

#[test]
fn good_certificate() {
    let world = World::new();
    let leaf = world.leaf(&|_| {});
    let found = world.judge(&leaf, &[AT, "2025-01-01T00:00:00Z", "2025-12-31T00:00:00Z"]).unwrap();
    assert_eq!(found.certificate(), &leaf);
    assert_eq!(found.issuer(), Some("https://issuer.example"));
    let uri = SigningIdentity::Uri("https://example.org/workflow".to_owned());
    assert_eq!(found.identities(), [uri]);
    let path = [&leaf, &world.middle.certificate(), &world.top.certificate()];
    assert_eq!(found.path(), path.map(Certificate::sha256));
    assert_eq!((found.sct().log_id, found.sct().timestamp), (world.log.id(), JUNE));
    assert_eq!(found.authority_uri(), Some("https://ca.example"));
}

#[test]
fn root_alone_may_sign() {
    let world = World::new();
    let leaf = with_scts(&world.top, &signing, |entry| vec![world.log.sct(JUNE, &[], entry)]);
    let found = world.judge(&leaf, &[AT]).unwrap();
    assert_eq!(found.path(), [leaf.sha256(), world.top.certificate().sha256()]);
}

#[test]
fn no_time() {
    let world = World::new();
    assert_eq!(world.judge(&world.leaf(&|_| {}), &[]), Err(FulcioError::NoTime));
}

#[test]
fn every_time_lies_in_the_validity() {
    let world = World { window: r#"{"start":"2000-01-01T00:00:00Z"}"#, ..World::new() };
    let leaf = world.leaf(&|_| {});
    let (not_before, not_after) = (leaf.validity().not_before, leaf.validity().not_after);
    let late = "2026-01-01T00:00:01Z";
    let expired = FulcioError::Expired { at: time(late), not_after };
    let early = "2023-12-31T23:59:59.999Z";
    let not_yet = FulcioError::NotYetValid { at: time(early), not_before };
    for (at, error) in [(late, expired), (early, not_yet)] {
        assert_eq!(world.judge(&leaf, &[AT, at]), Err(error.clone()));
        assert_eq!(world.judge(&leaf, &[at, AT]), Err(error));
    }
    assert!(world.judge(&leaf, &["2024-01-01T00:00:00Z", "2026-01-01T00:00:00Z"]).is_ok());
}

#[test]
fn every_time_lies_in_the_authoritys_window() {
    let world = World::new();
    let leaf = world.leaf(&|_| {});
    for bad in ["2024-12-31T23:59:59.999Z", "2025-12-31T00:00:00.001Z"] {
        for times in [[AT, bad], [bad, AT]] {
            let error = world.judge(&leaf, &times).unwrap_err();
            assert!(matches!(error, FulcioError::AuthorityWindow { at, .. } if at == time(bad)));
        }
    }
}

/// Two entries of one authority, of which neither window contains both times.
#[test]
fn windows_do_not_add_up() {
    let world = World::new();
    let chain = [world.middle.certificate(), world.top.certificate()];
    let june = r#"{"start":"2025-06-01T00:00:00Z","end":"2025-06-30T00:00:00Z"}"#;
    let july = r#"{"start":"2025-06-30T00:00:00Z","end":"2025-07-31T00:00:00Z"}"#;
    let entries = [authority(&chain, june), authority(&chain, july)];
    let text = root_json(&[ctlog(&world.log, WINDOW)], &entries);
    let root = TrustedRoot::from_bytes(text.as_bytes()).unwrap();
    let leaf = world.leaf(&|_| {});
    let judge = |times: [&str; 2]| {
        verify_signing_certificate(leaf.der(), &[], &root, &times.map(time)).map(|_| ())
    };
    assert_eq!(judge([AT, "2025-06-30T00:00:00Z"]), Ok(()));
    assert_eq!(judge(["2025-07-01T00:00:00Z", "2025-06-30T00:00:00Z"]), Ok(()));
    let error = judge([AT, "2025-07-01T00:00:00Z"]).unwrap_err();
    assert!(matches!(error, FulcioError::AuthorityWindow { .. }));
}

#[test]
fn every_time_lies_in_the_authoritys_certificates() {
    let wide = r#"{"start":"2000-01-01T00:00:00Z"}"#;
    let middle = |edit: &dyn Fn(&mut CertificateParams)| World {
        window: wide,
        log_window: wide,
        ..World::with_middle(edit)
    };
    let short = middle(&|params| params.not_after = date_time_ymd(2025, 6, 2));
    let late = middle(&|params| params.not_before = date_time_ymd(2025, 5, 31));
    let (leaf, other) = (short.leaf(&|_| {}), late.leaf(&|_| {}));
    let (after, before) = ("2025-06-03T00:00:00Z", "2025-05-01T00:00:00Z");
    for times in [[AT, after], [after, AT]] {
        let error = short.judge(&leaf, &times).unwrap_err();
        assert!(matches!(error, FulcioError::IssuerExpired { at, .. } if at == time(after)));
    }
    for times in [[AT, before], [before, AT]] {
        let error = late.judge(&other, &times).unwrap_err();
        assert!(matches!(error, FulcioError::IssuerNotYetValid { at, .. } if at == time(before)));
    }
}

/// The path builder does not look at the validity of a root.
#[test]
fn root_is_valid_too() {
    let top = root("root", &|params| params.not_after = date_time_ymd(2025, 5, 1));
    let middle = top.ca("intermediate", &|_| {});
    let world = World { top, middle, ..World::new() };
    let error = world.judge(&world.leaf(&|_| {}), &[AT]).unwrap_err();
    assert!(matches!(error, FulcioError::IssuerExpired { .. }));
}

#[test]
fn unknown_issuer() {
    let (world, other) = (World::new(), World::new());
    let foreign = other.top.ca("foreign", &|_| {});
    let leaf = with_scts(&foreign, &signing, |entry| vec![world.log.sct(JUNE, &[], entry)]);
    assert_eq!(world.judge(&leaf, &[AT]), Err(FulcioError::UnknownIssuer));
    let error = FulcioError::Path(ChainError::Signature);
    assert_eq!(world.judge(&other.leaf(&|_| {}), &[AT]), Err(error), "same names, other keys");
    let nobody = TrustedRoot::from_bytes(root_json(&[], &[]).as_bytes()).unwrap();
    let found = verify_signing_certificate(leaf.der(), &[], &nobody, &[time(AT)]);
    assert_eq!(found, Err(FulcioError::UnknownIssuer));
}

/// What the bundle offers proves nothing: without the intermediate in the root there is no path.
#[test]
fn chain_of_the_bundle_is_no_path() {
    let world = World::new();
    let entry = authority(&[world.top.certificate()], WINDOW);
    let text = root_json(&[ctlog(&world.log, WINDOW)], &[entry]);
    let root = TrustedRoot::from_bytes(text.as_bytes()).unwrap();
    let (leaf, middle) = (world.leaf(&|_| {}), world.middle.certificate());
    let judge = |chain: &[&[u8]]| {
        verify_signing_certificate(leaf.der(), chain, &root, &[time(AT)]).map(|_| ())
    };
    assert_eq!(judge(&[middle.der()]), Err(FulcioError::UnknownIssuer));
    let top = world.top.certificate();
    assert_eq!(judge(&[middle.der(), top.der()]), Err(FulcioError::RootInChain { index: 1 }));
    assert!(matches!(judge(&[b"?"]), Err(FulcioError::ChainCertificate { index: 0, .. })));
    let not_a_root = crate::common::self_signed(&|_| {});
    assert_eq!(judge(&[not_a_root.der()]), Err(FulcioError::UnknownIssuer));
    let many = vec![middle.der(); 10];
    assert_eq!(judge(&many), Err(FulcioError::TooManyCertificates { found: 11 }));
}

/// An anchor that is not self-issued is a root all the same.
#[test]
fn anchor_in_the_chain_is_a_root() {
    let world = World::new();
    let middle = world.middle.certificate();
    let entry = authority(std::slice::from_ref(&middle), WINDOW);
    let text = root_json(&[ctlog(&world.log, WINDOW)], &[entry]);
    let root = TrustedRoot::from_bytes(text.as_bytes()).unwrap();
    let leaf = world.leaf(&|_| {});
    assert!(verify_signing_certificate(leaf.der(), &[], &root, &[time(AT)]).is_ok());
    let found = verify_signing_certificate(leaf.der(), &[middle.der()], &root, &[time(AT)]);
    assert_eq!(found, Err(FulcioError::RootInChain { index: 0 }));
}

#[test]
fn ca_as_leaf() {
    let world = World::new();
    let ca = |params: &mut CertificateParams| {
        params.is_ca = IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    };
    assert_eq!(world.error_of(&ca), FulcioError::CaAsLeaf);
}

#[test]
fn unreadable_and_precertificate() {
    let world = World::new();
    let found = verify_signing_certificate(b"?", &[], &world.root(), &[time(AT)]);
    assert!(matches!(found, Err(FulcioError::Certificate(_))));
    let poison = |params: &mut CertificateParams| {
        let oid = [1, 3, 6, 1, 4, 1, 11129, 2, 4, 3];
        let mut poison = CustomExtension::from_oid_content(&oid, vec![5, 0]);
        poison.set_criticality(true);
        params.custom_extensions.push(poison);
    };
    assert_eq!(world.error_of(&poison), FulcioError::Precertificate);
}

#[test]
fn purposes() {
    let world = World::new();
    for purposes in
        [vec![], vec![ExtendedKeyUsagePurpose::Any], vec![ExtendedKeyUsagePurpose::TimeStamping]]
    {
        let edit = |params: &mut CertificateParams| params.extended_key_usages = purposes.clone();
        assert_eq!(world.error_of(&edit), FulcioError::NotForCodeSigning);
    }
    let key_usage = |params: &mut CertificateParams| {
        params.key_usages = vec![KeyUsagePurpose::KeyEncipherment];
    };
    assert_eq!(world.error_of(&key_usage), FulcioError::KeyUsage);
}

#[test]
fn purposes_of_the_issuer() {
    let purpose = |purpose: ExtendedKeyUsagePurpose| {
        let world = World::with_middle(&|params| {
            params.extended_key_usages = vec![purpose.clone()];
        });
        world.judge(&world.leaf(&|_| {}), &[AT]).map(|_| ())
    };
    assert_eq!(purpose(ExtendedKeyUsagePurpose::CodeSigning), Ok(()));
    assert_eq!(purpose(ExtendedKeyUsagePurpose::Any), Ok(()));
    let error = purpose(ExtendedKeyUsagePurpose::TimeStamping).unwrap_err();
    assert!(matches!(error, FulcioError::Path(ChainError::ExtendedKeyUsage { .. })));
    let world = World::with_middle(&|params| params.key_usages = vec![KeyUsagePurpose::CrlSign]);
    let error = world.error_of(&|_| {});
    assert!(matches!(error, FulcioError::Path(ChainError::IssuerKeyUsage { .. })));
}

#[test]
fn issuer_must_be_a_ca() {
    let world = World::with_middle(&|params| params.is_ca = IsCa::ExplicitNoCa);
    assert_eq!(world.error_of(&|_| {}), FulcioError::Path(ChainError::IssuerNotCa));
    let top = root("root", &|params| params.is_ca = IsCa::ExplicitNoCa);
    let middle = top.ca("intermediate", &|_| {});
    let world = World { top, middle, ..World::new() };
    assert_eq!(world.error_of(&|_| {}), FulcioError::UnknownIssuer);
}

#[test]
fn sct_missing_or_malformed() {
    let world = World::new();
    let leaf = world.middle.leaf(&signing);
    assert_eq!(world.judge(&leaf, &[AT]), Err(FulcioError::SctMissing));
    let with = |list: &[u8]| {
        let leaf = world.middle.leaf(&|params| {
            signing(params);
            params.custom_extensions.push(extension(list));
        });
        world.judge(&leaf, &[AT]).unwrap_err()
    };
    assert!(matches!(with(&[0, 0]), FulcioError::SctList(SctError::Empty { .. })));
    assert_eq!(with(&[0, 4, 0, 2, 1, 7]), FulcioError::SctVersionUnknown);
}

#[test]
fn sct_log_unknown() {
    let world = World::new();
    let other = Log::new("other");
    let one = with_scts(&world.middle, &signing, |entry| vec![other.sct(JUNE, &[], entry)]);
    let error = FulcioError::SctLogUnknown { log_id: other.id() };
    assert_eq!(world.judge(&one, &[AT]), Err(error));
    let both = with_scts(&world.middle, &signing, |entry| {
        vec![other.sct(JUNE, &[], entry), world.log.sct(JUNE, &[], entry)]
    });
    assert_eq!(world.judge(&both, &[AT]).unwrap().sct().log_id, world.log.id());
}

/// The key in the root is not the one that signed, under the log's own name.
#[test]
fn sct_signature_invalid() {
    let world = World::new();
    let other = Log::new("other");
    let forged = |good: Option<Sct>, sct: Sct| {
        [good, Some(Sct { log_id: world.log.id(), ..sct })].into_iter().flatten().collect()
    };
    let log_id = world.log.id();
    let source = SctVerifyError::Invalid(SignatureError::Mismatch);
    let error = FulcioError::SctInvalid { log_id, source };
    let alone =
        with_scts(&world.middle, &signing, |entry| forged(None, other.sct(JUNE, &[], entry)));
    assert_eq!(world.judge(&alone, &[AT]), Err(error.clone()));
    let beside = with_scts(&world.middle, &signing, |entry| {
        forged(Some(world.log.sct(JUNE, &[], entry)), other.sct(JUNE, &[], entry))
    });
    assert_eq!(world.judge(&beside, &[AT]), Err(error), "a good one does not make up for it");
}

/// An SCT for the same content below another issuer.
#[test]
fn sct_of_another_issuer() {
    let world = World::new();
    let other = World::new();
    let leaf = with_scts(&world.middle, &signing, |entry| {
        let genten_pki::CtEntry::Precertificate { tbs, .. } = *entry else { panic!() };
        let issuer_key_hash = other.middle.certificate().spki_sha256();
        let wrong = genten_pki::CtEntry::Precertificate { issuer_key_hash, tbs };
        vec![world.log.sct(JUNE, &[], &wrong)]
    });
    let error = world.judge(&leaf, &[AT]).unwrap_err();
    assert!(matches!(error, FulcioError::SctInvalid { .. }));
}

#[test]
fn sct_lies_in_the_logs_window() {
    let world = World {
        log_window: r#"{"start":"2025-06-01T00:00:00Z","end":"2025-06-01T00:00:00.001Z"}"#,
        ..World::new()
    };
    let judge = |at: u64| world.judge(&world.leaf_at(at, &|_| {}), &[AT]);
    assert!(judge(JUNE).is_ok() && judge(JUNE + 1).is_ok());
    for timestamp in [JUNE - 1, JUNE + 2, u64::MAX] {
        let error = judge(timestamp).unwrap_err();
        assert!(
            matches!(error, FulcioError::SctLogWindow { timestamp: at, .. } if at == timestamp)
        );
    }
}

#[test]
fn sct_log_known_and_not_checkable() {
    let world = World::new();
    let chain = [world.middle.certificate(), world.top.certificate()];
    let log = ctlog(&world.log, WINDOW).replace("PKIX_ECDSA_P256_SHA_256", "PKIX_NEW");
    let text = root_json(&[log], &[authority(&chain, WINDOW)]);
    let root = TrustedRoot::from_bytes(text.as_bytes()).unwrap();
    let found = verify_signing_certificate(world.leaf(&|_| {}).der(), &[], &root, &[time(AT)]);
    let (log_id, source) = (world.log.id(), UnusableLog::KeyDetails);
    assert_eq!(found, Err(FulcioError::SctLogUnusable { log_id, source }));
}

#[test]
fn identities_of_every_kind() {
    let world = World::new();
    let other = |last: u64, text: &str| {
        let oid = vec![1, 3, 6, 1, 4, 1, 57264, 1, last];
        SanType::OtherName((oid, OtherNameValue::Utf8String(text.to_owned())))
    };
    let leaf = world.leaf(&|params| {
        params.subject_alt_names = vec![
            SanType::Rfc822Name("a@example.org".try_into().unwrap()),
            SanType::DnsName("example.org".try_into().unwrap()),
            other(7, "user!example.org"),
            other(6, "something else"),
            uri("https://example.org/"),
        ];
    });
    let found = world.judge(&leaf, &[AT]).unwrap();
    let expected = [
        SigningIdentity::Email("a@example.org".to_owned()),
        SigningIdentity::UserName("user!example.org".to_owned()),
        SigningIdentity::Uri("https://example.org/".to_owned()),
    ];
    assert_eq!(found.identities(), expected);
}

#[test]
fn nobody_is_named() {
    let world = World::new();
    let names =
        |names: Vec<SanType>| world.error_of(&|params| params.subject_alt_names.clone_from(&names));
    assert_eq!(names(vec![]), FulcioError::IdentityMissing);
    let dns = SanType::DnsName("example.org".try_into().unwrap());
    assert_eq!(names(vec![dns]), FulcioError::IdentityMissing);
    for (content, error) in [
        (vec![0x30, 3, 0x81, 1, 0xff], FulcioError::IdentityMalformed),
        (vec![0x30, 2, 0x86, 0], FulcioError::IdentityMalformed),
    ] {
        let san = CustomExtension::from_oid_content(&[2, 5, 29, 17], content);
        let found = world.error_of(&|params| {
            params.subject_alt_names.clear();
            params.custom_extensions.push(san.clone());
        });
        assert_eq!(found, error);
    }
}

#[test]
fn issuers_of_the_token() {
    let world = World::new();
    let issuer = |extensions: Vec<CustomExtension>| {
        let leaf = world.leaf(&|params| params.custom_extensions.clone_from(&extensions));
        world.judge(&leaf, &[AT]).map(|found| found.issuer().map(str::to_owned))
    };
    let old = |text: &str| fulcio_extension(1, text.as_bytes());
    assert_eq!(issuer(vec![]), Ok(None));
    assert_eq!(issuer(vec![old("a")]), Ok(Some("a".to_owned())));
    assert_eq!(issuer(vec![old("a"), new_issuer("a")]), Ok(Some("a".to_owned())));
    let differ = FulcioError::IssuersDiffer { old: "a".to_owned(), new: "b".to_owned() };
    assert_eq!(issuer(vec![old("a"), new_issuer("b")]), Err(differ));
    let malformed = |text: &str| FulcioError::IssuerMalformed { oid: text.parse().unwrap() };
    let bad = [vec![], vec![0x0c, 0], vec![0x16, 1, b'a'], vec![0x0c, 1, b'a', 0], b"raw".to_vec()];
    for bad in bad {
        let error = issuer(vec![fulcio_extension(8, &bad)]);
        assert_eq!(error, Err(malformed("1.3.6.1.4.1.57264.1.8")), "{bad:?}");
    }
    for bad in [&b""[..], &[0xff]] {
        let error = issuer(vec![fulcio_extension(1, bad)]);
        assert_eq!(error, Err(malformed("1.3.6.1.4.1.57264.1.1")));
    }
}

#[test]
fn first_refusal_beyond_a_strangers_is_told() {
    let (world, stranger) = (World::new(), World::new());
    let foreign = authority(&[stranger.top.ca("foreign", &|_| {}).certificate()], WINDOW);
    let own = authority(
        &[world.middle.certificate(), world.top.certificate()],
        r#"{"start":"2025-07-01T00:00:00Z"}"#,
    );
    let leaf = world.leaf(&|_| {});
    for entries in [[foreign.clone(), own.clone()], [own, foreign]] {
        let text = root_json(&[ctlog(&world.log, WINDOW)], &entries);
        let root = TrustedRoot::from_bytes(text.as_bytes()).unwrap();
        let found = verify_signing_certificate(leaf.der(), &[], &root, &[time(AT)]);
        assert!(matches!(found, Err(FulcioError::AuthorityWindow { .. })));
    }
}
