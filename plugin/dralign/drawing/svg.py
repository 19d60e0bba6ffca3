"""A node as a picture for browsers: NUMA nodes with CPUs, PCIe roots and devices, and a line between what is apart.

Colours and fonts are those of the page's style sheet, see ``STYLE``. Marks stand as signs too, never as colour alone.
"""

from __future__ import annotations

from dralign.drawing.text import BLOCKED, FREE, HERE, TAKEN, size
from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from dralign.drawing.picture import Item, Picture, Root, Zone
    from dralign.drawing.text import Marks

STYLE = """\
svg { max-width: 100%; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .quiet { fill: var(--quiet); font-size: 11px; }
svg .zone { fill: var(--zone); stroke: var(--line); }
svg .root { stroke: var(--line); }
svg .free { fill: var(--paper); stroke: var(--line); }
svg .taken { fill: var(--taken); stroke: var(--line); }
svg .here { fill: var(--here); stroke: var(--here-line); stroke-width: 2; }
svg .blocked { fill: var(--paper); stroke: var(--line); stroke-dasharray: 3 3; }
svg .cross { fill: none; stroke: var(--bad); stroke-width: 3; }
svg text.cross { fill: var(--bad); stroke: none; font-weight: 600; }
"""

_CLASSES = {TAKEN: "taken", HERE: "here", BLOCKED: "blocked", FREE: "free"}
_WIDTH = 960
_GAP = 16
_EDGE = 12
_ROW = 30
_HEAD = 66
_ROOT = 84
_BOX, _SMALL = 118, 64
_LETTER = 7.2
_BAND = 40


class _Spot(Record):
    """The middle of a thing in the picture."""

    x: float
    y: float


def svg(picture: Picture, marks: Marks, link: tuple[str, ...], title: str) -> str:
    """Return a node as one ``svg`` element.

    Args:
        picture: the node.
        marks: what is taken, and what the pod gets.
        link: two keys of what is apart, as in ``Witness.crossed``; empty where nothing is.
        title: what a screen reader says instead.
    """
    return _Canvas(picture, marks).drawn(link, title)


class _Canvas:
    """Places the NUMA nodes of one picture in rows, and knows afterwards where everything is."""

    def __init__(self, picture: Picture, marks: Marks) -> None:
        self._zones = picture.zones
        self._marks = marks
        self._columns = 1 if len(picture.zones) == 1 else 2 if len(picture.zones) <= 4 else 4
        self._inner = (_WIDTH - _GAP * (self._columns - 1)) / self._columns
        self._spots: dict[str, _Spot] = {}
        self._cpus: dict[int, _Spot] = {}
        self._parts: list[str] = []

    def drawn(self, link: tuple[str, ...], title: str) -> str:
        top = _BAND if link else 0.0
        for start in range(0, len(self._zones), self._columns):
            row = self._zones[start : start + self._columns]
            height = max(self._height(zone) for zone in row)
            for place, zone in enumerate(row):
                self._zone(zone, place * (self._inner + _GAP), top, height)
            top += height + _GAP
        self._parts += self._crossing(link)
        head = f'<svg viewBox="0 0 {_WIDTH} {top:.0f}" width="{_WIDTH}" role="img" aria-label="{text(title)}">'
        return "\n".join([head, f"<title>{text(title)}</title>", *self._parts, "</svg>"])

    def _height(self, zone: Zone) -> float:
        lines = sum(len(self._lines(root)) for root in zone.roots)
        return _HEAD + lines * _ROW + _EDGE

    def _lines(self, root: Root) -> list[list[Item]]:
        """Return the devices of a root in lines that fit."""
        room = self._inner - _ROOT - _EDGE
        lines: list[list[Item]] = [[]]
        used = 0.0
        for item in root.items:
            if lines[-1] and used + _width(item) > room:
                lines.append([])
                used = 0.0
            lines[-1].append(item)
            used += _width(item)
        return lines

    def _zone(self, zone: Zone, left: float, top: float, height: float) -> None:
        name = "NUMA node unknown" if zone.number is None else f"NUMA node {zone.number}"
        parts = [f"{zone.cpus.amount} CPUs"] if zone.cpus else []
        parts += [f"memory {size(zone.memory.amount)}"] if zone.memory else []
        note = self._marks.notes.get(zone.number, "") if zone.number is not None else ""
        self._parts += [
            "<g>",
            f'<rect class="zone" x="{left:.1f}" y="{top:.1f}" width="{self._inner:.1f}" height="{height:.1f}" rx="6"/>',
            _text(left + _EDGE, top + 20, name),
            _text(left + _EDGE + 110, top + 20, ", ".join(parts), "quiet"),
        ]
        if zone.cpus and zone.number is not None:
            self._bar(zone.number, zone.cpus.amount, left + _EDGE, top + 28)
        if note:
            self._parts.append(_text(left + _EDGE, top + 56, note, "quiet"))
        below = top + _HEAD
        for root in zone.roots:
            below = self._root(root, left + _EDGE, below)
        self._parts.append("</g>")

    def _bar(self, number: int, count: int, left: float, top: float) -> None:
        """Draw CPUs as a bar: taken, this pod's, free."""
        width = self._inner - 2 * _EDGE
        taken, here = self._marks.cpus.get(number, (0, 0))
        ends = [0.0]
        for amount in (taken, here):
            ends.append(min(ends[-1] + amount / max(count, 1), 1.0))
        ends.append(1.0)
        for mark, start, end in zip((TAKEN, HERE, FREE), ends, ends[1:], strict=False):
            if end > start:
                shape = f'x="{left + start * width:.1f}" y="{top:.1f}" width="{(end - start) * width:.1f}" height="14"'
                told = {TAKEN: f"{taken} CPUs taken", HERE: f"{here} CPUs of this pod"}.get(mark, "free CPUs")
                self._parts.append(f'<rect class="{_CLASSES[mark]}" {shape}><title>{told}</title></rect>')
        middle = ends[1] + (ends[2] - ends[1]) / 2 if here else 0.5
        self._cpus[number] = _Spot(left + middle * width, top + 7)

    def _root(self, root: Root, left: float, top: float) -> float:
        self._parts.append(_text(left, top + 18, _short(root.name or "no PCIe root", _ROOT - 6), "quiet", root.name))
        for line in self._lines(root):
            at = left + _ROOT
            for item in line:
                self._item(item, at, top)
                at += _width(item)
            top += _ROW
        return top

    def _item(self, item: Item, left: float, top: float) -> None:
        mark = self._marks.devices.get(item.identity, FREE)
        width = _width(item) - 6
        shape = f'x="{left:.1f}" y="{top:.1f}" width="{width}" height="24" rx="4"'
        told = f"<title>{text(item.identity)}: {_CLASSES[mark].replace('here', 'this pod')}</title>"
        self._parts.append(f'<rect class="{_CLASSES[mark]}" {shape}>{told}</rect>')
        label = _short(item.profile or item.name, width - 20)
        self._parts.append(_text(left + 6, top + 16, f"{label} {mark}", "", item.identity))
        self._spots[item.identity] = _Spot(left + width / 2, top + 12)

    def _crossing(self, link: tuple[str, ...]) -> Iterator[str]:
        """Yield the line between two things that are apart, with its words at the top."""
        if not link:
            return
        nodes = (*self._marks.between, None, None)
        ends = [spot for key, node in zip(link, nodes, strict=False) if (spot := self._spot(key, node)) is not None]
        yield _text(_WIDTH / 2, 18, self._marks.crossing, "cross", anchor="middle")
        if len(ends) == 2:
            one, other = ends
            bend = (one.x + other.x) / 2
            over = f"{bend:.1f} {_BAND / 2:.1f}"
            path = f"M{one.x:.1f} {one.y:.1f} C{over} {over} {other.x:.1f} {other.y:.1f}"
            yield f'<path class="cross" d="{path}"/>'

    def _spot(self, key: str, node: int | None) -> _Spot | None:
        """Return where a thing is: a device, else the CPUs of its NUMA node."""
        return self._spots.get(key) or (self._cpus.get(node) if node is not None else None)


def _width(item: Item) -> int:
    return _SMALL if item.profile else _BOX


def _short(name: str, width: float) -> str:
    """Cut a name to a width; what is left out of devices is mostly their beginning."""
    room = int(width / _LETTER)
    return name if len(name) <= room else f"\N{HORIZONTAL ELLIPSIS}{name[1 - room :]}"


def _text(x: float, y: float, words: str, style: str = "", title: str = "", anchor: str = "") -> str:
    attributes = f' class="{style}"' if style else ""
    attributes += f' text-anchor="{anchor}"' if anchor else ""
    hint = f"<title>{text(title)}</title>" if title else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{text(words)}{hint}</text>'


def text(words: str) -> str:
    """Return words so that they are text in HTML and SVG, whatever they are: control characters are spelled out."""
    harmless = "".join(char if char.isprintable() or char == "\n" else f"\\x{ord(char):02x}" for char in words)
    for char, written in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        harmless = harmless.replace(char, written)
    return harmless
