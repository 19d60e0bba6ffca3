"""Writing drafts in flow context: within braces and brackets, on one line or several, YAML or JSON.

Between two entries there is a comma, before or behind a line break; comments may stand behind it or on lines of their own.
"""

from __future__ import annotations

from dralign.edit.draft import Draft, New
from dralign.edit.entries import FlowEntries
from dralign.edit.layout import flow_style, indentation
from dralign.edit.rendering import JSON, comma, flow, flow_entry
from dralign.edit.runs import runs
from dralign.edit.scalars import quoted
from dralign.edit.scan import (
    back_over_blanks,
    begins_line,
    ends_line,
    line_end,
    line_start,
    line_stop,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from dralign.edit.canvas import Canvas
    from dralign.edit.draft import Slot
    from dralign.edit.rendering import Style
    from dralign.edit.runs import Run
    from dralign.yamlio import Node


def write_flow(canvas: Canvas, draft: Draft, outer: Style) -> None:
    """Write a flow collection that stands in a place of style ``outer``."""
    _Flow(canvas, draft, outer).write()


class _Flow(FlowEntries):
    """One flow mapping or sequence of which something changes."""

    def __init__(self, canvas: Canvas, draft: Draft, outer: Style) -> None:
        super().__init__(canvas.text, draft.node)
        self.canvas = canvas
        self.draft = draft
        self.style = flow_style(canvas.text, draft.node, outer)

    def write(self) -> None:
        for slot in self.draft.slots:
            if slot.origin >= 0:
                self.canvas.write_key(slot, self.style.form)
                self.write_child(slot.value, slot.origin)
        if not self.draft.slots and not self.has_own_comments():
            self.canvas.splices.delete(self.node.start + 1, self.node.end - 1)
            return
        for run in runs(self.draft.slots, len(self.values)):
            if run.added and run.removed:
                start, end = self.start(run.removed[0]), self.end(run.removed[-1])
                self.canvas.splices.replace(start, end, comma(self.style).join(self.added(run.added, start)))
            elif run.added and run.before < 0:
                self.write_first(run)
            elif run.added:
                self.write_behind(run)
            elif run.after < len(self.values):
                self.remove_before(run)
            else:
                self.remove_last(run)

    def has_own_comments(self) -> bool:
        """Whether there are comments between the entries."""
        ends = [self.node.start + 1, *map(self.end, range(len(self.values)))]
        starts = [*map(self.start, range(len(self.values))), self.node.end]
        return any("#" in self.text[end:start] for end, start in zip(ends, starts, strict=True))

    # --- children

    def write_child(self, value: Node | Draft | New, index: int) -> None:
        old = self.values[index]
        if isinstance(value, Draft):
            self.canvas.drop_anchor(old)
            write_flow(self.canvas, value, self.style)
        elif isinstance(value, New):
            anchor = self.canvas.anchor(value, old)
            keeps_quotes = isinstance(value.data, str) and old.kind == "scalar" and old.style in ("'", '"')
            if keeps_quotes and self.style.form != JSON:
                written = quoted(value.data, old.style)
            else:
                written = flow(value.data, indentation(self.text, old.prefix_start), self.style)
            written = f"{anchor} {written}" if anchor else written
            if old.prefix_start < old.end or not self.keys:
                self.canvas.splices.replace(old.prefix_start, old.end, written)
                return
            colon = self.colon(index)
            end = colon + 1 if colon >= 0 else self.keys[index].end
            self.canvas.splices.insert(end, f" {written}" if colon >= 0 else f": {written}")

    def added(self, slots: Sequence[Slot], at: int) -> list[str]:
        """Return the text of new entries that go to the line of ``at``."""
        margin = indentation(self.text, at)
        parts = []
        for slot in slots:
            data = slot.value.data if isinstance(slot.value, New) else None
            if slot.name is None:
                parts.append(flow(data, margin, self.style))
            else:
                parts.append(flow_entry(slot.name, data, margin, self.style))
        return parts

    # --- entries added

    def write_first(self, run: Run) -> None:
        """Put new entries before the first."""
        at = self.start(run.after)
        parts = self.added(run.added, at)
        between = comma(self.style)
        if begins_line(self.text, at):
            between = "," + self.style.eol + indentation(self.text, at)
        self.canvas.splices.insert(at, "".join(part + between for part in parts))

    def write_behind(self, run: Run) -> None:
        """Put new entries behind the one numbered ``run.before``: on its line, or on lines of their own below."""
        text, start, end = self.text, self.start(run.before), self.end(run.before)
        parts = self.added(run.added, start)
        comma_at = self.comma(run.before)
        has_comma = comma_at >= 0 and "\n" not in text[end:comma_at]
        tail = comma_at + 1 if has_comma else end
        if text[end - 1] == ":":
            self.canvas.splices.insert(end, " ")
        if self.goes_below(run, tail, has_comma=has_comma):
            is_below = begins_line(text, start)
            margin = self.style.eol + (indentation(text, start) if is_below else " " * self.column())
            self.write_below(parts, end, tail, margin, has_comma=has_comma)
        else:
            self.canvas.splices.insert(end, "".join(comma(self.style) + part for part in parts))

    def goes_below(self, run: Run, tail: int, *, has_comma: bool) -> bool:
        """Whether new entries get lines of their own; the entry before them, and its comma, end at ``tail``."""
        ends = ends_line(self.text, tail)
        if run.after < len(self.values) and not (ends and has_comma):
            return False
        has_comment = ends and tail < line_end(self.text, tail)
        return has_comment or begins_line(self.text, self.start(run.before))

    def write_below(self, parts: Sequence[str], end: int, tail: int, margin: str, *, has_comma: bool) -> None:
        """Put entries, each behind ``margin``, below one that ends at ``end``, or with its comma at ``tail``."""
        text = self.text
        at = line_end(text, tail) if ends_line(text, tail) else tail
        if has_comma:
            self.canvas.splices.insert(at, "".join(f"{margin}{part}," for part in parts))
        else:
            self.canvas.splices.insert(end, ",")
            self.canvas.splices.insert(at, margin + f",{margin}".join(parts))

    def column(self) -> int:
        """Column of the first entry."""
        start = self.start(0)
        return start - line_start(self.text, start)

    # --- entries taken out

    def remove_before(self, run: Run) -> None:
        """Take out entries that others follow."""
        text, first, last = self.text, run.removed[0], run.removed[-1]
        start, following = self.start(first), self.start(run.after)
        found = self.comma(last)
        if "\n" in text[self.end(last) : found] or not ends_line(text, found + 1):
            self.canvas.splices.delete(start, following)
        elif begins_line(text, start):
            self.canvas.splices.delete(line_start(text, start), line_stop(text, found))
        else:
            self.canvas.splices.delete(back_over_blanks(text, start), line_end(text, found))

    def remove_last(self, run: Run) -> None:
        """Take out the last entries."""
        text, first, last = self.text, run.removed[0], run.removed[-1]
        start, end = self.start(first), self.end(last)
        trailing = self.comma(last)
        if run.before < 0:
            self.canvas.splices.delete(start, max(end, trailing + 1))
            return
        before = self.end(run.before)
        found = self.comma(run.before)
        if not begins_line(text, start):
            self.canvas.splices.delete(before, end)
            return
        if trailing < 0:
            self.canvas.splices.delete(found, found + 1)
        end = max(end, trailing + 1)
        if ends_line(text, end):
            self.canvas.splices.delete(line_start(text, start), line_stop(text, end))
        else:
            self.canvas.splices.delete(start, end)
