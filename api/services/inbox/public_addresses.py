"""Which addresses are public: those that the server may connect to because a player has named them.

The networks are those of IANA's registries of special-purpose addresses (RFC 6890) and multicast. Of IPv6, only global
unicast is public. So every form in which an IPv6 address holds an IPv4 address is refused: mapped, compatible, NAT64,
6to4 and Teredo.
"""

from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

SPECIAL_IPV4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
        ),
    )
)
GLOBAL_IPV6 = IPv6Network("2000::/3")
SPECIAL_IPV6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")))


def is_public(text: str) -> bool:
    """Return whether an address, as the resolver writes it, is one that the server may connect to."""
    try:
        address = ip_address(text)
    except (AddressValueError, ValueError):
        return False
    if isinstance(address, IPv4Address):
        return not any(address in network for network in SPECIAL_IPV4)
    return _is_public_ipv6(address)


def _is_public_ipv6(address: IPv6Address) -> bool:
    if address.scope_id is not None or address not in GLOBAL_IPV6:
        return False
    return not any(address in network for network in SPECIAL_IPV6)
