"""Finding one's way in a text: lines, blanks, indicators, comments. Offsets are in characters.

The texts given here end with a line break; :func:`dralign.edit.apply` adds one for the time of the edit if need be.
"""

from __future__ import annotations

_BLANKS = " \t"


def line_start(text: str, at: int) -> int:
    """Offset of the first character of the line that ``at`` is on."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Offset of the line break that ends the line ``at`` is on."""
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    return end - 1 if text[end - 1 : end] == "\r" and end > at else end


def line_stop(text: str, at: int) -> int:
    """Offset behind the line break of the line ``at`` is on."""
    found = text.find("\n", at)
    return found + 1 if found >= 0 else len(text)


def next_line(text: str, end: int) -> int:
    """Offset of the first line behind content that ends at ``end``; that of a block scalar ends with a line break."""
    return end if text[end - 1 : end] == "\n" else line_stop(text, end)


def eol(text: str, at: int) -> str:
    """Line break used around ``at``: that of its own line, else of the line before."""
    found = text.find("\n", at)
    if found < 0:
        found = text.rfind("\n", 0, at)
    return "\r\n" if found > 0 and text[found - 1] == "\r" else "\n"


def is_blank(text: str, start: int, end: int) -> bool:
    """Whether there is nothing but white space between the offsets."""
    return not text[start:end].strip()


def begins_line(text: str, at: int) -> bool:
    """Whether ``at`` is the first thing on its line."""
    return is_blank(text, line_start(text, at), at)


def ends_line(text: str, at: int) -> bool:
    """Whether nothing but a comment follows on the line of ``at``."""
    rest = text[at : line_end(text, at)].lstrip()
    return not rest or rest[0] == "#"


def back_over_blanks(text: str, at: int) -> int:
    """Offset behind the last character before ``at``, on its line, that is no blank."""
    while at > 0 and text[at - 1] in _BLANKS:
        at -= 1
    return at


def over_blanks(text: str, at: int) -> int:
    """Offset of the first character from ``at`` on that is no blank."""
    while text[at : at + 1] in (" ", "\t"):
        at += 1
    return at


def indicator(text: str, start: int, end: int, mark: str) -> int:
    """Offset of the first ``mark`` between the offsets that is in no comment, or -1.

    Between two nodes there are only blanks, line breaks, comments and indicators.
    """
    while True:
        found = text.find(mark, start, end)
        comment = text.find("#", start, end)
        if found < 0 or not 0 <= comment < found:
            return found
        start = line_end(text, comment)


def has_comment(text: str, start: int, end: int) -> bool:
    """Whether there is a comment between the offsets, which lie between two nodes."""
    return text.find("#", start, end) >= 0


def would_be_swallowed(text: str, at: int, column: int) -> bool:
    """Whether a block scalar of a container at ``column`` would swallow lines from ``at`` on: deeper comments or blanks."""
    while at < len(text):
        end = line_end(text, at)
        content = over_blanks(text, at)
        if content < end:
            return text[content] == "#" and content - at > column
        if content - at > column + 1:
            return True
        at = line_stop(text, at)
    return False


def properties_end(text: str, start: int, content: int) -> int:
    """Offset behind the anchor and tag that start at ``start`` and belong to the content at ``content``."""
    end = at = start
    while at < content and text[at] in "&!":
        end = at
        while end < content and text[end] not in " \t\r\n":
            end += 1
        at = end
        while at < content and text[at] in " \t\r\n#":
            at = line_end(text, at) if text[at] == "#" else at + 1
    return end
