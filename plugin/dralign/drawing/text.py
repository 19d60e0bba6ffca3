"""A node in text: a line for each NUMA node, one for each PCIe root behind it, a mark for each device."""

from __future__ import annotations

from dralign.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from dralign.drawing.picture import Item, Picture, Root, Zone

TAKEN, HERE, BLOCKED, FREE = "#", "*", "-", "."
MEANING = {TAKEN: "taken", HERE: "this pod", BLOCKED: "lacks what is taken beside it", FREE: "free"}

_CELLS = 16
_WIDTH = 100
_SOCKET_LINK = "======= socket link ======="
_BORDER = "------- between NUMA nodes -------"
_NO_CPUS: Mapping[int, tuple[int, int]] = {}
_NO_MEMORY: Mapping[int, int] = {}
_NO_NOTES: Mapping[int, str] = {}
_NO_DEVICES: Mapping[str, str] = {}


class Marks(Record):
    """What is said of a node beside what it is.

    Attributes:
        devices: ``TAKEN``, ``HERE`` or ``BLOCKED`` by identity; all others are free.
        cpus: CPUs that others have, and that this pod has, by NUMA node; where it is not said, no bar is drawn.
        memory: bytes that are taken, by NUMA node.
        notes: words at the end of a NUMA node's line.
        crossing: words on what is apart, beside the link that it has to cross.
        between: the two NUMA nodes that it lies on; empty: it stands beside every link of sockets.
    """

    devices: Mapping[str, str] = _NO_DEVICES
    cpus: Mapping[int, tuple[int, int]] = _NO_CPUS
    memory: Mapping[int, int] = _NO_MEMORY
    notes: Mapping[int, str] = _NO_NOTES
    crossing: str = ""
    between: tuple[int, ...] = ()


NO_MARKS = Marks()


def header(name: str, alike: int, body: str) -> str:
    """Return the line above a drawing: the node, how many look like it, and what the marks in the drawing mean."""
    left = f"{name} ({alike} nodes look like this)" if alike > 1 else name
    used = _marks_in(body)
    legend = "   ".join(f"{mark} {word}" for mark, word in MEANING.items() if mark in used)
    return f"{left:<48}  {legend}".rstrip()


def _marks_in(body: str) -> set[str]:
    """Return the marks that stand in a drawing, as words of their own or in bars."""
    links = (_SOCKET_LINK, _BORDER)
    words = (word for line in body.splitlines() if not any(map(line.__contains__, links)) for word in line.split())
    return {mark for word in words if not set(word) - set(MEANING) for mark in word}


def draw(picture: Picture, marks: Marks = NO_MARKS) -> str:
    """Return a node's NUMA nodes, roots and devices, each line ended; the header is not part of it."""
    lines: list[str] = []
    known = any(zone.cpus for zone in picture.zones)
    links = links_of(picture, marks)
    for number, zone in enumerate(picture.zones):
        lines += [f"  {link}" for link in links.get(number, ())]
        lines.append(_zone_line(zone, marks, known=known))
        for root in zone.roots:
            lines += _root_lines(root, marks.devices)
    return "".join(f"{line}\n" for line in lines)


def links_of(picture: Picture, marks: Marks) -> dict[int, tuple[str, ...]]:
    """Return what stands above the NUMA nodes of a picture, by their place in it: links of sockets, and what crosses.

    What is apart on one socket crosses no link: a border is drawn for it.
    """
    zones = picture.zones
    links = [place for place in range(1, len(zones)) if _are_apart(zones[place - 1], zones[place])]
    spots = [place for place, zone in enumerate(zones) if zone.number in marks.between]
    crossed = [place for place in links if spots and spots[0] < place <= spots[-1]]
    beside = crossed[:1] if marks.between else links
    words = f"  {marks.crossing}" if marks.crossing else ""
    made: dict[int, tuple[str, ...]] = {place: (_SOCKET_LINK + (words if place in beside else ""),) for place in links}
    if marks.between and len(spots) > 1 and not crossed:
        made[spots[-1]] = (*made.get(spots[-1], ()), _BORDER + words)
    return made


def _are_apart(one: Zone, other: Zone) -> bool:
    """Say whether two NUMA nodes with CPUs are on different sockets, as far as is known."""
    if not (one.cpus and other.cpus):
        return False
    return one.socket is None or other.socket is None or one.socket != other.socket


def _zone_line(zone: Zone, marks: Marks, *, known: bool) -> str:
    """Return the line of a NUMA node; ``known``: where CPUs are is known, so that a node without any has none."""
    if zone.number is None:
        return "  NUMA node unknown"
    parts = [f"  NUMA node {zone.number}"]
    if zone.cpus:
        use = marks.cpus.get(zone.number)
        bar = f"{_bar(zone.cpus.amount, *use)} " if use else ""
        parts.append(f"CPUs {bar}{zone.cpus.amount}")
    elif known:
        parts.append("no CPUs")
    if zone.memory:
        taken = marks.memory.get(zone.number, 0)
        parts.append(f"memory {size(zone.memory.amount)}" + (f", {size(taken)} taken" if taken else ""))
    if zone.number in marks.notes:
        parts.append(marks.notes[zone.number])
    return "   ".join(parts)


def _bar(count: int, taken: int, here: int) -> str:
    """Return CPUs as a bar; what is there at all is seen, however little it is of the whole."""
    mine = min(-(-here * _CELLS // count), _CELLS)
    others = min(-(-taken * _CELLS // count), _CELLS - mine)
    return TAKEN * others + HERE * mine + FREE * (_CELLS - others - mine)


def size(amount: int) -> str:
    """Return bytes as people write them."""
    for unit, one in (("Gi", 2**30), ("Mi", 2**20)):
        if amount >= one:
            return f"{amount / one:.1f}".removesuffix(".0") + unit
    return str(amount)


def _root_lines(root: Root, marks: Mapping[str, str]) -> Iterator[str]:
    """Yield the line of a root, and more where its devices do not fit into one; a divided card begins a line then."""
    start = f"    {root.name or 'no PCIe root':<12}"
    indent = " " * len(start)
    line = start
    for words in _groups(root.items, marks):
        if line not in (start, indent) and len(line) + sum(len(word) + 2 for word in words) > _WIDTH:
            yield line
            line = indent
        for word in words:
            if line != indent and len(line) + len(word) + 2 > _WIDTH:
                yield line
                line = indent
            line += f"  {word}"
    yield line


class Card(Record):
    """A card that is divided: its name, and its partitions by profile."""

    name: str
    partitions: Mapping[str, tuple[Item, ...]]


def cards_of(items: Iterable[Item]) -> Iterator[Item | Card]:
    """Yield the devices of a root: whole ones, and the partitions of a card together."""
    cards: dict[str, list[Item]] = {}
    for item in items:
        if item.parent:
            cards.setdefault(item.parent, []).append(item)
    for item in items:
        if not item.parent:
            yield item
        elif item is cards[item.parent][0]:
            yield _card(cards[item.parent])


def _card(items: list[Item]) -> Card:
    by_profile: dict[str, tuple[Item, ...]] = {}
    for item in items:
        by_profile[item.profile] = (*by_profile.get(item.profile, ()), item)
    return Card(_shared_name([item.name for item in items]), by_profile)


def _groups(items: Iterable[Item], marks: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield each whole device with its mark; partitions of a card together, one mark for each of a profile."""
    for found in cards_of(items):
        if isinstance(found, Card):
            parts = (
                f"{profile} " + "".join(marks.get(item.identity, FREE) for item in members)
                for profile, members in found.partitions.items()
            )
            yield [found.name, *parts]
        else:
            yield [f"{found.name} {marks.get(found.identity, FREE)}"]


def _shared_name(names: list[str]) -> str:
    """Return the words with which all names begin, or the first name and the last."""
    words = [name.split("-") for name in names]
    shared = []
    for column in zip(*words, strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    return "-".join(shared) if len(shared) > 1 or len(names) == 1 else f"{names[0]}..{names[-1]}"
