"""``matches``, ``find`` and ``findAll``.

Source: cel-go common/types/string.go (Match); k8s.io/apiserver/pkg/cel/library/regex.go.
"""

from __future__ import annotations

from dralign.cel.regex import RegexError, compile_pattern
from dralign.cel.values import CelError, Optional, TypeValue, no_such_overload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.regex import Pattern
    from dralign.cel.values import Value


def check_pattern(pattern: str) -> None:
    """Raise CelError if RE2 refuses a pattern."""
    _compile(pattern)


def matches(text: Value, pattern: Value) -> bool:
    """``matches(pattern)``: anywhere in the text."""
    text = _text(text)
    return _compile(_text(pattern)).matches(text)


def find(text: Value, pattern: Value) -> str:
    """``find(pattern)``: the first match, empty if there is none."""
    text = _text(text)
    return _compile(_text(pattern), "Illegal regex: ").find(text)


def find_all(text: Value, pattern: Value, limit: Value = -1) -> list[str]:
    """``findAll(pattern[, limit])``; a negative limit is none."""
    text = _text(text)
    if type(limit) is not int:
        raise no_such_overload()
    return _compile(_text(pattern), "Illegal regex: ").find_all(text, limit)


def _text(value: Value) -> str:
    """Return what Go holds a value as, if that is a string: types are held as their names, optionals as what is in them.

    Only a constant pattern lets such values come this far.
    """
    while type(value) is Optional:
        value = value.value
    if type(value) is TypeValue:
        return value.name
    if type(value) is not str:
        raise no_such_overload()
    return value


def _compile(pattern: str, prefix: str = "") -> Pattern:
    try:
        return compile_pattern(pattern)
    except RegexError as error:
        raise CelError(prefix + str(error)) from None
