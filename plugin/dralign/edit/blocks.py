"""Writing drafts in block context: entries on lines of their own, comments between them."""

from __future__ import annotations

from dralign.edit.data import Data
from dralign.edit.draft import Draft, New
from dralign.edit.drafting import Drafting
from dralign.edit.entries import BlockEntries
from dralign.edit.flows import write_flow
from dralign.edit.layout import root_flow_style
from dralign.edit.parts import Part
from dralign.edit.reading import Reader, last_scalar
from dralign.edit.rendering import BLOCK, entry, item
from dralign.edit.replacing import DASH, KEY, ROOT, Place, replace
from dralign.edit.runs import runs
from dralign.edit.scan import (
    back_over_blanks,
    begins_line,
    indicator,
    is_blank,
    line_end,
    line_start,
    line_stop,
    next_line,
    over_blanks,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.edit.canvas import Canvas
    from dralign.edit.draft import Slot
    from dralign.edit.rendering import Style
    from dralign.edit.runs import Run
    from dralign.yamlio import Node


def write_value(canvas: Canvas, value: Node | Draft | New, old: Node, place: Place) -> None:
    """Write what is to stand in the place of the node ``old`` of a block container or of the document."""
    if isinstance(value, New):
        replace(canvas, value, old, place)
    elif isinstance(value, Part):
        _write_part(canvas, value, place)
    elif isinstance(value, Draft):
        canvas.drop_anchor(old)
        if old.style == "flow":
            write_flow(canvas, value, root_flow_style(canvas.style(0, old.end), is_document=place.kind == ROOT))
        else:
            _Block(canvas, value, place).write()


def _write_part(canvas: Canvas, part: Part, place: Place) -> None:
    """Edit one item of a long list; its nodes are forgotten afterwards."""
    node = part.compose()
    drafting = Drafting(node, Data(part.data), Reader(part.text, part.dialect))
    drafting.perform(part.operations)
    write_value(canvas, drafting.root.value, node, place)


class _Block(BlockEntries):
    """One block mapping or sequence of which something changes."""

    def __init__(self, canvas: Canvas, draft: Draft, place: Place) -> None:
        super().__init__(canvas.text, draft.node)
        self.canvas = canvas
        self.draft = draft
        self.place = place

    def write(self) -> None:
        for slot in self.draft.slots:
            if slot.origin >= 0 and (slot.new_key or _is_edited(slot.value)):
                self.canvas.write_key(slot, BLOCK)
                old = self.values[slot.origin]
                write_value(self.canvas, slot.value, old, self.child_place(slot.origin))
        if not self.draft.slots:
            self.write_empty()
            return
        for run in runs(self.draft.slots, len(self.values)):
            if run.before < 0 and not begins_line(self.text, self.start(0)):
                self.write_beginning(run)
            elif run.removed:
                self.write_over(run)
            else:
                self.write_between(run)

    def child_place(self, index: int) -> Place:
        """Place of the value of an entry or item."""
        if not self.keys:
            return Place(DASH, self.column, self.start(index) + 1)
        key, value = self.keys[index], self.values[index]
        colon = indicator(self.text, key.end, value.prefix_start, ":")
        return Place(KEY, self.column, colon + 1 if colon >= 0 else -1)

    def delete(self, index: int) -> None:
        """Take out the lines of an entry."""
        self.canvas.delete_lines(self.start(index), self.end(index))

    def behind(self, run: Run) -> list[int]:
        """Offsets of the lines behind each entry taken out, the last first."""
        return [next_line(self.text, self.end(index)) for index in reversed(run.removed)]

    def added(self, slots: Sequence[Slot], style: Style) -> list[str]:
        """Return the lines of new entries."""
        gap = " " if self.keys else self.gap()
        lines: list[str] = []
        for slot in slots:
            data = slot.value.data if isinstance(slot.value, New) else None
            if slot.name is not None:
                lines += entry(slot.name, data, self.column, style)
            else:
                lines += item(data, self.column, style, gap)
        return lines

    def gap(self) -> str:
        """White space between the ``-`` and the first item."""
        gap = self.text[self.node.start + 1 : self.values[0].prefix_start]
        return gap if gap and not gap.strip(" ") else " "

    def write_between(self, run: Run) -> None:
        """Put new entries where none is taken out: behind the one before, or first."""
        if run.before >= 0:
            at = next_line(self.text, self.end(run.before))
        elif self.place.kind == ROOT:
            at = line_start(self.text, self.start(0))
        else:
            at = next_line(self.text, self.head_end())
        style = self.canvas.style(self.column, at)
        self.canvas.insert_lines(at, self.added(run.added, style), style)

    def write_over(self, run: Run) -> None:
        """Take out the lines of entries, and put new ones in the place of the first."""
        first, *others = run.removed
        at = line_start(self.text, self.start(first))
        style = self.canvas.style(self.column, *self.behind(run))
        self.canvas.replace_lines(at, next_line(self.text, self.end(first)), self.added(run.added, style), style)
        for index in others:
            self.delete(index)
        if not run.added and run.before >= 0:
            self.keep_apart(run)

    def write_beginning(self, run: Run) -> None:
        """Add or take out first entries of a container that begins on the line of a dash."""
        at = self.start(0)
        if not run.removed:
            style = self.canvas.style(self.column, line_stop(self.text, at))
            lines = [*self.added(run.added, style), " " * self.column]
            self.canvas.splices.insert(at, style.eol.join(lines).lstrip(" "))
            return
        if not run.added and all(self.is_followed_directly(index) for index in run.removed):
            self.canvas.splices.delete(at, self.start(run.after))
            return
        style = self.canvas.style(self.column, *self.behind(run))
        first, *lines = self.added(run.added, style) or [""]
        start = at if first else back_over_blanks(self.text, at)
        self.canvas.replace_lines(start, next_line(self.text, self.end(0)), [first.lstrip(" "), *lines], style)
        for index in run.removed[1:]:
            self.delete(index)

    def is_followed_directly(self, index: int) -> bool:
        """Whether no comment or blank line stands between an entry and the next."""
        return next_line(self.text, self.end(index)) == line_start(self.text, self.start(index + 1))

    def write_empty(self) -> None:
        """Take out all entries."""
        text = self.text
        empty = "[]" if self.node.kind == "seq" else "{}"
        if self.place.kind == ROOT or not begins_line(text, self.start(0)):
            stop = next_line(text, self.end(0))
            self.canvas.replace_lines(self.start(0), stop, [empty], self.canvas.style(self.column, stop))
        else:
            self.canvas.splices.insert(self.head_end(), f" {empty}")
            self.delete(0)
        for index in range(1, len(self.values)):
            self.delete(index)

    def head_end(self) -> int:
        """Offset behind the key or dash and the container's own anchor and tag."""
        has_properties = self.node.prefix_start < self.node.start
        return self.canvas.properties_end(self.node) if has_properties else self.place.head

    def keep_apart(self, run: Run) -> None:
        """See to it that a block scalar before a gap does not swallow the blank lines and comments behind it."""
        text = self.text
        before = last_scalar(self.values[run.before])
        untouched = run.kept is not None and not isinstance(run.kept.value, (Draft, New))
        if untouched and before.style not in ("|", ">"):
            return
        if not is_blank(text, self.end(run.before), line_start(text, self.start(run.removed[0]))):
            return
        header = text[before.start : line_end(text, before.start)].partition("#")[0]
        keeps = before.style in ("|", ">") and "+" in header
        for index in run.removed:
            if self.keep_lines_apart(next_line(text, self.end(index)), keeps=keeps):
                return

    def keep_lines_apart(self, at: int, *, keeps: bool) -> bool:
        """Pull comments from the line at ``at`` on back to the column of the keys; whether there are any."""
        text = self.text
        found = False
        while at < len(text):
            content = over_blanks(text, at)
            stop = line_stop(text, at)
            if text[content] == "#":
                found = True
                if content - at > self.column:
                    self.canvas.splices.replace(at, content, " " * self.column)
            elif text[content] not in "\r\n":
                break
            elif not found:
                self.canvas.splices.delete(at, stop if keeps else content)
            at = stop
        return found


def _is_edited(value: Node | Draft | New) -> bool:
    return bool(value.operations) if isinstance(value, Part) else isinstance(value, (Draft, New))
