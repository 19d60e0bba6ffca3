"""Kubernetes' named formats: ``format.dns1123Label().validate(text)``.

Source: k8s.io/apiserver/pkg/cel/library/format.go, k8s.io/apimachinery/pkg/util/validation (patterns and wording),
k8s.io/kube-openapi/pkg/validation/strfmt (uuid, byte, date, datetime).
"""

from __future__ import annotations

from dralign.cel.functions.readers import timestamp
from dralign.cel.functions.urls import request_error
from dralign.cel.values import NONE, CelError, Optional, no_such_overload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.values import Value

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE = f"({_NAME})?"
_UUID = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$"
_TIME = r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$"
_BASE64 = "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"

_CONSIST = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
)
_LOWER = "consist of lower case alphanumeric characters"
_ENDS = "and must start and end with an alphanumeric character"


class Format:
    """A named format: what it is called, how it checks, and how large a pattern its cost assumes."""

    __slots__ = ("check", "name", "pattern_size")

    cel_type = "kubernetes.NamedFormat"
    cel_hashable = False

    def __init__(self, name: str, check: Callable[[str], list[str]], pattern_size: int) -> None:
        self.name = name
        self.check = check
        self.pattern_size = pattern_size

    def cel_equal(self, other: Value) -> bool | CelError:
        """Compare with another format only, by name."""
        return self.name == other.name if isinstance(other, Format) else no_such_overload(other)


def named(name: str) -> Optional:
    """``format.named('…')``."""
    found = _FORMATS.get(name)
    return NONE if found is None else Optional(found)


def validate(of: Format, text: str) -> Optional:
    """``validate(text)``: what is wrong with it, or none."""
    wrong = of.check(text)
    return Optional(wrong) if wrong else NONE


def byte() -> Format:
    """``format.byte()``."""
    return _FORMATS["byte"]


def date() -> Format:
    """``format.date()``."""
    return _FORMATS["date"]


def datetime() -> Format:
    """``format.datetime()``."""
    return _FORMATS["datetime"]


def dns1035_label() -> Format:
    """``format.dns1035Label()``."""
    return _FORMATS["dns1035Label"]


def dns1035_label_prefix() -> Format:
    """``format.dns1035LabelPrefix()``."""
    return _FORMATS["dns1035LabelPrefix"]


def dns1123_label() -> Format:
    """``format.dns1123Label()``."""
    return _FORMATS["dns1123Label"]


def dns1123_label_prefix() -> Format:
    """``format.dns1123LabelPrefix()``."""
    return _FORMATS["dns1123LabelPrefix"]


def dns1123_subdomain() -> Format:
    """``format.dns1123Subdomain()``."""
    return _FORMATS["dns1123Subdomain"]


def dns1123_subdomain_prefix() -> Format:
    """``format.dns1123SubdomainPrefix()``."""
    return _FORMATS["dns1123SubdomainPrefix"]


def label_value() -> Format:
    """``format.labelValue()``."""
    return _FORMATS["labelValue"]


def qualified_name() -> Format:
    """``format.qualifiedName()``."""
    return _FORMATS["qualifiedName"]


def uri() -> Format:
    """``format.uri()``."""
    return _FORMATS["uri"]


def uuid() -> Format:
    """``format.uuid()``."""
    return _FORMATS["uuid"]


def _matches(pattern: str, text: str) -> bool:
    import re  # noqa: PLC0415  rare

    return re.fullmatch(pattern.replace("^", "").replace("$", ""), text) is not None


def _too_long(text: str, limit: int) -> list[str]:
    too_long = len(text.encode("utf-8", "surrogatepass")) > limit
    return [f"must be no more than {limit} characters"] if too_long else []


def _pattern_error(message: str, pattern: str, *examples: str) -> str:
    listed = " or ".join(f"'{example}', " for example in examples)
    return f"{message} (e.g. {listed}regex used for validation is '{pattern}')"


def _label(text: str) -> list[str]:
    wrong = _too_long(text, 63)
    if not _matches(_LABEL, text):
        message = f"a lowercase RFC 1123 label must {_LOWER} or '-', {_ENDS}"
        dotted = _matches(_SUBDOMAIN, text)
        wrong.append("must not contain dots" if dotted else _pattern_error(message, _LABEL, "my-name", "123-abc"))
    return wrong


def _subdomain(text: str) -> list[str]:
    wrong = _too_long(text, 253)
    if not _matches(_SUBDOMAIN, text):
        message = f"a lowercase RFC 1123 subdomain must {_LOWER}, '-' or '.', {_ENDS}"
        wrong.append(_pattern_error(message, _SUBDOMAIN, "example.com"))
    return wrong


def _label_1035(text: str) -> list[str]:
    wrong = _too_long(text, 63)
    if not _matches(_LABEL_1035, text):
        ends = "start with an alphabetic character, and end with an alphanumeric character"
        message = f"a DNS-1035 label must {_LOWER} or '-', {ends}"
        wrong.append(_pattern_error(message, _LABEL_1035, "my-name", "abc-123"))
    return wrong


def _prefix_of(check: Callable[[str], list[str]]) -> Callable[[str], list[str]]:
    """Check a text to which a suffix will be added: a dash at its end is no fault."""
    return lambda text: check(text[:-2] + "a" if len(text) > 1 and text.endswith("-") else text)


def _qualified_name(text: str) -> list[str]:
    pattern_error = _pattern_error(_CONSIST, _NAME, "MyName", "my.name", "123-abc")
    prefix, slash, name = text.rpartition("/")
    wrong = []
    if "/" in prefix:
        return [
            f"a valid label key {pattern_error} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        ]
    if slash:
        wrong = (
            [f"prefix part {fault}" for fault in _subdomain(prefix)] if prefix else ["prefix part must be non-empty"]
        )
    wrong += [f"name part {fault}" for fault in _too_long(name, 63)] if name else ["name part must be non-empty"]
    if not _matches(_NAME, name):
        wrong.append(f"name part {pattern_error}")
    return wrong


def _label_value(text: str) -> list[str]:
    wrong = _too_long(text, 63)
    if not _matches(_LABEL_VALUE, text):
        message = f"a valid label must be an empty string or {_CONSIST.removeprefix('must ')}"
        wrong.append(_pattern_error(message, _LABEL_VALUE, "MyValue", "my_value", "12345"))
    return wrong


def _uri(text: str) -> list[str]:
    wrong = request_error(text)
    return [] if wrong is None else [wrong]


def _is_date(text: str) -> bool:
    return timestamp(text + "T00:00:00Z") is not None


def _is_datetime(text: str) -> bool:
    parts = text.lower().split("t")
    if len(parts) < 2 or not _is_date(parts[0]) or not _matches(_TIME, parts[1]):
        return False
    hour, minute, second = parts[1][:2], parts[1][3:5], parts[1][6:8]
    return hour <= "23" and minute <= "59" and second <= "59"


def _simple(is_valid: Callable[[str], bool], message: str) -> Callable[[str], list[str]]:
    return lambda text: [] if is_valid(text) else [message]


_FORMATS = {
    "byte": Format("byte", _simple(lambda text: _matches(_BASE64, text), "invalid base64"), 84),
    "date": Format("date", _simple(_is_date, "invalid date"), len(_TIME)),
    "datetime": Format("datetime", _simple(_is_datetime, "invalid datetime"), len(_TIME)),
    "dns1035Label": Format("DNS1035Label", _label_1035, 30),
    "dns1035LabelPrefix": Format("DNS1035LabelPrefix", _prefix_of(_label_1035), 30),
    "dns1123Label": Format("DNS1123Label", _label, 30),
    "dns1123LabelPrefix": Format("DNS1123LabelPrefix", _prefix_of(_label), 30),
    "dns1123Subdomain": Format("DNS1123Subdomain", _subdomain, 60),
    "dns1123SubdomainPrefix": Format("DNS1123SubdomainPrefix", _prefix_of(_subdomain), 60),
    "labelValue": Format("LabelValue", _label_value, 40),
    "qualifiedName": Format("QualifiedName", _qualified_name, 60),
    "uri": Format("URI", _uri, 1103),
    "uuid": Format("uuid", _simple(lambda text: _matches(_UUID, text), "does not match the UUID format"), len(_UUID)),
}
