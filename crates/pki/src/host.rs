//! Whether a certificate's names cover a host (RFC 9525).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::SubjectAltNames;

/// The host of a URL, in comparable form.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    Ip(IpAddr),
    /// Lower case, without the final dot of an absolute name.
    Dns(String),
}

/// The subjectAltName that covers `host`, or `None`.
///
/// `host` is the host of an http URL, without port: a DNS name (international labels as A-labels), an IPv4 address, or an
/// IPv6 address with or without brackets. DNS names are compared without regard to ASCII case; `*` stands for one whole
/// left-most label above at least two others; an address is only ever covered by an address. The subject's common name is
/// never consulted.
///
/// ```
/// use genten_pki::{SubjectAltNames, covering_name};
/// let names = SubjectAltNames { dns: vec!["*.example.org".to_owned()], ..Default::default() };
/// assert_eq!(covering_name(&names, "WWW.example.org").as_deref(), Some("*.example.org"));
/// assert_eq!(covering_name(&names, "example.org"), None);
/// ```
pub fn covering_name(names: &SubjectAltNames, host: &str) -> Option<String> {
    match read_host(host)? {
        Host::Ip(ip) => names.ip.iter().find(|name| **name == ip).map(ToString::to_string),
        Host::Dns(dns) => names.dns.iter().find(|name| dns_covers(name, &dns)).cloned(),
    }
}

fn read_host(host: &str) -> Option<Host> {
    if let Some(inner) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inner.parse::<Ipv6Addr>().ok().map(|ip| Host::Ip(ip.into()));
    }
    if let Ok(ip) = host.parse::<IpAddr>() {
        return Some(Host::Ip(ip));
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    (is_dns_name(name) && !ends_in_number(name)).then(|| Host::Dns(name.to_ascii_lowercase()))
}

/// Labels of letters, digits, hyphens and underscores (which real hosts have), each of 1 to 63 bytes, 253 in all.
fn is_dns_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    let is_label = |label: &str| (1..=63).contains(&label.len()) && label.bytes().all(allowed);
    name.len() <= 253 && name.split('.').all(is_label)
}

/// What URL parsers take for an IPv4 address in another spelling (`127.1`, `0x7f.0.0.1`): WHATWG URL, "ends in a number".
fn ends_in_number(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
    let digits = last.bytes().all(|byte| byte.is_ascii_digit());
    let hex =
        last.strip_prefix("0x").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()));
    digits || hex || name.parse::<Ipv4Addr>().is_ok()
}

/// Whether a DNS name in a certificate covers `host`, which is in lower case.
fn dns_covers(name: &str, host: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let Some(parent) = name.strip_prefix("*.") else {
        return is_dns_name(&name) && name == host;
    };
    let host_parent = host.split_once('.').map(|(_, parent)| parent);
    is_dns_name(parent) && parent.contains('.') && host_parent == Some(parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dns(name: &str) -> SubjectAltNames {
        SubjectAltNames { dns: vec![name.to_owned()], ..SubjectAltNames::default() }
    }

    fn covers(name: &str, host: &str) -> bool {
        covering_name(&dns(name), host).is_some()
    }

    #[test]
    fn names_are_compared_without_case() {
        assert!(covers("www.Example.org", "WWW.example.ORG"));
        assert!(covers("example.org", "example.org."));
        assert!(covers("xn--wgv71a119e.jp", "XN--WGV71A119E.jp"));
        assert!(covers("a_b.example.org", "a_b.example.org"));
        assert!(!covers("example.org", "www.example.org"));
        assert!(!covers("www.example.org", "example.org"));
        assert!(!covers("example.org.", "example.org"), "a presented name has no final dot");
        assert!(!covers("example.org", "example.org.."));
    }

    #[test]
    fn a_star_is_one_whole_leftmost_label() {
        assert!(covers("*.example.org", "a.example.org"));
        assert!(covers("*.example.org", "xn--a.example.org"));
        for host in ["example.org", "a.b.example.org", ".example.org", "aexample.org"] {
            assert!(!covers("*.example.org", host), "{host}");
        }
        for name in [
            "w*.example.org",
            "*w.example.org",
            "www.*.org",
            "*.*.org",
            "*",
            "*.",
            "*.org",
            "**.example.org",
            "*.example.org.",
        ] {
            assert!(!covers(name, "www.example.org"), "{name}");
        }
        assert!(!covers("*.org", "example.org"), "two labels must follow");
    }

    #[test]
    fn addresses_are_covered_by_addresses_only() {
        let names = SubjectAltNames {
            dns: ["192.0.2.1", "*.0.2.1", "2001:db8::1"].map(str::to_owned).to_vec(),
            ip: vec!["192.0.2.9".parse().unwrap(), "2001:db8::9".parse().unwrap()],
            ..SubjectAltNames::default()
        };
        let covering = |host| covering_name(&names, host);
        assert_eq!(covering("192.0.2.9").as_deref(), Some("192.0.2.9"));
        assert_eq!(covering("[2001:DB8:0::9]").as_deref(), Some("2001:db8::9"));
        assert_eq!(covering("2001:db8::9").as_deref(), Some("2001:db8::9"));
        for host in [
            "192.0.2.1",
            "[2001:db8::1]",
            "[192.0.2.9]",
            "[::ffff:192.0.2.9]",
            "[2001:db8::9%25eth0]",
            "192.0.521",
            "3221225993",
            "0xc0.0.2.9",
            "192.0.2.9.",
            "192.0.2.09",
        ] {
            assert_eq!(covering(host), None, "{host}");
        }
    }

    #[test]
    fn what_is_no_host_is_never_covered() {
        for host in [
            "",
            ".",
            "a..b",
            "a b",
            "ex%61mple.org",
            "日本.jp",
            "a:80",
            "[",
            "[]",
            "a/b",
            "*.example.org",
            "192.0.521",
            "127.1",
            "0x7f.1",
            "3221225993",
        ] {
            assert!(!covers(host, host), "{host}");
        }
        for (label, covered) in [(63, true), (64, false)] {
            let host = format!("{}.org", "a".repeat(label));
            assert_eq!(covers(&host, &host), covered, "{label}");
        }
        for (last, covered) in [("org", true), ("orgs", false)] {
            let host = format!("{}{last}", "abcdefghi.".repeat(25));
            assert_eq!(covers(&host, &host), covered, "{}", host.len());
        }
    }

    #[test]
    fn other_kinds_of_names_do_not_count() {
        let names = SubjectAltNames {
            uri: vec!["https://example.org/".to_owned(), "example.org".to_owned()],
            others: 3,
            ..SubjectAltNames::default()
        };
        assert_eq!(covering_name(&names, "example.org"), None);
    }
}
