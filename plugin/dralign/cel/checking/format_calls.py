"""Checks calls of ``format`` on a literal text with a literal list before they run.

Source: the validator in cel-go's ext/formatting.go that belongs to the strings extension below version 4.
"""

from __future__ import annotations

from dralign.cel.ast import Call, ListExpr, Literal, MapExpr
from dralign.cel.functions.formatting import clauses
from dralign.cel.values import CelError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.ast import Expr
    from dralign.cel.checking.checker import Checked
    from dralign.cel.errors import Issues

_ANY_NUMBER = 1 << 62
_CUT_SHORT = "unexpected end of string"

_SHOWN_AS_TEXT = (
    "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, "
    "and timestamps"
)
_SHOWN_AS_HEX = "only integers, byte buffers, and strings can be formatted as hex"

# letter: kinds of types that fit, what is said of others
_FITTING: dict[str, tuple[tuple[str, ...], str]] = {
    "s": (
        (
            "bool",
            "bytes",
            "double",
            "duration",
            "int",
            "list",
            "map",
            "null",
            "string",
            "timestamp",
            "type",
            "uint",
        ),
        _SHOWN_AS_TEXT,
    ),
    "d": (("int", "uint"), "decimal clause can only be used on integers"),
    "f": (("double", "string"), "fixed-point clause can only be used on doubles"),
    "e": (("double", "string"), "scientific clause can only be used on doubles"),
    "b": (("int", "uint", "bool"), "only integers and bools can be formatted as binary"),
    "x": (("int", "uint", "string", "bytes"), _SHOWN_AS_HEX),
    "X": (("int", "uint", "string", "bytes"), _SHOWN_AS_HEX),
    "o": (("int", "uint"), "octal clause can only be used on integers"),
}


def check_format(checked: Checked, node: Call, issues: Issues) -> None:
    """Record what is wrong with a call of ``format``, if text and list are written out."""
    if len(node.args) != 1 or not isinstance(node.args[0], ListExpr):
        return
    if not isinstance(node.target, Literal) or not isinstance(node.target.value, str):
        return
    problem = _problem(checked, node, node.target.value, node.args[0].elements)
    if problem is not None:
        issues.add(problem[0].offset, problem[1], "format")


def _problem(checked: Checked, node: Call, text: str, arguments: list[Expr]) -> tuple[Expr, str] | None:
    """Return the first problem and where it is."""
    used = 0
    try:
        for part in clauses(text, _ANY_NUMBER):
            if isinstance(part, str):
                continue
            if part.argument >= len(arguments):
                return node, f"index {part.argument} out of range"
            misfit = _misfit(checked, arguments[part.argument], part.letter)
            if misfit is not None:
                given = checked.types[misfit.id].name
                return misfit, f"error during formatting: {_FITTING[part.letter][1]}, was given {given}"
            used += 1
    except CelError as error:
        # That a clause has no argument is noticed before its letter is read, but after the end of the text is.
        missing = used >= len(arguments) and error.message != _CUT_SHORT
        return node, f"index {used} out of range" if missing else error.message
    if len(arguments) > used:
        counts = f"(expected {used}, got {len(arguments)})"
        return node, f"too many arguments supplied to string.format {counts}"
    return None


def _misfit(checked: Checked, argument: Expr, letter: str) -> Expr | None:
    """Return the argument, or the part of it, that a clause cannot show."""
    of = checked.types[argument.id]
    if of.kind != "dyn" and of.kind not in _FITTING[letter][0]:
        return argument
    for part in _parts(argument) if letter == "s" else ():
        misfit = _misfit(checked, part, letter)
        if misfit is not None:
            return misfit
    return None


def _parts(argument: Expr) -> list[Expr]:
    if isinstance(argument, ListExpr):
        return argument.elements
    if isinstance(argument, MapExpr):
        return [part for entry in argument.entries for part in (entry.key, entry.value)]
    return []
