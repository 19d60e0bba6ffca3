"""IP addresses and networks. Source: k8s.io/apiserver/pkg/cel/library/ip.go and cidr.go; Go's net/netip."""

from __future__ import annotations

from dralign.cel.functions import addresses
from dralign.cel.values import CelError, no_such_overload
from dralign.values import gotext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.values import Value

_MAPPED = 0xFFFF  # the upper bits of an IPv4 address written as an IPv6 one


class IP:
    """An address: its number, and its width in bits, 32 or 128."""

    __slots__ = ("number", "width")

    cel_type = "net.IP"
    cel_hashable = True

    def __init__(self, number: int, width: int) -> None:
        self.number = number
        self.width = width

    @property
    def cel_size(self) -> int:
        """Bytes, for the cost."""
        return self.width // 8

    def cel_equal(self, other: Value) -> bool | CelError:
        """Compare with another address only."""
        return self == other if isinstance(other, IP) else no_such_overload(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IP) and (self.number, self.width) == (other.number, other.width)

    def __hash__(self) -> int:
        return hash((self.number, self.width))

    def __str__(self) -> str:
        return addresses.write_address(self.number, self.width)


class CIDR:
    """A network: an address (host bits stay) and the length of its prefix."""

    __slots__ = ("ip", "length")

    cel_type = "net.CIDR"
    cel_hashable = True

    def __init__(self, ip: IP, length: int) -> None:
        self.ip = ip
        self.length = length

    @property
    def cel_size(self) -> int:
        """Bytes of the prefix, for the cost."""
        return -(-self.length // 8)

    def cel_equal(self, other: Value) -> bool | CelError:
        """Compare with another network only; host bits count."""
        return self == other if isinstance(other, CIDR) else no_such_overload(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CIDR) and (self.ip, self.length) == (other.ip, other.length)

    def __hash__(self) -> int:
        return hash((self.ip, self.length))

    def __str__(self) -> str:
        return f"{self.ip}/{self.length}"


def ip(text: str) -> IP:
    """``ip('10.0.0.1')``: no zones, no IPv4 inside IPv6."""
    try:
        number, width, zone = addresses.parse_address(text)
    except ValueError as error:
        wrong = f"IP Address {gotext.quote(text)} parse error during conversion from string: {error}"
        raise CelError(wrong) from None
    if zone:
        raise CelError(f"IP address {gotext.quote(text)} with zone value is not allowed")
    _refuse_mapped(text, number, width)
    return IP(number, width)


def is_ip(text: str) -> bool:
    """``isIP(text)``."""
    try:
        ip(text)
    except CelError:
        return False
    return True


def is_canonical(text: str) -> bool:
    """``ip.isCanonical(text)``."""
    return str(ip(text)) == text


def to_string(value: IP | CIDR) -> str:
    """``string(ip)`` and ``string(cidr)``."""
    return str(value)


def family(address: IP) -> int:
    """``family()``: 4 or 6."""
    return 4 if address.width == 32 else 6


def is_unspecified(address: IP) -> bool:
    """``isUnspecified()``."""
    return address.number == 0


def is_loopback(address: IP) -> bool:
    """``isLoopback()``."""
    return address.number >> 24 == 127 if address.width == 32 else address.number == 1


def is_link_local_multicast(address: IP) -> bool:
    """``isLinkLocalMulticast()``."""
    if address.width == 32:
        return address.number >> 8 == 0xE00000
    return address.number >> 112 & 0xFF0F == 0xFF02


def is_link_local_unicast(address: IP) -> bool:
    """``isLinkLocalUnicast()``."""
    if address.width == 32:
        return address.number >> 16 == 0xA9FE
    return address.number >> 112 & 0xFFC0 == 0xFE80


def is_global_unicast(address: IP) -> bool:
    """``isGlobalUnicast()``: private addresses included."""
    if address.width == 32:
        multicast, broadcast = address.number >> 28 == 0xE, address.number == 0xFFFFFFFF
    else:
        multicast, broadcast = address.number >> 120 == 0xFF, False
    special = is_unspecified(address) or is_loopback(address) or is_link_local_unicast(address)
    return not (multicast or broadcast or special)


def cidr(text: str) -> CIDR:
    """``cidr('10.0.0.0/8')``."""
    where = "network address parse error during conversion from string: "
    try:
        number, width, length = addresses.parse_prefix(text)
    except ValueError as error:
        raise CelError(where + where + str(error)) from None
    try:
        _refuse_mapped(text, number, width)
    except CelError as error:
        raise CelError(where + error.message) from None
    return CIDR(IP(number, width), length)


def is_cidr(text: str) -> bool:
    """``isCIDR(text)``."""
    try:
        cidr(text)
    except CelError:
        return False
    return True


def contains_ip(network: CIDR, address: IP | str) -> bool:
    """``containsIP(address)``; a text that is no address is refused without saying why."""
    if isinstance(address, str):
        try:
            address = ip(address)
        except CelError:
            raise no_such_overload() from None
    return address.width == network.ip.width and _prefix(address, network.length) == _prefix(network.ip, network.length)


def contains_cidr(network: CIDR, other: CIDR | str) -> bool:
    """``containsCIDR(network)``."""
    if isinstance(other, str):
        other = cidr(other)
    return network.length <= other.length and contains_ip(network, other.ip)


def cidr_ip(network: CIDR) -> IP:
    """``ip()`` of a network: its address, host bits included."""
    return network.ip


def masked(network: CIDR) -> CIDR:
    """``masked()``: the network without host bits."""
    shift = network.ip.width - network.length
    return CIDR(IP(network.ip.number >> shift << shift, network.ip.width), network.length)


def prefix_length(network: CIDR) -> int:
    """``prefixLength()``."""
    return network.length


def _prefix(address: IP, length: int) -> int:
    return address.number >> (address.width - length)


def _refuse_mapped(text: str, number: int, width: int) -> None:
    if width == 128 and number >> 32 == _MAPPED:
        raise CelError(f"IPv4-mapped IPv6 address {gotext.quote(text)} is not allowed")
