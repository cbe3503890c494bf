//! Timestamp authorities: windows, certificates, one that stands there twice.

use genten_pki::TimestampAuthority;
use genten_primitives::{Printable, Timestamp};
use genten_verify::kit::TrustKit;

use super::finding::Finding;

pub(super) fn check(kit: &TrustKit, now: Timestamp, findings: &mut Vec<Finding>) {
    let authorities = kit.timestamp_authorities();
    for (position, authority) in authorities.iter().enumerate() {
        if !window(authority, now, findings) {
            expiry(authority, now, findings);
        }
        twice(&authorities[..position], authority, findings);
    }
}

fn name(authority: &TimestampAuthority) -> String {
    format!("the timestamp authority {}", Printable(authority.name()))
}

/// Whether the window is over.
fn window(authority: &TimestampAuthority, now: Timestamp, findings: &mut Vec<Finding>) -> bool {
    let name = name(authority);
    if let Some(from) = authority.from().filter(|from| *from > now) {
        findings.push(Finding::warning(
            format!("{name} does not count before {from}"),
            "check valid_from",
        ));
    }
    let over = authority.until().filter(|until| *until < now);
    if let Some(until) = over {
        findings.push(Finding::note(
            format!("the window of {name} is over since {until}"),
            "keep it as long as there are stamps from before; is the present one in the kit?",
        ));
    }
    over.is_some()
}

/// Certificates whose time is over although the window is open: new stamps by them never hold.
fn expiry(authority: &TimestampAuthority, now: Timestamp, findings: &mut Vec<Finding>) {
    let ends = authority.certificates().iter().map(|one| one.validity().not_after);
    if let Some(end) = ends.min().filter(|end| *end < now) {
        findings.push(Finding::warning(
            format!("a certificate of {} expired at {end}", name(authority)),
            "add the present one with `genten trust add-tsa`, and set valid_until of this one; its old stamps still count",
        ));
    }
}

fn twice(
    earlier: &[TimestampAuthority],
    authority: &TimestampAuthority,
    findings: &mut Vec<Finding>,
) {
    let leaf = authority.certificates().first();
    if let Some(known) = earlier.iter().find(|known| known.certificates().first() == leaf) {
        findings.push(Finding::warning(
            format!("{} has the same certificate as {}", name(authority), Printable(known.name())),
            "keep one of the two: a stamp counts when it lies in either window",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::found_in_fresh;
    use genten_primitives::encoding::base64;

    /// One of a test authority that stamps and is its own root, until the first day of this year.
    fn authority(name: &str, until: i32, window: &str) -> String {
        let mut params = rcgen::CertificateParams::default();
        params.distinguished_name.push(rcgen::DnType::CommonName, name);
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(until, 1, 1);
        // TimeStamping, critical: SEQUENCE { 1.3.6.1.5.5.7.3.8 }
        let purpose = vec![0x30, 10, 6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 8];
        let mut usage = rcgen::CustomExtension::from_oid_content(&[2, 5, 29, 37], purpose);
        usage.set_criticality(true);
        params.custom_extensions = vec![usage];
        let key = rcgen::KeyPair::generate().unwrap();
        let der = params.self_signed(&key).unwrap().der().to_vec();
        format!(r#"{{"name":"{name}","certificates":["{}"]{window}}}"#, base64(&der))
    }

    fn with(authorities: &[String]) -> Vec<String> {
        found_in_fresh(&format!(r#","timestamp_authorities":[{}]"#, authorities.join(",")))
    }

    #[test]
    fn windows_and_certificates() {
        assert_eq!(with(&[authority("A", 2050, "")]), [""; 0]);
        let expired = with(&[authority("A", 2024, "")]);
        assert!(expired[0].starts_with("warning: a certificate of the timestamp authority A"));
        let over = authority("A", 2024, r#","valid_until":"2023-06-01T00:00:00Z""#);
        let over = with(&[over]);
        assert!(over[0].starts_with("note: the window") && over.len() == 1, "{over:?}");
        let later = authority("A", 2050, r#","valid_from":"2026-07-01T00:00:00Z""#);
        assert!(with(&[later])[0].contains("does not count before"));
    }

    #[test]
    fn one_authority_twice() {
        let one = authority("A", 2050, "");
        let other = one.replace(r#""name":"A""#, r#""name":"B""#);
        let found = with(&[one, other]);
        assert!(found[0].contains("B has the same certificate as A"), "{found:?}");
    }
}
