//! The address guard: refuses to talk to anything but public unicast addresses (against server-side request forgery).
//!
//! The guard looks at the address itself, never at names: an IP literal before the request, what a name resolves to, and
//! the peer of the connection before a byte of HTTP is sent. Every redirect passes through the same three gates.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Which addresses the guard lets through.
///
/// ```
/// use genten_fetch::Guard;
/// let guard = Guard::public_only();
/// assert!(guard.refuses("169.254.169.254".parse().unwrap()).is_some());
/// assert!(guard.refuses("93.184.215.14".parse().unwrap()).is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Guard {
    exceptions: Vec<IpAddr>,
}

impl Guard {
    /// Public unicast addresses only.
    pub fn public_only() -> Self {
        Self::default()
    }

    /// Lets one more address through, such as that of a known server in the own network.
    pub fn except(mut self, address: IpAddr) -> Self {
        self.exceptions.push(address.to_canonical());
        self
    }

    /// Why this address is refused; `None` when it may be talked to.
    pub fn refuses(&self, address: IpAddr) -> Option<AddressClass> {
        let address = address.to_canonical();
        if self.exceptions.contains(&address) {
            return None;
        }
        match address {
            IpAddr::V4(address) => class_v4(address),
            IpAddr::V6(address) => class_v6(address),
        }
    }
}

/// Why an address is not public (IANA special-purpose registries, RFC 6890).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressClass {
    /// IPv6 that carries an IPv4 address for a translator or tunnel (NAT64, 6to4, Teredo, IPv4-compatible).
    Embedded,
    /// 169.254.0.0/16, fe80::/10.
    LinkLocal,
    /// 127.0.0.0/8, ::1.
    Loopback,
    /// The metadata services of cloud providers.
    Metadata,
    /// 224.0.0.0/4, ff00::/8, 255.255.255.255.
    Multicast,
    /// 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7, fec0::/10.
    Private,
    /// Documentation, benchmarks, protocol assignments, not allocated.
    Reserved,
    /// 100.64.0.0/10, between a provider and its customers.
    Shared,
    /// 0.0.0.0/8, ::.
    Unspecified,
}

impl fmt::Display for AddressClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Embedded => "embedded IPv4",
            Self::LinkLocal => "link-local",
            Self::Loopback => "loopback",
            Self::Metadata => "cloud metadata",
            Self::Multicast => "multicast",
            Self::Private => "private",
            Self::Reserved => "reserved",
            Self::Shared => "shared address space",
            Self::Unspecified => "unspecified",
        })
    }
}

fn class_v4(address: Ipv4Addr) -> Option<AddressClass> {
    Some(match address.octets() {
        [169, 254, 169, 254] | [169, 254, 170, 2] | [100, 100, 100, 200] | [168, 63, 129, 16] => {
            AddressClass::Metadata
        }
        [0, ..] => AddressClass::Unspecified,
        [127, ..] => AddressClass::Loopback,
        [169, 254, ..] => AddressClass::LinkLocal,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => AddressClass::Private,
        [100, 64..=127, ..] => AddressClass::Shared,
        [255, 255, 255, 255] | [224..=239, ..] => AddressClass::Multicast,
        [192, 0, 0 | 2, _] | [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => {
            AddressClass::Reserved
        }
        [192, 88, 99, _] | [240..=255, ..] => AddressClass::Reserved,
        _ => return None,
    })
}

fn class_v6(address: Ipv6Addr) -> Option<AddressClass> {
    Some(match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 0] => AddressClass::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => AddressClass::Loopback,
        [0, 0, 0, 0, 0, 0, ..] | [0x64, 0xff9b, ..] | [0x2002, ..] | [0x2001, 0, ..] => {
            AddressClass::Embedded
        }
        // The metadata services of AWS and Google.
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => {
            AddressClass::Metadata
        }
        [0xfe80..=0xfebf, ..] => AddressClass::LinkLocal,
        [0xfc00..=0xfdff, ..] | [0xfec0..=0xfeff, ..] => AddressClass::Private,
        [0xff00..=0xffff, ..] => AddressClass::Multicast,
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => {
            AddressClass::Reserved
        }
        [0x2000..=0x3fff, ..] => return None,
        _ => AddressClass::Reserved,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_pass() {
        use AddressClass::*;
        let cases = [
            ("0.0.0.0", Unspecified),
            ("0.1.2.3", Unspecified),
            ("10.1.2.3", Private),
            ("100.64.0.1", Shared),
            ("100.100.100.200", Metadata),
            ("127.0.0.1", Loopback),
            ("127.255.255.255", Loopback),
            ("169.254.1.1", LinkLocal),
            ("169.254.169.254", Metadata),
            ("172.16.0.1", Private),
            ("172.31.255.255", Private),
            ("192.0.0.1", Reserved),
            ("192.0.2.1", Reserved),
            ("192.168.0.1", Private),
            ("198.18.0.1", Reserved),
            ("198.51.100.1", Reserved),
            ("203.0.113.1", Reserved),
            ("224.0.0.1", Multicast),
            ("240.0.0.1", Reserved),
            ("255.255.255.255", Multicast),
            ("::", Unspecified),
            ("::1", Loopback),
            ("::7f00:1", Embedded),
            ("::ffff:127.0.0.1", Loopback),
            ("::ffff:10.0.0.1", Private),
            ("64:ff9b::a00:1", Embedded),
            ("2002:7f00:1::", Embedded),
            ("2001::1", Embedded),
            ("2001:db8::1", Reserved),
            ("3fff::1", Reserved),
            ("fc00::1", Private),
            ("fd00:ec2::254", Metadata),
            ("fe80::1", LinkLocal),
            ("fec0::1", Private),
            ("ff02::1", Multicast),
            ("100::1", Reserved),
            ("4000::1", Reserved),
        ];
        for (text, class) in cases {
            assert_eq!(Guard::public_only().refuses(text.parse().unwrap()), Some(class), "{text}");
        }
        for text in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"] {
            assert_eq!(Guard::public_only().refuses(text.parse().unwrap()), None, "{text}");
        }
    }

    #[test]
    fn exceptions_are_single_addresses() {
        let guard = Guard::public_only().except("127.0.0.2".parse().unwrap());
        assert_eq!(guard.refuses("::ffff:127.0.0.2".parse().unwrap()), None);
        assert!(guard.refuses("127.0.0.1".parse().unwrap()).is_some());
    }
}
