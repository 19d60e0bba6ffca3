"""A text as libyaml must see it to read what go-yaml reads.

go-yaml is a port of an older libyaml. Where PyYAML's libyaml (0.2.5 and later) reads a text differently, the text is
respelled for it, and offsets and values are turned back afterwards:

* a byte order mark inside the text is an ordinary character to go-yaml, an error to libyaml;
* so is a colon before ``,[]{}`` at the end of a plain value inside brackets (``[5:]``);
* ``,[]`` are part of a tag to go-yaml and end it for libyaml;
* ``?`` inside brackets starts a key for go-yaml even without a space after it;
* a carriage return before CR LF: kubectl and kustomize turn CR LF into LF first.
"""

from __future__ import annotations

from bisect import bisect_right

from dralign.yamlio.faults import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dralign.yamlio.nodes import Node

BOM = "\ufeff"
TAG_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_;/?:@&=+$,.!~*'()[]%")
"""What go-yaml takes as part of a tag (``yaml_parser_scan_tag_uri``)."""
NOT_IN_TAGS = frozenset(",[]")
"""Those of them that libyaml ends a tag at."""
IN_TAG = ";"
"""What stands for these: the tag is none of YAML's own either way."""

_PRIVATE_USE = range(0xF0000, 0xFFFFE)


class Respelling:
    """The text for libyaml, made from the original text and the changes asked for so far.

    Attributes:
        original: the text as it stands in the file.
        line: 1-based line of its first character there.
        text: the text for libyaml.
    """

    def __init__(self, original: str, line: int) -> None:
        self.original = original
        self.line = line
        self.text = original
        self._changes: dict[int, tuple[int, str]] = {}
        self._marks: dict[str, str] = {}
        self._ends: list[int] = []
        self._shifts: list[int] = []

    def change(self, at: int, length: int, replacement: str) -> None:
        """Ask for a change at an offset of the current text; ``apply`` makes it."""
        self._changes[self.origin(at)] = length, replacement

    def mark_for(self, character: str) -> str:
        """Return a character that libyaml takes for an ordinary one and ``restore`` turns back."""
        if character not in self._marks:
            taken = {*self.original, *self._marks.values()}
            self._marks[character] = next(chr(code) for code in _PRIVATE_USE if chr(code) not in taken)
        return self._marks[character]

    def apply(self) -> None:
        """Make the text anew."""
        parts: list[str] = []
        self._ends, self._shifts = [], []
        end = size = 0
        for start, (length, replacement) in sorted(self._changes.items()):
            parts += self.original[end:start], replacement
            size += start - end + len(replacement)
            end = start + length
            self._ends.append(size)
            self._shifts.append(end - size)
        self.text = "".join([*parts, self.original[end:]])

    def origin(self, offset: int) -> int:
        """Offset in the original of an offset in the text."""
        at = bisect_right(self._ends, offset)
        return offset + (self._shifts[at - 1] if at else 0)

    def line_of(self, offset: int) -> int:
        """1-based line in the file of an offset in the text."""
        return self.line + self.place(offset).line

    def place(self, offset: int) -> Place:
        """Line and column in the original of an offset in the text."""
        at = self.origin(offset)
        lines = line_starts(self.original[:at])
        return Place(len(lines) - 1, at - lines[-1])

    def restore(self, root: Node) -> None:
        """Turn offsets and values of a tree back to the original text."""
        if not self._changes and not _has_odd_breaks(self.original):
            return
        lines = line_starts(self.original)
        pending = [root]
        while pending:
            node = pending.pop()
            node.start, node.end = self.origin(node.start), self.origin(node.end)
            node.prefix_start = self.origin(node.prefix_start)
            node.line = bisect_right(lines, node.start) - 1
            node.column = node.start - lines[node.line]
            for character, mark in self._marks.items():
                node.value = node.value.replace(mark, character)
            pending.extend(node.items)
            pending.extend(part for entry in node.entries for part in entry)


def _has_odd_breaks(text: str) -> bool:
    """Whether libyaml counts more lines than there are line feeds."""
    if "\r" in text and text.count("\r") != text.count("\r\n"):
        return True
    return not text.isascii() and any(character in text for character in "\x85\u2028\u2029")


def line_starts(text: str) -> list[int]:
    """Offsets of the lines of a text, as editors and ``Chunk.line`` count them: by line feeds."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def respell(text: str, line: int, start: int, *, crlf: bool, added: str) -> Respelling:
    """Return a text with what can be told without reading it.

    Args:
        text: the document.
        line: 1-based line of its first character in the stream.
        start: offset at which its reader starts, behind a separator line that is not its concern.
        crlf: whether its reader turns CR LF into LF first.
        added: what its reader adds at the end.
    """
    respelling = Respelling(text, line)
    # The first mark at the start of a document is dropped (that of the stream was, with the decoding), a second one
    # is taken for a space, and all others are text.
    if line > 1 and text.startswith(BOM, start):
        respelling.change(start, 1, "")
        start += 1
    at = text.find(BOM, start)
    while at >= 0:
        respelling.change(at, 1, " " if at == start else respelling.mark_for(BOM))
        at = text.find(BOM, at + 1)
    at = text.find("\r\r\n") if crlf else -1
    while at >= 0:
        respelling.change(at + 1, 1, "")
        at = text.find("\r\r\n", at + 1)
    if added:
        respelling.change(len(text), 0, added)
    respelling.apply()
    return respelling
