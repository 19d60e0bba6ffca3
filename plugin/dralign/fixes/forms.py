"""What is no CEL, and how CEL says it: one row for each form that people and language models write instead."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from re import Match

    Form = tuple[str, str | Callable[[Match[str]], str]]

STRING = r"""(?:'[^']*'|"[^"]*")"""
NUMBER = r"-?\d+(?:\.\d+)*"
ENTRY = rf"device\.(?:attributes|capacity)\[{STRING}\](?:\.\??\w+|\[{STRING}\])"
ORDER = r">=|<=|>|<"

_CAPACITY = rf"device\.capacity\[{STRING}\](?:\.\w+|\[{STRING}\])"
_AMOUNT = rf"quantity\(\s*{STRING}\s*\)|{STRING}|\d+(?:\.\d+)?\s*(?:[KMGTPE]i?[bB]?|k|m)?\b"
_CONSTANT = rf"{STRING}|{NUMBER}|true|false"

_UNSEEN = (
    "node",
    "nodes",
    "pod",
    "container",
    "claim",
    "request",
    "cluster",
    "self",
    "other",
    "peer",
    "gpu",
    "nic",
    "cpu",
)
"""Names for what a selector does not see: it is asked of one device at a time, by itself."""


def in_one_line(expression: str) -> str:
    """Return an expression without its line breaks, unless a comment ends at one; strings stay as they are."""
    if "//" in expression:
        return expression
    return _outside_strings(expression, lambda part: re.sub(r"\s+", " ", part)).strip()


def in_words_of_cel(text: str) -> str:
    """Return an expression with every known form written as CEL has it."""
    return _outside_strings(_replaced(text, _FORMS), lambda part: _replaced(part, _WORDS))


def with_amounts(text: str) -> str:
    """Return an expression whose capacities are compared as quantities: they have no order by operators."""
    return _replaced(text, _AMOUNTS)


def without_the_unsayable(expression: str) -> tuple[str, bool]:
    """Take conjuncts out that ask for the node, or for the topology of the machine; say whether there were any."""
    conjuncts = _conjuncts(expression)
    unsayable = rf"\bdevice\.topology\b|(?<![.\w])(?:{'|'.join(_UNSEEN)})\."
    kept = [part for part in conjuncts if not re.search(unsayable, re.sub(STRING, "''", part))]
    return (" && ".join(kept), True) if len(kept) < len(conjuncts) else (expression, False)


def version(text: str) -> str:
    """Return ``semver('…')`` of a version that may lack its later parts: 9.0, '550', "v1.2.3"."""
    parts = text.strip("'\"").lstrip("vV").split(".")
    return f"semver('{'.'.join((*parts, '0', '0')[: max(3, len(parts))])}')"


def _replaced(text: str, forms: Iterable[Form]) -> str:
    for pattern, replacement in forms:
        text = re.sub(pattern, replacement, text)
    return text


def _outside_strings(text: str, change: Callable[[str], str]) -> str:
    parts = re.split(f"({STRING})", text)
    parts[::2] = map(change, parts[::2])
    return "".join(parts)


_BYTES = 2**20
"""No device has as many gibibytes."""


def _quantity(text: str) -> str:
    """Return an amount as ``quantity('…')``; a bare number of memory was meant in gibibytes, a large one in bytes."""
    text = text.strip()
    if text.startswith("quantity"):
        return text
    bare = "".join(text.strip("'\"").split()).removesuffix("B").removesuffix("b")
    is_small = text == bare and bare.isdecimal() and int(bare) < _BYTES
    return f"quantity('{bare}Gi')" if is_small else f"quantity('{bare}')"


def _in_range(found: Match[str]) -> str:
    entry, low, high = found["entry"], found["low"], found["high"]
    return f"{entry}.compareTo({_quantity(low)}) >= 0 && {entry}.compareTo({_quantity(high)}) <= 0"


def _compared(found: Match[str]) -> str:
    return f"{found['entry']}.compareTo({_quantity(found['amount'])}) {found['order']} 0"


def _compared_from_behind(found: Match[str]) -> str:
    order = {">=": "<=", "<=": ">=", ">": "<", "<": ">"}[found["order"]]
    return f"{found['entry']}.compareTo({_quantity(found['amount'])}) {order} 0"


def _method(found: Match[str]) -> str:
    order = {"GreaterThanOrEqual": ">=", "LessThanOrEqual": "<=", "GreaterThan": ">", "LessThan": "<"}[found["name"]]
    return f"{found['entry']}.compareTo({_quantity(found['amount'])}) {order} 0"


def _like(found: Match[str]) -> str:
    words = found["words"].strip("%*")
    starts, ends = found["words"].startswith(words), found["words"].endswith(words)
    if starts and ends:
        return f"{found['entry']} == '{words}'"
    return f"{found['entry']}.{'startsWith' if starts else 'endsWith' if ends else 'contains'}('{words}')"


_VERSION = r"['\"][vV]?\d+(?:\.\d+){0,2}['\"]"
_FORMS: tuple[Form, ...] = (
    # device.attributes['domain/name'] looks up a domain of that whole name, which is never there
    (r"(attributes|capacity)\[(['\"])([^'\"\]/]+)/([A-Za-z_]\w*)\2\]", r"\1[\2\3\2].\4"),
    # members of the Go struct, which CEL does not show: attribute.numeric, attribute.string
    (
        rf"(attributes\[{STRING}\](?:\.\w+|\[{STRING}\]))"
        r"\.(?:numeric|number|string|stringValue|int|intValue|bool|boolValue|version|versionValue|value)\b(?!\()",
        r"\1",
    ),
    # what makes a version is called semver
    (rf"(?<![.\w])(?:version|Version|semVer|SemVer)\(\s*({_VERSION})\s*\)", lambda found: version(found[1])),
    # memory is a capacity
    (rf"attributes(\[{STRING}\])\.(?:memorySize|memory|memory_size|vram|gpuMemory|memoryGB)\b", r"capacity\1.memory"),
    # lists as SQL and Python have them
    (rf"(?P<entry>{ENTRY})\s+(?:not|NOT)\s+(?:in|IN)\s*[\[(](?P<items>[^\])]*)[\])]", r"!(\g<entry> in [\g<items>])"),
    (rf"\b(?:in|IN)\s*\(\s*((?:{_CONSTANT})(?:\s*,\s*(?:{_CONSTANT}))*)\s*\)", r"in [\1]"),
    (rf"(\[[^\[\]]*\])\.(?:contains|includes|has|indexOf)\(\s*({ENTRY})\s*\)", r"\2 in \1"),
    # strings as SQL, Perl, Java and Python have them
    (rf"(?P<entry>{ENTRY})\s+(?:like|LIKE)\s+(?P<quote>['\"])(?P<words>[^'\"]*)(?P=quote)", _like),
    (rf"(?P<entry>{ENTRY})\s*=~\s*(?P<pattern>{STRING})", r"\g<entry>.matches(\g<pattern>)"),
    (rf"(?P<entry>{ENTRY})\s*!~\s*(?P<pattern>{STRING})", r"!\g<entry>.matches(\g<pattern>)"),
    (r"\.get\(\s*(['\"])([A-Za-z_]\w*)\1\s*\)", r".\2"),
    (rf"\.(?:equals|eq)\(\s*({_CONSTANT})\s*\)", r" == \1"),
)

_WORDS: tuple[Form, ...] = (
    (r"\b(?:and|AND)\b", "&&"),
    (r"\b(?:or|OR)\b", "||"),
    (r"\bis\s+not\b", "!="),
    (r"\bis\b(?!\s*\()", "=="),
    (r"\b(?:not|NOT)\s+", "!"),
    (r"\b(?:True|TRUE)\b", "true"),
    (r"\b(?:False|FALSE)\b", "false"),
    (r"(?<![&])&(?![&])", "&&"),
    (r"(?<![|])\|(?![|])", "||"),
    (r"===", "=="),
    (r"!==", "!="),
    (r"<>", "!="),
    (r"=>", ">="),
    (r"=<", "<="),
    (r"(?<![=!<>~])=(?![=~])", "=="),
    (r"(?<![\w.])(attributes|capacity)(?=\s*[\[.])", r"device.\1"),
    (r"(?<![\w.])driver(?=\s*(?:==|!=|in\b|\.))", "device.driver"),
    (r"\bdevice\.(?:attribute|attrs|deviceAttributes)(?=\s*[\[.])", "device.attributes"),
    (r"\bdevice\.(?:capacities|deviceCapacity)(?=\s*[\[.])", "device.capacity"),
    (r"\bdevice\.(?:driverName|driver_name)\b", "device.driver"),
    (r"\.startswith\(", ".startsWith("),
    (r"\.endswith\(", ".endsWith("),
    (r"\.(?:toLowerCase|lower)\(\)", ".lowerAscii()"),
    (r"\.(?:toUpperCase|upper)\(\)", ".upperAscii()"),
    (r"\.(?:match|matchesRegex|regexMatch)\(", ".matches("),
    (r"\.length\b(?:\(\))?", ".size()"),
    (r"(?<![\w.])len\(", "size("),
)


_AMOUNTS: tuple[Form, ...] = (
    (rf"(?P<entry>{ENTRY})\.inRange\(\s*(?P<low>{_AMOUNT})\s*,\s*(?P<high>{_AMOUNT})\s*\)", _in_range),
    (
        rf"(?P<entry>{_CAPACITY})\.is(?P<name>GreaterThanOrEqual|LessThanOrEqual|GreaterThan|LessThan)"
        rf"\(\s*(?P<amount>{STRING})\s*\)",
        _method,
    ),
    (
        rf"(?P<entry>{_CAPACITY})\.is(?P<name>GreaterThanOrEqual|LessThanOrEqual)"
        rf"\(\s*(?P<amount>quantity\({STRING}\))\s*\)",
        _method,
    ),
    (rf"(?P<entry>{_CAPACITY})(?:\.value)?\s*(?P<order>{ORDER})\s*(?P<amount>{_AMOUNT})", _compared),
    (rf"(?P<amount>{_AMOUNT})\s*(?P<order>{ORDER})\s*(?P<entry>{_CAPACITY})", _compared_from_behind),
)


def _conjuncts(expression: str) -> list[str]:
    """Cut an expression at the ``&&`` that stand in no bracket and no string; none of one with ``||`` beside them."""
    parts, depth, start, quote = [], 0, 0, ""
    for i, char in enumerate(expression):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and expression.startswith("||", i):
            return []
        elif depth == 0 and expression.startswith("&&", i):
            parts.append(expression[start:i].strip())
            start = i + 2
    return [*parts, expression[start:].strip()]
