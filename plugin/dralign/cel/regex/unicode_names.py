r"""The sets that ``\p{…}`` names: general categories of Unicode, and scripts."""

from __future__ import annotations

from dralign.cel.regex.charsets import ANY, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from dralign.cel.regex.charsets import Charset, Range

_UPPER, _LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_IGNORED = str.maketrans("", "", "_- ")
_TO_UPPER = str.maketrans(_LOWER, _UPPER)
_TO_LOWER = str.maketrans(_UPPER, _LOWER)

_CATEGORIES = (
    *("Cc", "Cf", "Cn", "Co", "Cs", "Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn", "Nd", "Nl", "No"),
    *("Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Sc", "Sk", "Sm", "So", "Zl", "Zp", "Zs"),
    *("C", "L", "M", "N", "P", "S", "Z"),
)
_CASED = ("Ll", "Lt", "Lu")

_ALIASES = {
    "Casedletter": "LC",
    "Closepunctuation": "Pe",
    "Cntrl": "Cc",
    "Combiningmark": "M",
    "Connectorpunctuation": "Pc",
    "Control": "Cc",
    "Currencysymbol": "Sc",
    "Dashpunctuation": "Pd",
    "Decimalnumber": "Nd",
    "Digit": "Nd",
    "Enclosingmark": "Me",
    "Finalpunctuation": "Pf",
    "Format": "Cf",
    "Initialpunctuation": "Pi",
    "Letter": "L",
    "Letternumber": "Nl",
    "Lineseparator": "Zl",
    "Lowercaseletter": "Ll",
    "Mark": "M",
    "Mathsymbol": "Sm",
    "Modifierletter": "Lm",
    "Modifiersymbol": "Sk",
    "Nonspacingmark": "Mn",
    "Number": "N",
    "Openpunctuation": "Ps",
    "Other": "C",
    "Otherletter": "Lo",
    "Othernumber": "No",
    "Otherpunctuation": "Po",
    "Othersymbol": "So",
    "Paragraphseparator": "Zp",
    "Privateuse": "Co",
    "Punct": "P",
    "Punctuation": "P",
    "Separator": "Z",
    "Spaceseparator": "Zs",
    "Spacingmark": "Mc",
    "Surrogate": "Cs",
    "Symbol": "S",
    "Titlecaseletter": "Lt",
    "Unassigned": "Cn",
    "Uppercaseletter": "Lu",
}

_tables: dict[str, Charset] = {}


def named_charset(name: str) -> Charset | None:
    """Return the set of a name (underscores, dashes and spaces do not count, nor does case), or None."""
    name = name.translate(_IGNORED)
    name = name[:1].translate(_TO_UPPER) + name[1:].translate(_TO_LOWER)
    name = _ALIASES.get(name, name)
    if name not in _tables:
        found = _make(name)
        if found is None:
            return None
        _tables[name] = found
    return _tables[name]


def _make(name: str) -> Charset | None:
    if name == "Any":
        return ANY
    if name == "Ascii":
        return ((0, 0x7F),)
    if name == "Assigned":
        return _of_categories(lambda category: category != "Cn")
    if name in ("LC", "Lc"):
        return _of_categories(lambda category: category in _CASED)
    if name in _CATEGORIES:
        return _of_categories(lambda category: category.startswith(name))
    return _script(name)


def _of_categories(wanted: Callable[[str], bool]) -> Charset:
    import unicodedata  # noqa: PLC0415  rare

    return normal((code, code) for code in range(0x110000) if wanted(unicodedata.category(chr(code))))


def _script(name: str) -> Charset | None:
    from dralign.cel.regex.scripts import SCRIPTS  # noqa: PLC0415  rare

    ranges = SCRIPTS.get(name)
    return None if ranges is None else tuple(map(_range, ranges.split()))


def _range(text: str) -> Range:
    first, _, last = text.partition("-")
    return int(first, 16), int(last or first, 16)
