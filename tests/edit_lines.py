"""Which lines of a document an operation is about; all others must come back byte for byte."""

from __future__ import annotations

from bisect import bisect_left

from dralign.edit import Append, Insert, Remove
from dralign.yamlio import Node, compose, resolve


class _Nowhere:
    index = line = column = 0


def key_of(node: Node, dialect: str) -> str | None:
    """Return a key as data, None for a merge."""
    if node.kind == "scalar" and node.value == "<<" and not node.style:
        return None
    if node.kind == "scalar" and node.tag is None and (node.style or len(node.value) > 5):
        return node.value  # no reader takes longer words for anything but strings, save some numbers
    pair = Node("map", _Nowhere)
    pair.entries.append((node, Node("scalar", _Nowhere)))
    return next(iter(resolve(pair, dialect)), None)


class Region:
    """Lines (numbered from 0) from ``first`` up to, not with, ``stop`` that an operation may change."""

    def __init__(self, first: int, stop: int, own: range = range(0)) -> None:
        self.first = first
        self.stop = stop
        self.own = own  # of these, the lines of what is replaced or taken out: their comments may go with it


class Lines:
    def __init__(self, text: str, dialect: str) -> None:
        self.text = text
        self.dialect = dialect
        self.lines = text.split("\n")
        self.breaks = [at for at, character in enumerate(text) if character == "\n"]
        self.root = compose(text, dialect, "-", 1)

    def region(self, operation) -> Region:
        """Return the region of an operation that is about to be done."""
        path = list(operation.path)
        if isinstance(operation, Append):
            path.append(-1)
        node, above, region = self.root, (0, len(self.lines)), None
        for depth, step in enumerate(path):
            spans = self.spans(node)
            names = [name for name, _, _, _ in spans]
            if node.kind not in ("map", "seq") or not spans:
                return region or Region(*above)
            merges = None in names
            if merges and not isinstance(step, int):
                return Region(self.line(node.prefix_start), self.last(node.end) + 1, range(10**6))
            is_last = depth == len(path) - 1
            if step not in names or (is_last and isinstance(operation, Insert)):
                index = step if isinstance(operation, Insert) and is_last else len(spans)
                return self.gap(node, spans, index, above[0])
            if names.count(step) > 1:
                return Region(self.line(node.prefix_start), self.last(node.end) + 1, range(10**6))
            index = names.index(step)
            if not (len(spans) == 1 and isinstance(operation, Remove) and is_last):
                region = self.around(node, spans, index, above[0])
            else:
                region = Region(above[0], self.last(node.end) + 1, range(spans[0][1], spans[0][2] + 1))
            above = (region.first if node.style == "flow" else spans[index][1], spans[index][2] + 1)
            node = spans[index][3]
        return region or Region(*above, range(*above))

    def gap(self, node, spans, index: int, head: int) -> Region:
        """Region of an entry that is added before the one at ``index``."""
        flow = node.style == "flow"
        first = spans[index - 1][2] + (0 if flow else 1) if index else head
        stop = spans[index][1] + 1 if index < len(spans) else (self.last(node.end) + 1 if flow else first)
        return Region(first, max(first, stop))

    def around(self, node, spans, index: int, head: int) -> Region:
        """Region of the entry at ``index``."""
        flow = node.style == "flow"
        first = spans[index - 1][2] + (0 if flow else 1) if index else (self.line(node.start) if flow else spans[0][1])
        follows = index + 1 < len(spans)
        stop = spans[index][2] + 1
        if follows and (flow or index == 0):
            stop = spans[index + 1][1] + 1
        elif flow:
            stop = self.last(node.end) + 1
        own = range(spans[index][1], spans[index][2] + 1)
        return Region(min(first, head) if index == 0 and not flow and spans[0][1] == head else first, stop, own)

    def spans(self, node) -> list[tuple[str | int | None, int, int, Node]]:
        """Return name, first line, last line and node of each entry or item."""
        found = []
        for key, value in node.entries:
            end = max(value.end, key.end)
            found.append((key_of(key, self.dialect), self.line(key.prefix_start), self.last(end), value))
        for index, item in enumerate(node.items):
            found.append((index, self.line(item.prefix_start), self.last(item.end), item))
        return [
            (name, self.mark_line(node, index, first, found), last, value)
            for index, (name, first, last, value) in enumerate(found)
        ]

    def mark_line(self, node, index: int, first: int, found) -> int:
        """Line of the ``?`` or ``-`` of an entry, which may stand some lines above it."""
        if node.style != "block":
            return first
        lines = self.lines
        line = self.line(node.start) if index == 0 else found[index - 1][2] + 1
        while line < first and not lines[line].strip().startswith(("?", "-")):
            line += 1
        return line

    def line(self, offset: int) -> int:
        return bisect_left(self.breaks, offset)

    def last(self, end: int) -> int:
        """Line of the last character before an offset."""
        return self.line(max(end - 1, 0))


def complaint(before: str, after: str, operation, dialect: str) -> str | None:
    """Say which line changed that had nothing to do with an operation, or None."""
    region = Lines(before, dialect).region(operation)
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    prefix, suffix = old[: region.first], old[region.stop :]
    if "*" in before and "&" in before:
        kept = [line.rstrip("\r\n") for line in prefix + suffix if not set("*&|>") & set(line)]
        return _missing_in_order(_loose(kept), _loose([line.rstrip("\r\n") for line in new]))
    if not before.endswith("\n"):
        prefix, suffix, new = ([line.rstrip("\r\n") for line in lines] for lines in (prefix, suffix, new))
        # the last block scalar may have to learn that it has no line break at its end
        prefix = [line for line in prefix if not set("|>") & set(line)]
        return _missing_in_order(_loose(prefix + suffix), _loose(new))
    if new[: len(prefix)] != prefix:
        return next(
            f"before: {one!r} became {other!r}"
            for one, other in zip(prefix, [*new, None], strict=False)
            if one != other
        )
    suffix, new = _loose(suffix), _loose(new)
    if suffix and new[-len(suffix) :] != suffix:
        return f"behind: wanted {''.join(suffix)!r}"
    between = [
        line
        for number, line in enumerate(old)
        if number in range(region.first, region.stop) and number not in region.own
    ]
    return _missing_in_order(
        [line.strip() for line in between if line.strip().startswith("#")], [line.strip() for line in new]
    )


def _loose(lines: list[str]) -> list[str]:
    """Lines without what keeps a block scalar from swallowing them: blank lines, and the indentation of comments."""
    return [line.lstrip(" ") if line.lstrip().startswith("#") else line for line in lines if line.strip()]


def _missing_in_order(wanted: list[str], lines: list[str]) -> str | None:
    rest = iter(lines)
    return next((f"lost: {line!r}" for line in wanted if line not in rest), None)
