"""What to type where the API server refuses a selector: one row for each thing that it says."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from dralign.selector import Compiled

_UNSEEN = (
    "a selector sees one device at a time: relate devices by a constraint, and choose nodes by the pod's nodeSelector"
)
_QUANTITIES = (
    "compare quantities with .compareTo(quantity('40Gi')) >= 0, .isGreaterThan(quantity('40Gi')) or .isLessThan(...)"
)
_VERSIONS = (
    "compare versions with .compareTo(semver('1.2.3')) >= 0, .isGreaterThan(semver('1.2.3')) or .isLessThan(...)"
)

_TIPS = (
    (
        "undefined field 'name'",
        "no selector sees the name of a device: choose by an attribute that is unique, such as uuid",
    ),
    ("undefined field 'topology'", _UNSEEN),
    ("undefined field 'metadata'", "no selector sees the metadata of a slice: choose by an attribute of the device"),
    ("applied to '(kubernetes.Quantity", _QUANTITIES),
    *(
        (f"input '{unit}'", _QUANTITIES)
        for unit in ("Gi", "Mi", "Ti", "GiB", "MiB", "TiB", "G", "M", "T", "GB", "MB", "TB")
    ),
    ("kubernetes.Semver", _VERSIONS),
    ("applied to '(map(string", "name the domain and the entry: device.attributes['<domain>'].<name>"),
    ("invalid matches argument", "write the pattern as RE2 has it: no look-ahead, no back-references, and \\\\ for \\"),
    ("exceeds cost limit", "compare single attributes: a loop is charged for the longest list that there may be"),
    ("must evaluate to bool", "compare the value with something: the result must be true or false"),
    ("Syntax error", "write it as CEL has it: && || ! == !=, texts in quotes, lists as ['a', 'b']"),
)
_TOO_LONG = (
    "write values of one attribute as a list, device.attributes['<domain>'].<name> in ['a', 'b'], or match a pattern"
)


def tip_for(compiled: Compiled) -> str | None:
    """Return what to type instead of a refused selector; None where its general form says all."""
    if compiled.too_long:
        return _TOO_LONG
    message = compiled.issues[0].message
    if message.startswith("undeclared reference to '"):
        return _undeclared(message.split("'")[1], compiled)
    return next((tip for phrase, tip in _TIPS if phrase in message), None)


def _undeclared(name: str, compiled: Compiled) -> str | None:
    """Return a tip for a name that nothing has: a function that is called otherwise, or what a selector cannot see."""
    if f"{name}(" not in compiled.expression.replace(" ", ""):
        return "begin with device.: device.driver, device.attributes or device.capacity" if name in _PARTS else _UNSEEN
    near = _nearest(name, compiled)
    return f"write {near}(...), which is CEL's name for it" if near else None


def _nearest(name: str, compiled: Compiled) -> str | None:
    from dralign.selector.compiled import language_of  # noqa: PLC0415 -- only refused expressions come here
    from dralign.spelling import nearest  # noqa: PLC0415

    known: Iterable[str] = language_of(compiled.setting).environment.functions()
    plain = {function.lower(): function for function in known if function[0].isalpha()}
    near = nearest(name.lower(), plain, alike=0.75)
    return plain[near] if near else None


_PARTS = frozenset({"driver", "attributes", "capacity", "allowMultipleAllocations"})
