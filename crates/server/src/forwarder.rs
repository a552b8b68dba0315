//! The trusted reverse proxies.

use std::net::IpAddr;
use std::str::FromStr;

use wire::{Code, Problem};

/// An address, or a network such as `10.0.0.0/8`, whose `X-Forwarded-*` headers are trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forwarder {
    address: IpAddr,
    prefix: u8,
}

impl Forwarder {
    /// Whether `peer` is this proxy.
    #[must_use]
    pub fn covers(&self, peer: IpAddr) -> bool {
        let (own, other, width) = match (self.address, peer.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => (u32::from(own).into(), u32::from(other).into(), 32),
            (IpAddr::V6(own), IpAddr::V6(other)) => (u128::from(own), u128::from(other), 128),
            (IpAddr::V4(_), IpAddr::V6(_)) | (IpAddr::V6(_), IpAddr::V4(_)) => return false,
        };
        let ignored = u32::from(u8::min(self.prefix, width).abs_diff(width));
        (own ^ other).checked_shr(ignored).unwrap_or(0) == 0
    }
}

impl FromStr for Forwarder {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let refused = || {
            let detail =
                format!("`{text}` is not a trusted forwarder; write it like `127.0.0.1` or `10.0.0.0/8`");
            Problem::new(Code::ConfigInvalid, detail)
        };
        let (address, prefix) = text.split_once('/').map_or((text, None), |(it, prefix)| (it, Some(prefix)));
        let address: IpAddr = address.parse().map_err(|_| refused())?;
        let width = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(width), str::parse).map_err(|_| refused())?;
        (prefix <= width).then_some(Self { address, prefix }).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forwarder_covers_its_network_and_nothing_else() {
        for (network, peer, covered) in [
            ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.2", false),
            ("127.0.0.1", "::ffff:127.0.0.1", true),
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("::1", "::1", true),
            ("::1", "127.0.0.1", false),
            ("fd00::/8", "fd12::1", true),
            ("fd00::/8", "fe80::1", false),
            ("::/0", "2001:db8::1", true),
        ] {
            let forwarder: Forwarder = network.parse().unwrap();
            assert_eq!(forwarder.covers(peer.parse().unwrap()), covered, "{network} {peer}");
        }
        for wrong in ["", "proxy", "10.0.0.0/33", "::1/129", "10.0.0.0/x"] {
            assert!(wrong.parse::<Forwarder>().is_err(), "{wrong}");
        }
    }
}
