"""What the writing of all kinds of places needs: the text, the pieces to replace, the style at a place."""

from __future__ import annotations

from dralign.edit.layout import block_style
from dralign.edit.reading import last_scalar
from dralign.edit.rendering import BLOCK, JSON, word
from dralign.edit.scalars import double_quoted, string
from dralign.edit.scan import (
    back_over_blanks,
    begins_line,
    eol,
    line_start,
    next_line,
    over_blanks,
    properties_end,
    would_be_swallowed,
)
from dralign.edit.splices import Splices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.edit.draft import New, Slot
    from dralign.edit.rendering import Style
    from dralign.yamlio import Node


class Canvas:
    """A text being rewritten.

    Attributes:
        text: the text, with a line break at its end.
        splices: the pieces to be replaced.
        moved: ``id`` of nodes whose anchor went elsewhere.
        open_end: whether the text has that last line break only for the time of the edit.
    """

    def __init__(self, text: str, root: Node, moved: set[int], *, open_end: bool) -> None:
        self.text = text
        self.splices = Splices(text)
        self.moved = moved
        self.open_end = open_end
        self._content_end = len(text.rstrip())
        self._style = block_style(text, root)

    def style(self, column: int, *behind: int) -> Style:
        """Return the block style for what is written into a container at ``column``.

        A ``|`` block would swallow deeper comments in the lines that follow, which start at the offsets ``behind``, and
        lacks its last line break where the text does.
        """
        is_last = self.open_end and behind[0] >= self._content_end
        literals = not is_last and not any(would_be_swallowed(self.text, at, column) for at in behind)
        return self._style.replace(eol=eol(self.text, max(behind[0] - 1, 0)), literals=literals)

    def insert_lines(self, at: int, lines: Sequence[str], style: Style) -> None:
        """Put lines before the line at offset ``at``."""
        self.replace_lines(at, at, lines, style)

    def replace_lines(self, start: int, end: int, lines: Sequence[str], style: Style) -> None:
        """Put lines in the place of those between two offsets, both starts of lines."""
        self.splices.replace(start, end, "".join(line + style.eol for line in lines))

    def delete_lines(self, start: int, end: int) -> None:
        """Take out the lines of something that stands between two offsets."""
        self.splices.delete(line_start(self.text, start), next_line(self.text, end))

    def cut(self, start: int, end: int) -> None:
        """Take out what stands between two offsets and the blanks before it; its line may go on with a comment."""
        behind = over_blanks(self.text, end)
        self.splices.delete(back_over_blanks(self.text, start), end)
        if "\t" in self.text[end:behind] and self.text[behind] == "#":
            # a tab may not follow a dash, nor a colon below "?"
            self.splices.replace(end, behind, " ")

    def write_word(self, start: int, end: int, word: str) -> None:
        """Put a word, or nothing, in the place of what stands between two offsets on a line."""
        if word:
            self.splices.replace(start, end, word)
        else:
            self.cut(start, end)

    def anchor(self, new: New, old: Node) -> str:
        """Return ``&name`` for a new value in the place of an old node, or nothing."""
        name = new.anchor or (None if id(old) in self.moved else old.anchor)
        return f"&{name}" if name else ""

    def properties_end(self, node: Node) -> int:
        """Offset behind a node's anchor and tag; its start where it has none."""
        if node.prefix_start == node.start:
            return node.start
        return properties_end(self.text, node.prefix_start, node.start)

    def drop_anchor(self, node: Node) -> None:
        """Take a node's anchor out of the text, if it went elsewhere."""
        if id(node) not in self.moved:
            return
        text = self.text
        start = text.find("&", node.prefix_start, self.properties_end(node))
        stop = start + 1 + len(node.anchor or "")
        following = over_blanks(text, stop)
        if text[following] not in "#\r\n":
            self.splices.delete(start, following)
        elif begins_line(text, start) and text[following] != "#":
            self.delete_lines(start, stop)
        else:
            self.cut(start, stop)

    def close(self, root: Node) -> str:
        """Return the rewritten text.

        A block scalar at the end of a text without a line break must be told so when something comes to stand behind.
        """
        if self.open_end and self.splices.adds_behind(len(self.text)):
            last = last_scalar(root)
            if last.style in ("|", ">") and not last.value.endswith("\n") and not self.splices.covers(last.start):
                self._close_literal(last.start)
        return self.splices.join()

    def _close_literal(self, start: int) -> None:
        end = start + 1
        while self.text[end] in "+-0123456789":
            end += 1
        header = self.text[start:end].replace("+", "").replace("-", "")
        self.splices.replace(start, end, header + "-")

    def write_key(self, slot: Slot, form: str) -> None:
        """Write the key of an entry anew, quoted as it was."""
        key, new = slot.key, slot.new_key
        if key is None or new is None:
            return
        in_flow = form != BLOCK
        if not isinstance(new.data, str):
            spelled = word(new.data, flow=in_flow)
        elif form == JSON:
            spelled = double_quoted(new.data)
        else:
            spelled = string(new.data, flow=in_flow, quote=key.style if key.style in ("'", '"') else "")
        anchor = self.anchor(new, key)
        tail = eol(self.text, key.start) if self.text[key.end - 1] == "\n" else ""
        self.splices.replace(key.prefix_start, key.end, (f"{anchor} {spelled}" if anchor else spelled) + tail)
