//! Certificates, chains and lists of SCTs.

use std::collections::BTreeSet;

use genten_pki::{
    AuthorityParts, Certificate, ListedSct, SctList, SignerAuthority, TimestampAuthority,
    TimestampToken, TlsClaims, certificates_from_pem, check_tls_chain, verify_signer_path,
    verify_signer_path_at_any_time,
};
use genten_primitives::{Sha256Digest, Timestamp};

use crate::parts;

fn at() -> Timestamp {
    "2026-11-30T08:15:00Z".parse().expect("a time")
}

/// Kept byte for byte; its parts lie within it.
pub(crate) fn certificate(bytes: &[u8]) -> bool {
    let Ok(certificate) = Certificate::from_der(bytes) else { return false };
    assert_eq!(certificate.der(), bytes);
    let within = |part: &[u8]| bytes.windows(part.len().max(1)).any(|window| window == part);
    assert!(within(certificate.tbs_der()) && within(certificate.spki_der()));
    assert!(within(certificate.issuer().der()) && within(certificate.subject().der()));
    for text in [certificate.issuer().to_string(), certificate.subject().to_string()] {
        assert!(!text.contains(char::is_control), "{text:?}");
    }
    let validity = certificate.validity();
    assert_eq!(validity.intersection(validity), Some(validity));
    if let Ok(key) = certificate.public_key() {
        assert_eq!(key.to_spki_der(), certificate.spki_der());
    }
    if let Some(list) = certificate.sct_list() {
        sct_list(list);
    }
    true
}

/// Text around the blocks is allowed or not; what is read are whole certificates.
pub(crate) fn pem(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(certificates) = certificates_from_pem(text) else { return false };
    // A boundary is a line; inside a line it is text like any other.
    let begins = text.lines().filter(|line| line.starts_with("-----BEGIN CERTIFICATE-----"));
    assert_eq!(certificates.len(), begins.count());
    for certificate in certificates {
        assert_eq!(Certificate::from_der(certificate.der()).as_ref(), Ok(&certificate));
    }
    true
}

/// Written back to the same bytes.
pub(crate) fn sct_list(bytes: &[u8]) -> bool {
    let Ok(list) = SctList::from_bytes(bytes) else { return false };
    assert_eq!(list.to_bytes(), bytes);
    for entry in list.entries() {
        if let ListedSct::V1(sct) = entry {
            let _ = (sct.time(), sct.leaf_index());
        }
    }
    true
}

/// Key id, root, leaf and the certificates between, each a part: a path that holds ends as soon as its leaf is revoked.
pub(crate) fn signer_path(bytes: &[u8]) -> bool {
    let parts = parts(bytes);
    let [key_id, certificates @ ..] = parts.as_slice() else { return false };
    let Ok(key_id) = std::str::from_utf8(key_id) else { return false };
    let read: Result<Vec<_>, _> =
        certificates.iter().map(|der| Certificate::from_der(der)).collect();
    let Ok(read) = read else { return false };
    let [root, leaf, intermediates @ ..] = read.as_slice() else { return false };
    let authority = |revoked| {
        let san_uri = ["https://mcp.example.org/*", "spiffe://example.org/*"];
        let san_uri = san_uri.map(|pattern| pattern.parse().expect("a pattern")).to_vec();
        SignerAuthority::new(AuthorityParts {
            roots: vec![root.clone()],
            san_uri,
            eku: None,
            revoked,
        })
    };
    let Ok(unrevoked) = authority(BTreeSet::new()) else { return false };
    let Ok(path) = verify_signer_path(leaf, intermediates, &unrevoked, key_id, at()) else {
        return false;
    };
    assert!(
        unrevoked.covers(key_id) && leaf.subject_alt_names().uri.iter().any(|uri| uri == key_id)
    );
    assert!(!leaf.is_ca() && leaf.validity().covers(at()));
    assert!(verify_signer_path_at_any_time(leaf, intermediates, &unrevoked, key_id).is_ok());
    let revoked = authority(BTreeSet::from([leaf.sha256()])).expect("as before");
    assert!(verify_signer_path(leaf, intermediates, &revoked, key_id, at()).is_err());
    let _ = path;
    true
}

/// Host and chain, each a part: a chain that supports a manifest supports no other digest and no other host.
pub(crate) fn tls_chain(bytes: &[u8]) -> bool {
    let parts = parts(bytes);
    let [host, chain @ ..] = parts.as_slice() else { return false };
    let Ok(host) = std::str::from_utf8(host) else { return false };
    let leaf_sha256 = Sha256Digest::of(chain.first().copied().unwrap_or_default());
    let claims = TlsClaims { leaf_sha256, host, fetched_at: at(), spki_sha256: None, issuer: None };
    let Ok(facts) = check_tls_chain(chain, &claims) else { return false };
    assert_eq!(facts.leaf.sha256(), leaf_sha256);
    assert!(facts.leaf.validity().covers(at()));
    let other = TlsClaims { leaf_sha256: Sha256Digest::of(b"another"), ..claims };
    assert!(check_tls_chain(chain, &other).is_err());
    let later = TlsClaims { fetched_at: "9999-01-01T00:00:00Z".parse().expect("a time"), ..claims };
    assert!(
        check_tls_chain(chain, &later).is_err() || facts.leaf.validity().covers(later.fetched_at)
    );
    let other = TlsClaims { host: "another.example", ..claims };
    assert!(check_tls_chain(chain, &other).is_err() || facts.covering_name.ends_with(".example"));
    true
}

/// Message, token and the authority's chain, each a part: a stamp that holds is one of this message, in this window, by this
/// authority.
pub(crate) fn timestamp_token(bytes: &[u8]) -> bool {
    let parts = parts(bytes);
    let [message, token, chain @ ..] = parts.as_slice() else { return false };
    let Ok(token) = TimestampToken::from_der(token) else { return false };
    let again = TimestampToken::from_der(token.der()).expect("a token stands alone");
    assert_eq!((again.der(), again.claimed_time()), (token.der(), token.claimed_time()));
    assert!(!token.claimed_signer().to_string().contains(char::is_control));
    assert!(token.verify(message, &[]).is_err());
    let read: Result<Vec<_>, _> = chain.iter().map(|der| Certificate::from_der(der)).collect();
    let Ok(chain) = read else { return false };
    let authority = |until| TimestampAuthority::new(String::new(), chain.clone(), None, until);
    let Ok(unbounded) = authority(None) else { return false };
    let Ok(stamp) = token.verify(message, std::slice::from_ref(&unbounded)) else { return false };
    assert_eq!(stamp.time(), token.claimed_time());
    let other = token.verify(b"another message", &[unbounded]);
    assert!(other.is_err_and(|error| error.is_contradiction()) || message == b"another message");
    let before = stamp.time().checked_add_millis(-1);
    let early = authority(before).expect("as before, with an end");
    assert!(token.verify(message, &[early]).is_err_and(|error| !error.is_contradiction()));
    true
}
