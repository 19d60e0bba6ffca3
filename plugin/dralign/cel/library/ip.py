"""IP addresses: a library of the API server."""

from __future__ import annotations

ROWS = (
    ("string_to_ip", "ip", "(string) -> net.IP", "network.ip", "parse"),
    ("is_ip", "isIP", "(string) -> bool", "network.is_ip", "parse"),
    ("ip_is_canonical", "ip.isCanonical", "(string) -> bool", "network.is_canonical", "parse_twice"),
    ("ip_family", "family", "net.IP.() -> int", "network.family", "one"),
    ("ip_is_unspecified", "isUnspecified", "net.IP.() -> bool", "network.is_unspecified", "one"),
    ("ip_is_loopback", "isLoopback", "net.IP.() -> bool", "network.is_loopback", "one"),
    (
        "ip_is_link_local_multicast",
        "isLinkLocalMulticast",
        "net.IP.() -> bool",
        "network.is_link_local_multicast",
        "one",
    ),
    ("ip_is_link_local_unicast", "isLinkLocalUnicast", "net.IP.() -> bool", "network.is_link_local_unicast", "one"),
    ("ip_is_global_unicast", "isGlobalUnicast", "net.IP.() -> bool", "network.is_global_unicast", "one"),
    ("ip_to_string", "string", "(net.IP) -> string", "network.to_string", "one"),
)
