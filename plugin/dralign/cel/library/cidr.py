"""Address ranges: a library of the API server."""

from __future__ import annotations

ROWS = (
    ("string_to_cidr", "cidr", "(string) -> net.CIDR", "network.cidr", "parse"),
    ("is_cidr", "isCIDR", "(string) -> bool", "network.is_cidr", "parse"),
    ("cidr_contains_ip_string", "containsIP", "net.CIDR.(string) -> bool", "network.contains_ip", "contains_ip_text"),
    ("cidr_contains_ip_ip", "containsIP", "net.CIDR.(net.IP) -> bool", "network.contains_ip", "contains_ip"),
    (
        "cidr_contains_cidr_string",
        "containsCIDR",
        "net.CIDR.(string) -> bool",
        "network.contains_cidr",
        "contains_cidr_text",
    ),
    ("cidr_contains_cidr", "containsCIDR", "net.CIDR.(net.CIDR) -> bool", "network.contains_cidr", "contains_cidr"),
    ("cidr_ip", "ip", "net.CIDR.() -> net.IP", "network.cidr_ip", "one"),
    ("cidr_masked", "masked", "net.CIDR.() -> net.CIDR", "network.masked", "one"),
    ("cidr_prefix_length", "prefixLength", "net.CIDR.() -> int", "network.prefix_length", "one"),
    ("cidr_to_string", "string", "(net.CIDR) -> string", "network.to_string", "one"),
)
