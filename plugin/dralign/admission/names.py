"""The formats of names: each function returns what is wrong with a text, in the server's words; nothing when all is well.

Source: k8s.io/apimachinery/pkg/api/validate/content and pkg/util/validation. Lengths are in bytes, which the words of
the older functions call characters.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Format = Callable[[str], list[str]]

_LOWER_DIGITS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_DIGITS = frozenset("0123456789")
_ALPHANUMERIC = _LOWER_DIGITS | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LABEL_INNER = _LOWER_DIGITS | {"-"}
_CASELESS_INNER = _ALPHANUMERIC | {"-"}
_KEY_INNER = _ALPHANUMERIC | frozenset("-_.")
_IDENTIFIER = _ALPHANUMERIC | {"_"}

_LABEL_FORMAT = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN_FORMAT = rf"{_LABEL_FORMAT}(\.{_LABEL_FORMAT})*"
_KEY_FORMAT = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_KEY_RULE = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
)
_KEY_EXAMPLES = f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_KEY_FORMAT}')"
_LABEL_WRONG = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    f"an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL_FORMAT}')"
)
_SUBDOMAIN_WRONG = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_SUBDOMAIN_FORMAT}')"
)
_CASELESS_WRONG = (
    "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'Example.com', regex used for validation is '{_SUBDOMAIN_FORMAT}')"
)
_VALUE_WRONG = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "
    f"regex used for validation is '({_KEY_FORMAT})?')"
)
_IDENTIFIER_WRONG = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters "
    "or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')"
)
LABEL_LENGTH = 63
SUBDOMAIN_LENGTH = 253

_KNOWN_LIMIT = 4096
_right_keys: set[str] = set()  # the same few label keys and resource names stand in all objects of a stream


def dns_label(text: str, unit: str = "characters") -> list[str]:
    """Check a name such as ``gpu-0``. ``unit`` is the word for the length: older checks say characters, newer ones bytes."""
    if len(text) <= LABEL_LENGTH and _is_label(text, _LABEL_INNER):
        return []
    wrong = _length(text, LABEL_LENGTH, unit)
    if not _is_label(text, _LABEL_INNER):
        wrong.append("must not contain dots" if _is_subdomain(text, _LABEL_INNER) else _LABEL_WRONG)
    return wrong


def dns_subdomain(text: str, unit: str = "characters") -> list[str]:
    """Check a name such as ``gpu.nvidia.com``; ``unit`` as in dns_label."""
    wrong = _length(text, SUBDOMAIN_LENGTH, unit)
    if not _is_subdomain(text, _LABEL_INNER):
        wrong.append(_SUBDOMAIN_WRONG)
    return wrong


def dns_subdomain_caseless(text: str, unit: str = "characters") -> list[str]:
    """Check a name such as ``GPU.nvidia.com``: what driver names may look like."""
    wrong = _length(text, SUBDOMAIN_LENGTH, unit)
    if not _is_subdomain(text, _CASELESS_INNER):
        wrong.append(_CASELESS_WRONG)
    return wrong


def object_name(text: str) -> list[str]:
    """Check the name of an object of most kinds."""
    return dns_subdomain(text)


def long_name(text: str) -> list[str]:
    """Check the name of an object of the kinds whose length is counted in bytes."""
    return dns_subdomain(text, "bytes")


def label_key(text: str, minor: int = 37) -> list[str]:
    """Check a label key such as ``example.com/team``; resource names and condition types have the same format."""
    if text in _right_keys:
        return []
    prefix, slash, name = text.partition("/")
    if not slash:
        prefix, name = "", text
    elif "/" in name:
        noun = "qualified name" if minor <= 34 else "valid label key"
        optional = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return [f"a {noun} {_KEY_RULE} {_KEY_EXAMPLES} {optional}"]
    unit = _unit(minor)
    wrong = []
    if slash:
        wrong += [f"prefix part {what}" for what in (dns_subdomain(prefix, unit) if prefix else ["must be non-empty"])]
    if not name:
        wrong.append("name part must be non-empty")
    else:
        wrong += [f"name part {what}" for what in _length(name, LABEL_LENGTH, unit)]
    if not _is_key(name):
        wrong.append(f"name part {_KEY_RULE} {_KEY_EXAMPLES}")
    if not wrong and len(_right_keys) < _KNOWN_LIMIT:
        _right_keys.add(text)
    return wrong


def label_value(text: str, minor: int = 37) -> list[str]:
    """Check the value of a label."""
    wrong = _length(text, LABEL_LENGTH, _unit(minor))
    if text and not _is_key(text):
        wrong.append(_VALUE_WRONG)
    return wrong


def c_identifier(text: str) -> list[str]:
    """Check a name such as ``numaNode``, of any length."""
    if text and text[0] not in _DIGITS and _IDENTIFIER.issuperset(text):
        return []
    return [_IDENTIFIER_WRONG]


def port_name(text: str) -> list[str]:
    """Check the name of a container port."""
    wrong = _length(text, 15, "characters")
    if not text or not _LABEL_INNER.issuperset(text):
        wrong.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not any("a" <= char <= "z" for char in text):
        wrong.append("must contain at least one letter (a-z)")
    if "--" in text:
        wrong.append("must not contain consecutive hyphens")
    if text.startswith("-") or text.endswith("-"):
        wrong.append("must not begin or end with a hyphen")
    return wrong


def _unit(minor: int) -> str:
    """Return what the length of labels is counted in, in the words of release 1.minor."""
    return "characters" if minor <= 34 else "bytes"


def _length(text: str, limit: int, unit: str) -> list[str]:
    if len(text) <= limit // 4 or len(text.encode(errors="surrogatepass")) <= limit:
        return []
    return [f"must be no more than {limit} {unit}"]


def _is_label(text: str, inner: frozenset[str]) -> bool:
    return bool(text) and inner.issuperset(text) and text[0] != "-" and text[-1] != "-"


def _is_subdomain(text: str, inner: frozenset[str]) -> bool:
    return all(_is_label(part, inner) for part in text.split("."))


def _is_key(text: str) -> bool:
    return bool(text) and _KEY_INNER.issuperset(text) and text[0] in _ALPHANUMERIC and text[-1] in _ALPHANUMERIC
