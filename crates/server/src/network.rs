//! The network of a client, by which limits are counted.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

/// An IPv4 address, or the /64 network of an IPv6 one: a client with one IPv6 address has 2⁶⁴.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Network {
    /// One address.
    V4([u8; 4]),
    /// The first four segments.
    V6([u16; 4]),
}

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(address) => Self::V4(address.octets()),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Self::V6([a, b, c, d])
            }
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4(octets) => Ipv4Addr::from(*octets).fmt(formatter),
            Self::V6([a, b, c, d]) => write!(formatter, "{a:x}:{b:x}:{c:x}:{d:x}::/64"),
        }
    }
}
