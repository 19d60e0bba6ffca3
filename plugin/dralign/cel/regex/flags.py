"""``(?i)``, ``(?s:…)``, ``(?P<name>…)``: what may follow an opening parenthesis."""

from __future__ import annotations

from dralign.cel.regex.errors import RegexError
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.cel.regex.reader import Reader

_NAMES = {"i": "fold", "m": "multiline", "s": "dot_newline", "U": "lazy"}
_NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Flags(Record):
    """How the pattern is read from here on.

    Args:
        fold: letters match both cases.
        multiline: ``^`` and ``$`` match at line breaks, too.
        dot_newline: ``.`` matches line breaks, too.
        lazy: repetitions are as short as possible.
    """

    fold: bool = False
    multiline: bool = False
    dot_newline: bool = False
    lazy: bool = False


class GroupStart(Record):
    """What ``(…`` does: the flags from here on, whether it opens a group, and whether that captures."""

    flags: Flags
    opens: bool
    captures: bool


def read_group_start(reader: Reader, flags: Flags) -> GroupStart:
    """Read ``(`` and what belongs to it."""
    start = reader.at
    reader.take()
    if reader.peek() != "?":
        return GroupStart(flags, opens=True, captures=True)
    reader.take()
    left = len(reader.text) - start
    if (reader.sees("P<") and left > 4) or (reader.sees("<") and left > 3):
        _read_name(reader, start)
        return GroupStart(flags, opens=True, captures=True)
    return _read_flags(reader, start, flags)


def _read_name(reader: Reader, start: int) -> None:
    text = reader.text
    name_start = text.index("<", start) + 1
    end = text.find(">", start)
    if end < 0:
        raise reader.wrong_rest("invalid named capture", start)
    name = text[name_start:end]
    if not name or not _NAME_CHARS.issuperset(name):
        raise RegexError("invalid named capture", text[start : end + 1])
    reader.at = end + 1


def _read_flags(reader: Reader, start: int, flags: Flags) -> GroupStart:
    changes: dict[str, bool] = {}
    value, seen = True, False
    while not reader.is_done:
        char = reader.take()
        if char in _NAMES:
            changes[_NAMES[char]] = value
            seen = True
        elif char == "-" and value:
            value, seen = False, False
        elif char in (":", ")") and (value or seen):
            return GroupStart(flags.replace(**changes), opens=char == ":", captures=False)
        else:
            break
    raise reader.wrong("invalid or unsupported Perl syntax", start)
