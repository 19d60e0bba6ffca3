"""A node as a picture for browsers: NUMA nodes with CPUs, PCIe roots and devices, and a line between what is apart.

Colours and fonts are those of the page's style sheet, see ``STYLE``. Marks stand as signs too, never as colour alone.
"""

from __future__ import annotations

from dralign.drawing.text import BLOCKED, FREE, HERE, TAKEN, Card, cards_of, size
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

_WORDS = {TAKEN: "taken", HERE: "this pod", BLOCKED: "blocked", FREE: "free"}
_CLASSES = {TAKEN: "taken", HERE: "here", BLOCKED: "blocked", FREE: "free"}
_WIDTH = 960
_GAP = 16
_EDGE = 12
_ROW = 30
_HEAD = 66
_ROOT = 84
_LEAST, _MOST = 58, 176
_CELL = 18
_LETTER = 7.2
_BAND = 40


class _Piece(Record):
    """What stands together on a line: words, and devices as boxes with their signs; one box alone holds its words."""

    words: str
    items: tuple[Item, ...] = ()
    alone: bool = False
    begins: bool = False

    @property
    def width(self) -> float:
        """With the gap behind it."""
        wide = len(self.words) * _LETTER
        return max(_LEAST, min(_MOST, wide + 32)) if self.alone else wide + len(self.items) * _CELL + 12


def _pieces(root: Root) -> Iterator[_Piece]:
    """Yield the devices of a root; those of a divided card begin a line, under its name."""
    for found in cards_of(root.items):
        if isinstance(found, Card):
            yield _Piece(found.name, begins=True)
            yield from (_Piece(profile, items) for profile, items in found.partitions.items())
        else:
            yield _Piece(found.name, (found,), alone=True)


class _Spot(Record):
    """Where the line to a thing ends: the middle of its upper edge."""

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
        self._columns = min(len(picture.zones), 2) or 1
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
        box = f"-2 0 {_WIDTH + 4} {top:.0f}"
        head = f'<svg viewBox="{box}" width="{_WIDTH + 4}" role="img" aria-label="{text(title)}">'
        return "\n".join([head, f"<title>{text(title)}</title>", *self._parts, "</svg>"])

    def _height(self, zone: Zone) -> float:
        lines = sum(len(self._lines(root)) for root in zone.roots)
        return _HEAD + lines * _ROW + _EDGE

    def _lines(self, root: Root) -> list[list[_Piece]]:
        """Return what hangs on a root in lines that fit."""
        room = self._inner - _ROOT - _EDGE
        lines: list[list[_Piece]] = [[]]
        for piece in _pieces(root):
            used = sum(other.width for other in lines[-1])
            if lines[-1] and (piece.begins or used + piece.width > room):
                lines.append([])
            lines[-1].append(piece)
        return lines

    def _zone(self, zone: Zone, left: float, top: float, height: float) -> None:
        name = "NUMA node unknown" if zone.number is None else f"NUMA node {zone.number}"
        name += f", socket {zone.socket}" if zone.socket is not None else ""
        taken = self._marks.cpus.get(zone.number, (0, 0))[0] if zone.number is not None else 0
        parts = [f"{zone.cpus.amount} CPUs" + (f", {TAKEN} {taken} taken" if taken else "")] if zone.cpus else []
        parts += [f"memory {size(zone.memory.amount)}"] if zone.memory else []
        note = self._marks.notes.get(zone.number, "") if zone.number is not None else ""
        self._parts += [
            "<g>",
            f'<rect class="zone" x="{left:.1f}" y="{top:.1f}" width="{self._inner:.1f}" height="{height:.1f}" rx="6"/>',
            _text(left + _EDGE, top + 20, name),
            _text(left + self._inner - _EDGE, top + 20, ", ".join(parts), "quiet", anchor="end"),
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
        self._cpus[number] = _Spot(left + middle * width, top)

    def _root(self, root: Root, left: float, top: float) -> float:
        self._parts.append(_text(left, top + 18, _short(root.name or "no PCIe root", _ROOT - 6), "quiet", root.name))
        for line in self._lines(root):
            at = left + _ROOT
            for piece in line:
                self._piece(piece, at, top)
                at += piece.width
            top += _ROW
        return top

    def _piece(self, piece: _Piece, left: float, top: float) -> None:
        if piece.alone:
            width = piece.width - 6
            label = _short(piece.words, width - 24)
            self._device(piece.items[0], f"{label} ", left, top, width)
            return
        self._parts.append(_text(left, top + 16, piece.words, "quiet"))
        at = left + len(piece.words) * _LETTER
        for item in piece.items:
            self._device(item, "", at, top, _CELL - 2)
            at += _CELL

    def _device(self, item: Item, label: str, left: float, top: float, width: float) -> None:
        mark = self._marks.devices.get(item.identity, FREE)
        shape = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="24" rx="4"'
        told = f"<title>{text(item.identity)}: {_WORDS[mark]}</title>"
        self._parts.append(f'<rect class="{_CLASSES[mark]}" {shape}>{told}</rect>')
        self._parts.append(_text(left + 5, top + 16, f"{label}{mark}", "", item.identity))
        self._spots[item.identity] = _Spot(left + width / 2, top)

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
