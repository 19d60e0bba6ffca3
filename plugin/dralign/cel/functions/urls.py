"""URLs. Source: k8s.io/apiserver/pkg/cel/library/urls.go; Go's net/url for what is read and how it is written."""

from __future__ import annotations

from dralign.cel.functions import addresses, escapes
from dralign.cel.values import CelError, Map, no_such_overload
from dralign.record import Record
from dralign.values import gotext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    from dralign.cel.values import Value

_SCHEME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
_SCHEME = _SCHEME_START | frozenset("0123456789+-.")
_USER_MARKS = "-._:~!$&'()*+,;=%@"


class URL(Record):
    """The parts of a URL, unescaped but for ``raw_path``, ``query`` and ``raw_fragment``, which are as written."""

    scheme: str
    opaque: str
    user: tuple[str, str | None] | None
    host: str
    path: str
    raw_path: str
    query: str
    empty_query: bool
    omit_host: bool
    fragment: str = ""
    raw_fragment: str = ""

    cel_type = "kubernetes.URL"

    def cel_equal(self, other: Value) -> bool | CelError:
        """Compare with another URL only, by their texts."""
        return str(self) == str(other) if isinstance(other, URL) else no_such_overload(other)

    def escaped_path(self) -> str:
        """Return the path as it was written, if that is a valid way, else escaped."""
        return _as_written(self.raw_path, self.path, escapes.PATH)

    def __str__(self) -> str:
        text = self.scheme + ":" if self.scheme else ""
        text += self.opaque or self._authority_and_path(text)
        if self.empty_query or self.query:
            text += "?" + self.query
        if self.fragment:
            text += "#" + _as_written(self.raw_fragment, self.fragment, escapes.FRAGMENT)
        return text

    def _authority_and_path(self, before: str) -> str:
        text = ""
        has_authority = bool(self.host) or self.user is not None
        if (self.scheme and not self.omit_host and self.path) or has_authority:
            text = "//"
        if self.user is not None:
            name, password = self.user
            text += escapes.escape(name, escapes.USER)
            text += "" if password is None else ":" + escapes.escape(password, escapes.USER)
            text += "@"
        text += escapes.escape(self.host, escapes.HOST)
        path = self.escaped_path()
        if path and path[0] != "/" and self.host:
            text += "/"
        if not before and not text and ":" in path.partition("/")[0]:
            text += "./"
        return text + path


def _as_written(written: str, meant: str, part: str) -> str:
    if written and escapes.is_valid(written, part):
        try:
            if escapes.unescape(written, part) == meant:
                return written
        except ValueError:
            pass
    return "*" if meant == "*" and part == escapes.PATH else escapes.escape(meant, part)


def url(text: str) -> URL:
    """``url('https://…')``: an absolute URL or path."""
    try:
        _parse_checked(text, text, for_request=True)
        address, _, fragment = text.partition("#")
        parsed = _parse_checked(address, address, for_request=False)
        return _with_fragment(parsed, fragment, text) if fragment else parsed
    except ValueError as error:
        raise CelError(f"URL parse error during conversion from string: {error}") from None


def is_url(text: str) -> bool:
    """``isURL(text)``."""
    return request_error(text) is None


def request_error(text: str) -> str | None:
    """Return what Go's ``url.ParseRequestURI`` says against a text, or None."""
    try:
        _parse_checked(text, text, for_request=True)
    except ValueError as error:
        return str(error)
    return None


def get_scheme(address: URL) -> str:
    """``getScheme()``."""
    return address.scheme


def get_host(address: URL) -> str:
    """``getHost()``: with the port."""
    return address.host


def get_hostname(address: URL) -> str:
    """``getHostname()``: without port and brackets."""
    host = _split_port(address.host)[0]
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def get_port(address: URL) -> str:
    """``getPort()``."""
    return _split_port(address.host)[1]


def get_escaped_path(address: URL) -> str:
    """``getEscapedPath()``."""
    return address.escaped_path()


def get_query(address: URL) -> Map:
    """``getQuery()``: parameter name to its values; parameters that are not well-formed are left out."""
    parameters: dict[Hashable, list[str]] = {}
    for pair in address.query.split("&"):
        name, _, value = pair.partition("=")
        if not pair or ";" in pair:
            continue
        try:
            name, value = escapes.unescape(name, escapes.QUERY), escapes.unescape(value, escapes.QUERY)
        except ValueError:
            continue
        parameters.setdefault(name, []).append(value)
    return Map(parameters)


def _parse_checked(text: str, shown: str, *, for_request: bool) -> URL:
    try:
        return _parse(text, for_request=for_request)
    except ValueError as error:
        raise ValueError(f"parse {gotext.quote(shown)}: {error}") from None


def _with_fragment(parsed: URL, fragment: str, text: str) -> URL:
    try:
        meant = escapes.unescape(fragment, escapes.FRAGMENT)
    except ValueError as error:
        raise ValueError(f"parse {gotext.quote(text)}: {error}") from None
    written = "" if escapes.escape(meant, escapes.FRAGMENT) == fragment else fragment
    return parsed.replace(fragment=meant, raw_fragment=written)


def _parse(text: str, *, for_request: bool) -> URL:
    if any(char < " " or char == "\x7f" for char in text):
        raise ValueError("net/url: invalid control character in URL")
    if not text and for_request:
        raise ValueError("empty url")
    if text == "*":
        return URL("", "", None, "", "*", "", "", empty_query=False, omit_host=False)
    scheme, rest = _split_scheme(text)
    empty_query = rest.endswith("?") and rest.count("?") == 1
    rest, _, query = rest.partition("?")
    if not rest.startswith("/"):
        if scheme:
            return URL(scheme, rest, None, "", "", "", query, empty_query, omit_host=False)
        if for_request:
            raise ValueError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise ValueError("first path segment in URL cannot contain colon")
    user, host, omit_host = None, "", False
    if rest.startswith("//") and (scheme or (not for_request and not rest.startswith("///"))):
        authority, slash, rest = rest[2:].partition("/")
        rest = slash + rest
        user, host = _parse_authority(scheme, authority)
    elif scheme and rest.startswith("/"):
        omit_host = True
    path = escapes.unescape(rest, escapes.PATH)
    raw_path = "" if escapes.escape(path, escapes.PATH) == rest else rest
    return URL(scheme, "", user, host, path, raw_path, query, empty_query, omit_host)


def _split_scheme(text: str) -> tuple[str, str]:
    for index, char in enumerate(text):
        if char == ":":
            if index == 0:
                raise ValueError("missing protocol scheme")
            return text[:index].lower(), text[index + 1 :]
        if char not in (_SCHEME if index else _SCHEME_START):
            break
    return "", text


def _parse_authority(scheme: str, authority: str) -> tuple[tuple[str, str | None] | None, str]:
    userinfo, at, host = authority.rpartition("@")
    host = _parse_host(scheme, host)
    if not at:
        return None, host
    if any(not (char.isascii() and char.isalnum()) and char not in _USER_MARKS for char in userinfo):
        raise ValueError("net/url: invalid userinfo")
    name, colon, password = userinfo.partition(":")
    name = escapes.unescape(name, escapes.USER)
    return (name, escapes.unescape(password, escapes.USER) if colon else None), host


def _parse_host(scheme: str, host: str) -> str:
    bracket = host.rfind("[")
    if bracket > 0:
        raise ValueError("invalid IP-literal")
    if bracket == 0:
        return _parse_literal(host)
    first, last = host.find(":"), host.rfind(":")
    if first >= 0:
        _check_port(host[first if scheme in ("http", "https") else last :])
    return escapes.unescape(host, escapes.HOST)


def _parse_literal(host: str) -> str:
    """Read ``[fe80::1%25en0]:80``."""
    inside, bracket, port = host[1:].rpartition("]")
    if not bracket:
        raise ValueError("missing ']' in host")
    _check_port(port)
    zone = inside.find("%25")
    if zone >= 0:
        name = escapes.unescape(inside[:zone], escapes.HOST) + escapes.unescape(inside[zone:], escapes.ZONE)
    else:
        name = escapes.unescape(inside, escapes.HOST)
    try:
        _, width, _ = addresses.parse_address(name)
    except ValueError as error:
        raise ValueError(f"invalid host: {error}") from None
    if width == 32:
        raise ValueError("invalid IP-literal")
    return f"[{name}]{escapes.unescape(port, escapes.HOST)}"


def _check_port(port: str) -> None:
    if not _is_port(port):
        raise ValueError(f"invalid port {gotext.quote(port)} after host")


def _is_port(text: str) -> bool:
    return not text or (text[0] == ":" and not text[1:].strip("0123456789"))


def _split_port(host: str) -> tuple[str, str]:
    colon = host.rfind(":")
    if colon >= 0 and _is_port(host[colon:]):
        return host[:colon], host[colon + 1 :]
    return host, ""
