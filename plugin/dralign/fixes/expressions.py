"""The right form of selectors that people and language models invent: one row for each wrong form.

A cure is only offered where the result compiles for the target release. It is a guess at what was meant, so that nobody
gets it unasked. What CEL cannot say at all, relating two devices or reading the node, is taken out: the fix for that is a
constraint.
"""

from __future__ import annotations

from dralign.edit import Remove, Set
from dralign.finding import Fix, Patch
from dralign.fixes import alignment
from dralign.manifest import as_list
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match

    from dralign.context import Context, WrittenSelector
    from dralign.model.catalogue import DriverView

_STRING = r"""'[^']*'|"[^"]*\""""
_ENTRY = r"device\.(?:attributes|capacity)\[(?:'[^']*'|\"[^\"]*\")\](?:\.\??\w+|\[(?:'[^']*'|\"[^\"]*\")\])"
_CAPACITY = r"device\.capacity\[(?:'[^']*'|\"[^\"]*\")\]\.\w+"
_AMOUNT = r"quantity\(\s*(?:'[^']*'|\"[^\"]*\")\s*\)|'[^']*'|\"[^\"]*\"|\d+(?:\.\d+)?(?:[KMGTPE]i?|k|m)?\b"
_ORDER = r">=|<=|>|<"


def repair(ctx: Context, written: WrittenSelector) -> Fix | None:
    """Return the fix that writes the right form of a selector into its place; None where there is none to offer."""
    cure = cured(written.expression, written.view, lambda expression: ctx.compiled(expression).ok)
    if cure is None:
        return None
    patches = [_put(written, cure.text)]
    if cure.needs_constraint and written.claim is not None:
        for untied in ctx.untied(written.claim):
            patches += alignment.constraint(written.claim, untied.group)
    title = f"write: {cure.text}" if cure.text else "take the selector out: only a constraint can relate devices"
    return Fix(title, tuple(patches), "unsafe", "a guess at what was meant, only with --unsafe")


def _put(written: WrittenSelector, text: str) -> Patch:
    if text:
        return Patch(written.manifest, Set(written.path, text))
    item = written.path[:-2]  # .../selectors[i] of .../selectors[i].cel.expression
    alone = len(as_list(written.manifest.get(item[:-1]))) == 1
    return Patch(written.manifest, Remove(item[:-1] if alone else item))


class Cure(Record):
    """The right form of an expression. ``text`` is empty where nothing is left; ``needs_constraint``: a conjunct went."""

    text: str
    needs_constraint: bool


def cured(expression: str, view: DriverView | None, accepts: Callable[[str], bool]) -> Cure | None:
    """Return the right form of an expression; None if no row of the table leads to one that compiles.

    Args:
        expression: the selector as written.
        view: whose devices it is asked on, None if nobody can tell.
        accepts: says whether the API server would take an expression.
    """
    import re  # noqa: PLC0415 -- only wrong expressions come here

    text, dropped = _without_the_unsayable(" ".join(expression.split()))
    for pattern, replacement in _FORMS:
        text = re.sub(pattern, replacement, text)
    for rewrite in (_words, _renamed):
        text = rewrite(text, view)
    if text == expression or (text and not accepts(text)):
        return None
    return Cure(text, dropped)


def _quantity(text: str) -> str:
    """Return an amount as ``quantity('…')``; a bare number of a memory comparison was meant in gibibytes."""
    text = text.strip()
    if text.startswith("quantity"):
        return text
    bare = text.strip("'\"")
    return f"quantity('{bare}Gi')" if text == bare and bare.isdecimal() else f"quantity('{bare}')"


def _in_range(found: Match[str]) -> str:
    entry, low, high = found["entry"], found["low"], found["high"]
    return f"{entry}.compareTo({_quantity(low)}) >= 0 && {entry}.compareTo({_quantity(high)}) <= 0"


def _compared(found: Match[str]) -> str:
    return f"{found['entry']}.compareTo({_quantity(found['amount'])}) {found['order']} 0"


def _method(found: Match[str]) -> str:
    order = {"GreaterThanOrEqual": ">=", "LessThanOrEqual": "<=", "GreaterThan": ">", "LessThan": "<"}[found["name"]]
    return f"{found['entry']}.compareTo({_quantity(found['amount'])}) {order} 0"


def _version(found: Match[str]) -> str:
    parts = found["version"].lstrip("vV").split(".")
    whole = ".".join((*parts, "0", "0")[:3])
    return f"{found['entry']}.compareTo(semver('{whole}')) {found['order']} 0"


_FORMS: tuple[tuple[str, str | Callable[[Match[str]], str]], ...] = (
    # device.attributes['domain/name'] looks up a domain of that whole name, which is never there
    (r"(attributes|capacity)\[(['\"])([^'\"\]/]+)/([A-Za-z_]\w*)\2\]", r"\1[\2\3\2].\4"),
    # members of the Go struct, which CEL does not show: attribute.numeric, attribute.string
    (
        r"(attributes\[(?:'[^']*'|\"[^\"]*\")\]\.\w+)"
        r"\.(?:numeric|number|string|stringValue|int|intValue|bool|boolValue|version|value)\b(?!\()",
        r"\1",
    ),
    # memory is a capacity
    (
        r"attributes(\[(?:'[^']*'|\"[^\"]*\")\])\.(?:memorySize|memory|memory_size|vram|gpuMemory|memoryGB)\b",
        r"capacity\1.memory",
    ),
    (rf"(?P<entry>{_ENTRY})\.inRange\(\s*(?P<low>{_AMOUNT})\s*,\s*(?P<high>{_AMOUNT})\s*\)", _in_range),
    (
        rf"(?P<entry>{_CAPACITY})\.is(?P<name>GreaterThanOrEqual|LessThanOrEqual|GreaterThan|LessThan)"
        rf"\(\s*(?P<amount>'[^']*'|\"[^\"]*\")\s*\)",
        _method,
    ),
    (
        rf"(?P<entry>{_CAPACITY})\.is(?P<name>GreaterThanOrEqual|LessThanOrEqual)"
        rf"\(\s*(?P<amount>quantity\((?:'[^']*'|\"[^\"]*\")\))\s*\)",
        _method,
    ),
    # a Quantity has no operators
    (rf"(?P<entry>{_CAPACITY})\s*(?P<order>{_ORDER})\s*(?P<amount>{_AMOUNT})", _compared),
    # nor has a Semver
    (
        rf"(?P<entry>device\.attributes\[(?:'[^']*'|\"[^\"]*\")\]\.\w*[vV]ersion)\s*(?P<order>{_ORDER})\s*"
        r"(?:semver\()?(?:'|\")(?P<version>[vV]?\d+(?:\.\d+){0,2})(?:'|\")\)?",
        _version,
    ),
)


def _words(text: str, _: DriverView | None) -> str:
    """Turn ``and``, ``or`` and ``not`` into operators, outside of strings."""
    import re  # noqa: PLC0415

    operators = {"and": "&&", "or": "||", "AND": "&&", "OR": "||"}
    parts = re.split(f"({_STRING})", text)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"\b(and|or|AND|OR)\b", lambda found: operators[found[1]], parts[i])
        parts[i] = re.sub(r"\bnot\s+", "!", parts[i])
    return "".join(parts)


def _renamed(text: str, view: DriverView | None) -> str:
    """Put attributes that the driver does not publish under their own domain, and guard those that it may leave out."""
    import re  # noqa: PLC0415

    if view is None or view.profile is None:
        return text
    published = [row.name for row in view.profile.attributes if view.published(row.name) is not None]

    def entry(found: Match[str]) -> str:
        name = f"{found['domain']}/{found['name']}"
        same = [other for other in published if other.rpartition("/")[2] == found["name"]]
        if name not in published and not same:
            return found[0]
        whole = name if name in published else same[0]
        row = next(row for row in view.profile.attributes if row.name == whole) if view.profile else None
        domain, _, last = whole.rpartition("/")
        place = f"device.attributes['{domain}']"
        value = found["value"].strip("'\"") if row is not None and row.value == "int" else found["value"]
        answer = view.published(whole)
        absent = {"int": "-1", "string": "''"}.get(row.value if row else "")
        if answer is not None and answer.optional and absent:
            return f"{place}.?{last}.orValue({absent}) {found['order']} {value}"
        return found[0] if whole == name and value == found["value"] else f"{place}.{last} {found['order']} {value}"

    pattern = (
        r"device\.attributes\[(?:'|\")(?P<domain>[^'\"]+)(?:'|\")\]\.(?P<name>\w+)\s*(?P<order>==|!=)\s*"
        rf"(?P<value>-?\d+|{_STRING})"
    )
    return re.sub(pattern, entry, text)


def _without_the_unsayable(expression: str) -> tuple[str, bool]:
    """Take conjuncts out that ask for the node, or for the topology of the machine; say whether there were any."""
    import re  # noqa: PLC0415

    conjuncts = _conjuncts(expression)
    kept = [part for part in conjuncts if not re.search(r"\bdevice\.topology\b|(?<![.\w])node\.", part)]
    return (" && ".join(kept), True) if len(kept) < len(conjuncts) else (expression, False)


def _conjuncts(expression: str) -> list[str]:
    """Cut an expression at the ``&&`` that stand in no bracket and no string."""
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
        elif depth == 0 and expression.startswith("&&", i):
            parts.append(expression[start:i].strip())
            start = i + 2
    return [*parts, expression[start:].strip()]
